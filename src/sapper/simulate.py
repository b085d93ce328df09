"""Whole games played by a bot, and what came of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt
from time import perf_counter
from typing import Any

from sapper import dealer as dealers
from sapper._round import Round
from sapper.errors import BadSetting
from sapper.events import Action, ActionKind
from sapper.generate import check_seed, substream
from sapper.generate.seeds import SEEDS
from sapper.rules import Level, OptionValue, Settings, Start
from sapper.solver.bots import Bot, BotFactory, as_choice, begin, make_bot
from sapper.topology import Cell

__all__ = ["Played", "Simulation", "simulate", "wilson"]

_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Played:
    """One game that a bot has played.

    Attributes:
        seed: The game's seed: `Game` with the same settings is the same game.
        result: ``won``, ``lost``, or ``stuck`` where the bot chose nothing that does anything.
        actions: How many actions did something, the first click included.
        guesses: How many choices the bot itself called guesses.
        by: How often each of the bot's levels decided.
        last_by: The level that made the last choice: of a lost game, the fatal one.
        last_risk: The risk that the bot reckoned with there.
    """

    seed: int
    result: str
    actions: int
    guesses: int
    by: Mapping[str, int]
    last_by: str
    last_risk: float | None


@dataclass(frozen=True)
class Simulation:
    """What came of a number of games.

    Attributes:
        bot: The bot's name.
        options: The bot's options.
        level: Size, shape and mines, as text.
        rules: The name of the rule set.
        start: What the first click promises.
        first: The first click; None where the bot made it.
        seed: The first game's seed; game *i* has ``seed + i``.
        rows: Every game, in order.
        seconds: Wall-clock time.
    """

    bot: str
    options: Mapping[str, object]
    level: str
    rules: str
    start: str
    first: Cell | None
    seed: int
    rows: tuple[Played, ...] = field(repr=False)
    seconds: float

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.rows)

    @cached_property
    def wins(self) -> int:
        """How many were won."""
        return sum(row.result == "won" for row in self.rows)

    @property
    def win_rate(self) -> float:
        """The share that was won; nan of no games."""
        return self.wins / self.games if self.rows else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson 95 % interval of the win rate."""
        return wilson(self.wins, self.games)

    @cached_property
    def guesses(self) -> int:
        """How many choices the bot itself called guesses."""
        return sum(row.guesses for row in self.rows)

    @cached_property
    def by(self) -> dict[str, int]:
        """How often each of the bot's levels decided."""
        total: Counter[str] = Counter()
        for row in self.rows:
            total.update(row.by)
        return dict(total)

    @cached_property
    def lost_by(self) -> dict[str, int]:
        """How many games each of the bot's levels lost."""
        return dict(Counter(row.last_by for row in self.rows if row.result == "lost"))

    def to_json(self) -> dict[str, Any]:
        """The figures, without the single games."""
        return {
            "bot": self.bot,
            "options": dict(self.options),
            "level": self.level,
            "rules": self.rules,
            "start": self.start,
            "first": None if self.first is None else list(self.first),
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


def simulate(
    bot: str | Bot | BotFactory = "exact",
    level: Level | str = "expert",
    rules: str = "classic",
    start: Start | str | None = "safe",
    first: tuple[int, int] | None = (0, 0),
    n: int = 100,
    seed: int = 1,
    *,
    rule_options: Mapping[str, OptionValue] | None = None,
    **options: object,
) -> Simulation:
    """Let a bot play `n` games: the same boards for every bot.

    Game *i* is `Game` with seed ``seed + i``; under ``classic`` its board is that of `generate`
    with the same seed and first click.

    Args:
        bot: A name in `sapper.bots`, ``FILE.py:NAME``, a bot, or what makes one.
        level: A `Level` or its text form.
        rules: The name of a rule set.
        start: What the first click promises; None for the rule set's default.
        first: The first click, made for the bot; None leaves it to the bot.
        n: How many games.
        seed: The first game's seed.
        rule_options: The rule set's own switches and choices; also ``win`` and ``chord``.
        options: The bot's options.

    >>> made = simulate("exact", "beginner", n=20)
    >>> made.games, made.wins == sum(row.result == "won" for row in made.rows)
    (20, True)

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings make no game, or there is no such bot or option.
    """
    seed = check_seed(seed)
    if n < 0:
        raise BadSetting(f"the number of games must be 0 or more, not {n}")
    rule_settings: dict[str, Any] = dict(rule_options or {})
    settings = dealers.settings(level, rules, start=start, seed=seed, undo=False, **rule_settings)
    clicked = None if first is None else settings.level.shape().index(first)
    player = make_bot(bot, **options)
    started = perf_counter()
    rows = tuple(
        _play(player, replace(settings, seed=(seed + i) % SEEDS), clicked) for i in range(n)
    )
    return Simulation(
        bot=bot if isinstance(bot, str) else getattr(bot, "__name__", type(player).__name__),
        options=options,
        level=str(settings.level),
        rules=rules,
        start=str(settings.start),
        first=None if first is None else Cell(*first),
        seed=seed,
        rows=rows,
        seconds=perf_counter() - started,
    )


def _play(bot: Bot, settings: Settings, first: int | None) -> Played:
    begin(bot, settings.level, substream(settings.seed, "bot"))
    game = Round(settings, None, None)
    # An untouched board can be won at once: one without a clear cell, or with all of them open.
    actions = 0 if first is None else bool(game.open(first))
    by: Counter[str] = Counter()
    guesses, last, risk = 0, "", None
    while not game.over:
        choice = as_choice(bot.choose(game.seen.position))
        done = _do(game, choice.actions)
        if not done:
            return Played(settings.seed, "stuck", actions, guesses, by, choice.by, choice.risk)
        actions += done
        by[choice.by] += 1
        guesses += choice.guess
        last, risk = choice.by, choice.risk
    return Played(settings.seed, str(game.status), actions, guesses, by, last, risk)


def _do(game: Round, actions: tuple[Action, ...]) -> int:
    """Do the actions while the game lasts; gives how many did something."""
    index, done = game.seen.topology.index, 0
    for action in actions:
        kind, cell = action.kind, action.cell
        if cell is None:
            raise BadSetting(f"a bot cannot {kind}")
        if kind is ActionKind.OPEN:
            events = game.open(index(cell))
        elif kind is ActionKind.FLAG:
            events = game.toggle_flag(index(cell))
        elif kind is ActionKind.CHORD:
            events = game.chord(index(cell))
        else:
            events = game.toggle_question(index(cell))
        if events:
            done += 1
            if game.over:
                break
    return done


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The Wilson 95 % interval of a share (E. B. Wilson, JASA 22, 1927); (0, 1) of no games.

    >>> tuple(round(end, 3) for end in wilson(380, 1000))
    (0.35, 0.41)
    """
    if not games:
        return 0.0, 1.0
    rate, z2 = wins / games, _Z95**2
    middle = rate + z2 / (2 * games)
    spread = _Z95 * sqrt(rate * (1 - rate) / games + z2 / (4 * games**2))
    scale = 1 + z2 / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
