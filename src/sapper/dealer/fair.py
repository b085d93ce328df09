"""``fair``: mines stay in place until luck would decide; then the board is dealt again."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from sapper._util.renamed import renamed_argument
from sapper.board import Board
from sapper.dealer.base import LivePosition, Reveal, can_be_clear
from sapper.dealer.fixed import ClassicDealer
from sapper.dealer.oracle import Oracle, check_density
from sapper.position import Position
from sapper.rules import FirstClick, Option, Rules, Settings, Win
from sapper.solver import Analysis
from sapper.translation import t

__all__ = ["FairDealer", "State", "states"]


class State(StrEnum):
    """The status of an unopened cell."""

    SAFE = "safe"
    """No board that fits has a mine there."""
    CERTAIN = "certain"
    """Every board that fits has a mine there."""
    ANY = "any"
    """Neither."""


@renamed_argument("known", "analysis")
def states(analysis: Analysis) -> tuple[State | None, ...]:
    r"""Return the state of every cell in row order, None for open ones; used by *show states*.

    >>> from sapper import Position, analyze
    >>> [str(state) for state in states(analyze(Position.parse("..\n1.", mines=1)))]
    ['any', 'any', 'None', 'any']
    """
    cell = analysis.position.topology.cell
    return tuple(
        (
            None
            if char not in b".F"
            else State.SAFE
            if cell(i) in analysis.safe
            else State.CERTAIN
            if cell(i) in analysis.mined
            else State.ANY
        )
        for i, char in enumerate(analysis.position.cells)
    )


class FairDealer(ClassicDealer):
    """A forced guess is never fatal, and a needless one always is.

    The board is dealt at the first click, as under ``classic``. When fairness moves a mine, a
    new board is drawn from all that fit the numbers, the mine total and the clicked cell's
    new state, uniformly or weighted by the density, from the substream ``fair/digest``; see
    `Oracle`.
    """

    rules: ClassVar[Rules] = Rules(
        name="fair",
        summary=t("Mines move: forced guesses never lose, needless ones always do."),
        first_clicks=(FirstClick.SAFE, FirstClick.ANY, FirstClick.OPENING),
        wins=(Win.EITHER, Win.OPEN, Win.FLAGS),
        aid="states",
        options=(
            Option(
                "remove_mines",
                True,
                t("A guess is safe if there was no safe cell."),
                label=t("Forced guesses are safe"),
            ),
            Option(
                "add_mines",
                True,
                t("A guess hits a mine if there was a safe cell."),
                label=t("Add mines"),
            ),
        ),
    )

    def __init__(
        self, settings: Settings, position: Position | None = None, board: Board | None = None
    ) -> None:
        super().__init__(settings, position, board)
        self._first = self._board
        self._oracle = Oracle(settings.seed, self.rules.name)

    @classmethod
    def granted(cls, analysis: Analysis, settings: Settings) -> list[int]:
        """Return every guess, if none is needless and mines may be removed."""
        return (
            can_be_clear(analysis) if settings.options["remove_mines"] and not analysis.safe else []
        )

    @classmethod
    def check(cls, settings: Settings) -> None:
        """Reject settings under which the first click cannot keep its promise."""
        check_density(settings)
        super().check(settings)

    def open(self, seen: LivePosition, cell: int) -> Reveal:
        """Open a cell; a mine may be removed or added first."""
        if not seen.opened:
            self._dealt(cell)
            self._first = self._board
        mined = bool(self._mined[cell])
        if self.settings.options["remove_mines" if mined else "add_mines"]:
            position = seen.position
            known, place = self._oracle.analyze(position), seen.topology.cell(cell)
            moves = (
                not known.safe and place not in known.mined
                if mined
                else bool(known.safe) and place not in known.safe
            )
            if moves:
                self._lay(self._oracle.deal(position, cell, mine=not mined)[0])
        return super().open(seen, cell)

    def why(self, analysis: Analysis, cell: int) -> str:
        """Explain that the guess was needless, if that is why the cell is a mine."""
        needless = (
            bool(analysis.safe) and analysis.position.topology.cell(cell) not in analysis.mined
        )
        if not (needless and self.settings.options["add_mines"]):
            return ""
        return t("Fair rules make every needless guess a mine")

    def kept_board(self) -> Board | None:
        """The board as first dealt; together with the seed it determines every change."""
        return self._first

    def snapshot(self) -> tuple[Board | None, Board | None]:  # type: ignore[override]
        """Return the board as first dealt, and the current board."""
        return self._first, self._board

    def restore(self, snapshot: tuple[Board | None, Board | None]) -> None:  # type: ignore[override]
        """Restore these boards."""
        self._first, board = snapshot
        super().restore(board)
