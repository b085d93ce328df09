"""A room for Flags: two players, or a player and a bot, take turns to find mines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from sapper._util.arguments import switch, whole
from sapper._util.json_reading import reading
from sapper.actions import Action, ActionKind
from sapper.community.flags_bot import FlagsBot
from sapper.community.flags_game import FLAGS_LEVEL, FlagsGame, check_flags_level
from sapper.community.live_board import changed_cells
from sapper.community.members import Member
from sapper.community.message import Json, Message, field_values
from sapper.community.race_settings import check_rated, check_size, saved_settings
from sapper.community.room import Room
from sapper.errors import IllegalAction
from sapper.generation import GameId, format_id, generate, parse_id, substream
from sapper.rules import FirstClick, Level
from sapper.topology import Cell
from sapper.translation import LabelledEnum

__all__ = ["Flags", "FlagsPhase", "FlagsSettings"]


RATED_FLAGS: Final = {"turn_ms": 60_000, "missed": 3}
"""The values of rated games, which a host cannot change."""


class FlagsPhase(LabelledEnum):
    """The phase of a room for Flags."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


_WAITING, _PLAYING, _OVER = FlagsPhase


@dataclass(frozen=True, slots=True)
class FlagsSettings:
    """Settings of Flags.

    Attributes:
        level: The level, with an odd mine total.
        rated: Whether the game counts for ratings; watchers then see it late.
        turn_ms: The time limit of a turn, after which the other side moves.
        missed: A side that misses this number of turns in a row loses.

    Raises:
        BadSetting: If a value is out of range, the mine total is even or unknown, or a rated game
            has other times than those of `RATED_FLAGS`.
    """

    level: Level = FLAGS_LEVEL
    rated: bool = False
    turn_ms: int = 60_000
    missed: int = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", Level.of(self.level))
        check_size(self.level)
        check_flags_level(self.level)
        switch(self.rated, "rated")
        whole(self.turn_ms, "turn_ms", least=1_000, most=3_600_000)
        whole(self.missed, "missed", least=1, most=100)
        if self.rated:
            check_rated(self, RATED_FLAGS)

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


