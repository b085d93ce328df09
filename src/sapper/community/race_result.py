"""The results of a race, and their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sapper.community.message import field_values
from sapper.translation import LabelledEnum

__all__ = ["RaceResult", "RacerStatus", "in_order"]


class RacerStatus(LabelledEnum):
    """A player's status in a race."""

    RACING = "racing"
    FINISHED = "finished"
    """All clear cells are open."""
    OUT = "out"
    """Out of the race after a mine."""
    LEFT = "left"
    """Left the room before the end."""


@dataclass(frozen=True, slots=True)
class RaceResult:
    """The result of one player.

    Attributes:
        number: The number of the member.
        name: The name of the member.
        bot: The name of the bot; None for people.
        status: The status at the end; ``racing`` for players who did not finish in time.
        time_ms: Time from the start of the round to the last cell; None if not finished.
        opened: Number of opened clear cells.
        hits: Number of mines hit.
        place: The place; equal results share a place, and the following places are skipped.
    """

    number: int
    name: str
    bot: str | None
    status: RacerStatus
    time_ms: int | None
    opened: int
    hits: int
    place: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**field_values(self), "status": str(self.status)}

    @property
    def _order(self) -> tuple[int, int]:
        if self.time_ms is not None:
            return 0, self.time_ms
        return (2 if self.status is RacerStatus.LEFT else 1), -self.opened


def in_order(results: Iterable[RaceResult]) -> list[RaceResult]:
    """Return results with their places, in order.

    Finished players come first, by time; then those who did not finish or are out, by opened cells;
    then those who left, by opened cells. Equal values share a place.
    """
    ordered = sorted(results, key=lambda one: (one._order, one.number))
    places: list[RaceResult] = []
    for at, one in enumerate(ordered):
        tied = at > 0 and ordered[at - 1]._order == one._order
        place = places[-1].place if tied else at + 1
        places.append(replace(one, place=place))
    return places
