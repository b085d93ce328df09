"""Predict which jobs are expensive and should run in a worker process from the start."""

from __future__ import annotations

import json
from typing import Any, Final

from sapper.dealer import RULES
from sapper.errors import SapperError
from sapper.position import Position
from sapper.rules import Level

__all__ = ["cells_of_moves", "cells_of_save", "is_heavy_position", "is_heavy_save"]

_CELLS: Final = 1_000
"""Largest board, in cells, whose analysis never takes tens of milliseconds, even in Python."""


def is_heavy_position(position: Position) -> bool:
    """Return whether analysing a position, or continuing from it, may take long."""
    return position.topology.size > _CELLS


def cells_of_save(game: str | None) -> int:
    """Return the number of cells of a saved game, given as JSON text; 0 if it cannot be read."""
    try:
        return cells_of_moves(json.loads(game or "{}"))
    except ValueError:
        return 0


def cells_of_moves(game: Any) -> int:
    """Return the number of cells of a saved game in JSON form; 0 if it cannot be read."""
    try:
        return Level.parse(game["level"]).shape().size
    except (SapperError, KeyError, TypeError):
        return 0


def is_heavy_save(game: str | None) -> bool:
    """Return whether a saved game, given as JSON text, may take long to load."""
    try:
        saved = json.loads(game or "{}")
        big = Level.parse(saved["level"]).shape().size > _CELLS
        return big and RULES[saved["rules"]].reasons == "every click"
    except (SapperError, KeyError, TypeError, ValueError):
        return False
