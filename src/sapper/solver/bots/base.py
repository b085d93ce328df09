"""The bot interface: an object that chooses actions in a position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, runtime_checkable

from sapper._util.shortening import shown
from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting
from sapper.position import FLAGGED, Position
from sapper.rules import Level, Settings
from sapper.topology import Topology

__all__ = ["Answer", "Bot", "Choice", "around", "as_choice", "begin", "end", "flags", "opens"]

_FLAGGED = ord(FLAGGED)
# Enum member access takes about 200 ns in CPython 3.11.
_OPEN, _FLAG = ActionKind.OPEN, ActionKind.FLAG


@dataclass(frozen=True, slots=True)
class Choice:
    """A bot's next actions, and the reason.

    Attributes:
        actions: The actions, in order. An action made unnecessary by an earlier one has no effect.
        by: The level or rule of the bot that decided, in a word or two.
        risk: The predicted mine probability of the opened cells, from 0 to 1; None without an
            estimate.
        guess: True if the bot considers none of these cells proved safe.
    """

    actions: tuple[Action, ...]
    by: str = ""
    risk: float | None = None
    guess: bool = False


Answer = Choice | Action | Iterable[Action]
"""The values a bot may return: a choice with its explanation, or only actions."""


@runtime_checkable
class Bot(Protocol):
    """A bot needs only one method, `choose`.

    It may also have ``begin(level, seed)``, which is called before each game to discard the last
    game and seed the random choices. The seed is independent of the mines. A bot that needs the
    rules has ``begin_game(level, seed, settings)`` instead; the settings do not include the seed,
    and are None in other programs' games. ``end_game(result)`` is called after a game with ``won``,
    ``lost`` or ``aborted``.
    """

    def choose(self, position: Position) -> Answer:
        """Return the next actions in a position that is neither won nor lost."""


def begin(bot: Bot, level: Level, seed: int, settings: Settings | None = None) -> None:
    """Notify a bot that a game is starting, if it has a `begin_game` or `begin` method."""
    if (start_game := getattr(bot, "begin_game", None)) is not None:
        start_game(level, seed, settings)
    elif (start := getattr(bot, "begin", None)) is not None:
        start(level, seed)


def end(bot: Bot, result: str) -> None:
    """Notify a bot that a game has ended, if it has an `end_game` method."""
    if (finish := getattr(bot, "end_game", None)) is not None:
        finish(result)


def as_choice(answer: Answer) -> Choice:
    """Return a bot's answer as a `Choice`, with an empty explanation if it gave none.

    Raises:
        BadSetting: If the answer is invalid.
    """
    if isinstance(answer, Choice):
        return answer
    if isinstance(answer, Action):
        return Choice((answer,))
    if isinstance(answer, Iterable) and not isinstance(answer, str | bytes):
        actions = tuple(answer)
        if all(isinstance(action, Action) for action in actions):
            return Choice(actions)
        # An iterator would be exhausted by now, so its repr would be useless.
        answer = actions
    raise BadSetting(f"a bot must return an Action, several, or a Choice, got {shown(answer)}")


def opens(position: Position, cells: Iterable[int]) -> list[Action]:
    """Return the actions that open these cells, by index, whatever flags are on them."""
    cell_at, seen = position.topology.cell, position.cells
    actions = []
    for index in cells:
        cell = cell_at(index)
        if seen[index] == _FLAGGED:
            # The cell cannot be opened while it has a flag, so remove the flag first.
            actions.append(Action(_FLAG, cell))
        actions.append(Action(_OPEN, cell))
    return actions


def flags(position: Position, cells: Iterable[int]) -> list[Action]:
    """Return the actions that flag these cells, by index, except those already flagged."""
    cell_at, seen = position.topology.cell, position.cells
    return [Action(_FLAG, cell_at(index)) for index in cells if seen[index] != _FLAGGED]


@lru_cache(maxsize=16)
def around(shape: Topology) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of every cell, by index, in row order."""
    return tuple(tuple(shape.graph.neighbours(cell)) for cell in range(shape.size))
