"""One finished game: its result, metrics and moves."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final, Self

from sapper._util.arguments import expect, whole
from sapper._util.clock import LATEST_MS
from sapper._util.shortening import shown
from sapper.errors import BadReplay, BadSave, SapperError
from sapper.game import Game, Status
from sapper.history.figures import GameFigures, refuse_false_result
from sapper.history.measures import Measures
from sapper.replay import Playback, Replay, analyze_replay, from_json, to_json
from sapper.translation import t

__all__ = ["Record"]

_LIMIT: Final = 2**53
_DAY_MS: Final = 86_400_000
_MAX_LENGTH: Final = 1_000
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "bool": (bool,),
    "float": (int, float),
    "int | None": (int, type(None)),
    "float | None": (int, float, type(None)),
    "dict[str, Any]": (dict,),
}


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game.

    Attributes:
        finished_ms: Time of its end in milliseconds since 1970 (UTC); 0 if unknown.
        started_ms: Time when the first cell was opened; the time since then, unlike `time_ms`,
            includes breaks.
        player: Name of the player; empty for the person at this computer.
        bot: Name of the bot that played; empty for people.
        rules: The rule set.
        variant: Distinguishes it from other games with these rules, such as ``"win=flags"`` or
            ``"daily"``; empty for the usual game.
        level: The level, as text.
        first_click: The first-click promise.
        won: Whether it was won.
        helped: The reason why it does not count as a game without help; empty if it does.
        time_ms: The time of the game.
        bbbv: The 3BV of the board.
        solved: The 3BV solved by its clicks; None if not measured yet.
        clicks: All clicks.
        effective: Effective clicks.
        forced_guesses: Number of guesses while no cell was proved safe; None if not measured yet.
        needless_guesses: Number of guesses while another cell was proved safe; None if not measured
            yet.
        risk: Sum of the risks taken: the expected number of mines hit; None if not measured yet.
        moves: The saved game (`Game.to_json`) or replay, with all moves and times.

    Raises:
        BadSave: If a value has the wrong type, or is out of range.
    """

    finished_ms: int
    started_ms: int
    player: str
    bot: str
    rules: str
    variant: str
    level: str
    first_click: str
    won: bool
    helped: str
    time_ms: int
    bbbv: int
    solved: int | None
    clicks: int
    effective: int
    forced_guesses: int | None
    needless_guesses: int | None
    risk: float | None
    moves: dict[str, Any] = field(hash=False)

    @property
    def key(self) -> str:
        """An identifier of the game, derived from its moves and its end.

        For a game of another program, it is derived only from the board and the clicks, so that it
        stays the same when the file is converted to another format.

        Raises:
            BadSave: If the moves are nested more deeply than in any game.
        """
        what: list[Any] = [self.finished_ms, self.player, self.bot, self.moves]
        if "clicks" in self.moves:
            what = [self.moves.get(name) for name in ("board", "cell_px", "clicks")]
        try:
            text = json.dumps(what, sort_keys=True)
        except RecursionError:
            raise BadSave("the moves of a game are nested too deeply") from None
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @classmethod
    def of_game(
        cls,
        game: Game,
        finished_ms: int,
        *,
        started_ms: int | None = None,
        time_ms: int | None = None,
        player: str = "",
        bot: str = "",
        helped: str = "",
        variant: str | None = None,
        bbbv: int | None = None,
        measured: bool = True,
    ) -> Self:
        """Return the record of a finished game.

        Args:
            game: The game.
            finished_ms: Time of its end in milliseconds since 1970 (UTC).
            started_ms: Time of its start (default: the end minus its duration).
            time_ms: Time of one of its clocks (default: the player's).
            player: Name of the player.
            bot: Name of the bot that played.
            helped: The reason why it does not count as a game without help.
            variant: Name of the variant (default: `variant_of` its settings).
            bbbv: The 3BV, if known.
            measured: Whether to compute the figures that need the exact engine, which takes tens
                of milliseconds; `with_measures` can add them later.

        Raises:
            BadSave: If the game is not over, or a value cannot be stored.
        """
        expect(game, Game, "a Game")
        finished_ms = whole(finished_ms, "finished_ms", error=BadSave)
        if not game.over:
            raise BadSave(f"only finished games have a record, this one is {game.status}")
        figures = GameFigures.of_game(game, bbbv)
        time_ms = figures.times_ms[0] if time_ms is None else time_ms
        time_ms = whole(time_ms, "time_ms", error=BadSave)
        record = cls(
            finished_ms=finished_ms,
            started_ms=max(0, finished_ms - time_ms) if started_ms is None else started_ms,
            player=player,
            bot=bot,
            rules=figures.rules,
            variant=figures.variant if variant is None else variant,
            level=figures.level,
            first_click=figures.first_click,
            won=figures.won,
            helped=helped,
            time_ms=time_ms,
            bbbv=figures.bbbv,
            solved=None,
            clicks=figures.clicks,
            effective=figures.effective,
            forced_guesses=None,
            needless_guesses=None,
            risk=None,
            moves=game.to_json(),
        )
        return record.with_measures(Measures.of_game(game)) if measured else record

    @classmethod
    def of_replay(cls, replay: Replay, finished_ms: int | None = None, *, helped: str = "") -> Self:
        """Return the record of a finished game of another program.

        Args:
            replay: The replay.
            finished_ms: Time of its end in milliseconds since 1970 (default: from the date of the
                replay, with local times taken as UTC; 0 if it has none).
            helped: The reason why it does not count as a game without help (default: ``"cheat"``
                for games in a mode that shows the mines).

        Raises:
            BadReplay: If the replay does not end with a win or loss, or
                `figures.refuse_false_result` rejects it.
        """
        played = Playback(replay)
        if played.status not in (Status.WON, Status.LOST):
            raise BadReplay(t("only finished games have a record"))
        refuse_false_result(played)
        if finished_ms is None:
            started_ms = round(replay.info.started_micros / 1000)
            dated = 0 < started_ms < LATEST_MS - _DAY_MS
            finished_ms = started_ms + played.time_ms if dated else 0
        finished_ms = whole(finished_ms, "finished_ms", error=BadSave)
        figures, cheated = GameFigures.of_replay(played), replay.info.mode == "cheat"
        measures = Measures.of_analysis(analyze_replay(played))
        return cls(
            finished_ms=finished_ms,
            started_ms=max(0, finished_ms - played.time_ms),
            player=replay.info.player,
            bot="",
            rules=figures.rules,
            variant=figures.variant,
            level=figures.level,
            first_click=figures.first_click,
            won=figures.won,
            helped=helped or ("cheat" if cheated else ""),
            time_ms=played.time_ms,
            bbbv=figures.bbbv,
            solved=measures.solved,
            clicks=figures.clicks,
            effective=figures.effective,
            forced_guesses=measures.forced_guesses,
            needless_guesses=measures.needless_guesses,
            risk=measures.risk,
            moves=to_json(replay),
        )

    @property
    def is_measured(self) -> bool:
        """Whether the guesses have been measured."""
        return self.forced_guesses is not None

    def with_measures(self, measures: Measures) -> Self:
        """Return a copy with these measures."""
        return replace(self, **measures._asdict())

    def game(self) -> Game | None:
        """Return the finished game; None for games of other programs."""
        return Game.from_json(self.moves) if "actions" in self.moves else None

    def replay(self) -> Replay:
        """Return the replay of the game, with its start time if known."""
        game = self.game()
        if game is None:
            return from_json(self.moves)
        replay = Replay.from_game(game)
        alone = not self.bot and not self.helped
        info = replace(replay.info, player=self.player, fair=replay.info.fair if alone else False)
        if self.started_ms:
            started = datetime.fromtimestamp(self.started_ms // 1000, UTC)
            info = replace(info, started_at=f"{started:%Y-%m-%dT%H:%M:%SZ}")
        return replace(replay, info=info)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadSave: If the record is invalid; the moves are only checked when they are played.
        """
        if not isinstance(obj, dict):
            raise BadSave(f"a game of the history must be an object, got {shown(obj)}")
        names = [one.name for one in fields(cls)]
        if missing := [name for name in names if name not in obj]:
            raise BadSave(f"a game of the history needs {missing[0]!r}")
        return cls(**{name: obj[name] for name in names})

    def __post_init__(self) -> None:
        """Reject values that the file cannot store."""
        for one in fields(self):
            value = getattr(self, one.name)
            if type(value) not in _TYPES[str(one.type)]:
                raise BadSave(f"{one.name!r} must be {one.type}, got {shown(value)}")
            if type(value) in (int, float) and not 0 <= value < _LIMIT:
                raise BadSave(f"{one.name!r} must be 0 or more, got {shown(value)}")
            if one.name in ("finished_ms", "started_ms") and value >= LATEST_MS:
                raise BadSave(f"{one.name!r} must be before the year 2100, got {shown(value)}")

    def check(self) -> None:
        """Check the strings, and play the moves, which must end a game with these figures.

        Player, dates and help cannot be checked; guesses are only checked to be possible.

        Raises:
            BadSave: If a check fails; the message names the figure.
        """
        for one in fields(self):
            if one.type == "str":
                _check_text(one.name, getattr(self, one.name))
        try:
            game = self.game()
            if game is None:
                played = Playback(from_json(self.moves))
                status, figures = played.status, GameFigures.of_replay(played)
                openings = sum(len(step.turns) for step in played.opening_steps)
            elif game.over:
                status, figures = game.status, GameFigures.of_game(game)
                openings = len(game.trail().turns)
            else:
                status = game.status
        except SapperError as problem:
            raise BadSave(f"the moves of a game cannot be played: {problem}") from problem
        if (status is Status.WON) != self.won or status not in (Status.WON, Status.LOST):
            result = "won" if self.won else "lost"
            raise BadSave(f"the moves of a game that is said to be {result} end {status}")
        if game is not None:
            _check_clock(game)
        figures.check({one.name: getattr(self, one.name) for one in fields(self)}, openings)


def _check_clock(game: Game) -> None:
    """Reject actions that go back in time or follow the end of the game."""
    times = [action.at_s for action in game.log]
    if any(later < sooner for sooner, later in pairwise(times)):
        raise BadSave("the times of the moves go back")
    if times and times[-1] > game.clock.player_s:
        clock, last = game.clock.player_s, times[-1]
        raise BadSave(f"the clock of the moves shows {clock:.3f} s, but the last is at {last:.3f}")


def _check_text(name: str, text: str) -> None:
    if len(text) > _MAX_LENGTH:
        raise BadSave(f"{name!r} must have at most {_MAX_LENGTH} characters, got {len(text)}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadSave(f"{name!r} must be a text that has a UTF-8 form, got {shown(text)}") from None
