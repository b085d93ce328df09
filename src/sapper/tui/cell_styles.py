"""The look of a cell: its characters, and its colours in each theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.style import Style

from sapper._grid import DIGITS
from sapper.drawing import THEMES, Theme
from sapper.drawing.themes import STEPS
from sapper.errors import MissingExtra
from sapper.translation import Text, t

try:
    import textual  # noqa: F401
except ModuleNotFoundError:
    raise MissingExtra("Textual is not installed: pip install 'sapper[tui]'") from None

__all__ = ["LOOKS", "MARKS", "PLAIN", "Face", "cell_style", "cell_text", "look_text"]

PLAIN: Final = "plain"
LOOKS: Final[Mapping[str, str]] = {
    "dark": "textual-dark",
    "light": "textual-light",
    PLAIN: "ansi-dark",
    **{
        name: "textual-dark" if theme.is_dark else "textual-light"
        for name, theme in THEMES.items()
        if name not in ("dark", "light")
    },
}
"""Looks, with Textual's theme for the rest of the screen; ``plain`` has no colours."""

_TEXTS: Final = {
    "dark": t("Dark theme"),
    "light": t("Light theme"),
    PLAIN: t("Theme without colours"),
}

MARKS: Final[Mapping[str, str]] = {
    "hint": "<",
    "because": "~",
    "bot": "<",
    "safe": "+",
    "mine": "!",
}
"""The character next to a cell for each mark, so that no information depends on colour alone."""

_TINTS: Final = {
    "hint": "hint",
    "because": "hint-2",
    "bot": "hint",
    "safe": "safe-tint",
    "mine": "danger-tint",
}


@dataclass(frozen=True, slots=True)
class Face:
    """The content of one cell.

    Attributes:
        char: ``.`` unopened, a digit, ``F``, ``?``, ``*`` a mine, ``X`` the mine that was opened,
            ``x`` a wrong flag.
        mark: A name of `MARKS` or empty.
        percent: Mine probability from 0 to 100 if it is shown.
        odd: Whether the cell has the darker colour of the checkerboard.
        closed: Character of an unopened cell; empty for the usual dot.
    """

    char: str
    mark: str = ""
    percent: int | None = None
    odd: bool = False
    closed: str = ""


def look_text(look: str) -> Text:
    """Return the message for a look."""
    text = _TEXTS.get(look)
    return text or t("Theme: {name}", name=THEMES[look].label or look)


def cell_text(face: Face, width: int) -> str:
    """Return the characters of a cell: its content, with its mark in the last column."""
    char = {"0": " ", ".": face.closed or "·"}.get(face.char, face.char)
    if face.percent is not None and face.char == ".":
        char = str(min(max(face.percent, 1), 99))
    return f"{char:>{width - 1}}{MARKS.get(face.mark, ' ')}"


@lru_cache(maxsize=4096)
def cell_style(face: Face, look: str, cursor: bool) -> Style:
    """Return the style of a cell; the cursor inverts it."""
    if look == PLAIN:
        bold = face.char not in "0." or bool(face.mark)
        return Style(bold=bold, reverse=cursor)
    theme = THEMES[look]
    return Style(
        color=_ink(face, theme),
        bgcolor=_ground(face, theme),
        bold=face.char != ".",
        reverse=cursor,
    )


def _ground(face: Face, theme: Theme) -> str:
    if face.char == "X":
        return theme["hit"]
    if face.mark in _TINTS:
        return theme[_TINTS[face.mark]]
    if face.percent is not None and face.char == ".":
        return theme.heat[min(face.percent * 2 * STEPS // 100, STEPS - 1)]
    return theme[("face" if face.char in ".F?x" else "open") + ("-2" if face.odd else "")]


def _ink(face: Face, theme: Theme) -> str:
    if face.mark in ("hint", "because", "bot"):
        return theme["mark"]
    if face.char == "." and face.mark:
        return theme["safe" if face.mark == "safe" else "danger"]
    if face.char in DIGITS:
        return theme[f"n{DIGITS.index(face.char)}"] if face.char != "0" else theme["soft"]
    if face.percent is not None and face.char == ".":
        return theme["heat-text-deep" if face.percent >= 25 else "heat-text"]
    names = {"F": "flag", "x": "cross", "*": "mine", "X": "mine"}
    return theme[names.get(face.char, "question")]
