"""The moments of a round, replayed from its trail; all reviews iterate over them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

from sapper.game.trail import Trail, Turn
from sapper.position import EXPLODED, NUMBERS, UNOPENED, Position
from sapper.rules import FirstClick, Win

__all__ = ["Moment", "Walk", "moments"]


class Moment(NamedTuple):
    """A cell about to be opened.

    Attributes:
        position: The player's view, without flags.
        turn: The turn that opened the cell.
        after: The player's view afterwards; as of a running game, which the last one may not be.
        undone: Whether it was undone later.
        promised: Whether it is a first click that the rules promise to be safe.
    """

    position: Position
    turn: Turn
    after: Position
    undone: bool
    promised: bool


class Walk:
    """Replays a round moment by moment, and continues where it stopped when the round has grown."""

    def __init__(self) -> None:
        self.turns = 0
        """Number of turns replayed."""
        self._origin: Position | None = None
        self._cells = bytearray()
        self._opened = 0

    def moments(self, trail: Trail, undone: Set[int] = frozenset()) -> Iterator[Moment]:
        """Replay the turns since the last call; undos are applied but are not moments.

        Args:
            trail: The round's trail, which continues that of the last call.
            undone: The numbers of the turns that are undone later.
        """
        self._begin(trail)
        promising = trail.settings.first_click is not FirstClick.ANY and not trail.given
        before = self._position(trail)
        for number in range(self.turns, len(trail.turns)):
            turn = trail.turns[number]
            promised = promising and not self._opened and not turn.exploded
            self._apply(turn)
            after = self._position(trail)
            if not turn.undone:
                yield Moment(before, turn, after, number in undone, promised)
            before = after

    def skip(self, trail: Trail, turns: int) -> None:
        """Replay turns without building positions, which takes time on big boards."""
        self._begin(trail)
        for turn in trail.turns[self.turns : turns]:
            self._apply(turn)

    def _begin(self, trail: Trail) -> None:
        if self._origin is None:
            self._origin = (trail.origin or trail.settings.level.unopened()).without_flags()
            self._cells = bytearray(self._origin.cells)
            self._opened = sum(map(self._origin.cells.count, NUMBERS))

    def _position(self, trail: Trail) -> Position:
        assert self._origin is not None
        # Whether the game is over is checked only after all cells of a chord are opened.
        chords = [turn.chord for turn in trail.turns[max(0, self.turns - 1) : self.turns + 1]]
        checked = len(chords) < 2 or chords[0] is None or chords[0] != chords[1]
        running = checked and trail.settings.win is not Win.FLAGS
        return self._origin.showing(bytes(self._cells), running=running)

    def _apply(self, turn: Turn) -> None:
        cells = self._cells
        if turn.undone:
            for index in turn.cells:
                self._opened -= cells[index] not in (ord(UNOPENED), ord(EXPLODED))
                cells[index] = ord(UNOPENED)
        else:
            for index, value in zip(turn.cells, turn.numbers, strict=True):
                cells[index] = ord("0") + value
            self._opened += len(turn.cells)
            if turn.exploded:
                cells[turn.cell] = ord(EXPLODED)
        self.turns += 1


def moments(trail: Trail) -> Iterator[Moment]:
    """Replay a whole round."""
    return Walk().moments(trail, _undone(trail))


def _undone(trail: Trail) -> set[int]:
    """Return the numbers of the turns that were undone."""
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
