"""A batch of games played by one bot, and its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Any

from sapper._util.arguments import seed_or_new, whole
from sapper._util.renamed import renamed, renamed_argument
from sapper.generation.seeds import SEEDS
from sapper.rules import FirstClick, Level, OptionValue
from sapper.simulation.match import Match, Played
from sapper.solver.bots import Bot, BotFactory
from sapper.stats import wilson
from sapper.topology import Cell

__all__ = ["Played", "Simulation", "simulate"]

_BATCH = 200
"""Number of games between checks for interruption."""


@dataclass(frozen=True)
class Simulation:
    """The results of a batch of games.

    Attributes:
        bot: The bot's name.
        bot_options: The bot's options.
        level: The level as text: size, shape and mines.
        rules: The name of the rule set.
        first_click: The first-click promise.
        start: The cell of the first click; None if chosen by the bot.
        seed: Seed of the first game; game *i* has seed ``seed + i``.
        rows: All games, in order.
        seconds: Wall-clock time.
    """

    bot: str
    bot_options: Mapping[str, object] = field(hash=False)
    level: str
    rules: str
    first_click: str
    start: Cell | None
    seed: int
    rows: tuple[Played, ...] = field(repr=False)
    seconds: float = field(compare=False)

    options = renamed("options", "bot_options")

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.rows)

    @cached_property
    def wins(self) -> int:
        """Number of wins."""
        return sum(row.result == "won" for row in self.rows)

    @property
    def win_rate(self) -> float:
        """Win rate; nan for no games."""
        return self.wins / self.games if self.rows else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson 95 % interval of the win rate."""
        return wilson(self.wins, self.games)

    @cached_property
    def guesses(self) -> int:
        """Number of choices that the bot marked as guesses."""
        return sum(row.guesses for row in self.rows)

    @cached_property
    def by(self) -> dict[str, int]:
        """Number of decisions by each of the bot's levels."""
        total: Counter[str] = Counter()
        for row in self.rows:
            total.update(row.by)
        return dict(total)

    @cached_property
    def lost_by(self) -> dict[str, int]:
        """Number of games lost by each of the bot's levels."""
        return dict(Counter(row.last_by for row in self.rows if row.result == "lost"))

    def to_json(self) -> dict[str, Any]:
        """Return the results without the individual games as JSON."""
        return {
            "bot": self.bot,
            "options": dict(self.bot_options),
            "level": self.level,
            "rules": self.rules,
            "first_click": self.first_click,
            "start": None if self.start is None else list(self.start),
            "seed": self.seed,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate if self.rows else None,
            "interval": list(self.interval),
            "guesses": self.guesses,
            "by": self.by,
            "lost_by": self.lost_by,
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds if self.seconds else None,
        }


@renamed_argument("options", "bot_options")
def simulate(
    bot: str | Bot | BotFactory = "exact",
    level: Level | str = "expert",
    rules: str = "classic",
    *,
    first_click: FirstClick | str | None = None,
    start: tuple[int, int] | None = (0, 0),
    n: int = 100,
    seed: int | None = None,
    rule_options: Mapping[str, OptionValue] | None = None,
    bot_options: Mapping[str, object] | None = None,
) -> Simulation:
    """Play `n` games with a bot; every bot plays the same boards.

    Game *i* is the `Game` with seed ``seed + i``; under ``classic`` its board is that of `generate`
    with the same seed and first click.

    Args:
        bot: The name of a registered bot, ``FILE.py:NAME``, a bot, or a function that returns one.
        level: A `Level` or its text form.
        rules: The name of a rule set.
        first_click: The first-click promise; None for the rule set's default.
        start: The cell of the first click; None lets the bot choose.
        n: Number of games.
        seed: Seed of the first game (default: random).
        rule_options: Options of the rule set, and ``win`` and ``chord``.
        bot_options: The bot's options.

    >>> made = simulate("exact", "beginner", n=20)
    >>> made.games, made.wins == sum(row.result == "won" for row in made.rows)
    (20, True)

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings are invalid, or the bot or option is unknown.
        BotFailed: If the bot raises an exception or its choice is invalid.
    """
    seed, n = seed_or_new(seed), whole(n, "the number of games")
    match = Match(
        bot,
        level,
        rules,
        first_click=first_click,
        start=start,
        rule_options={} if rule_options is None else rule_options,
        bot_options={} if bot_options is None else bot_options,
    )
    started = perf_counter()
    rows = []
    for done in range(0, n, _BATCH):
        rows += match.play((seed + i) % SEEDS for i in range(done, min(n, done + _BATCH)))
    return Simulation(
        bot=match.name,
        bot_options=match.bot_options,
        level=str(match.settings.level),
        rules=rules,
        first_click=str(match.settings.first_click),
        start=None if match.start is None else Cell(*match.start),
        seed=seed,
        rows=tuple(rows),
        seconds=perf_counter() - started,
    )
