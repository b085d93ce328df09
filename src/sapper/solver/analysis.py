"""The result of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import exp, nan
from typing import Any, Self, Unpack

import numpy as np
import numpy.typing as npt

import sapper._core as _core
from sapper import drawing
from sapper._util.arguments import listed
from sapper.drawing.marks import check_marks
from sapper.position import FLAGGED, NUMBERS, UNOPENED, Position
from sapper.solver.analysis_json import analysis_from_json
from sapper.solver.limit import Limit, checked
from sapper.solver.search.chances import WinChance, win_chance_of
from sapper.topology import Cell

__all__ = ["Analysis", "exact_analysis", "not_counted", "share"]


@dataclass(frozen=True, eq=False)
class Analysis:
    """The result of analysing a position.

    Attributes:
        position: The position analysed.
        p_mine: The chance of a mine in each unopened cell, from 0 to 1, as a float array of shape
            (height, width); nan if opened. An estimate if not `exact`.
        safe_indices: `safe` as indices in row order.
        mined_indices: `mined` as indices in row order.
        exact: Whether everything was counted. If not, `safe` and `mined` are the cells proved
            within the limit.
        log_weight: The natural logarithm of the weight of all arrangements that fit, up to a
            constant of the board; nan if not `exact`. Without a density, each weighs 1.
        p_mine_error: 95 % half-widths of `p_mine`, 0 where the value is exact; None if `exact`.
        elapsed_s: Duration of the analysis in seconds.
    """

    position: Position
    p_mine: npt.NDArray[np.float64]
    safe_indices: Collection[int] = field(repr=False)
    mined_indices: Collection[int] = field(repr=False)
    _count: Callable[[], int | None] = field(repr=False)
    exact: bool = True
    log_weight: float = field(default=nan, repr=False)
    p_mine_error: npt.NDArray[np.float64] | None = None
    elapsed_s: float = 0.0

    def __post_init__(self) -> None:
        # Read-only, because other results are computed from this array.
        self.p_mine.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the engine; a copy counts its solutions again if necessary."""
        state = {name: value for name, value in self.__dict__.items() if name != "_count"}
        return {key: value for key, value in state.items() if key not in ("safe", "mined")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        count = partial(_counted_again, state["position"]) if state["exact"] else not_counted
        self.__dict__.update(state, _count=count)
        self.p_mine.setflags(write=False)

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """Cells proved safe, decided without floats, even if not `exact`."""
        return self.position.topology.cells_at(self.safe_indices)

    @cached_property
    def mined(self) -> frozenset[Cell]:
        """Cells proved to hold a mine, decided without floats, even if not `exact`."""
        return self.position.topology.cells_at(self.mined_indices)

    @cached_property
    def solutions(self) -> int | None:
        """The exact number of arrangements that fit, regardless of their weights.

        Counted on first access: chances need only ratios, and a big integer takes longer. None if
        not `exact`, or if the limit of the analysis does not leave enough time.
        """
        return self._count()

    @property
    def solutions_text(self) -> str | None:
        """`solutions` in decimal, with any number of digits."""
        # Python refuses to print integers of more than 4300 digits; large boards exceed that.
        return None if self.solutions is None else _core.decimal(self.solutions)

    def win_chance(
        self, *, samples: int = 0, seed: int | None = None, limit: Limit | None = None
    ) -> WinChance:
        """Return the win chance, overall and for each candidate cell.

        `sapper.win_chance` is the same for a position that has not been analysed, with the same
        arguments and errors.
        """
        work = checked(limit).work()
        risks, mined = self.p_mine.ravel(), self.mined_indices
        return win_chance_of(self.position, risks, mined, samples, seed, work)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, without the position; chances of opened cells are null.

        `sapper analyze --json` prints the same object.
        """
        answer = {
            "solutions": self.solutions_text,
            "p_mine": _without_nan(self.p_mine),
            "safe": sorted(map(list, self.safe)),
            "mined": sorted(map(list, self.mined)),
            "exact": self.exact,
            "elapsed_s": self.elapsed_s,
        }
        if self.p_mine_error is not None:
            answer["p_mine_error"] = _without_nan(self.p_mine_error)
        return answer

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        r"""Read the JSON form of an analysis of a position.

        The form does not include `log_weight`, which becomes nan.

        >>> from sapper import analyze
        >>> wall = Position.parse("..\n11", mines=1)
        >>> Analysis.from_json(analyze(wall).to_json(), wall).solutions
        2

        Raises:
            BadSave: If the JSON form is invalid or belongs to a board of another size.
        """
        return cls(position, **analysis_from_json(obj, position, _counted_again))

    def to_svg(self, **options: Unpack[drawing.Options]) -> str:
        """Return a picture of the position with its chances, and a mark on each proved cell.

        Args:
            options: See `sapper.drawing.Options`; its marks are added to the proved cells, and its
                chances replace those of the analysis. An overlay replaces both.

        Raises:
            BadSetting: If an option is not allowed, or the board has more than 40,000 cells.
        """
        given = options.get("marks")
        check_marks(given)
        if options.get("overlay") is None:
            marks = dict(given or {})
            for name, proved in (("safe", self.safe), ("mine", self.mined)):
                marks[name] = [*listed(marks.get(name, ()), "cells (row, col)"), *proved]
            options["marks"] = marks
            options.setdefault("chances", self.p_mine)
        options.setdefault("title", "Analysis of a Minesweeper position")
        return drawing.position_svg(self.position, **options)

    def _repr_svg_(self) -> str | None:
        shown = self.position.topology.size <= drawing.MOST_SHOWN
        return self.to_svg() if shown else None


def exact_analysis(
    position: Position,
    p_mine: npt.NDArray[np.float64],
    safe_indices: Collection[int],
    mined_indices: Collection[int],
    count: Callable[[], int | None],
    log_weight: float,
    elapsed_s: float,
) -> Analysis:
    """Return an exact analysis; the arguments are its attributes.

    Takes a third of the time of `Analysis`: the constructor of a frozen dataclass sets each
    attribute by a function call.
    """
    analysis = object.__new__(Analysis)
    analysis.__dict__.update(
        position=position,
        p_mine=p_mine,
        safe_indices=safe_indices,
        mined_indices=mined_indices,
        _count=count,
        exact=True,
        log_weight=log_weight,
        p_mine_error=None,
        elapsed_s=elapsed_s,
    )
    analysis.__post_init__()
    return analysis


def _without_nan(rows: npt.NDArray[np.float64]) -> list[list[float | None]]:
    # Only nan differs from itself; JSON cannot represent it.
    return [[None if chance != chance else chance for chance in row] for row in rows.tolist()]


def _counted_again(position: Position) -> int | None:
    graph, known = position.topology.graph, (position.mines, position.density, position.running)
    return _core.analyze(graph, position.cells, *known).solutions()


def no_chance(position: Position) -> np.ndarray:
    """Return the indices of cells whose mine chance is unknown.

    These are the unopened cells that no number touches, if the position has neither a mine total
    nor a density. Half of all arrangements have a mine on such a cell, which gives no information
    about the board.
    """
    cells = np.frombuffer(position.cells, np.uint8)
    if position.mines is not None or position.density is not None:
        return np.zeros(len(cells), bool)
    numbers = (cells >= NUMBERS[0]) & (cells <= NUMBERS[-1])
    unopened = (cells == ord(UNOPENED)) | (cells == ord(FLAGGED))
    return np.asarray(unopened & ~position.topology.beside(numbers))


def share(part: Analysis, whole: Analysis) -> float | None:
    """Return the probability of the additional knowledge in one analysis, given another.

    Args:
        part: An analysis of the same position with more known cells, in which the game may be over
            (`Position.running` is false).
        whole: An analysis of the position.

    Returns:
        None if one of them is not exact or was not counted in time.
    """
    if not (part.exact and whole.exact):
        return None
    if whole.position.density is not None:
        return exp(part.log_weight - whole.log_weight)
    if part.solutions is None or not whole.solutions:
        return None
    return part.solutions / whole.solutions


def not_counted() -> None:
    """Return None, for analyses without the data to count their arrangements."""