class Flags(Room):
    """A room for Flags. Both sides see the same board; only mines not yet found are secret.

    Args:
        settings: The settings.
        seed: From 0 to 2**64 - 1. The seed determines all boards: keep it secret.
    """

    kind: ClassVar[str] = "flags"
    settings: FlagsSettings
    phase: FlagsPhase

    def __init__(self, settings: FlagsSettings, seed: int) -> None:
        super().__init__(2, seed, rated=settings.rated)
        self.settings = settings
        self.phase = _WAITING
        self._games = 0
        self._sides: list[int] = []
        self._game: FlagsGame | None = None
        self._dealt: GameId | None = None
        self._start_ms = self._turn_ends_ms = 0
        self._missed = [0, 0]
        self._winner: int | None = None
        self._bots: dict[int, FlagsBot] = {}

    def bomb(self, now_ms: int, member_id: str, cell: Cell) -> list[Message]:
        """Use the bomb of the side to move.

        Raises:
            BadCell: If the cell is not on the board.
            IllegalAction: If it is not the member's turn, or the bomb is not allowed.
            NotAMember: If there is no such member.
        """
        self._advance(now_ms)
        member = self.members[member_id]
        game = self._check_turn(member)
        self._move(game, game.position.topology.index(cell), self._time_ms, bomb=True)
        return self._sent()

    @property
    def is_running(self) -> bool:
        """Whether a game is running."""
        return self.phase is _PLAYING

    @property
    def is_over(self) -> bool:
        """Whether a game is over."""
        return self.phase is _OVER

    @property
    def playing(self) -> set[int]:
        """The numbers of both sides."""
        return set(self._sides)

    def recording(self) -> Json:
        """Return the last game with its board and all moves, for replays and reviews.

        Raises:
            IllegalAction: If it is not over.
        """
        if self._game is None or self._dealt is None or self.phase is not _OVER:
            raise IllegalAction("the recording of a game is secret until its end")
        return {
            "kind": self.kind,
            "level": str(self.settings.level),
            "board": format_id(*self._dealt),
            "sides": list(self._sides),
            "winner": self._winner,
            "moves": [move.to_json() for move in self._game.moves],
        }

    # Events.

    def _start(self) -> None:
        if self.phase is _PLAYING:
            raise IllegalAction("the game has started already")
        players = self.members.players
        if len(players) < 2:
            raise IllegalAction("Flags needs 2 players")
        seed = substream(self.seed, "flags", self._games)
        # A random player begins the first game; the sides alternate in each rematch.
        first = (substream(self.seed, "first") + self._games) % 2
        [made] = generate(self.settings.level, first_click=FirstClick.ANY, seed=seed)
        self._games += 1
        self._dealt = GameId(made.board, made.start)
        self._game = FlagsGame(made.board, self.settings.level, first)
        self._sides = [player.number for player in players]
        self._missed, self._winner, self.phase = [0, 0], None, _PLAYING
        self._start_ms = self._time_ms
        self._bots = {
            side: FlagsBot(player.bot, substream(seed, "bot", side))
            for side, player in enumerate(players)
            if player.bot is not None
        }
        self._begin_turn(self._time_ms)
        self._tell_all({"type": "game", **self._shown()})

    def _act(self, member: Member, action: Action) -> None:
        game = self._check_turn(member)
        if action.kind is not ActionKind.OPEN or action.cell is None:
            raise IllegalAction(f"players of Flags can open cells, not {action.kind}")
        self._move(game, game.position.topology.index(action.cell), self._time_ms, bomb=False)

    def _check_turn(self, member: Member) -> FlagsGame:
        if self._game is None or self.phase is not _PLAYING:
            raise IllegalAction("no game is running")
        if self._sides[self._game.turn] != member.number:
            raise IllegalAction("it is not your turn")
        return self._game

    def _joined(self, member: Member) -> None:
        """Do nothing, because a new player waits for the next game."""

    def _left(self, member: Member) -> None:
        if self.phase is _PLAYING and member.number in self._sides:
            self._end(1 - self._sides.index(member.number))

    # Time.

    def _due(self) -> Iterable[int | None]:
        if self.phase is _PLAYING and self._game is not None:
            bot = self._bots.get(self._game.turn)
            yield self._turn_ends_ms if bot is None else bot.next_ms

    def _pass(self, time_ms: int) -> None:
        while (at := min((d for d in self._due() if d is not None), default=None)) is not None:
            if at > time_ms:
                break
            assert self._game is not None
            bot = self._bots.get(self._game.turn)
            if bot is None:
                self._miss_turn(self._game, at)
            else:
                choice = bot.choose(self._game)
                self._move(self._game, choice.cell, at, bomb=choice.bomb)

    def _miss_turn(self, game: FlagsGame, at_ms: int) -> None:
        self._missed[game.turn] += 1
        if self._missed[game.turn] >= self.settings.missed:
            self._end(1 - game.turn)
            return
        game.skip()
        self._begin_turn(at_ms)
        self._tell_all({"type": "turn", **self._scores()})

    def _begin_turn(self, at_ms: int) -> None:
        assert self._game is not None
        self._turn_ends_ms = at_ms + self.settings.turn_ms
        if bot := self._bots.get(self._game.turn):
            bot.wait(at_ms)

    def _move(self, game: FlagsGame, cell: int, at_ms: int, *, bomb: bool) -> None:
        side = game.turn
        changes = (game.bomb if bomb else game.open)(cell, at_ms - self._start_ms)
        self._missed[side] = 0
        self._begin_turn(at_ms)
        self._tell_all(
            {
                "type": "move",
                "side": side,
                "cell": list(game.moves[-1].cell),
                "bomb": bomb,
                "found": game.moves[-1].found,
                "cells": changed_cells(game.position.topology, changes),
                **self._scores(),
            }
        )
        if game.winner is not None:
            self._end(game.winner)

    def _end(self, winner: int) -> None:
        self.phase, self._winner = _OVER, winner
        self._ended.append(self.recording())
        self._tell_all({"type": "game_over", **self._revealed()})

    # Views.

    def _public(self) -> Json:
        shown = self._base_view()
        if self._game is not None:
            shown |= self._shown()
        return shown | (self._revealed() if self.phase is _OVER else {})

    def _private(self, member: Member) -> Json:
        return {}

    def _shown(self) -> Json:
        assert self._game is not None
        return {
            "rows": self._game.position.rows,
            "sides": list(self._sides),
            "owners": sorted(map(list, self._game.owners.items())),
            **self._scores(),
        }

    def _scores(self) -> Json:
        assert self._game is not None
        return {
            "turn": self._game.turn,
            "turn_ends_ms": self._turn_ends_ms,
            "scores": list(self._game.scores),
            "bombs": list(self._game.bombs),
        }

    def _revealed(self) -> Json:
        assert self._game is not None
        return {"winner": self._winner, "mines": self._game.board_rows()}

    # The saved form.

    def to_json(self) -> dict[str, Any]:
        """Return the whole room as JSON, for `from_json`; it includes the mines."""
        return {
            **self._base_json(),
            "games": self._games,
            "sides": list(self._sides),
            "board": None if self._dealt is None else format_id(*self._dealt),
            "game": None if self._game is None else self._game.to_json(),
            "start_ms": self._start_ms,
            "turn_ends_ms": self._turn_ends_ms,
            "missed": list(self._missed),
            "winner": self._winner,
            "bots": [[side, bot.to_json()] for side, bot in self._bots.items()],
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Load a room saved by `to_json`; its clock continues with the next event.

        Raises:
            BadSave: If it is not a valid saved room.
        """
        with reading("a saved room for Flags"):
            made = cls(saved_settings(FlagsSettings, obj["settings"]), obj["seed"])
            made._load_base(obj)
            made.phase, made._games = FlagsPhase(obj["phase"]), obj["games"]
            made._sides, made._missed = list(obj["sides"]), list(obj["missed"])
            made._start_ms, made._turn_ends_ms = obj["start_ms"], obj["turn_ends_ms"]
            made._winner = obj["winner"]
            if obj["game"] is not None:
                made._dealt = parse_id(obj["board"])
                made._game = FlagsGame.from_json(
                    made._dealt.board, made.settings.level, obj["game"]
                )
            made._bots = {side: FlagsBot.from_json(bot) for side, bot in obj["bots"]}
            return made
