"""Predict which jobs are heavy, so that they run in a worker process from the start."""

from __future__ import annotations

import json
from typing import Any, Final

from sapper.dealer import RULES
from sapper.errors import SapperError
from sapper.game import Status
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.server.snapshot import Snapshot

__all__ = ["cells_of_moves", "cells_of_save", "is_heavy_move", "is_heavy_position", "is_heavy_save"]

_CELLS: Final = 1_000
"""Analysing more cells may take tens of milliseconds, and so may Python's share of it."""
_DENSITY: Final = 0.215
"""Rules that deal by analysis may take seconds at higher densities. Expert has 0.206."""


def is_heavy_position(position: Position) -> bool:
    """Return whether analysing a position, or continuing from it, may take long."""
    return position.topology.size > _CELLS


def is_heavy_move(settings: Settings, now: Snapshot, *, marks: bool) -> bool:
    """Return whether an action may take long.

    Args:
        settings: The settings of the game.
        now: The state of the game.
        marks: Whether the action only sets or removes a flag or a question mark.
    """
    size, reasons = now.position.topology.size, RULES[settings.rules].reasons
    if reasons == "first click":
        position = now.position
        mines = position.mines or (position.density or 0) * size
        crowded = size > _CELLS or mines > _DENSITY * size
        return crowded and not marks and now.status is Status.READY
    if reasons == "never" or size <= _CELLS:
        return False
    # The last flag may win, which has to be proved.
    return not marks or now.mines_left in (-1, 0, 1)


def cells_of_save(game: str | None) -> int:
    """Return the cells of a saved game, given as JSON text; 0 if it cannot be read."""
    try:
        return cells_of_moves(json.loads(game or "{}"))
    except ValueError:
        return 0


def cells_of_moves(game: Any) -> int:
    """Return the cells of a saved game, in its JSON form; 0 if it cannot be read."""
    try:
        return Level.parse(game["level"]).shape().size
    except (SapperError, KeyError, TypeError):
        return 0


def is_heavy_save(game: str | None) -> bool:
    """Return whether a saved game, as JSON text, may take long to load."""
    try:
        begun = json.loads(game or "{}")
        big = Level.parse(begun["level"]).shape().size > _CELLS
        return big and RULES[begun["rules"]].reasons == "every click"
    except (SapperError, KeyError, TypeError, ValueError):
        return False
