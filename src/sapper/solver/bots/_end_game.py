"""Perfect play where few boards are left: of how many of them the best play wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sapper.position import Position
from sapper.solver.bots.base import around
from sapper.solver.bots.known import constraints, unopened

__all__ = ["Best", "TooMuch", "best", "fitting"]

_MINE = -1


class TooMuch(Exception):
    """There were more boards, or more to think over, than was allowed."""


class Best(NamedTuple):
    """What perfect play comes to.

    Attributes:
        wins: Of the boards that fit, all equally likely, those that it wins.
        boards: The boards that fit.
        cell: What it opens next, by index.
    """

    wins: int
    boards: int
    cell: int


def best(position: Position, boards: int, thoughts: int) -> Best:
    r"""The opening of a cell that wins the most boards, when all that follow are as good.

    A state of play is the set of boards that it still could be. Opening a cell splits that set by
    what the cell shows, and the sets are played on one by one; those with a mine there are lost.
    A cell that is clear on all of them costs nothing, so it is opened first. A state is thought
    over once, and an opening is left as soon as it cannot be the best any more.

    Args:
        position: With its mine total, on which something can be opened.
        boards: The most boards that may fit.
        thoughts: The most states that may be thought over.

    >>> best(Position.parse("...\n...\n...", mines=1), boards=9, thoughts=100)
    Best(wins=8, boards=9, cell=0)

    Raises:
        TooMuch: If there are more boards or states.
    """
    found = fitting(position, boards)
    if not found:
        raise TooMuch("no board fits")
    cells = unopened(position)
    wins, cell = _Play(found, cells, around(position.topology), thoughts).pick(
        tuple(range(len(found)))
    )
    return Best(wins, len(found), cells[0] if cell is None else cell)


class _Play:
    def __init__(
        self,
        boards: Sequence[frozenset[int]],
        cells: Sequence[int],
        neighbours: Sequence[Sequence[int]],
        thoughts: int,
    ) -> None:
        self._shown = {
            cell: [
                _MINE if cell in mined else sum([near in mined for near in neighbours[cell]])
                for mined in boards
            ]
            for cell in cells
        }
        self._known: dict[tuple[int, ...], int] = {}
        self._left = thoughts

    def wins(self, boards: tuple[int, ...]) -> int:
        """How many of some boards, by number, perfect play wins."""
        if len(boards) == 1:
            return 1
        known = self._known.get(boards)
        if known is None:
            self._left -= 1
            if self._left < 0:
                raise TooMuch("more states than may be thought over")
            known = self._known[boards] = self.pick(boards)[0]
        return known

    def pick(self, boards: tuple[int, ...]) -> tuple[int, int | None]:
        """The wins of the best opening, and its cell; None where no opening tells anything."""
        risky: list[tuple[int, int, int, list[tuple[int, ...]]]] = []
        for cell, shown in self._shown.items():
            split: dict[int, list[int]] = {}
            for board in boards:
                split.setdefault(shown[board], []).append(board)
            lost = len(split.pop(_MINE, ()))
            parts = [tuple(part) for part in split.values()]
            if lost and parts:
                risky.append((lost, -len(parts), cell, parts))
            elif len(parts) > 1:
                return sum(self.wins(part) for part in parts), cell
        if not risky:
            # All boards agree on every clear cell, so they are one board.
            return len(boards), None
        most, chosen = -1, None
        for lost, _, cell, parts in sorted(risky):
            bound = len(boards) - lost
            for part in parts:
                if bound <= most:
                    break
                bound += self.wins(part) - len(part)
            if bound > most:
                most, chosen = bound, cell
        return most, chosen


def fitting(position: Position, most: int) -> list[frozenset[int]]:
    """All boards that fit a position with a mine total, each as its mines by index.

    Raises:
        TooMuch: If there are more than `most`.
    """
    groups = constraints(position, set())
    cells = unopened(position)
    touching: dict[int, list[int]] = {cell: [] for cell in cells}
    for number, (around_it, _) in enumerate(groups):
        for cell in around_it:
            touching[cell].append(number)
    # Cells of one number follow each other, so that a broken one shows early.
    order = sorted(cells, key=lambda cell: (not touching[cell], touching[cell]))
    needs = [mines for _, mines in groups]
    room = [len(around_it) for around_it, _ in groups]
    found: list[frozenset[int]] = []
    mined: list[int] = []

    def place(at: int, left: int) -> None:
        if not 0 <= left <= len(order) - at:
            return
        if at == len(order):
            found.append(frozenset(mined))
            if len(found) > most:
                raise TooMuch(f"more than {most} boards fit")
            return
        cell = order[at]
        for number in touching[cell]:
            room[number] -= 1
        for mine in (0, 1):
            for number in touching[cell]:
                needs[number] -= mine
            if all(0 <= needs[number] <= room[number] for number in touching[cell]):
                mined.extend([cell] * mine)
                place(at + 1, left - mine)
                del mined[len(mined) - mine :]
            for number in touching[cell]:
                needs[number] += mine
        for number in touching[cell]:
            room[number] += 1

    assert position.mines is not None
    place(0, position.mines - position.cells.count(b"*"))
    return found
