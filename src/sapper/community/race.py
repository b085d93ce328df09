"""A race: everyone plays the same board, and the first to open it wins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final, Self

from sapper._util.json_reading import reading
from sapper.actions import Action
from sapper.community.bot_opponent import BotOpponent
from sapper.community.equal_boards import equal_boards
from sapper.community.live_board import Changes, changed_cells, deal_opened
from sapper.community.members import Member
from sapper.community.message import Json
from sapper.community.race_round import Racer, RaceRound
from sapper.community.race_settings import Boards, RaceSettings
from sapper.community.room import Room
from sapper.errors import Cancelled, IllegalAction, LimitReached
from sapper.generation import GameId, substream
from sapper.translation import LabelledEnum

__all__ = ["PROGRESS_MS", "Race", "RacePhase"]

PROGRESS_MS: Final = 200
"""Minimum time between two messages about the others' progress."""


_SPARE_BOARDS: Final = 4
_MOST_RACERS: Final = 2
"""A round has at most this many times as many racers as the race has places."""


class RacePhase(LabelledEnum):
    """The phase of a race."""

    WAITING = "waiting"
    """Not started yet."""
    COUNTDOWN = "countdown"
    RACING = "racing"
    BREAK = "break"
    """Between two rounds."""
    OVER = "over"


_WAITING, _COUNTDOWN, _RACING, _BREAK, _OVER = RacePhase


