"""The names of the methods and of the backtracking variants."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Likelihood", "Method", "StartRule"]


class Method(StrEnum):
    """A method for finding an arrangement."""

    BACKTRACKING = "backtracking"
    """Area by area and number by number, like the original."""
    EXACT = "exact"
    """Drawn uniformly from all that fit, using the exact count."""
    SAT = "sat"
    """By a satisfiability solver."""


class StartRule(StrEnum):
    """The island where the search for an area starts; ties go to the first in row order."""

    ROWS = "rows"
    """The first in row order."""
    FEWEST = "fewest"
    """The one with the fewest combinations."""
    WEIGHTED = "weighted"
    """The least sum of its own combinations, counted twice, and those of linked islands."""


class Likelihood(StrEnum):
    """A measure of how likely a cell is to be a mine, from the islands that contain it."""

    VALUES = "values"
    """The sum of their remaining mines."""
    COMBINATIONS = "combinations"
    """The sum of their combinations."""
    PRODUCT = "product"
    """The product of their chances: remaining mines divided by unknown cells."""
