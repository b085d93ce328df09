"""The player's knowledge of a running game, and random boards that fit it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sapper._util.arguments import whole
from sapper._util.shortening import shown
from sapper.coach import Outcome, outcomes
from sapper.env.spaces import action_of
from sapper.errors import BadSetting
from sapper.generation import substream
from sapper.position import EXPLODED, NUMBERS, UNOPENED, Position
from sapper.rules import FirstClick, Settings

__all__ = ["InformationState", "check_state", "draws", "is_started", "opening_outcomes"]

_TRIES: Final = 100


@dataclass(frozen=True, slots=True)
class InformationState:
    """The player's knowledge of a running game, which can be stored, compared and pickled.

    Attributes:
        position: The player's view.
        steps: Number of steps so far; they count towards truncation.
    """

    position: Position
    steps: int = 0

    def after(self, action: int, number: int) -> InformationState:
        """Return the state after an action has opened a cell with this number.

        A zero leaves its neighbours unopened and proved safe, to be opened by separate actions.

        Raises:
            BadSetting: If the action does not open an unopened cell, or the cell has too few
                neighbours.
        """
        cell = openable(self.position, action)
        most = len(self.position.topology.graph.neighbours(cell))
        cells = bytearray(self.position.cells)
        cells[cell] = NUMBERS[whole(number, "number", most=most)]
        return InformationState(self.position.showing(bytes(cells)), self.steps + 1)


def is_started(position: Position) -> bool:
    """Return whether any cell is open."""
    return any(map(position.cells.count, NUMBERS))


def openable(position: Position, action: int) -> int:
    """Return the index of the cell that an action opens.

    Raises:
        BadSetting: If the cell does not exist, is open or is flagged.
    """
    cell = action_of(action, position.topology.size)
    if position.cells[cell] != ord(UNOPENED):
        raise BadSetting(f"action {cell} opens nothing: the cell is open or flagged")
    return cell


def check_state(state: InformationState, settings: Settings) -> None:
    """Reject a state from a different kind of game.

    Raises:
        BadSetting: If the state is from another level, or its game is lost.
    """
    if not isinstance(state, InformationState):
        raise BadSetting(f"state must be an InformationState, got {shown(state)}")
    level, seen = settings.level, state.position
    kind = (seen.topology, seen.mines, seen.density)
    if kind != (level.shape(), level.mines, level.density):
        raise BadSetting(f"the state is not of a game on {level}")
    if seen.cells.count(ord(EXPLODED)):
        raise BadSetting("the game is lost in this state")


def draws(seed: int) -> Iterator[int]:
    """Return seeds of boards to try until one has a clear cell to open.

    Boards dealt with a density may have none, in which case the game would be over.

    Raises:
        BadSetting: If no board has one, for example because the game is certainly won.
    """
    yield from (substream(seed, "restore", number) for number in range(_TRIES))
    raise BadSetting("the game is won in this state: no clear cell is left to open")


def opening_outcomes(position: Position, action: int, settings: Settings) -> tuple[Outcome, ...]:
    """Return the possible results of an opening action; see `MinesweeperEnv.outcomes`."""
    cell = openable(position, action)
    possible = outcomes(position, position.topology.cell(cell), values=False)
    if is_started(position) or settings.first_click is FirstClick.ANY:
        return possible
    # Keep only boards that satisfy the first-click promise; they are all equally likely.
    numbers = {0} if settings.first_click is FirstClick.OPENING else {*range(len(NUMBERS))}
    kept = [one for one in possible if one.number in numbers]
    total = sum(one.chance for one in kept)
    return tuple(Outcome(one.number, one.chance / total, one.safe_count, one.value) for one in kept)