class Race(Room):
    """A race of up to 50 players, in one round or several, on one board or on equally hard ones.

    See `Room` for its events. The places of a round are those of `sapper.community.in_order`.

    Args:
        settings: The settings.
        seed: From 0 to 2**64 - 1. The seed determines all boards: keep it secret.
    """

    kind: ClassVar[str] = "race"
    settings: RaceSettings
    phase: RacePhase

    def __init__(self, settings: RaceSettings, seed: int) -> None:
        super().__init__(settings.most, seed, rated=settings.rated)
        self.settings = settings
        self.phase = _WAITING
        self._rounds, self._matches = 0, 0
        self._wins: dict[int, int] = {}
        self._phase_ends_ms = 0
        self._round: RaceRound | None = None
        self._bots: dict[int, BotOpponent] = {}
        self._told_ms = -PROGRESS_MS

    @property
    def rating_rules(self) -> str:
        """What distinguishes its rating list from the usual one of its level."""
        return self.settings.rating_rules

    @property
    def is_running(self) -> bool:
        """Whether a round is running, or about to start."""
        return self.phase in (_COUNTDOWN, _RACING)

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.phase is _OVER

    @property
    def playing(self) -> set[int]:
        """The numbers of all who have played in the current or last round."""
        return set() if self._round is None else set(self._round.racers)

    def recording(self) -> Json:
        """Return the last round with its board and all actions, for replays and reviews.

        Raises:
            IllegalAction: If no round is over, or the next one has started.
        """
        if self._round is None or self.phase not in (_BREAK, _OVER):
            raise IllegalAction("the recording of a race is secret until the end of the round")
        return self._round.recording()

    # Events.

    def _start(self) -> None:
        if self.phase not in (_WAITING, _OVER):
            raise IllegalAction("the race has started already")
        if len(self.members.players) < 2:
            raise IllegalAction("a race needs at least 2 players")
        dealt = self._deal(self._matches + 1, 1)
        self._matches += 1
        self._rounds, self._wins = 0, {}
        self._count_down(dealt, self._time_ms)

    def _act(self, member: Member, action: Action) -> None:
        if self.phase is _RACING and self._round is not None:
            racer = self._round.racers.get(member.number)
            if racer is not None:
                self._play(member, racer, action, self._time_ms)
                self._tell_progress(self._time_ms)
                self._end_round_if_over(self._time_ms)

    def _joined(self, member: Member) -> None:
        running = self._round if self.phase is _RACING and member.plays else None
        if running is None or self._time_ms > running.start_ms + self.settings.late_ms:
            return
        # A player who has seen the board cannot leave the race and join it again, and visitors
        # who come and go must not make the round larger and larger.
        seen = {racer.id for racer in running.racers.values()}
        if (
            member.id not in seen
            and running.has_room
            and len(seen) < _MOST_RACERS * self.settings.most
        ):
            self._enter(running, member, self._time_ms)

    def _left(self, member: Member) -> None:
        self._bots.pop(member.number, None)
        self._wins.pop(member.number, None)
        if self.phase is _RACING and self._round is not None:
            self._round.leave(member.number)
            self._tell_progress(self._time_ms)
            self._end_round_if_over(self._time_ms)
        elif self._hosted and len(self.members.players) < self.least:
            self._stop_waiting()

    def _stop_waiting(self) -> None:
        """End the countdown or break of a player who is left alone."""
        if self.phase is _COUNTDOWN:
            # This match is discarded; the host can start a new one.
            self.phase, self._rounds, self._wins, self._round = _WAITING, 0, {}, None
            self._tell_all({"type": "stopped"})
        elif self.phase is _BREAK:
            self.phase = _OVER
            self._tell_round_over()

    # Time.

    def _due(self) -> Iterable[int | None]:
        if self.phase in (_COUNTDOWN, _BREAK):
            yield self._phase_ends_ms
        elif self.phase is _RACING and self._round is not None:
            racers = self._round.racers
            yield self._round.end_ms
            yield self._round.next_silent_ms()
            yield from (bot.next_ms for n, bot in self._bots.items() if racers[n].racing)
            if any(racer.changed for racer in racers.values()):
                yield self._told_ms + PROGRESS_MS

    def _pass(self, time_ms: int) -> None:
        while (at := min((d for d in self._due() if d is not None), default=None)) is not None:
            if at > time_ms:
                break
            if self.phase is _COUNTDOWN:
                self._begin_round(at)
            elif self.phase is _BREAK:
                self._next_round(at)
            else:
                self._race_on(at)

    def _race_on(self, at_ms: int) -> None:
        assert self._round is not None
        for member in list(self.members):
            bot, racer = self._bots.get(member.number), self._round.racers.get(member.number)
            if bot is not None and racer is not None and racer.racing and bot.next_ms <= at_ms:
                self._play_bot(member, racer, bot, at_ms)
        self._round.mark_silent(at_ms)
        self._tell_progress(at_ms)
        self._end_round_if_over(at_ms)

    def _play_bot(self, member: Member, racer: Racer, bot: BotOpponent, at_ms: int) -> None:
        action = bot.choose(racer.board.position)
        if action is not None:
            self._play(member, racer, action, at_ms)
        bot.wait(max(at_ms, racer.frozen_until_ms))

    # Rounds.

    def _deal(self, match: int, number: int) -> list[GameId]:
        """Return the boards of a round; call it before the countdown, because it may take long."""
        seed = substream(self.seed, f"match {match}", number)
        level, rules = self.settings.level, self.settings.rules
        if self.settings.boards is Boards.SAME:
            return [deal_opened(level, rules, seed)]
        # Some more, for players who join during the countdown or a little later.
        needed = min(self.settings.most, len(self.members.players) + _SPARE_BOARDS)
        return equal_boards(level, rules, seed, needed)

    def _next_round(self, at_ms: int) -> None:
        try:
            dealt = self._deal(self._matches, self._rounds + 1)
        except (LimitReached, Cancelled):
            self.phase = _OVER
            self._tell_round_over()
        else:
            self._count_down(dealt, at_ms)

    def _count_down(self, dealt: list[GameId], at_ms: int) -> None:
        self.phase, self._phase_ends_ms = _COUNTDOWN, at_ms + self.settings.countdown_ms
        self._rounds += 1
        self._round = RaceRound(self.settings, dealt, self._phase_ends_ms)
        self._tell_all(
            {"type": "countdown", "round": self._rounds, "starts_ms": self._phase_ends_ms}
        )

    def _begin_round(self, at_ms: int) -> None:
        assert self._round is not None
        self.phase, self._bots = _RACING, {}
        for member in self.members.players:
            if self._round.has_room:
                self._enter(self._round, member, at_ms)
        self._tell_progress(at_ms)
        self._end_round_if_over(at_ms)

    def _enter(self, running: RaceRound, member: Member, at_ms: int) -> None:
        racer = running.add(member, at_ms)
        if member.bot is not None:
            seed = substream(self.seed, f"bot {self._matches} {self._rounds}", member.number)
            bot = BotOpponent(member.bot, self.settings.level, seed)
            bot.wait(at_ms)
            self._bots[member.number] = bot
        self._tell(member, {"type": "board", "board": _board(racer), "start_ms": running.start_ms})

    def _play(self, member: Member, racer: Racer, action: Action, at_ms: int) -> None:
        assert self._round is not None
        hits, finished = racer.hits, racer.time_ms is not None
        changes = self._round.act(racer, action, at_ms)
        if changes:
            self._tell(member, {"type": "cells", **_changed(racer, changes)})
        if racer.hits > hits:
            self._tell(
                member,
                {
                    "type": "mine",
                    "status": str(racer.status),
                    "frozen_until_ms": racer.frozen_until_ms,
                },
            )
        if racer.time_ms is not None and not finished:
            body = {"type": "finished", "number": racer.number, "time_ms": racer.time_ms}
            self._tell_all(body, is_partial=False)

    def _tell_progress(self, at_ms: int) -> None:
        """Send everyone the latest progress of players, at a limited rate."""
        assert self._round is not None
        if at_ms < self._told_ms + PROGRESS_MS:
            return
        if changed := [racer for racer in self._round.racers.values() if racer.changed]:
            self._told_ms = at_ms
            for racer in changed:
                racer.changed = False
            body = {"type": "progress", "racers": self._round.progress(changed)}
            # Each entry replaces the player's previous one.
            self._tell_all(body, is_partial=False)

    def _end_round_if_over(self, at_ms: int) -> None:
        if self._round is None or not self._round.is_over(at_ms):
            return
        results = self._round.results()
        for one in results:
            if one.place == 1 and one.time_ms is not None:
                self._wins[one.number] = self._wins.get(one.number, 0) + 1
        decided = max(self._wins.values(), default=0) > self.settings.best_of // 2
        self._bots = {}
        if decided or self._rounds >= self.settings.best_of or len(self.members.players) < 2:
            self.phase = _OVER
        else:
            self.phase, self._phase_ends_ms = _BREAK, at_ms + self.settings.break_ms
        self._ended.append(self.recording())
        self._tell_round_over()

    def _tell_round_over(self) -> None:
        """Send everyone the result and, if the boards differ, each player the own mines."""
        assert self._round is not None
        body = {"type": "round_over", **self._revealed()}
        if self.settings.boards is Boards.SAME:
            self._tell_all(body)
            return
        rows = {m.number: self._round.board_rows(m.number) for m in self.members.players}
        self._tell_all(body, each=lambda member: {**body, "mines": rows[member.number]})

    # Views.

    def _public(self) -> Json:
        shown = self._base_view()
        shown |= {"round": self._rounds, "wins": self._win_list()}
        if self.phase in (_COUNTDOWN, _BREAK):
            shown["phase_ends_ms"] = self._phase_ends_ms
        if self._round is not None and self.phase in (_RACING, _BREAK, _OVER):
            shown["start_ms"] = self._round.start_ms
            shown["progress"] = self._round.progress(self._round.racers.values())
        if self.phase in (_BREAK, _OVER):
            shown |= self._revealed()
        return shown

    def _private(self, member: Member) -> Json:
        if self._round is None or self.phase in (_WAITING, _COUNTDOWN):
            return {}
        racer = self._round.racers.get(member.number)
        if racer is None:
            return {}
        shown: Json = {"board": _board(racer)}
        if self.phase in (_BREAK, _OVER):
            shown["mines"] = self._round.board_rows(member.number)
        return shown

    def _revealed(self) -> Json:
        """Return the data that everyone gets at the end of a round."""
        assert self._round is not None
        return {
            "results": [one.to_json() for one in self._round.results()],
            "mines": self._round.board_rows(),
            "wins": self._win_list(),
            "over": self.phase is _OVER,
        }

    def _win_list(self) -> list[list[int]]:
        return sorted([number, wins] for number, wins in self._wins.items())

    # The saved form.

    def to_json(self) -> dict[str, Any]:
        """Return the whole race as JSON, for `from_json`; it includes the mines."""
        return {
            **self._base_json(),
            "rounds": self._rounds,
            "matches": self._matches,
            "wins": self._win_list(),
            "phase_ends_ms": self._phase_ends_ms,
            "told_ms": self._told_ms,
            "round": None if self._round is None else self._round.to_json(),
            "bots": [[number, bot.to_json()] for number, bot in self._bots.items()],
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Load a race saved by `to_json`; its clock continues with the next event.

        Raises:
            BadSave: If it is not a valid saved race.
        """
        with reading("a saved race"):
            made = cls(RaceSettings.from_saved(obj["settings"]), obj["seed"])
            made._load_base(obj)
            made.phase = RacePhase(obj["phase"])
            made._rounds, made._matches = obj["rounds"], obj["matches"]
            made._wins = dict(map(tuple, obj["wins"]))
            made._phase_ends_ms, made._told_ms = obj["phase_ends_ms"], obj["told_ms"]
            if obj["round"] is not None:
                made._round = RaceRound.from_json(made.settings, obj["round"])
            level = made.settings.level
            made._bots = {n: BotOpponent.from_json(bot, level) for n, bot in obj["bots"]}
            return made


def _board(racer: Racer) -> Json:
    """Return a player's board."""
    return {
        "rows": racer.board.position.rows,
        "frozen_until_ms": racer.frozen_until_ms,
        "status": str(racer.status),
        "log": len(racer.log),
    }


def _changed(racer: Racer, changes: Changes) -> Json:
    """Return the changed cells of a player's board."""
    return {"cells": changed_cells(racer.board.position.topology, changes)}
