"""Step through a bot's game, choice by choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sapper.errors import SapperError
from sapper.game import Game
from sapper.position import Position
from sapper.simulation.runner import BotRunner
from sapper.solver.bots import Choice

__all__ = ["SimulationStep", "steps"]


@dataclass(frozen=True, slots=True)
class SimulationStep:
    """One choice of a bot.

    Attributes:
        number: Number of the choice, counted from 1.
        position: The position shown to the bot.
        choice: The bot's choice.
        done: Number of its actions with an effect.
        stuck: Whether the game stops after this choice without a result.
    """

    number: int
    position: Position
    choice: Choice
    done: int
    stuck: bool


def steps(game: Game, runner: BotRunner) -> Iterator[SimulationStep]:
    """Play a started game until it is over or the bot is stuck.

    Raises:
        BotFailed: If the bot raises, or its choice is invalid.
    """
    number, stuck = 0, False
    while not game.over and not stuck:
        number += 1
        before, done = game.position, 0
        choice = runner.choose(before)
        try:
            for action in choice.actions:
                done += not game.over and game.play(action)
        except SapperError as problem:
            raise runner.refused(problem) from problem
        opened = len(game.position.unopened_cells()) < len(before.unopened_cells())
        stuck = runner.settle(done, opened=opened)
        yield SimulationStep(number, before, choice, done, stuck and not game.over)
