"""Cardinality constraints as clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

__all__ = ["exactly"]


def exactly(mines: int, literals: Sequence[int]) -> Iterator[list[int]]:
    """Yield the binomial encoding of "exactly this many of these literals are true".

    The formula grows with the binomial coefficient, so it suits the few cells around a number.

    >>> list(exactly(1, [1, 2]))
    [[1, 2], [-1, -2]]
    """
    if not 0 <= mines <= len(literals):
        yield []
        return
    # One of any `len(literals) - mines + 1` cells is a mine; one of any `mines + 1` is not.
    for group in combinations(literals, len(literals) - mines + 1):
        yield list(group)
    for group in combinations(literals, mines + 1):
        yield [-literal for literal in group]
