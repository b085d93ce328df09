"""Write finished games as replays, in a worker process."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sapper.errors import SapperError
from sapper.history import Record
from sapper.replay import to_json

__all__ = ["replays_of"]


def replays_of(games: Sequence[Record]) -> list[str | None]:
    """Return the replays of games as JSON; None for games that cannot be played."""
    return [_replay(game) for game in games]


def _replay(game: Record) -> str | None:
    try:
        return json.dumps(to_json(game.replay()))
    except SapperError:
        return None
