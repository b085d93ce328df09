"""The result of a finished round of a room, on which ratings and tournaments depend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["RoundEnded"]


class RoundEnded(NamedTuple):
    """A finished round of a room.

    Attributes:
        id: Identifies the round forever.
        kind: The kind of room, such as ``race``.
        level: The level.
        rated: Whether it counts for ratings.
        finished_ms: The time of its end in milliseconds since 1970 (UTC).
        places: The place of each person, by session id; bots have none.
        times_ms: The times of those who finished.
        tournament: The code of the tournament that it belongs to, or an empty string.
        race: The number of the race in the tournament.
        rules: What distinguishes its rating list from the usual one of its level.
    """

    id: str
    kind: str
    level: str
    rated: bool
    finished_ms: int
    places: Mapping[str, int]
    times_ms: Mapping[str, int]
    tournament: str = ""
    race: int = 0
    rules: str = ""
