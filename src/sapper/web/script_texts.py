"""Find the texts that scripts translate: the arguments of ``t`` and ``tn``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["script_texts", "texts_of_scripts"]

_STRING: Final = r'("(?:[^"\\\n]|\\.)*")'
_CALL: Final = re.compile(rf"\b(tn?)\(\s*{_STRING}(?:,\s*{_STRING})?")


def script_texts(script: str) -> Iterator[tuple[str, ...]]:
    """Yield the texts in a script in order: one form of each, or two if it depends on a count.

    >>> list(script_texts('t("Hint"); tn("{n} mine", "{n} mines", count)'))
    [('Hint',), ('{n} mine', '{n} mines')]
    """
    for found in _CALL.finditer(script):
        quoted = [found[2], found[3]] if found[1] == "tn" else [found[2]]
        yield tuple(map(json.loads, quoted))


def texts_of_scripts(folder: Path) -> frozenset[str]:
    """Return the first form of every text in the scripts in a folder and its subfolders."""
    return frozenset(
        forms[0] for path in folder.rglob("*.js") for forms in script_texts(path.read_text("utf-8"))
    )
