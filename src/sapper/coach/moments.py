"""Every moment of a round, replayed from its trail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sapper.game.trail import Trail, Turn
from sapper.position import EXPLODED, NUMBERS, UNOPENED, Position
from sapper.rules import FirstClick

__all__ = ["Moment", "moments"]


class Moment(NamedTuple):
    """A cell about to be opened.

    Attributes:
        position: The player's view, without flags.
        turn: The turn that opened the cell.
        after: The player's view afterwards.
        undone: Whether it was undone later.
        promised: Whether it is a first click that the rules promise to be safe.
    """

    position: Position
    turn: Turn
    after: Position
    undone: bool
    promised: bool


def moments(trail: Trail) -> Iterator[Moment]:
    """Replay a round; undos are applied, but do not count as moments."""
    level = trail.settings.level
    origin = trail.origin or level.unopened()
    cells = bytearray(origin.without_flags().cells)
    opened = sum(map(origin.cells.count, NUMBERS))
    promising = trail.settings.first_click is not FirstClick.ANY and not trail.given
    undone = _undone(trail)

    def seen() -> Position:
        return origin.showing(bytes(cells))

    before = seen()
    for number, turn in enumerate(trail.turns):
        if turn.undone:
            for index in turn.cells:
                opened -= cells[index] not in (ord(UNOPENED), ord(EXPLODED))
                cells[index] = ord(UNOPENED)
            before = seen()
            continue
        promised = promising and not opened and not turn.exploded
        for index, value in zip(turn.cells, turn.numbers, strict=True):
            cells[index] = ord("0") + value
        opened += len(turn.cells)
        if turn.exploded:
            cells[turn.cell] = ord(EXPLODED)
        after = seen()
        yield Moment(before, turn, after, number in undone, promised)
        before = after


def _undone(trail: Trail) -> set[int]:
    """Return the numbers of the turns that an undo covered again."""
    standing: list[int] = []
    undone: set[int] = set()
    for number, turn in enumerate(trail.turns):
        if not turn.undone:
            standing.append(number)
            continue
        covered = set(turn.cells)
        # All turns of a chord are undone together.
        while standing and trail.turns[standing[-1]].cell in covered:
            undone.add(standing.pop())
    return undone
