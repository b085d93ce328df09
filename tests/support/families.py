"""A covering part of a test's parameters, for families too large to run with every change."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations

__all__ = ["covering"]


def covering(cases: Sequence[Sequence[Hashable]], given: Sequence[bool]) -> list[bool]:
    """Choose cases that contain everything that two parameters can have in common.

    Of three or more parameters, all pairs of values are covered that any case has; of two, all
    values of each. The greedy choice takes the case that adds most, and the first of several.

    Args:
        cases: The values of each case's parameters, one of each parameter.
        given: The cases that are chosen already.

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
