"""Step through a bot's game, choice by choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from sapper.actions import Action
from sapper.errors import SapperError
from sapper.game import Game
from sapper.position import FLAGGED, UNOPENED, Position
from sapper.simulation.runner import BotRunner
from sapper.solver.bots import Choice

__all__ = ["SimulationStep", "choices", "perform", "steps"]

_UNOPENED, _FLAGGED = UNOPENED.encode(), FLAGGED.encode()


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
        BotFailed: If the bot raises an exception or its choice is invalid.
    """
    return choices(game, game.play, runner)


class _Board(Protocol):
    @property
    def over(self) -> bool: ...
    @property
    def position(self) -> Position: ...


def choices(
    game: _Board, act: Callable[[Action], object], runner: BotRunner
) -> Iterator[SimulationStep]:
    """Play a game or a round; see `steps`.

    Args:
        game: The game or round.
        act: Function that performs an action and returns a true value if it had an effect.
        runner: The bot runner.
    """
    number, stuck = 0, False
    while not game.over and not stuck:
        number += 1
        before = game.position
        choice = runner.choose(before)
        done, stuck = perform(game, act, runner, before, choice)
        yield SimulationStep(number, before, choice, done, stuck)


def perform(
    game: _Board,
    act: Callable[[Action], object],
    runner: BotRunner,
    before: Position,
    choice: Choice,
) -> tuple[int, bool]:
    """Perform a choice, and return `SimulationStep.done` and `SimulationStep.stuck`.

    Args:
        game: The game or round.
        act: As in `choices`.
        runner: The runner of the bot that made the choice.
        before: The position in which the bot made it.
        choice: The choice.

    Raises:
        BotFailed: If the choice cannot be carried out.
    """
    done = 0
    try:
        for action in choice.actions:
            done += not game.over and bool(act(action))
    except SapperError as problem:
        raise runner.refused(problem) from problem
    stuck = runner.settle(done, opened=_unopened(game.position) < _unopened(before))
    return done, stuck and not game.over


def _unopened(position: Position) -> int:
    return position.cells.count(_UNOPENED) + position.cells.count(_FLAGGED)
