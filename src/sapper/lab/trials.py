"""Experiments that do not play a bot's games: timed clicks, and positions to solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter

from sapper.actions import ActionKind
from sapper.errors import LimitReached
from sapper.game import Game
from sapper.generation import generate, substream
from sapper.position import UNOPENED, Position
from sapper.rules import FirstClick
from sapper.solver.arrange import Likelihood, StartRule, arrange
from sapper.solver.bots import as_choice, begin, make_bot
from sapper.solver.limit import Limit

__all__ = ["Arranged", "ClickTimes", "arrangements", "click_times", "scattered"]


@dataclass(frozen=True, slots=True)
class ClickTimes:
    """The time that the rules take to open a cell.

    Attributes:
        clicks: Number of cells clicked.
        median: Median time in seconds.
        worst: Longest time in seconds.
    """

    clicks: int
    median: float
    worst: float


def click_times(level: str, games: int) -> ClickTimes:
    """Time the clicks of the bot `kaboom-sat` under the rules `kaboom`; seeds count from 1."""
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
    return ClickTimes(len(times), median(times or [0.0]), max(times, default=0.0))


def scattered(level: str, n: int, share: float) -> list[Position]:
    """Return artificial positions in which about this share of cells, chosen uniformly, is open.

    Zeros do not flood, so that numbers border unopened cells everywhere. The seeds count from 1.
    """
    positions = []
    for generated in generate(level, n, first_click=FirstClick.ANY, seed=1):
        board, rng = generated.board, Random(substream(generated.seed, "scattered"))
        size = len(board.mined)
        chance = share * size / (size - board.mines)
        cells = bytes(
            ord("0") + number if not mine and rng.random() < chance else ord(UNOPENED)
            for mine, number in zip(board.mined, board.numbers, strict=True)
        )
        positions.append(Position(board.topology, cells, board.mines))
    return positions


@dataclass(frozen=True, slots=True)
class Arranged:
    """The results of a variant of the arrangement finder.

    Attributes:
        found: Number of positions for which an arrangement was found.
        combinations: Mean number of combinations tried when one was found.
        median_s: Median time per position in seconds, including positions that were abandoned.
    """

    found: int
    combinations: float
    median_s: float


def arrangements(
    some: Sequence[Position], start_rule: StartRule, likelihood: Likelihood, seconds: float
) -> Arranged:
    """Measure a variant of backtracking, with a time limit per position."""
    times, combinations = [], []
    for position in some:
        began = perf_counter()
        try:
            answer = arrange(
                position,
                start_rule=start_rule,
                likelihood=likelihood,
                limit=Limit(seconds=seconds),
            )
            combinations.append(answer.combinations)
        except LimitReached:
            pass
        times.append(perf_counter() - began)
    mean = sum(combinations) / max(1, len(combinations))
    return Arranged(len(combinations), mean, median(times or [0.0]))
