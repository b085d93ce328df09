"""Replays of other programs from `tests/data/replays`, and small handmade ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sapper.board import Board
from sapper.replay import Event, EventKind, Events, Info, Replay

__all__ = ["EXPECTED", "FOLDER", "SAMPLES", "clicks", "replay_of"]

FOLDER = Path(__file__).parents[1] / "data" / "replays"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text("ascii"))
"""The values that other programs compute for each sample."""
SAMPLES = sorted(EXPECTED)


def clicks(*events: tuple[str, int, int]) -> Events:
    """Return events one second apart, given by kind, row and column, on 16-pixel cells."""
    return Events.from_events(
        Event(1000 * number, EventKind(kind), 16 * col + 8, 16 * row + 8)
        for number, (kind, row, col) in enumerate(events)
    )


def replay_of(board: str, *events: tuple[str, int, int], **info: Any) -> Replay:
    """Return a replay on a board that is given as text."""
    return Replay(Board.parse(board), clicks(*events), 16, Info(**info))
