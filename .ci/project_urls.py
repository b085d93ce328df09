"""Add the project's addresses, which depend on its host, to the metadata of a release.

Usage: python .ci/project_urls.py https://github.com/OWNER/NAME
"""

from __future__ import annotations

import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
BEFORE = "[project.scripts]\n"


def with_urls(text: str, repository: str) -> str:
    """Return the text of a pyproject.toml with the addresses of a repository added.

    Raises:
        ValueError: If it already has addresses, or the repository is not a web address.
    """
    if not repository.startswith("https://"):
        raise ValueError(f"a repository's address begins with https://, got {repository!r}")
    if "[project.urls]" in text or text.count(BEFORE) != 1:
        raise ValueError("pyproject.toml has addresses already, or no [project.scripts]")
    pages = {
        "Repository": "",
        "Documentation": "/blob/HEAD/docs/index.md",
        "Changelog": "/blob/HEAD/CHANGELOG.md",
        "Issues": "/issues",
    }
    lines = [f'{name} = "{repository.rstrip("/")}{path}"\n' for name, path in pages.items()]
    return text.replace(BEFORE, "".join(["[project.urls]\n", *lines, "\n", BEFORE]))


if __name__ == "__main__":
    PROJECT.write_text(with_urls(PROJECT.read_text("utf-8"), sys.argv[1]), "utf-8")
