"""Learn a theme from a screenshot and its contents as text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from sapper.errors import BadSetting
from sapper.vision.geometry import Geometry, Image, find_geometry
from sapper.vision.looks import LOOKS
from sapper.vision.theme import Sheet, Theme, load_theme, save_theme

__all__ = ["learn_theme", "learned"]

_MIN_DIFFERENCE = 6.0
"""Cells that differ less than this, in levels from 0 to 255, share one picture."""


def learned(theme: Theme, image: Image, at: Geometry, looks: str) -> Theme:
    """Return the theme, extended by pictures of cells that are missing from it.

    Args:
        theme: The theme so far.
        image: The screenshot.
        at: The location of the board in the picture.
        looks: One character of `LOOKS` per cell, in row order; a space skips a cell.
    """
    cells = at.cut(image).reshape(-1, at.size, at.size, 3)
    mine = next((s for s in theme.sheets if s.pitch == at.size), None)
    pictures = [] if mine is None else list(zip(mine.looks, mine.cells, strict=True))
    for look, cell in zip(looks, cells, strict=True):
        alike = (c for name, c in pictures if name == look)
        if look != " " and all(_apart(cell, c) > _MIN_DIFFERENCE for c in alike):
            pictures.append((look, cell))
    sheet = Sheet("".join(look for look, _ in pictures), np.stack([cell for _, cell in pictures]))
    others = tuple(s for s in theme.sheets if s.pitch != at.size)
    return replace(theme, sheets=(*others, sheet))


def learn_theme(image: Image, text: str, path: str | None) -> Path:
    """Save the cells of a screenshot as a new theme, or add them to an existing one.

    Args:
        image: The screenshot.
        text: The looks of its cells, one line per row, with characters of `LOOKS`.
        path: The theme's TOML file.

    Raises:
        BadSetting: If the text does not match the picture, or the path is invalid.
    """
    if path is None or not path.endswith(".toml"):
        raise BadSetting(f"--learn needs --theme FILE.toml to save to, got {path!r}")
    rows = [line for line in text.splitlines() if line]
    at = find_geometry(image)
    if len(rows) != at.rows or any(len(row) != at.columns for row in rows):
        raise BadSetting(
            f"the picture has {at.rows} rows of {at.columns} cells; the text has a different size"
        )
    strange = set("".join(rows)) - set(LOOKS) - {" "}
    if strange:
        raise BadSetting(f"unknown look {min(strange)!r}; use one of {' '.join(LOOKS)}")
    target = Path(path)
    before = load_theme(path) if target.is_file() else Theme(target.stem, ())
    return save_theme(learned(before, image, at, "".join(rows)), target.parent)


def _apart(one: Image, other: Image) -> float:
    difference = one.astype(np.float32) - other.astype(np.float32)
    return float(np.sqrt(np.square(difference).mean()))
