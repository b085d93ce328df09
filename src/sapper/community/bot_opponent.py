"""A bot that plays at the pace of a person, and makes mistakes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from sapper._util.arguments import number, whole
from sapper._util.shortening import shown
from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting
from sapper.generation import substream
from sapper.position import NUMBERS, Position
from sapper.rules import Level
from sapper.simulation import BotRunner
from sapper.solver.bots import bots, make_bot
from sapper.topology import Cell

__all__ = ["STRENGTHS", "BotOpponent", "BotSettings"]

_UNIT: Final = 2**64
_UNOPENED, _FLAGGED = ord("."), ord("F")
_FASTEST_MS: Final = 50


@dataclass(frozen=True, slots=True)
class BotSettings:
    """How a bot plays against people.

    Attributes:
        bot: Name of the bot.
        pace_ms: Mean time between its actions. Each takes from half to one and a half times this.
        error: The chance, from 0 to 1, that it opens a random cell instead of its choice.

    Raises:
        BadSetting: If the bot is unknown, or a number is out of range.
    """

    bot: str = "exact"
    pace_ms: int = 900
    error: float = 0.01

    def __post_init__(self) -> None:
        if self.bot not in bots:
            raise BadSetting(f"unknown bot {shown(self.bot)}; choose from: {', '.join(bots)}")
        whole(self.pace_ms, "pace_ms", least=_FASTEST_MS, most=60_000)
        error = number(self.error)
        if error is None or not 0 <= error <= 1:
            raise BadSetting(f"error must be between 0 and 1, got {shown(self.error)}")


STRENGTHS: Final = {
    "novice": BotSettings("exact", 2_500, 0.05),
    "casual": BotSettings("exact", 1_500, 0.02),
    "skilled": BotSettings("exact", 800, 0.005),
    "master": BotSettings("exact", 400, 0.0),
}
"""Settings of bots, from the weakest to the strongest."""


class BotOpponent:
    """A bot at one board.

    Its random choices depend only on the seed and the number of actions so far.

    Args:
        settings: How it plays.
        level: The level of the board.
        seed: The bot's own seed, independent of the mines.

    Attributes:
        settings: How it plays.
        next_ms: Time of its next action.
    """

    def __init__(self, settings: BotSettings, level: Level, seed: int) -> None:
        self.settings = settings
        self.next_ms = 0
        self._seed, self._count = seed, 0
        self._queue: list[Action] = []
        self._runner = BotRunner(make_bot(settings.bot), settings.bot)
        self._runner.begin(level, seed)

    def wait(self, time_ms: int) -> None:
        """Schedule the next action after its pace, counted from `time_ms`."""
        self._count += 1
        self.next_ms = time_ms + round(self.settings.pace_ms * (0.5 + self._chance("pace")))

    def choose(self, position: Position) -> Action | None:
        """Return an action that changes something, or None if every cell is open.

        Args:
            position: What the bot sees; opened mines are known mines.

        Raises:
            BotFailed: If the bot raises.
        """
        if self._chance("error") < self.settings.error:
            self._queue.clear()
            return self._random(position)
        self._queue = [action for action in self._queue if _is_useful(action, position)]
        if not self._queue:
            chosen = self._runner.choose(position).actions
            self._queue = [action for action in chosen if _is_useful(action, position)]
        return self._queue.pop(0) if self._queue else self._random(position)

    def _random(self, position: Position) -> Action | None:
        """Return an action that opens a random cell, beside a number if there is one."""
        cells, shape = position.cells, position.topology
        closed = [index for index, char in enumerate(cells) if char == _UNOPENED]
        near = [
            index
            for index in closed
            if any(cells[one] in NUMBERS for one in shape.graph.neighbours(index))
        ]
        if not (choice := near or closed):
            return None
        return Action(ActionKind.OPEN, shape.cell(choice[int(self._chance("cell") * len(choice))]))

    def _chance(self, purpose: str) -> float:
        return substream(self._seed, f"bot {purpose}", self._count) / _UNIT

    def to_json(self) -> dict[str, Any]:
        """Return the saved form."""
        queue = [[str(action.kind), *(action.cell or ())] for action in self._queue]
        return {
            "settings": asdict(self.settings),
            "seed": self._seed,
            "count": self._count,
            "next_ms": self.next_ms,
            "queue": queue,
        }

    @classmethod
    def from_json(cls, obj: dict[str, Any], level: Level) -> Self:
        """Read the saved form of a bot at a board of this level."""
        made = cls(BotSettings(**obj["settings"]), level, obj["seed"])
        made._count, made.next_ms = obj["count"], obj["next_ms"]
        made._queue = [Action(kind, Cell(row, col)) for kind, row, col in obj["queue"]]
        return made


def _is_useful(action: Action, position: Position) -> bool:
    """Return whether an action may still change something."""
    if action.cell is None:
        return False
    char = position.cells[position.topology.index(action.cell)]
    if action.kind is ActionKind.OPEN:
        return char == _UNOPENED
    if action.kind is ActionKind.CHORD:
        around = position.topology.graph.neighbours(position.topology.index(action.cell))
        return char in NUMBERS and any(position.cells[one] == _UNOPENED for one in around)
    return char in (_UNOPENED, _FLAGGED)
