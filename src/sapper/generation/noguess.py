"""Boards that can be solved by logic alone, each with its proof.

There are two methods. ``uniform`` deals boards and rejects those that need a guess as soon as the
player gets stuck: all no-guess boards for the start are equally likely. ``fast`` moves mines where
the player gets stuck and replays the board. It is many times faster if no-guess boards are rare,
but biased: see docs/no-guess.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import sapper._core as _core
from sapper._util.cancel_flag import cancel_flag
from sapper._util.names import member
from sapper.board import Board, check_board
from sapper.errors import BadSetting, LimitReached
from sapper.generation.seeds import substream
from sapper.generation.uniform import cleared
from sapper.rules import FirstClick, Level
from sapper.topology import Cell, Topology
from sapper.translation import LabelledEnum, t

__all__ = ["TRIES", "Logic", "Method", "NoGuess", "NoGuessStep", "deal_no_guess", "prove"]

TRIES = 20_000
"""The most boards tried for one that needs no guess."""

# Python regains control between calls of the core, so Ctrl-C works during the search.
_TRIES_A_CALL = 500


class Logic(LabelledEnum):
    """Difficulty of the logic; each level includes the ones before it."""

    SINGLE = "single", t("Single")
    """One number settles its neighbours."""
    PAIRS = "pairs", t("Pairs")
    """Two numbers that share cells settle some of them."""
    LOCAL = "local", t("Component")
    """All numbers of a component together."""
    TOTAL = "total", t("Total")
    """Everything, including the mine total."""


_LOGICS: Final = tuple(Logic)


class Method(LabelledEnum):
    """A method of finding no-guess boards."""

    UNIFORM = "uniform", t("Uniform")
    """By rejection: every no-guess board for the start is equally likely."""
    FAST = "fast", t("Fast")
    """By repairing boards where they need a guess: biased."""


@dataclass(frozen=True, slots=True)
class NoGuessStep:
    """One deduction in the solution of a board.

    Attributes:
        logic: Its difficulty.
        because: The numbers from which it follows; empty if it needs all of them.
        safe: The cells proved clear, in the order they are opened.
        mined: The cells proved to be mines.
    """

    logic: Logic
    because: tuple[Cell, ...]
    safe: tuple[Cell, ...]
    mined: tuple[Cell, ...]


@dataclass(frozen=True)
class NoGuess:
    """A board, and the proof that it needs no guess.

    Attributes:
        board: The board.
        start: The cell to open first.
        logic: The hardest logic allowed.
        tries: Number of boards tried, including this one.
    """

    board: Board
    start: Cell
    logic: Logic
    tries: int

    @cached_property
    def steps(self) -> tuple[NoGuessStep, ...]:
        """The deductions that solve the board; computed on first access."""
        steps = prove(self.board, self.start, self.logic)
        if steps is None:
            raise LimitReached(f"the proof from {self.start} is too wide to compute")
        return steps

    @property
    def hardest(self) -> Logic:
        """The hardest logic that the proof uses."""
        order = list(Logic)
        used = [order.index(step.logic) for step in self.steps]
        return order[max(used, default=0)]


def deal_no_guess(
    level: Level,
    first_click: FirstClick,
    start: int,
    seed: int,
    *,
    logic: Logic = Logic.TOTAL,
    method: Method = Method.UNIFORM,
    tries: int = TRIES,
) -> NoGuess:
    """Return a no-guess board for a first click on `start`, an index.

    Raises:
        BadSetting: If no board is possible: there is no mine total, the first click promises
            nothing, or there are too many mines.
        LimitReached: If none was found within `tries`; very dense levels have few or none.
    """
    return Search(level, first_click, start, logic, method, tries).deal(seed)


class Search:
    """Requirements for no-guess boards, checked once for many boards."""

    def __init__(
        self,
        level: Level,
        first_click: FirstClick,
        start: int,
        logic: Logic,
        method: Method,
        tries: int,
    ) -> None:
        shape = level.shape()
        if level.mines is None:
            raise BadSetting(f"no-guess boards need a mine total, got level {level}")
        if first_click is FirstClick.ANY:
            raise BadSetting("first click must be safe or opening for no-guess boards, got any")
        clear = cleared(level, first_click, start)
        self._shape, self._cell = shape, shape.cell(start)
        self._request = (shape.graph, level.mines, start, clear, list(Logic).index(logic))
        self._fast = method is Method.FAST
        self._level, self._logic, self._tries = level, logic, tries

    def deal(self, seed: int) -> NoGuess:
        """Return the board for this seed.

        Raises:
            LimitReached: If none was found within `tries`.
        """
        # Use a new dealer for each board, because a seed's board must not depend on earlier ones.
        dealer = _core.NoGuess()
        done = 0
        while done < self._tries:
            some = min(_TRIES_A_CALL, self._tries - done)
            drawn = substream(seed, "no-guess", done)
            found = dealer.deal(*self._request, self._fast, some, drawn, cancel_flag())
            if found is not None:
                board = Board.trusted(self._shape, found.mined)
                return NoGuess(board, self._cell, self._logic, done + found.tries)
            done += some
        hint = "" if self._fast else "; the method 'fast' finds much denser boards"
        raise LimitReached(
            f"no {self._level} board that {self._logic} logic solves from {self._cell} "
            f"was found in {self._tries} tries{hint}"
        )


def prove(
    board: Board, start: tuple[int, int], logic: Logic | str = Logic.TOTAL
) -> tuple[NoGuessStep, ...] | None:
    r"""Return the deductions that solve a board from a start, or None if it needs a guess.

    Each step uses the easiest kind of logic that applies, up to `logic`.

    >>> board = Board.parse("1221\n1**1\n1221\n0000")
    >>> sorted({step.logic.value for step in prove(board, (3, 0)) or ()})
    ['pairs', 'single']
    """
    check_board(board)
    shape = board.topology
    ceiling = list(Logic).index(member(Logic, logic, "logic"))
    path = _core.NoGuess().prove(shape.graph, board.mined, shape.index(start), ceiling)
    return None if path is None else tuple(_step(shape, deduction) for deduction in path)


def _step(shape: Topology, deduction: _core.Deduction) -> NoGuessStep:
    find = shape.find
    return NoGuessStep(
        _LOGICS[deduction.logic],
        tuple(map(find, deduction.because)),
        tuple(map(find, deduction.safe)),
        tuple(map(find, deduction.mined)),
    )
