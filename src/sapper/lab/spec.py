"""The definition of a run: the games it plays and how to repeat them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sapper._core import __version__
from sapper._util.shortening import shortened, shown
from sapper.errors import BadSetting, SapperError
from sapper.generation import check_seed
from sapper.generation.seeds import SEEDS
from sapper.lab.errors import BadRun
from sapper.rules import Level
from sapper.simulation.match import Match

__all__ = ["FORMAT", "UNKNOWN", "ProgramGames", "Spec", "parse_option", "read_spec"]

FORMAT = 2
"""The version of a run's directory; see docs/lab.md."""


_MOST_GAMES = 1_000_000_000
"""Maximum number of games: each takes one byte of memory for its result."""

UNKNOWN = "unknown"
"""The value for unknown settings in a run of another program's games."""


@dataclass(frozen=True)
class ProgramGames:
    """Games that a bot played in another program, with unknown rules and seeds.

    Attributes:
        program: The program's name.
        name: The bot's name.
        level: The size, and the mine total if known; None if it varied between games.
        games: Number of games.
    """

    program: str
    name: str
    level: Level | None
    games: int

    @property
    def options(self) -> Mapping[str, object]:
        """The bot's options: none."""
        return {}

    def head(self) -> dict[str, Any]:
        """Return the known settings."""
        return {
            "program": self.program,
            "bot": self.name,
            "options": {},
            "level": UNKNOWN if self.level is None else str(self.level),
            "rules": UNKNOWN,
            "rule_options": {},
            "first_click": UNKNOWN,
            "start": None,
            "seed": UNKNOWN,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the contents of ``run.json``."""
        return {
            "format": FORMAT,
            "sapper_version": __version__,
            **self.head(),
            "games": self.games,
        }


@dataclass(frozen=True)
class Spec:
    """The settings of a run. Game *i* has seed ``(seed + i) % 2**64``.

    Attributes:
        match: The bot and the settings of its games.
        seed: The first game's seed.
        games: Number of games.

    Raises:
        BadSetting: If the seed or the number of games is invalid.
    """

    match: Match
    seed: int
    games: int = 100

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_games(self.games)

    @property
    def name(self) -> str:
        """The bot's name."""
        return self.match.name

    @property
    def options(self) -> Mapping[str, object]:
        """The bot's options."""
        return self.match.bot_options

    def seed_of(self, game: int) -> int:
        """Return the seed of a game, by its number."""
        return (self.seed + game) % SEEDS

    def head(self) -> dict[str, Any]:
        """Return the settings as in `lab run --json`."""
        match, settings = self.match, self.match.settings
        return {
            "bot": match.name,
            "options": dict(match.bot_options),
            "level": str(settings.level),
            "rules": match.rules,
            "rule_options": dict(match.rule_options),
            "first_click": str(settings.first_click),
            "start": None if match.start is None else list(match.start),
            "seed": self.seed,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the contents of ``run.json`` except the command.

        Raises:
            BadSetting: If the bot has no name to recreate it from.
        """
        if not isinstance(self.match.bot, str):
            raise BadSetting(
                f"bot {self.match.name} has no name to save in a run: register it in sapper.bots "
                "or load it as FILE.py:NAME"
            )
        return {
            "format": FORMAT,
            "sapper_version": __version__,
            **self.head(),
            "games": self.games,
            "bot_sha256": _file_hash(self.match.bot),
        }

    @classmethod
    def from_json(cls, obj: Mapping[str, Any], where: str) -> Spec:
        """Read the ``run.json`` of a run that can be repeated.

        Raises:
            BadRun: If the file is not from such a run, or has another format version.
        """
        spec = read_spec(obj, where, playable=True)
        if isinstance(spec, ProgramGames):
            raise BadRun(
                f"{where} holds games of {spec.program}, which cannot be played again here"
            )
        return spec

    @classmethod
    def _from_json(cls, obj: Mapping[str, Any], where: str, *, playable: bool) -> Spec:
        try:
            if not isinstance(obj["bot"], str):
                raise BadSetting(f"bot must be text, got {shown(obj['bot'])}")
            match = Match(
                bot=obj["bot"],
                level=Level.parse(obj["level"]),
                rules=obj["rules"],
                first_click=obj["first_click"],
                start=None if obj["start"] is None else tuple(obj["start"]),
                rule_options=obj["rule_options"],
                bot_options=dict(obj["options"]),
                check_bot=playable,
            )
            return cls(match, obj["seed"], obj["games"])
        except (
            KeyError,
            TypeError,
            ValueError,
            AttributeError,
            ArithmeticError,
            SapperError,
        ) as problem:
            kind = "" if isinstance(problem, SapperError) else f"{type(problem).__name__}: "
            raise BadRun(f"the run in {where} cannot be read: {kind}{problem}") from None


def read_spec(obj: Mapping[str, Any], where: str, *, playable: bool = False) -> Spec | ProgramGames:
    """Read ``run.json``.

    Args:
        obj: The contents of the file.
        where: A description of the run for error messages.
        playable: Whether the run must be playable on this machine. Otherwise, the bot need not
            exist and its file is not executed.

    Raises:
        BadRun: If the file is not from such a run, or has another format version.
    """
    if not isinstance(obj, dict) or "format" not in obj:
        raise BadRun(f"{where} is not a saved run: its run.json was not written by sapper lab")
    if obj["format"] != FORMAT:
        version = obj.get("sapper_version", "?")
        version = version if isinstance(version, str) else shown(version)
        raise BadRun(
            f"{where} is a saved run of format {shown(obj['format'])}, from sapper "
            f"{shortened(version)}; this is sapper {__version__}, which reads format {FORMAT}"
        )
    if "program" not in obj:
        return Spec._from_json(obj, where, playable=playable)
    try:
        level = None if obj["level"] == UNKNOWN else Level.parse(obj["level"])
        check_games(obj["games"])
        for name in ("program", "bot"):
            if not isinstance(obj[name], str):
                raise BadSetting(f"{name} must be text, got {shown(obj[name])}")
        return ProgramGames(obj["program"], obj["bot"], level, obj["games"])
    except (KeyError, TypeError, ValueError, AttributeError, SapperError) as problem:
        raise BadRun(f"the run in {where} cannot be read: {problem}") from None


def check_games(games: object) -> None:
    """Reject invalid numbers of games.

    Raises:
        BadSetting: If the number is not an integer from 0 to a billion.
    """
    if not isinstance(games, int) or isinstance(games, bool):
        raise BadSetting(f"the number of games must be a whole number, got {shown(games)}")
    if games < 0:
        raise BadSetting(f"the number of games must be 0 or more, got {shown(games)}")
    if games > _MOST_GAMES:
        raise BadSetting(f"the number of games must be at most {_MOST_GAMES:,}, got {shown(games)}")


def _file_hash(bot: str) -> str | None:
    """Return the SHA-256 hash of a bot's file; None for a built-in bot."""
    file, colon, _ = bot.rpartition(":")
    if not colon:
        return None
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def parse_option(text: str) -> tuple[str, object]:
    """Parse ``NAME=VALUE``, where the value is JSON or plain text.

    >>> parse_option("last_turns=false"), parse_option("judge=local")
    (('last_turns', False), ('judge', 'local'))

    Raises:
        BadSetting: If the name or the value is missing.
    """
    name, equals, value = text.partition("=")
    if not name.isidentifier() or not equals:
        raise BadSetting(f"an option must be NAME=VALUE, got {shown(text)}")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value
