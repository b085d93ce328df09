"""Experiments that are not a bot's games: clicks that are timed, and positions to be solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from sapper.errors import LimitReached
from sapper.events import ActionKind
from sapper.game import Game
from sapper.generate import substream
from sapper.position import Position
from sapper.solver.arrange import Likelihood, StartRule, arrange
from sapper.solver.bots import as_choice, begin, make_bot

__all__ = ["Arranged", "Clicks", "arrangements", "click_times", "positions"]


@dataclass(frozen=True, slots=True)
class Clicks:
    """How long the rules took to open a cell.

    Attributes:
        clicks: How many cells were clicked.
        median: In seconds.
        worst: In seconds.
    """

    clicks: int
    median: float
    worst: float


def click_times(level: str, games: int) -> Clicks:
    """Clicks under ``kaboom`` of a player who keeps to its rules, in whole games from seed 1."""
    times = []
    for seed in range(1, games + 1):
        game = Game(level, rules="kaboom", seed=seed, undo=False)
        bot = make_bot("kaboom-sat")
        begin(bot, game.level, substream(seed, "bot"))
        game.open((0, 0))
        while not game.over:
            for action in as_choice(bot.choose(game.position)).actions:
                began = perf_counter()
                game.play(action)
                if action.kind is ActionKind.OPEN:
                    times.append(perf_counter() - began)
                if game.over:
                    break
    return Clicks(len(times), median(times or [0.0]), max(times, default=0.0))


def positions(level: str, n: int) -> list[Position]:
    """Positions from the middle of games that the bot ``exact`` plays, one of each seed from 1.

    Each is met after 1 to 12 of the bot's choices; a game that is over by then is left out.
    """
    found: list[Position] = []
    seed = 0
    while len(found) < n:
        seed += 1
        game = Game(level, seed=seed, undo=False)
        bot = make_bot("exact")
        game.open((0, 0))
        for _ in range(1 + substream(seed, "position") % 12):
            if game.over:
                break
            for action in as_choice(bot.choose(game.position)).actions:
                game.play(action)
        if not game.over:
            found.append(game.position)
    return found


@dataclass(frozen=True, slots=True)
class Arranged:
    """How a variant of the arrangement finder did.

    Attributes:
        found: How many positions it found an arrangement for.
        combinations: How many combinations it set, on average, where it found one.
        median_s: The time of a position, in seconds; those given up included.
    """

    found: int
    combinations: float
    median_s: float


def arrangements(
    some: Sequence[Position], start: StartRule, likelihood: Likelihood, seconds: float
) -> Arranged:
    """Let a variant of backtracking look for arrangements, for so long at each position."""
    times, combinations = [], []
    for position in some:
        began = perf_counter()
        try:
            answer = arrange(position, start=start, likelihood=likelihood, seconds=seconds)
            combinations.append(answer.combinations)
        except LimitReached:
            pass
        times.append(perf_counter() - began)
    mean = sum(combinations) / max(1, len(combinations))
    return Arranged(len(combinations), mean, median(times or [0.0]))
