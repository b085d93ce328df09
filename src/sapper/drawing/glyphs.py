"""The shapes drawn on cells, in a square of 16 units, as in the web app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from sapper.drawing.themes import Theme

__all__ = ["DIGITS", "TINTED", "UNITS", "digit", "flag", "mine", "mined_mark", "safe_mark"]

UNITS: Final = 16
"""Side length of the square in which shapes are drawn."""

DIGITS: Final = (
    "M5.6 5.3 8.6 3.9V12M5.4 12.1h6",
    "M4.7 5.6q.1-1.6 1.8-1.6h3q1.9 0 1.9 1.8 0 1.2-1.3 2L6 10.6q-1.1.7-1.1 1.6h6.7",
    "M4.6 4h5q1.8 0 1.8 1.9T9.5 8H6.8m2.7 0q2 0 2 2t-2 2.1h-5",
    "M6.2 3.2 5 8.6h6.8M9.7 3.4v9.8",
    "M11.4 4H5.5L5 8h4.5q2 0 2 2t-2 2.1H4.6",
    "M10.9 4H7.2Q4.9 4 4.9 6.4v3.4q0 2.3 2.1 2.3h2.2q2.1 0 2.1-2.1T9.2 7.8H5.2",
    "M4.5 4h6.9q0 2-1.3 3.7Q8.4 9.8 8.2 13.2",
    "M6.9 4h2.3q1.8 0 1.8 1.9T9.2 7.9H6.9Q5.1 7.9 5.1 5.9T6.9 4ZM6.8 7.9h2.5q2.1 0 2.1 2.1"
    "T9.3 12.1H6.8Q4.7 12.1 4.7 10T6.8 7.9Z",
)
"""Strokes of the digits 1 to 8."""
_ROUND: Final = {
    0: "M6.8 4h2.4q2.2 0 2.2 2.3v3.5q0 2.3-2.2 2.3H6.8q-2.2 0-2.2-2.3V6.3Q4.6 4 6.8 4Z",
    9: "M5.1 12.1h3.7q2.3 0 2.3-2.4V6.3Q11.1 4 9 4H6.8Q4.7 4 4.7 6.1T6.8 8.3h4",
}


def digit(number: int, theme: Theme) -> str:
    """Return the shape of a number from 1 to 12."""
    paths = [_ROUND.get(int(char)) or DIGITS[int(char) - 1] for char in str(number)]
    style = f'fill="none" stroke="{theme[f"n{number}"]}" stroke-width="2.4" stroke-linejoin="round"'
    if len(paths) == 1:
        return f'<path d="{paths[0]}" {style}/>'
    # Two digits share the square: each keeps its height and most of its width.
    places = ("translate(-1.6 0) scale(.8 1)", "translate(4.4 0) scale(.8 1)")
    return "".join(
        f'<path transform="{place}" d="{path}" {style}/>'
        for place, path in zip(places, paths, strict=True)
    )


def flag(theme: Theme) -> str:
    """Return a flag."""
    return (
        f'<path fill="{theme["flag"]}" d="M9.6 1.9v7.6L1.9 5.7Z"/>'
        f'<path fill="{theme["pole"]}" '
        'd="M8.9 1.9h1.1v9.6H8.9ZM6.9 11.2h5.1v1h1.8v1.6H5.1v-1.6h1.8Z"/>'
    )


def mine(theme: Theme) -> str:
    """Return a mine."""
    return (
        f'<path stroke="{theme["mine"]}" stroke-width="1.3" stroke-linecap="round" '
        'd="M8 2v12M2 8h12M3.9 3.9l8.2 8.2M12.1 3.9l-8.2 8.2"/>'
        f'<circle cx="8" cy="8" r="4.3" fill="{theme["mine"]}"/>'
        f'<circle cx="6.5" cy="6.5" r="1.25" fill="{theme["glint"]}"/>'
    )


def safe_mark(theme: Theme) -> str:
    """Return the mark of a safe cell: a tick in a disc."""
    return (
        f'<circle cx="8" cy="8" r="5.2" fill="{theme["safe"]}"/>'
        '<path d="M5.5 8.2l1.8 1.9 3.3-4" fill="none" '
        f'stroke="{theme["mark"]}" stroke-width="1.5"/>'
    )


def mined_mark(theme: Theme) -> str:
    """Return the mark of a certain mine: a cross in a diamond."""
    return (
        f'<path d="M8 1.8 14.2 8 8 14.2 1.8 8Z" fill="{theme["danger"]}"/>'
        f'<path d="M6 6l4 4M10 6l-4 4" stroke="{theme["mark"]}" stroke-width="1.5"/>'
    )


def _ring(theme: Theme) -> str:
    style = f'fill="none" stroke="{theme.unknown}" stroke-width="1.5"'
    return f'<circle cx="8" cy="8" r="2.6" {style}/>'


def _lines(heights: tuple[float, ...], ink: str, theme: Theme) -> str:
    path = "".join(f"M4.2 {height:g}h7.6" for height in heights)
    return f'<path stroke="{theme[ink]}" stroke-width="1.7" d="{path}"/>'


TINTED: Final[Mapping[str, Callable[[Theme], str]]] = {
    "safe": safe_mark,
    "danger": mined_mark,
    "unknown": _ring,
    "low": partial(_lines, (8,), "heat-text"),
    "medium": partial(_lines, (6.4, 9.6), "heat-text"),
    "high": partial(_lines, (4.8, 8, 11.2), "heat-text-deep"),
}
"""The shape of each tint of an overlay."""
