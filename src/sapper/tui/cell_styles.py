"""The look of a cell: its characters, and its colours in each theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.style import Style

from sapper._grid import DIGITS
from sapper._util.installing import pip_install
from sapper.drawing import THEMES, Theme
from sapper.drawing.themes import STEPS
from sapper.errors import MissingExtra
from sapper.translation import Text, t

try:
    import textual  # noqa: F401
except ModuleNotFoundError:
    raise MissingExtra(f"Textual is not installed: {pip_install('tui')}") from None

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
    "danger": "!",
    "low": "-",
    "medium": "=",
    "high": "#",
}
"""The character next to a cell for each mark, so that no information depends on colour alone."""

_TINTS: Final = {
    "hint": "hint",
    "because": "hint-2",
    "bot": "hint",
    "safe": "safe-tint",
    "danger": "danger-tint",
}
_HEATS: Final = {"low": 0.06, "medium": 0.36, "high": 0.8}
"""The heat of the classes of risk, as on the page."""
_ROUNDED: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Face:
    """The content of one cell.

    Attributes:
        char: ``.`` unopened, a digit, ``F``, ``?``, ``*`` a mine, ``X`` the opened mine, ``x`` a
            wrong flag.
        mark: A name of `MARKS` or empty.
        text: Text of the overlay, shown if the cell is unopened.
        heat: Colour of the overlay, from 0 to 1.
        odd: Whether the cell is one of the darker cells of the checkerboard.
        closed: Character of an unopened cell; empty for the usual dot.
    """

    char: str
    mark: str = ""
    text: str = ""
    heat: float | None = None
    odd: bool = False
    closed: str = ""


def look_text(look: str) -> Text:
    """Return the message that names a theme."""
    text = _TEXTS.get(look)
    return text or t("Theme: {name}", name=THEMES[look].label or look)


def cell_text(face: Face, width: int) -> str:
    """Return the characters of a cell: its content, with its mark in the last column."""
    char = {"0": " ", ".": face.closed or "·"}.get(face.char, face.char)
    if face.text and face.char == ".":
        char = face.text
    mark = MARKS.get(face.mark, "")
    return f"{char[-(width - len(mark)) :]:>{width - 1}}{mark}".ljust(width)


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
    heat = _heat(face)
    if heat is not None:
        return theme.heat[min(int(heat * STEPS + _ROUNDED), STEPS - 1)]
    return theme[("face" if face.char in ".F?x" else "open") + ("-2" if face.odd else "")]


def _heat(face: Face) -> float | None:
    """Return the heat of an unopened cell without a flag, if it has one."""
    if face.char != ".":
        return None
    return _HEATS.get(face.mark) if face.heat is None else face.heat


def _ink(face: Face, theme: Theme) -> str:
    if face.mark in ("hint", "because", "bot"):
        return theme["mark"]
    if face.char == "." and face.mark in ("safe", "danger"):
        return theme["safe" if face.mark == "safe" else "danger"]
    if face.char in DIGITS:
        return theme[f"n{DIGITS.index(face.char)}"] if face.char != "0" else theme["soft"]
    heat = _heat(face)
    if heat is not None:
        return theme["heat-text-deep" if heat >= 0.5 else "heat-text"]
    names = {"F": "flag", "x": "cross", "*": "mine", "X": "mine"}
    return theme[names.get(face.char, "question")]
