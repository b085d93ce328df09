"""Update the install commands in the docs and the web app: ``python docs/install_lines.py``.

Until the packages are published, the commands install the checkout (``'.[lab]'``) and the packed
npm package. What they install is set in two constants: ``SOURCE`` in
``src/sapper/_util/installing.py``, which also serves the messages of commands, and ``ENGINE`` here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from sapper._util.installing import SOURCE

ROOT = Path(__file__).parents[1]
ENGINE = "../sapper/sapper-engine-1.1.0.tgz"
"""What npm installs: the packed package, or ``sapper-engine`` once it is on npm."""

# Extras for work on Sapper itself are always installed from a checkout.
FOR_CONTRIBUTORS = {"test", "bench", "docs", "dev"}


def files() -> Iterator[Path]:
    """Yield the files with install commands for users."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from sorted((ROOT / "examples").rglob("*.py"))
    yield from sorted((ROOT / "src/sapper/web/static").rglob("*.html"))


def updated(text: str, source: str = SOURCE, engine: str = ENGINE) -> str:
    """Return a text whose commands install these packages."""

    def pip(found: re.Match[str]) -> str:
        if FOR_CONTRIBUTORS & set(found[2].split(",")):
            return found[0]
        return f"{found[1]}'{source}[{found[2]}]'"

    text = re.sub(r"(pip install (?:--\S+ )*)'(?:\.|sapper)\[([\w,]+)\]'", pip, text)
    return re.sub(r"(npm install )\S*sapper-engine\S*", rf"\g<1>{engine}", text)


def main() -> None:
    """Update every file."""
    for path in files():
        text = path.read_text("utf-8")
        if (new := updated(text)) != text:
            path.write_text(new, "utf-8")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
