"""The cases of a test family that run with every change."""

from __future__ import annotations

from itertools import combinations, product

from support.families import covering


def test_each_value_of_two_parameters_is_covered() -> None:
    """Six cases instead of eighteen, and the given case is one of them."""
    cases = [*product(range(6), "abc")]
    given = [case == (2, "b") for case in cases]
    chosen = covering(cases, given)
    kept = [case for case, is_chosen in zip(cases, chosen, strict=True) if is_chosen]
    assert (2, "b") in kept
    assert len(kept) == 6
    assert {number for number, _ in kept} == set(range(6))
    assert {letter for _, letter in kept} == set("abc")


def test_each_pair_of_three_parameters_is_covered() -> None:
    """Far fewer cases than all combinations are needed."""
    cases = [*product(range(4), "abc", (False, True))]
    chosen = covering(cases, [False] * len(cases))
    kept = [case for case, is_chosen in zip(cases, chosen, strict=True) if is_chosen]
    assert len(kept) <= 14
    for first, second in combinations(range(3), 2):
        pairs = {(case[first], case[second]) for case in cases}
        assert {(case[first], case[second]) for case in kept} == pairs


def test_a_table_of_separate_cases_is_kept_whole() -> None:
    """Cases that share no values are all needed."""
    cases = [(text, len(text)) for text in ("", "a", "bc", "def")]
    assert covering(cases, [False] * 4) == [True] * 4
