"""Review of a game: which clicks were guesses, and why the last one was a mine.

All of it comes from what the player saw before each click, so it holds under every rule set.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sapper.board import Board
from sapper.errors import IllegalAction, LimitReached
from sapper.game.trail import Trail, Turn
from sapper.generation import substream
from sapper.position import NUMBERS, Position
from sapper.rules import FirstClick
from sapper.solver import Analysis, Limit, Solver, sample
from sapper.topology import Cell
from sapper.translation import percent, t, tn

__all__ = ["Guess", "Guesses", "PostMortem", "Reviewer"]

LIMIT = Limit(seconds=2.0)
"""What looking at one position may cost: a player waits for it."""

# Rounding error of a few operations on probabilities; real differences are far larger.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Guess:
    """An opened cell that was not proved safe.

    Attributes:
        cell: Where.
        p_mine: The risk taken: the share, from 0 to 1, of the boards that fit with a mine there;
            1 for a cell proved to be one. An estimate where a limit ran out.
        least: The least risk that there was, 0 if there was a safe cell.
        safe: How many cells were proved safe.
        exploded: Whether it was a mine.
        forbidden: Whether the rules made it a mine because they forbid such a guess.
    """

    cell: Cell
    p_mine: float
    least: float
    safe: int
    exploded: bool
    forbidden: bool = False

    @property
    def forced(self) -> bool:
        """Whether no cell was proved safe, and the rules did not forbid the guess."""
        return self.safe == 0 and not self.forbidden


@dataclass(frozen=True, slots=True)
class Guesses:
    """The guesses of a game, including undone ones.

    Attributes:
        each: Every guess, in order. A first click that is promised to be safe is none, and a
            chord counts each cell that it opens by itself.
    """

    each: tuple[Guess, ...] = ()

    @property
    def made(self) -> int:
        """Number of guesses."""
        return len(self.each)

    @property
    def forced(self) -> int:
        """Number of forced guesses; see `Guess.forced`."""
        return sum(guess.forced for guess in self.each)

    @property
    def needless(self) -> int:
        """Number of guesses that were not forced."""
        return self.made - self.forced


@dataclass(frozen=True, slots=True)
class PostMortem:
    """Why a game was lost.

    Attributes:
        cell: The mine that was opened.
        chord: The number whose chord opened it, or None.
        p_mine: The risk taken; see `Guess`.
        least: The least risk that there was, 0 if there was a safe cell.
        safe: The cells that were proved safe.
        board: The board that the game showed: one that fits, with a mine on the cell.
        clear_board: A board that fits as well, with the cell clear; None where there is none, or
            where the position is too wide to find one.
        exact: Whether everything was counted; if not, there may be more safe cells.
        sentence: All this for a player.
        forbidden: Whether the rules made the cell a mine because they forbid such a guess.
    """

    cell: Cell
    chord: Cell | None
    p_mine: float
    least: float
    safe: frozenset[Cell]
    board: Board
    clear_board: Board | None
    exact: bool
    sentence: str
    forbidden: bool

    @property
    def forced(self) -> bool:
        """Whether no cell was proved safe, and the rules did not forbid the guess."""
        return not self.safe and not self.forbidden

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        return {
            "cell": list(self.cell),
            "chord": None if self.chord is None else list(self.chord),
            "p_mine": self.p_mine,
            "least": self.least,
            "forced": self.forced,
            "forbidden": self.forbidden,
            "safe": [list(cell) for cell in sorted(self.safe)],
            "board": self.board.to_json(),
            "clear_board": None if self.clear_board is None else self.clear_board.to_json(),
            "exact": self.exact,
            "sentence": self.sentence,
        }


class Reviewer:
    """Reviews one round again and again, each time a little longer.

    Positions that were analysed stay analysed, so a review after every click costs one analysis.
    """

    def __init__(self) -> None:
        # Made when first needed: a game that was never reviewed can be copied.
        self._solver: Solver | None = None
        self._cells, self._opened = bytearray(), 0
        self._read = -1
        self._guesses: list[Guess] = []
        self._last: Analysis | None = None

    def guesses(self, trail: Trail) -> Guesses:
        """The guess account of a round.

        Args:
            trail: The round's trail; it continues the trail of the last review.
        """
        self._begin(trail)
        for turn in trail.turns[self._read :]:
            self._follow(trail, turn)
        self._read = len(trail.turns)
        return Guesses(tuple(self._guesses))

    def post_mortem(self, trail: Trail, *, last_only: bool = False) -> PostMortem:
        """Why a round was lost.

        Args:
            trail: The round's trail.
            last_only: Whether to analyse the last position only, and not count guesses: on a board
                of a million cells each analysis may take half a second.

        Raises:
            IllegalAction: If it was not lost.
        """
        if trail.board is None:
            raise IllegalAction("there is no loss to explain: the game is not lost")
        if last_only:
            self._begin(trail)
            for turn in trail.turns[self._read : -1]:
                self._follow_unseen(turn)
            self._read = len(trail.turns) - 1
        self.guesses(trail)
        turn, known = trail.turns[-1], self._last
        assert turn.exploded
        assert known is not None
        shape = known.position.topology
        cell = shape.cell(turn.cell)
        p_mine, least = float(known.p_mine[cell]), _least(known)
        why = trail.why(known, turn.cell)
        return PostMortem(
            cell=cell,
            chord=None if turn.chord is None else shape.cell(turn.chord),
            p_mine=p_mine,
            least=least,
            safe=known.safe,
            board=trail.board,
            clear_board=None if cell in known.mined else self._with_clear(trail, known, cell),
            exact=known.exact,
            sentence=_sentence(known, cell, least, why),
            forbidden=bool(why),
        )

    def _begin(self, trail: Trail) -> None:
        if self._read >= 0:
            return
        level = trail.settings.level
        origin = trail.origin or Position.unopened(level.shape(), level.mines)
        self._cells = bytearray(origin.without_flags().cells)
        self._opened = sum(map(origin.cells.count, NUMBERS))
        self._read = 0

    def _follow(self, trail: Trail, turn: Turn) -> None:
        if turn.undone:
            self._cover(turn.cells)
            return
        known: Analysis | None = None
        settings = trail.settings
        promised = settings.first_click is not FirstClick.ANY and not trail.given
        if self._opened or not promised or turn.exploded:
            level = settings.level
            position = Position(level.shape(), bytes(self._cells), level.mines)
            self._solver = self._solver or Solver()
            known = self._last = self._solver.analyze(position, LIMIT)
            cell = position.topology.cell(turn.cell)
            if cell not in known.safe:
                self._guesses.append(
                    Guess(
                        cell,
                        float(known.p_mine[cell]),
                        _least(known),
                        len(known.safe),
                        turn.exploded,
                        turn.exploded and bool(trail.why(known, turn.cell)),
                    )
                )
        self._follow_unseen(turn)

    def _follow_unseen(self, turn: Turn) -> None:
        """Take over what a turn changed, without an analysis."""
        if turn.undone:
            self._cover(turn.cells)
            return
        for index, number in zip(turn.cells, turn.numbers, strict=True):
            self._cells[index] = ord("0") + number
        self._opened += len(turn.cells)

    def _cover(self, cells: Iterable[int]) -> None:
        for index in cells:
            self._opened -= self._cells[index] != ord(".")
            self._cells[index] = ord(".")

    def _with_clear(self, trail: Trail, known: Analysis, cell: Cell) -> Board | None:
        seed = substream(trail.settings.seed, "review", self._read)
        try:
            return sample(known.position, 1, seed, safe=[cell], limit=LIMIT)[0]
        except LimitReached:
            return None


def _least(known: Analysis) -> float:
    """Return the lowest risk of a click on any cell."""
    if known.safe:
        return 0.0
    if not _unproved(known):
        return 1.0
    # A proved mine has a chance of 1, so it is never the least.
    return float(np.nanmin(known.p_mine))


def _unproved(known: Analysis) -> bool:
    return len(known.mined) < len(known.position.unopened_cells())


def _sentence(known: Analysis, cell: Cell, least: float, why: str) -> str:
    """Summarise in one sentence; `why` is the clause that the rules add."""
    p_mine, count = float(known.p_mine[cell]), len(known.safe)
    if cell in known.mined:
        if not count:
            return t("Every board that fits has a mine on this cell.")
        return tn(
            "Every board that fits has a mine on this cell, and there was a safe cell.",
            "Every board that fits has a mine on this cell, and there were {n} safe cells.",
            count,
        )
    risk, best = (
        percent(share) if known.exact else t("about {share}", share=percent(share))
        for share in (p_mine, least)
    )
    if count and why:
        return tn(
            "You took a risk of {risk} while there was a safe cell, and {why}.",
            "You took a risk of {risk} while there were {n} safe cells, and {why}.",
            count,
            risk=risk,
            why=why,
        )
    if count:
        return tn(
            "You took a risk of {risk} while there was a safe cell.",
            "You took a risk of {risk} while there were {n} safe cells.",
            count,
            risk=risk,
        )
    if why:
        return t("The rules forbade this guess: {why}.", why=why)
    return _forced(known, p_mine > least + _EQUAL, abs(p_mine - 0.5) < _EQUAL, risk, best)


def _forced(known: Analysis, riskier: bool, coin: bool, risk: str, best: str) -> str:
    """Summarise a guess where no cell was safe."""
    if known.exact:
        if riskier:
            return t(
                "No cell was safe, but you took a risk of {risk} where the least was {best}.",
                risk=risk,
                best=best,
            )
        if coin:
            return t("No cell was safe: this was a true coin flip.")
        return t(
            "No cell was safe, and no cell was less risky than this one with {risk}.", risk=risk
        )
    if riskier:
        return t(
            "No cell was proved safe, but you took a risk of {risk} where the least was {best}.",
            risk=risk,
            best=best,
        )
    if coin:
        return t("No cell was proved safe: this was a true coin flip.")
    return t(
        "No cell was proved safe, and no cell was less risky than this one with {risk}.", risk=risk
    )
