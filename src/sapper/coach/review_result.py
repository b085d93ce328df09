"""A reviewed game: its decisions, and the derived statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from sapper._util.arguments import expect, listed, whole
from sapper._util.json_reading import reading
from sapper._util.shortening import shown
from sapper.coach.decisions import Decision, Kind, Value
from sapper.coach.summary import Luck, costliest, curve, lost_at, luck
from sapper.game import Game, Status
from sapper.game.moments import moments
from sapper.game.trail import Trail
from sapper.position import Position

__all__ = ["Review"]


@dataclass(frozen=True)
class Review:
    """A reviewed game.

    Attributes:
        status: The status of the game.
        rules: The rule set.
        decisions: Every opened cell, in order, including undone ones.
        end: The win chance at the end: 1 or 0 once the game is over; None if unknown.
    """

    status: Status
    rules: str
    decisions: tuple[Decision, ...]
    end: Value | None
    _trail: Trail = field(repr=False, compare=False)

    @property
    def counts(self) -> dict[Kind, int]:
        """The number of decisions of each kind, including undone ones."""
        found = Counter(decision.kind for decision in self.decisions)
        return {kind: found[kind] for kind in Kind}

    @property
    def luck(self) -> Luck | None:
        """Luck and skill; None if no win chance is known."""
        return luck(self.decisions, self.end)

    @property
    def lost_at(self) -> int | None:
        """The index of the decision that lost the game; None if the game was not lost."""
        return lost_at(self.decisions)

    @property
    def costliest(self) -> int | None:
        """The index of the decision that lost the most win chance; None if none lost over 1 %."""
        return costliest(self.decisions)

    @property
    def curve(self) -> list[dict[str, Any]]:
        """The win chance over the game: ``index``, ``win_chance``, ``kind`` and ``error``.

        There is one point before each decision with a known chance, and one after the last; undone
        decisions have none.
        """
        return curve(self.decisions)

    def position(self, index: int) -> Position:
        """Return the player's view before a decision; after the last one, the current view.

        Raises:
            BadSetting: If there is no such decision.
        """
        index = whole(index, "a decision", most=len(self.decisions))
        now: Position | None = None
        for number, moment in enumerate(moments(self._trail)):
            if number == index:
                return moment.position
            if not moment.undone or now is None:
                now = moment.position if moment.undone else moment.after
        if now is None:
            now = self._trail.origin or self._trail.settings.level.unopened()
        over = self.status is Status.WON or self.status is Status.LOST
        now = now.without_flags()
        return now.showing(now.cells, running=now.running and not over)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        found = self.luck
        return {
            "status": str(self.status),
            "rules": self.rules,
            "counts": {str(kind): count for kind, count in self.counts.items()},
            "luck": None if found is None else found.to_json(),
            "lost_at": self.lost_at,
            "costliest": self.costliest,
            "curve": self.curve,
            "end": None if self.end is None else self.end.to_json(),
            "decisions": [decision.to_json() for decision in self.decisions],
        }

    @classmethod
    def from_json(cls, obj: Any, game: Game | Trail) -> Self:
        """Read the JSON form of the review of a game.

        Args:
            obj: The JSON form.
            game: The reviewed game, or its trail.

        Raises:
            BadSave: If the JSON form is invalid or does not match the game.
        """
        expect(game, Game | Trail, "a Game or a Trail")
        trail = game.trail() if isinstance(game, Game) else game
        with reading("a review"):
            rules, end = obj["rules"], obj["end"]
            if rules != trail.settings.rules:
                raise ValueError(f"the rules are {trail.settings.rules!r}, got {shown(rules)}")
            return cls(
                Status(obj["status"]),
                trail.settings.rules,
                tuple(_decisions(obj["decisions"], trail)),
                None if end is None else Value.from_json(end),
                trail,
            )


def _decisions(objs: Any, trail: Trail) -> Iterator[Decision]:
    """Yield decisions from JSON; a review in progress may not have all of them yet."""
    replayed = moments(trail)
    for index, obj in enumerate(listed(objs, "decisions")):
        moment = next(replayed, None)
        if moment is None:
            raise ValueError(f"the game has {index} decisions, got {len(objs)}")
        decision = Decision.from_json(obj, moment.position)
        cell = moment.position.topology.cell(moment.turn.cell)
        if (decision.index, decision.cell) != (index, cell):
            raise ValueError(f"decision {index} of the game is {cell}, got {decision.cell}")
        yield decision
