"""One finished game: its result, its metrics, and all its moves."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from math import fsum
from typing import Any, Final, Self

from sapper._grid import shown
from sapper.coach import Decision
from sapper.errors import BadReplay, BadSave, SapperError
from sapper.game import Game, Status
from sapper.replay import Playback, Replay, analyze_replay, from_json, to_json

__all__ = ["Record"]

_LIMIT: Final = 2**53
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
        finished_ms: When it ended, in milliseconds since 1970 (UTC).
        player: The player's name; empty for the person at this computer.
        bot: The name of the bot that played; empty for people.
        rules: The rule set.
        level: The level, as text.
        first_click: What the first click promised.
        won: Whether it was won.
        helped: Why it does not count among games without help; empty if it does.
        time_ms: The time of the game.
        bbbv: The 3BV of the board.
        solved: The 3BV solved; None in games that did not begin with an untouched board.
        clicks: All clicks.
        effective: Effective clicks.
        forced_guesses: Guesses where no cell was proved safe.
        needless_guesses: Guesses where another cell was proved safe.
        risk: Sum of the risks taken: the mines that one expects to hit by such guesses.
        moves: The saved game (`Game.to_json`) or the replay, with all moves and times.
    """

    finished_ms: int
    player: str
    bot: str
    rules: str
    level: str
    first_click: str
    won: bool
    helped: str
    time_ms: int
    bbbv: int
    solved: int | None
    clicks: int
    effective: int
    forced_guesses: int
    needless_guesses: int
    risk: float
    moves: dict[str, Any]

    @property
    def key(self) -> str:
        """A name for the game that follows from its moves and its end."""
        text = json.dumps([self.finished_ms, self.player, self.bot, self.moves], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @classmethod
    def of_game(
        cls, game: Game, finished_ms: int, *, player: str = "", bot: str = "", helped: str = ""
    ) -> Self:
        """Return the record of a finished game.

        Raises:
            BadSave: If the game is not over.
        """
        if not game.over:
            raise BadSave(f"only finished games have a record, this one is {game.status}")
        guesses, counts, settings = game.guesses, game.counts, game.settings
        try:
            solved: int | None = Playback(Replay.from_game(game)).solved
        except BadReplay:
            solved = None
        return cls(
            finished_ms=finished_ms,
            player=player,
            bot=bot,
            rules=settings.rules,
            level=str(settings.level),
            first_click=str(settings.first_click),
            won=game.status is Status.WON,
            helped=helped,
            time_ms=round(1000 * game.clock.player_s),
            bbbv=game.board.bbbv,
            solved=solved,
            clicks=counts.clicks,
            effective=counts.effective,
            forced_guesses=guesses.forced,
            needless_guesses=guesses.needless,
            risk=fsum(guess.p_mine for guess in guesses.each),
            moves=game.to_json(),
        )

    @classmethod
    def of_replay(cls, replay: Replay, finished_ms: int, *, helped: str = "") -> Self:
        """Return the record of a finished game of another program.

        Raises:
            BadReplay: If the replay does not end with a win or a loss.
        """
        found = analyze_replay(replay)
        if found.played.status not in (Status.WON, Status.LOST):
            raise BadReplay(f"only finished games have a record, this one is {found.played.status}")
        settings = found.played.trail.settings
        guesses = [one for one in found.review.decisions if one.is_guess]
        return cls(
            finished_ms=finished_ms,
            player=replay.info.player,
            bot="",
            rules="classic" if replay.info.mode == "standard" else replay.info.mode,
            level=str(settings.level),
            first_click=str(settings.first_click),
            won=found.played.status is Status.WON,
            helped=helped,
            time_ms=found.played.time_ms,
            bbbv=found.metrics.board.bbbv,
            solved=found.metrics.solved,
            clicks=found.metrics.clicks.all,
            effective=found.metrics.clicks.effective,
            forced_guesses=sum(_forced(one) for one in guesses),
            needless_guesses=sum(not _forced(one) for one in guesses),
            risk=fsum(one.p_mine for one in guesses),
            moves=to_json(replay),
        )

    def game(self) -> Game | None:
        """Return the game as it ended; None for games of other programs."""
        return Game.from_json(self.moves) if "actions" in self.moves else None

    def replay(self) -> Replay:
        """Return the replay of the game.

        Raises:
            BadReplay: If the game did not begin with an untouched board.
        """
        game = self.game()
        return from_json(self.moves) if game is None else Replay.from_game(game)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadSave: If it is none; the moves themselves are not checked before they are played.
        """
        if not isinstance(obj, dict):
            raise BadSave(f"a game of the history must be an object, got {shown(obj)}")
        names = [field.name for field in fields(cls)]
        if missing := [name for name in names if name not in obj]:
            raise BadSave(f"a game of the history needs {missing[0]!r}")
        for field in fields(cls):
            value = obj[field.name]
            if type(value) not in _TYPES[str(field.type)]:
                raise BadSave(f"{field.name!r} must be {field.type}, got {shown(value)}")
            if type(value) in (int, float) and not 0 <= value < _LIMIT:
                raise BadSave(f"{field.name!r} must be 0 or more, got {shown(value)}")
        return cls(**{name: obj[name] for name in names})

    def check(self) -> None:
        """Play the moves, to see that they are those of a finished game with this result.

        Raises:
            BadSave: If they are not.
        """
        try:
            game = self.game()
            status = Playback(from_json(self.moves)).status if game is None else game.status
        except SapperError as problem:
            raise BadSave(f"the moves of a game cannot be played: {problem}") from problem
        if (status is Status.WON) != self.won or status not in (Status.WON, Status.LOST):
            said = "won" if self.won else "lost"
            raise BadSave(f"the moves of a game that is said to be {said} end {status}")


def _forced(decision: Decision) -> bool:
    return not decision.safe
