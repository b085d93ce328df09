"""Check that a wheel contains the code, catalogues, pages and puzzles, and nothing else.

Usage: python .ci/check_wheel.py WHEEL
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "sapper"


def expected() -> set[str]:
    """The package's files in this folder, such as ``web/static/index.html``."""
    files = (path for path in SOURCE.rglob("*") if path.is_file())
    made = {".so", ".pyd", ".pyc"}
    return {path.relative_to(SOURCE).as_posix() for path in files if path.suffix not in made}


def differences(names: Iterable[str]) -> list[str]:
    """Return the files missing from a package, and those that do not belong in it."""
    found = {name for name in names if not name.endswith(".pyc")}
    core = {name for name in found if name.startswith("_core.") and name.endswith((".so", ".pyd"))}
    wrong = [f"missing: {name}" for name in sorted(expected() - found)]
    wrong += [f"too much: {name}" for name in sorted(found - core - expected())]
    return wrong if core else ["missing: the native core", *wrong]


def main(wheel: str) -> int:
    """Print the differences, and return the exit status."""
    inside = (name.partition("sapper/") for name in zipfile.ZipFile(wheel).namelist())
    wrong = differences(name for before, _, name in inside if not before and name)
    print("\n".join(wrong) or f"{wheel} holds the whole package")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
