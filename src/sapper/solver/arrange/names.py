"""Names of the methods and of the variants of backtracking."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Likelihood", "Method", "StartRule"]


class Method(StrEnum):
    """Method of finding an arrangement."""

    BACKTRACKING = "backtracking"
    """Area by area, number by number, as the original does it."""
    EXACT = "exact"
    """Drawn from the exact count, uniformly among all that fit."""
    SAT = "sat"
    """By a satisfiability solver."""


class StartRule(StrEnum):
    """The island where the search for an area starts; ties go to the first in row order."""

    ROWS = "rows"
    """The first in row order."""
    FEWEST = "fewest"
    """The one with the fewest combinations."""
    WEIGHTED = "weighted"
    """The least sum of its own combinations, twice, and those of the islands linked to it."""


class Likelihood(StrEnum):
    """What makes a mine on a cell likely, from the islands that contain the cell."""

    VALUES = "values"
    """The sum of the mines that they still need."""
    COMBINATIONS = "combinations"
    """The sum of their combinations."""
    PRODUCT = "product"
    """The product of their chances: mines still needed over unknown cells."""
