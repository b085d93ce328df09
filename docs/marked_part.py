"""The part of a page that a script writes, between two comments."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["write_or_check"]


def write_or_check(page: Path, begin: str, end: str, part: str) -> int:
    """Replace the part of a page, or with ``--check`` return 1 if it differs.

    Args:
        page: The page.
        begin: The line before the part.
        end: The line after it.
        part: The new text of the part.
    """
    before = page.read_text("utf-8")
    head, _, rest = before.partition(begin)
    _, _, tail = rest.partition(end)
    after = f"{head}{begin}{part}{end}{tail}"
    if "--check" in sys.argv:
        return int(after != before)
    page.write_text(after, "utf-8")
    return 0
