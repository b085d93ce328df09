"""The looks of unopened cells: a chance, or the mark of an overlay."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.drawing import glyphs
from sapper.drawing.marks import OverlayMark
from sapper.drawing.themes import STEPS, Theme

__all__ = ["Look", "chance_look", "mark_look"]


@dataclass(frozen=True, slots=True)
class Look:
    """The look of an unopened cell.

    Attributes:
        words: Its content in words.
        ground: The colour of the cell; empty for the usual colour of unopened cells.
        glyph: A shape in a square of 16 units.
        text: The text, if there is no glyph.
        ink: The colour of the text.
    """

    words: str
    ground: str = ""
    glyph: str = ""
    text: str = ""
    ink: str = ""


def chance_look(chance: float, theme: Theme, *, far: bool, odd: int) -> Look:
    """Return the look of a chance.

    Args:
        chance: The chance, from 0 to 1.
        theme: The colours.
        far: Whether the cell touches no number, which makes it pale.
        odd: The face colour of the cell, 0 or 1.
    """
    step, text = max(0, min(STEPS - 1, int(2 * chance * STEPS))), _percent(chance)
    ground = theme.far_heat[step][odd] if far else theme.heat[step]
    ink = theme.far_text if far else _heat_ink(step, theme)
    return Look(f"mine chance {text}%", ground, text=text, ink=ink)


def mark_look(mark: OverlayMark, theme: Theme) -> Look:
    """Return the look of a mark, as in the web app."""
    if mark.heat is not None:
        step = min(STEPS - 1, int(mark.heat * STEPS))
        return Look(mark.spoken, theme.heat[step], text=mark.text, ink=_heat_ink(step, theme))
    ground = theme.tints.get(mark.tint, "")
    if mark.text or not mark.tint:
        ink = {"safe": theme["safe"], "danger": theme["danger"]}.get(mark.tint, theme["question"])
        return Look(mark.spoken, ground, text=mark.text, ink=ink)
    return Look(mark.spoken, ground, glyphs.TINTED[mark.tint](theme))


def _heat_ink(step: int, theme: Theme) -> str:
    return theme["heat-text" if step < STEPS // 2 else "heat-text-deep"]


def _percent(chance: float) -> str:
    """Format a probability in whole percent: 0 or 100 only if proved."""
    rounded = round(100 * chance)
    if rounded <= 0 < chance:
        return "<1"
    return ">99" if chance < 1 and rounded >= 100 else str(rounded)
