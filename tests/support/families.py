"""Choose the cases of a test family that cover its parameters, instead of running all of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations

__all__ = ["covering"]


def covering(cases: Sequence[Sequence[Hashable]], given: Sequence[bool]) -> list[bool]:
    """Choose cases that cover the parameters' values or, of three or more, pairs of values.

    With three or more parameters, the chosen cases contain every pair of values that occurs in any
    case; with one or two, every value. The greedy choice always takes the case that adds the most,
    or the first of several.

    Args:
        cases: The values of each case, one for each parameter.
        given: Whether each case is already chosen.

    Returns:
        Whether each case is chosen.
    """
    strength = min(2, max(1, len(cases[0]) - 1))
    parts = [
        {
            tuple((axis, case[axis]) for axis in axes)
            for axes in combinations(range(len(case)), strength)
        }
        for case in cases
    ]
    chosen = list(given)
    missing = set().union(*parts)
    for number, is_chosen in enumerate(chosen):
        if is_chosen:
            missing -= parts[number]
    while missing:
        best = max(range(len(cases)), key=lambda number: (len(parts[number] & missing), -number))
        chosen[best] = True
        missing -= parts[best]
    return chosen
