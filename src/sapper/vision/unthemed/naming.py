"""Infer the meaning of each look by logic from the boards of played games.

Nothing is assumed about colours or digits. A look has the same meaning, a number or a mine,
wherever it appears, so every board gives information about it. A meaning is eliminated if no
arrangement of mines fits all boards with it. A look is named as soon as only one meaning is left,
because that is a proof.

A look that first appears at the end of a game is not evidence of a number, because it may be a mark
on an unopened cell. It is named only as a mark or a mine until it appears on a board of a
continuing game.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from sapper.errors import InconsistentPosition
from sapper.position import EXPLODED, FLAGGED, UNOPENED
from sapper.solver.bots.base import around
from sapper.topology import Topology
from sapper.vision.looks import ENDING, MINE
from sapper.vision.unthemed.gallery import Looks
from sapper.vision.unthemed.look_formula import DIGITS, LookFormula

__all__ = ["Ending", "Naming"]


@dataclass(frozen=True, eq=False)
class Ending:
    """The end of a game: a board on which clicks no longer have an effect.

    Attributes:
        board: The final looks; for cells opened before the last click, their looks at that time.
        before: The looks before the last click that had an effect.
        clicked: Index of the cell of that click.
    """

    board: Looks
    before: Looks
    clicked: int


class Naming:
    """Looks and their meanings.

    Args:
        shape: The topology of the board.
        unopened: The look of unopened cells.
    """

    def __init__(self, shape: Topology, unopened: int) -> None:
        self._near = around(shape)
        self._start = {unopened: UNOPENED}
        self.names: dict[int, str] = dict(self._start)
        """For each known look, one character of `sapper.vision.LOOKS`."""
        self._live: set[int] = set()
        self._flags: set[int] = set()
        self._endings: list[Ending] = []

    def copy(self) -> Naming:
        """Return a copy."""
        other = copy(self)
        other.names, other._live = dict(self.names), set(self._live)
        other._flags, other._endings = set(self._flags), list(self._endings)
        return other

    def unnamed(self, board: Looks) -> set[int]:
        """Return the unnamed looks on a board."""
        return set(board.tolist()) - self.names.keys()

    def flag(self, look: int) -> None:
        """Record a look that a right click set on an unopened cell and another one removed."""
        self.names[look] = FLAGGED
        self._flags.add(look)

    def went_on(self, board: Looks) -> None:
        """Record a board on which a click then had an effect: its opened cells are not mines."""
        self._live |= set(board.tolist())
        for look in self._live:
            if self.names.get(look, UNOPENED) in ENDING:
                del self.names[look]

    def over(self, board: Looks, before: Looks, clicked: int) -> Ending | None:
        """Return the end of a game; None if the board does not show it.

        The board does not show the end if the last clicked cell is unopened again, or if something
        is drawn over the board. Opened cells keep their numbers: a different style, such as paler
        digits, is ignored, but different numbers that now look the same are covered.
        """
        opened = np.array([self._is_opened(look) for look in before.tolist()])
        changed = opened & (board != before)
        before_of = dict(zip(board[changed].tolist(), before[changed].tolist(), strict=True))
        if any(before_of[int(board[at])] != before[at] for at in np.flatnonzero(changed)):
            return None
        if self.names.get(int(board[clicked])) == UNOPENED:
            return None
        return Ending(np.where(opened, before, board), before, clicked)

    def ended(self, ending: Ending) -> None:
        """Record the end of a game and use it to name looks and identify mines.

        Raises:
            InconsistentPosition: If no meanings fit all boards; all names are then discarded.
        """
        self._endings.append(ending)
        if self.lost(ending) is not False:
            self._doubt_wins(ending.board)
        self.learn(ending.board)
        for look, name in self.names.items():
            if name in ENDING + FLAGGED and look not in self._flags:
                self.names[look] = self._kind(look)

    def _doubt_wins(self, board: Looks) -> None:
        """Drop names inferred from won games only, in which every mark is on a mine."""
        won = set().union(*(e.board.tolist() for e in self._endings if self.lost(e) is False))
        others = [e.board for e in self._endings[:-1] if self.lost(e) is not False]
        for look in won & set(board.tolist()) - self._flags:
            is_ending = self.names.get(look, UNOPENED) in ENDING + FLAGGED
            if is_ending and not any((other == look).any() for other in others):
                del self.names[look]

    def learn(self, board: Looks) -> LookFormula:
        """Name looks where possible, and return a question about the mines of a board.

        Raises:
            InconsistentPosition: If no meanings fit all boards; all names are then discarded.
        """
        while True:
            question = self._question(board)
            if not question.possible():
                self.forget()
                raise InconsistentPosition("the meanings of the looks contradict each other")
            named = self._single(question, board)
            if not named:
                return question
            self.names.update(named)

    def forget(self) -> None:
        """Discard everything, because at least one meaning is wrong."""
        self.names = dict(self._start)
        self._live.clear()
        self._flags.clear()
        self._endings.clear()

    def lost(self, ending: Ending) -> bool | None:
        """Return whether the last click of a game opened a mine; None if unknown."""
        name = self.names.get(int(ending.board[ending.clicked]))
        return None if name is None else name not in DIGITS

    def left(self, ending: Ending) -> int:
        """Return the number of cells that a game left unopened."""
        return sum(not self._is_opened(look) for look in ending.board.tolist())

    def _question(self, board: Looks) -> LookFormula:
        opened = {int(ending.board[ending.clicked]) for ending in self._endings}
        question = LookFormula(self._near, self.names, self._live, opened)
        question.board(board)
        for ending in self._endings:
            if self.unnamed(ending.board):
                question.board(ending.board, over=True, won=self.lost(ending) is False)
                clicked, looks = ending.clicked, ending.board.tolist()
                left = {at for at in self._unopened(ending.before) if at != clicked}
                reached = self._reached(ending, left)
                numbers = {at for at in left if self._is_opened(looks[at])}
                question.ending(
                    looks[clicked],
                    left - reached - numbers,
                    {at: looks[at] for at in reached - numbers},
                )
        return question

    def _unopened(self, board: Looks) -> list[int]:
        """Return the cells known to be unopened."""
        return [at for at, look in enumerate(board.tolist()) if self.names.get(look) == UNOPENED]

    def _reached(self, ending: Ending, left: set[int]) -> set[int]:
        """Return the other cells that the last click may have opened."""
        changed = {at for at in left if ending.board[at] != ending.before[at]}
        waiting, reached = [ending.clicked], set[int]()
        while waiting:
            more = changed.intersection(self._near[waiting.pop()]) - reached
            reached |= more
            waiting += more
        return reached

    def _is_opened(self, look: int) -> bool:
        """Return whether a look is known to be some number."""
        name = self.names.get(look)
        return name in tuple(DIGITS) if name is not None else look in self._live

    def _single(self, question: LookFormula, board: Looks) -> dict[int, str]:
        """Return the looks with a single possible meaning."""
        ended = set().union(*(self.unnamed(e.board) for e in self._endings))
        named = {}
        for look in self.unnamed(board) | ended:
            left = question.meanings(look)
            if len(left) == 1 and (look in ended or left != UNOPENED):
                named[look] = left
            elif set(left) == {MINE, UNOPENED} and question.marks_mines(look):
                named[look] = MINE
        return named

    def _kind(self, look: int) -> str:
        """Return the kind of mine that a look shows, depending on when it appears."""
        endings = [e for e in self._endings if look in e.board]
        if any(int(e.board[e.clicked]) == look for e in endings):
            alone = all((e.board == look).sum() == 1 for e in endings)
            return EXPLODED if alone else MINE
        return FLAGGED if any(self.lost(e) is False for e in endings) else MINE
