"""The jobs of the analysis board; each answers a question about a position as JSON.

The jobs use only a position, never a running game, and run in a thread or a worker process.
"""

from __future__ import annotations

import io
from typing import Final

from sapper._util.cancel_flag import cancel_flag
from sapper._util.pasted_text import GAME_ID, folded
from sapper.board import Board
from sapper.coach import outcomes
from sapper.errors import InconsistentPosition, OverlayFailed
from sapper.formats import load
from sapper.game import Game
from sapper.generation import GameId, parse_id
from sapper.overlays import marks_of
from sapper.position import FLAGGED, Position
from sapper.server import limits
from sapper.server.jobs.overlay import ChanceCover, MarkCover
from sapper.server.jobs.process_worker import report
from sapper.server.protocol import Json, error_body
from sapper.solver import Analysis, Limit, analyze, conflict, sample
from sapper.solver.arrange import arrange
from sapper.solver.winning import win_chance
from sapper.topology import Cell, cell_name

__all__ = ["arrangement", "cell", "chances", "deal", "is_picture", "loaded", "wins"]

_CONFLICT_S: Final = 1.0
_BEST: Final = 8
"""Number of cells to report with their win chance."""
_SAMPLED: Final = 500
"""Largest board, in cells, on which games are played to estimate the win chance."""
_LONGEST_ID: Final = 1_000_000
_PICTURES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"RIFF", b"II*\0", b"MM\0*")


def _limit(seconds: float = limits.CHANCES_BUDGET_S) -> Limit:
    return Limit(seconds=seconds, cancel=cancel_flag())


def chances(position: Position, overlay: str | None = None) -> Json:
    """Return the mine probability of each cell or, if nothing fits, the contradictory numbers.

    The probabilities have the form of a game's overlay.

    Args:
        position: The position.
        overlay: The name of an overlay whose marks are added; None for none.
    """
    try:
        analysis = analyze(position.without_flags(), limit=_limit())
    except InconsistentPosition as problem:
        why = conflict(position, limit=_limit(_CONFLICT_S), place=cell_name)
        body = error_body(problem.code, str(problem))
        return {**body, "conflict": None if why is None else why.to_json()}
    answer = {
        **ChanceCover.of(analysis).message(analysis, 0, None),
        "safe": len(analysis.safe_indices),
        "mined": len(analysis.mined_indices),
    }
    return answer if overlay is None else {**answer, "cover": _cover(overlay, position, analysis)}


def _cover(overlay: str, position: Position, analysis: Analysis) -> Json:
    """Return the marks of an overlay or, if it fails, the error."""
    try:
        return MarkCover(overlay, marks_of(overlay, position, analysis)).message(0, None)
    except OverlayFailed as problem:
        return error_body(problem.code, str(problem))


def wins(position: Position) -> Json:
    """Return the win chance of a position and of its best cells."""
    result = win_chance(position.without_flags(), seed=0)
    return {
        "win_chance": result.win_chance,
        "kind": result.kind,
        "error": result.error,
        "cells": [
            {
                "cell": list(one.cell),
                "p_mine": one.p_mine,
                "win_chance": one.win_chance,
                "error": one.error,
            }
            for one in result.cells[:_BEST]
        ],
    }


def cell(position: Position, at: Cell, *, values: bool) -> Json:
    """Return the consequences of each number that a cell may show.

    Args:
        position: The position.
        at: An unopened cell.
        values: Whether to also compute the win chance after each number; this takes longer.
    """
    # Win chances require a mine total or a density.
    valued = values and not (position.mines is None and position.density is None)
    sampled = position.topology.size <= _SAMPLED
    possible = outcomes(position, at, values=valued, sample=sampled, limit=_limit())
    return {"cell": list(at), "outcomes": [one.to_json() for one in possible]}


def deal(position: Position) -> Json:
    """Draw a random board from all that fit."""
    drawn = sample(position, limit=_limit())
    return {"board": _mines(drawn[0])}


def arrangement(
    position: Position, method: str, start_rule: str, likelihood: str, seconds: float
) -> Json:
    """Find an arrangement, and report progress if run in a worker process.

    Raises:
        LimitReached: If there is no answer after `seconds`.
    """
    result = arrange(
        position,
        method,
        start_rule=start_rule,
        likelihood=likelihood,
        limit=_limit(seconds),
        progress=report,
    )
    if result.board is None:
        return {"found": False, **error_body(result.cause or "", result.reason or "")}
    return {
        "found": True,
        "board": _mines(result.board),
        "mines": result.board.mines,
        "areas": result.areas,
        "combinations": result.combinations,
        "elapsed_s": result.elapsed_s,
    }


def is_picture(data: bytes) -> bool:
    """Return whether a file starts like an image."""
    return data.startswith(_PICTURES)


def loaded(data: bytes) -> Json:
    """Read a position from a screenshot, a game id or a file in any known form.

    Raises:
        SapperError: If no position can be read.
    """
    if is_picture(data):
        return _picture(data)
    if GAME_ID.fullmatch(text := folded(data[:_LONGEST_ID].decode("utf-8", "replace")).strip()):
        return _begun(parse_id(text))
    file = load(data)
    return {
        "form": file.form,
        "position": file.position.to_json(),
        "board": None if file.board is None else _mines(file.board),
        "notes": [],
    }


def _begun(given: GameId) -> Json:
    """Return the position after the first click of a game id."""
    game = Game.from_board(given.board)
    game.open(given.start)
    return {
        "form": "id",
        "position": game.position.to_json(),
        "board": _mines(given.board),
        "notes": [],
    }


def _picture(data: bytes) -> Json:
    # Reading pictures needs the extra `vision`.
    from sapper import vision

    reading = vision.read(vision.load(io.BytesIO(data)))
    position = reading.position
    return {
        "form": "picture",
        "position": position.to_json(),
        "board": None,
        "notes": list(reading.doubts),
        "flags": position.cells.count(FLAGGED.encode()),
    }


def _mines(board: Board) -> list[int]:
    return [index for index, mine in enumerate(board.mined) if mine]
