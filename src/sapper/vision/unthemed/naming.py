"""Infer the meaning of each look by logic, from boards that were played.

Nothing is assumed about colours or digits. A look stands for one number, or for a mine, wherever
it is seen; so every board says something about it. Of all meanings that a look might have, those
are struck out with which no arrangement of mines fits all boards at once; a look is named when
one meaning is left, which is a proof.

Looks that first appear at the end of a game are never evidence of a number: it may be a mark on a
cell that stays unopened. Such a look is named only as a mark or a mine, a number once it is seen on
a board that goes on.
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
from sapper.vision.unthemed.question import DIGITS, Question

__all__ = ["Ending", "Naming"]


@dataclass(frozen=True, eq=False)
class Ending:
    """A board on which clicks no longer have an effect.

    Attributes:
        board: What it shows; on cells opened before the last click, what they showed then.
        before: What it showed before the last click that did something.
        clicked: The cell of that click, by index.
    """

    board: Looks
    before: Looks
    clicked: int


class Naming:
    """Looks and their meanings.

    Args:
        shape: The board's.
        unopened: The look of an unopened cell.
    """

    def __init__(self, shape: Topology, unopened: int) -> None:
        self._near = around(shape)
        self._start = {unopened: UNOPENED}
        self.names: dict[int, str] = dict(self._start)
        """Of each look that is known, one character of `sapper.vision.LOOKS`."""
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
        """Return the looks on a board without a name."""
        return set(board.tolist()) - self.names.keys()

    def flag(self, look: int) -> None:
        """Record a look that one right click gave to an unopened cell and another removed."""
        self.names[look] = FLAGGED
        self._flags.add(look)

    def went_on(self, board: Looks) -> None:
        """Record a board on which a click had an effect: no opened cell on it is a mine."""
        self._live |= set(board.tolist())
        for look in self._live:
            if self.names.get(look, UNOPENED) in ENDING:
                del self.names[look]

    def over(self, board: Looks, before: Looks, clicked: int) -> Ending | None:
        """Return the end of a game; None if the board does not show it.

        That is so if the cell of the last click is unopened again, or something is drawn over the
        board. Opened cells keep their numbers. Where the end draws them otherwise, such as paler,
        that is ignored; where different numbers look the same, something else covers them.
        """
        opened = np.array([self._is_opened(look) for look in before.tolist()])
        changed = opened & (board != before)
        seen = dict(zip(board[changed].tolist(), before[changed].tolist(), strict=True))
        if any(seen[int(board[at])] != before[at] for at in np.flatnonzero(changed)):
            return None
        if self.names.get(int(board[clicked])) == UNOPENED:
            return None
        return Ending(np.where(opened, before, board), before, clicked)

    def ended(self, ending: Ending) -> None:
        """Record the end of a game: name looks by it, and identify mines by how they appeared.

        Raises:
            InconsistentPosition: If no meanings fit all boards; then all is forgotten.
        """
        self._endings.append(ending)
        if self.lost(ending) is not False:
            self._doubt_wins(ending.board)
        self.learn(ending.board)
        for look, name in self.names.items():
            if name in ENDING + FLAGGED and look not in self._flags:
                self.names[look] = self._kind(look)

    def _doubt_wins(self, board: Looks) -> None:
        """Drop the names that come from won games only, where every mark is on a mine."""
        won = set().union(*(e.board.tolist() for e in self._endings if self.lost(e) is False))
        others = [e.board for e in self._endings[:-1] if self.lost(e) is not False]
        for look in won & set(board.tolist()) - self._flags:
            known = self.names.get(look, UNOPENED) in ENDING + FLAGGED
            if known and not any((other == look).any() for other in others):
                del self.names[look]

    def learn(self, board: Looks) -> Question:
        """Name whatever can be named now, and return what is known about the mines of a board.

        Raises:
            InconsistentPosition: If no meanings fit all boards; then all is forgotten.
        """
        while True:
            question = self._question(board)
            if not question.possible():
                self.forget()
                raise InconsistentPosition("the meanings of the looks contradict each other")
            found = self._single(question, board)
            if not found:
                return question
            self.names.update(found)

    def forget(self) -> None:
        """Start over: some look was given a wrong meaning."""
        self.names = dict(self._start)
        self._live.clear()
        self._flags.clear()
        self._endings.clear()

    def lost(self, ending: Ending) -> bool | None:
        """Return whether the last click of a game opened a mine; None if unknown."""
        name = self.names.get(int(ending.board[ending.clicked]))
        return None if name is None else name not in DIGITS

    def left(self, ending: Ending) -> int:
        """Return how many cells a game left unopened."""
        return sum(not self._is_opened(look) for look in ending.board.tolist())

    def _question(self, board: Looks) -> Question:
        opened = {int(ending.board[ending.clicked]) for ending in self._endings}
        question = Question(self._near, self.names, self._live, opened)
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
        """Return the cells that are known to be unopened."""
        return [at for at, look in enumerate(board.tolist()) if self.names.get(look) == UNOPENED]

    def _reached(self, ending: Ending, left: set[int]) -> set[int]:
        """Return the other cells that the last click may have opened."""
        changed = {at for at in left if ending.board[at] != ending.before[at]}
        waiting, reached = [ending.clicked], set[int]()
        while waiting:
            found = changed.intersection(self._near[waiting.pop()]) - reached
            reached |= found
            waiting += found
        return reached

    def _is_opened(self, look: int) -> bool:
        """Return whether a look is known to be a number, whichever."""
        name = self.names.get(look)
        return name in tuple(DIGITS) if name is not None else look in self._live

    def _single(self, question: Question, board: Looks) -> dict[int, str]:
        """Return the looks with one meaning left."""
        ended = set().union(*(self.unnamed(e.board) for e in self._endings))
        found = {}
        for look in self.unnamed(board) | ended:
            left = question.meanings(look)
            if len(left) == 1 and (look in ended or left != UNOPENED):
                found[look] = left
            elif set(left) == {MINE, UNOPENED} and question.marks_mines(look):
                found[look] = MINE
        return found

    def _kind(self, look: int) -> str:
        """Return the kind of mine that this look is, by when it appears."""
        shown = [e for e in self._endings if look in e.board]
        if any(int(e.board[e.clicked]) == look for e in shown):
            alone = all((e.board == look).sum() == 1 for e in shown)
            return EXPLODED if alone else MINE
        return FLAGGED if any(self.lost(e) is False for e in shown) else MINE
