"""A room in which everyone plays the same board together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from sapper._util.arguments import switch, whole
from sapper._util.json_reading import reading
from sapper.actions import Action, ActionKind
from sapper.community.bot_opponent import BotOpponent
from sapper.community.live_board import Changes, LiveBoard, changed_cells, check_rules, deal_opened
from sapper.community.members import Member
from sapper.community.message import Json, Message, field_values
from sapper.community.race_settings import check_size
from sapper.community.room import Room
from sapper.errors import BadSetting, IllegalAction
from sapper.game.pointer_path import PARTS
from sapper.generation import GameId, format_id, parse_id, substream
from sapper.rules import INTERMEDIATE, Level
from sapper.translation import LabelledEnum

__all__ = ["POINTER_MS", "SharedBoard", "SharedBoardSettings", "SharedPhase"]

POINTER_MS: Final = 100
"""Mean time between two messages about one member's pointer."""
_EARLY_MS: Final = 200
"""How early a position may come: a slow connection delivers several positions at once."""


class SharedPhase(LabelledEnum):
    """The phase of a shared board."""

    WAITING = "waiting"
    PLAYING = "playing"
    WON = "won"
    LOST = "lost"


_WAITING, _PLAYING, _WON, _LOST = SharedPhase


@dataclass(frozen=True, slots=True)
class SharedBoardSettings:
    """Settings for a shared board.

    Attributes:
        level: The level.
        rules: A rule set with mines that never move.
        lives: The number of mines that lose the game.
        pointers: Whether members see each other's pointers.
        most: Maximum number of players.

    Raises:
        BadSetting: If a value is out of range, or the rules move mines.
    """

    level: Level = INTERMEDIATE
    rules: str = "no-guess"
    lives: int = 3
    pointers: bool = True
    most: int = 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", Level.of(self.level))
        check_size(self.level)
        check_rules(self.level, self.rules)
        whole(self.lives, "lives", least=1, most=100)
        switch(self.pointers, "pointers")
        whole(self.most, "most", least=1, most=20)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**field_values(self), "level": str(self.level)}

    @classmethod
    def from_json(cls, obj: dict[str, Any]) -> Self:
        """Read the JSON form.

        Raises:
            BadSetting: If a value is invalid.
        """
        return cls(**obj)


@dataclass(slots=True)
class _Share:
    """The actions of one member: cells opened, flags set and removed, and mines hit."""

    opened: int = 0
    flags: int = 0
    hits: int = 0


