"""One round of a race: a board that each player plays alone, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from sapper.actions import Action
from sapper.community.live_board import Changes, LiveBoard
from sapper.community.members import Member
from sapper.community.message import Json
from sapper.community.progress_map import progress_map, progress_share
from sapper.community.race_result import RaceResult, RacerStatus, in_order
from sapper.community.race_settings import Boards, Mine, RaceSettings
from sapper.generation import GameId, format_id, parse_id

__all__ = ["RaceRound", "Racer"]


@dataclass(slots=True)
class Racer:
    """A player in a round.

    Attributes:
        id: The id of the member.
        number: The number of the member.
        name: The name of the member.
        bot: The name of the bot; None for people.
        board: The player's board.
        active_ms: Time of the last action.
        status: The status.
        frozen_until_ms: The end of the freeze.
        deal: The index of the player's board in the boards of the round.
        time_ms: Time of the last cell since the start of the round; None until then.
        hits: Number of mines hit.
        silent: Whether the last action was too long ago.
        changed: Whether the latest progress still has to be sent to the others.
        log: Every action as ``[ms since the start, kind, row, col]``, except while frozen.
    """

    id: str
    number: int
    name: str
    bot: str | None
    board: LiveBoard
    active_ms: int
    status: RacerStatus = RacerStatus.RACING
    frozen_until_ms: int = 0
    deal: int = 0
    time_ms: int | None = None
    hits: int = 0
    silent: bool = False
    changed: bool = True
    log: list[list[Any]] = field(default_factory=list)

    @property
    def racing(self) -> bool:
        """Whether the player can still finish."""
        return self.status is RacerStatus.RACING


class RaceRound:
    """A round.

    Args:
        settings: The settings of the race.
        dealt: The boards with their starts: one for everyone, or one for each player.
        start_ms: Time of the start.
    """

    def __init__(self, settings: RaceSettings, dealt: list[GameId], start_ms: int) -> None:
        self.start_ms = start_ms
        self.racers: dict[int, Racer] = {}
        self._settings, self._dealt = settings, dealt

    @property
    def has_room(self) -> bool:
        """Whether there is a board for another player."""
        return self._is_same or len(self.racers) < len(self._dealt)

    @property
    def _is_same(self) -> bool:
        return self._settings.boards is Boards.SAME

    def add(self, member: Member, time_ms: int) -> Racer:
        """Add a player at the start of the round, or late, if there is a board."""
        deal = 0 if self._is_same else len(self.racers)
        dealt = self._dealt[deal]
        board = LiveBoard(dealt.board, self._settings.level)
        board.open([dealt.board.topology.index(dealt.start)])
        bot = None if member.bot is None else member.bot.bot
        racer = Racer(member.id, member.number, member.name, bot, board, time_ms, deal=deal)
        if board.is_cleared:
            racer.status, racer.time_ms = RacerStatus.FINISHED, time_ms - self.start_ms
        self.racers[member.number] = racer
        return racer

    def act(self, racer: Racer, action: Action, time_ms: int) -> Changes:
        """Perform an action of a player; return the changes, none while frozen or not racing."""
        if not racer.racing or time_ms < racer.frozen_until_ms:
            return {}
        changes = racer.board.act(action)
        assert action.cell is not None
        racer.log.append([time_ms - self.start_ms, str(action.kind), *action.cell])
        racer.active_ms, racer.silent = time_ms, False
        racer.changed = racer.changed or bool(changes)
        if "*" in changes.values():
            self._hit(racer, time_ms)
        if racer.racing and racer.board.is_cleared:
            racer.status, racer.time_ms = RacerStatus.FINISHED, time_ms - self.start_ms
        return changes

    def _hit(self, racer: Racer, time_ms: int) -> None:
        racer.hits += 1
        if self._settings.mine is Mine.OUT:
            racer.status = RacerStatus.OUT
        else:
            racer.frozen_until_ms = time_ms + self._settings.freeze_ms

    def leave(self, number: int) -> None:
        """Take a player out of the round, unless the result is already known."""
        racer = self.racers.get(number)
        if racer is not None and racer.racing:
            racer.status, racer.changed = RacerStatus.LEFT, True

    def mark_silent(self, time_ms: int) -> None:
        """Mark the players whose last action was too long ago."""
        for racer in self.racers.values():
            if racer.racing and not racer.silent and self._silent_at(racer) <= time_ms:
                racer.silent = racer.changed = True

    def next_silent_ms(self) -> int | None:
        """Return when the next player becomes silent."""
        times = [self._silent_at(r) for r in self.racers.values() if r.racing and not r.silent]
        return min(times, default=None)

    def _silent_at(self, racer: Racer) -> int:
        return max(racer.active_ms, racer.frozen_until_ms) + self._settings.silence_ms

    @property
    def end_ms(self) -> int:
        """The time at which the round ends at the latest."""
        return self.start_ms + self._settings.limit_ms

    def is_over(self, time_ms: int) -> bool:
        """Return whether the round need not wait for anyone."""
        waiting = any(racer.racing and not racer.silent for racer in self.racers.values())
        return not waiting or time_ms >= self.end_ms

    def results(self) -> list[RaceResult]:
        """Return the results so far, in order."""
        return in_order(
            RaceResult(r.number, r.name, r.bot, r.status, r.time_ms, r.board.opened, r.hits)
            for r in self.racers.values()
        )

    def progress(self, racers: Iterable[Racer]) -> list[Json]:
        """Return the public view of players during the round."""
        return [
            {
                "number": racer.number,
                "status": str(racer.status),
                "opened": progress_share(racer.board.opened, racer.board.clear),
                "map": progress_map(self._dealt[racer.deal].board, racer.board.position.cells),
                "frozen_until_ms": racer.frozen_until_ms,
                "hits": racer.hits,
                "silent": racer.silent,
                "time_ms": racer.time_ms,
            }
            for racer in racers
        ]

    def recording(self) -> Json:
        """Return the whole round with its board, for replays; call it only after the end."""
        return {
            "kind": "race",
            "level": str(self._settings.level),
            "rules": self._settings.rules,
            "board": format_id(*self._dealt[0]),
            **({} if self._is_same else {"boards": self._boards_of_racers()}),
            "results": [one.to_json() for one in self.results()],
            "logs": {str(number): racer.log for number, racer in self.racers.items()},
        }

    def _boards_of_racers(self) -> dict[str, str]:
        return {str(n): format_id(*self._dealt[racer.deal]) for n, racer in self.racers.items()}

    def board_rows(self, number: int | None = None) -> list[str]:
        """Return a player's board, or everyone's if it is the same; otherwise, no rows.

        Call it only after the end of the round.
        """
        racer = None if number is None else self.racers.get(number)
        if racer is None and not self._is_same:
            return []
        return self._dealt[0 if racer is None else racer.deal].board.rows

    def to_json(self) -> Json:
        """Return the saved form."""
        racers = [
            {
                **{name: getattr(racer, name) for name in Racer.__slots__ if name != "board"},
                "status": str(racer.status),
                "cells": racer.board.cells,
            }
            for racer in self.racers.values()
        ]
        boards = [format_id(*dealt) for dealt in self._dealt]
        more = {} if self._is_same else {"boards": boards}
        return {"start_ms": self.start_ms, "board": boards[0], **more, "racers": racers}

    @classmethod
    def from_json(cls, settings: RaceSettings, obj: Json) -> Self:
        """Read the saved form."""
        ids = obj.get("boards") or [obj["board"]]
        made = cls(settings, [parse_id(text) for text in ids], obj["start_ms"])
        for saved in obj["racers"]:
            values = dict(saved)
            board = LiveBoard(
                made._dealt[values.get("deal", 0)].board, settings.level, values.pop("cells")
            )
            status = RacerStatus(values.pop("status"))
            made.racers[values["number"]] = Racer(board=board, status=status, **values)
        return made