class SharedBoard(Room):
    """A board for up to 20 players. All see the same; only mines not yet hit are secret.

    Args:
        settings: The settings.
        seed: From 0 to 2**64 - 1. The seed determines all boards: keep it secret.
    """

    kind: ClassVar[str] = "shared"
    least: ClassVar[int] = 1
    settings: SharedBoardSettings
    phase: SharedPhase

    def __init__(self, settings: SharedBoardSettings, seed: int) -> None:
        super().__init__(settings.most, seed, rated=False)
        self.settings = settings
        self.phase = _WAITING
        self._games = 0
        self._dealt: GameId | None = None
        self._board: LiveBoard | None = None
        self._lives = settings.lives
        self._start_ms, self._end_ms = 0, 0
        self._owners: dict[int, int] = {}
        self._shares: dict[int, _Share] = {}
        self._log: list[list[Any]] = []
        self._bots: dict[int, BotOpponent] = {}
        self._next_pointer_ms: dict[int, int] = {}

    def point(self, now_ms: int, member_id: str, x: int, y: int) -> list[Message]:
        """Show a player's pointer to the others, every `POINTER_MS` on average.

        Positions that come faster than that, after up to three at once, are ignored.

        Args:
            now_ms: The time.
            member_id: The player.
            x: Distance from the left side in 16ths of a cell.
            y: Distance from the top side in 16ths of a cell.

        Raises:
            BadSetting: If the pointer is not on the board.
            NotAMember: If there is no such member.
        """
        self._advance(now_ms)
        member, level = self.members[member_id], self.settings.level
        for name, value, cells in (("x", x, level.width), ("y", y, level.height)):
            whole(value, name, most=PARTS * cells - 1, error=BadSetting)
        due = max(self._next_pointer_ms.get(member.number, 0), self._time_ms)
        if member.plays and self.settings.pointers and due <= self._time_ms + _EARLY_MS:
            self._next_pointer_ms[member.number] = due + POINTER_MS
            others = [one.id for one in self.members if one is not member]
            body = {"type": "pointer", "number": member.number, "x": x, "y": y}
            self._send_to(others, body)
        return self._sent()

    @property
    def is_running(self) -> bool:
        """Whether a game is running."""
        return self.phase is _PLAYING

    @property
    def is_over(self) -> bool:
        """Whether a game has been won or lost."""
        return self.phase in (_WON, _LOST)

    @property
    def playing(self) -> set[int]:
        """The numbers of all who have opened or flagged a cell."""
        return set(self._shares)

    def recording(self) -> Json:
        """Return the last game with its board and all actions, for replays.

        Raises:
            IllegalAction: If it is not over.
        """
        if self._dealt is None or self.phase not in (_WON, _LOST):
            raise IllegalAction("the recording of a game is secret until its end")
        return {
            "kind": self.kind,
            "level": str(self.settings.level),
            "rules": self.settings.rules,
            "board": format_id(*self._dealt),
            "won": self.phase is _WON,
            "time_ms": self._end_ms - self._start_ms,
            "shares": self._share_list(),
            "log": self._log,
        }

    # Events.

    def _start(self) -> None:
        if self.phase is _PLAYING:
            raise IllegalAction("the game has started already")
        self._let_waiting_in()
        seed = substream(self.seed, "shared", self._games + 1)
        self._dealt = deal_opened(self.settings.level, self.settings.rules, seed)
        self._games += 1
        self._board = LiveBoard(self._dealt.board, self.settings.level)
        self._board.open([self._dealt.board.topology.index(self._dealt.start)])
        self._lives, self._start_ms, self.phase = self.settings.lives, self._time_ms, _PLAYING
        self._owners, self._shares, self._log, self._bots = {}, {}, [], {}
        for member in self.members.players:
            self._joined(member)
        self._tell_all({"type": "game", **self._shown()})
        self._end_if_over(self._time_ms)

    def _let_waiting_in(self) -> None:
        """Let those play who were there before the start, if there are places for them."""
        for member in self.members if not self._locked else ():
            if member.waits and len(self.members.players) < self.members.most:
                self._let_in(member)

    def _is_closed(self) -> bool:
        # A stranger could lose the game for everyone with a few clicks.
        return self.phase is _PLAYING and self.members.host is not None

    def _act(self, member: Member, action: Action) -> None:
        if self.phase is _PLAYING:
            self._play(member, action, self._time_ms)

    def _joined(self, member: Member) -> None:
        if self.phase is _PLAYING and member.bot is not None:
            seed = substream(self.seed, f"bot {self._games}", member.number)
            bot = self._bots[member.number] = BotOpponent(member.bot, self.settings.level, seed)
            bot.wait(self._time_ms)

    def _left(self, member: Member) -> None:
        self._bots.pop(member.number, None)
        self._next_pointer_ms.pop(member.number, None)

    def _play(self, member: Member, action: Action, at_ms: int) -> None:
        assert self._board is not None
        changes = self._board.act(action)
        if not changes:
            # Another player got there first, which is not an error.
            return
        assert action.cell is not None
        entry = [at_ms - self._start_ms, member.number, str(action.kind), *action.cell]
        self._log.append(entry)
        self._credit(member.number, action, changes)
        body = {
            "type": "cells",
            "number": member.number,
            "cells": changed_cells(self._board.position.topology, changes),
            "lives": self._lives,
        }
        self._tell_all(body)
        self._end_if_over(at_ms)

    def _credit(self, number: int, action: Action, changes: Changes) -> None:
        """Record who changed the cells."""
        share = self._shares.setdefault(number, _Share())
        hits = list(changes.values()).count("*")
        if action.kind is ActionKind.FLAG:
            share.flags += 1
        share.opened += sum(char.isdigit() for char in changes.values())
        share.hits += hits
        self._lives -= hits
        for index, char in changes.items():
            self._owners[index] = number
            if char == ".":
                del self._owners[index]

    def _end_if_over(self, at_ms: int) -> None:
        assert self._board is not None
        if self._lives > 0 and not self._board.is_cleared:
            return
        self.phase, self._end_ms = (_WON if self._lives > 0 else _LOST), at_ms
        self._bots = {}
        self._ended.append(self.recording())
        self._tell_all({"type": "game_over", **self._revealed()})

    # Time.

    def _due(self) -> Iterable[int | None]:
        return (bot.next_ms for bot in self._bots.values())

    def _pass(self, time_ms: int) -> None:
        while self._bots:
            number, bot = min(self._bots.items(), key=lambda item: item[1].next_ms)
            if bot.next_ms > time_ms:
                break
            assert self._board is not None
            member = next(one for one in self.members if one.number == number)
            at_ms, action = bot.next_ms, bot.choose(self._board.position)
            bot.wait(at_ms)
            if action is not None:
                self._play(member, action, at_ms)

    # Views.

    def _public(self) -> Json:
        shown = self._base_view()
        if self._board is not None:
            shown |= self._shown()
        return shown | (self._revealed() if self.phase in (_WON, _LOST) else {})

    def _private(self, member: Member) -> Json:
        return {}

    def _shown(self) -> Json:
        assert self._board is not None
        return {
            "rows": self._board.position.rows,
            "owners": sorted(map(list, self._owners.items())),
            "shares": self._share_list(),
            "lives": self._lives,
            "start_ms": self._start_ms,
        }

    def _revealed(self) -> Json:
        assert self._dealt is not None
        return {
            "won": self.phase is _WON,
            "time_ms": self._end_ms - self._start_ms,
            "mines": self._dealt.board.rows,
            "shares": self._share_list(),
        }

    def _share_list(self) -> list[Json]:
        return [{"number": n, **field_values(share)} for n, share in self._shares.items()]

    # The saved form.

    def to_json(self) -> dict[str, Any]:
        """Return the whole room as JSON, for `from_json`; it includes the mines."""
        return {
            **self._base_json(),
            "games": self._games,
            "board": None if self._dealt is None else format_id(*self._dealt),
            "cells": None if self._board is None else self._board.cells,
            "lives": self._lives,
            "start_ms": self._start_ms,
            "end_ms": self._end_ms,
            "owners": sorted(map(list, self._owners.items())),
            "shares": self._share_list(),
            "log": self._log,
            "bots": [[number, bot.to_json()] for number, bot in self._bots.items()],
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Load a room saved by `to_json`; its clock continues with the next event.

        Raises:
            BadSave: If it is not a valid saved room.
        """
        with reading("a saved shared board"):
            made = cls(SharedBoardSettings.from_json(obj["settings"]), obj["seed"])
            made._load_base(obj)
            made.phase, made._games = SharedPhase(obj["phase"]), obj["games"]
            level = made.settings.level
            if obj["board"] is not None:
                made._dealt = parse_id(obj["board"])
                made._board = LiveBoard(made._dealt.board, level, obj["cells"])
            made._lives = obj["lives"]
            made._start_ms, made._end_ms = obj["start_ms"], obj["end_ms"]
            made._owners = dict(map(tuple, obj["owners"]))
            for share in obj["shares"]:
                values = {name: share[name] for name in _Share.__slots__}
                made._shares[share["number"]] = _Share(**values)
            made._log = [list(entry) for entry in obj["log"]]
            made._bots = {n: BotOpponent.from_json(bot, level) for n, bot in obj["bots"]}
            return made
