"""The steps of the arrangement finder."""

from itertools import product
from math import comb

import pytest

from sapper._util.work import Work
from sapper.errors import BadSetting, InconsistentPosition
from sapper.position import Position
from sapper.solver.arrange.areas import areas, linked
from sapper.solver.arrange.likelihood import FORMULAS
from sapper.solver.arrange.matching import Matching
from sapper.solver.arrange.methods import Likelihood, StartRule
from sapper.solver.arrange.problem import CLEAR, MINE, UNKNOWN, Problem
from sapper.solver.arrange.question import CountQuery
from sapper.solver.arrange.totals import choose, extremes


def problem(text: str, mines: int | None = None) -> Problem:
    """Return a position after the initial scan."""
    return Problem(Position.parse(text, mines), [], [])


class TestScan:
    def test_neighbours_of_zero_are_clear(self) -> None:
        """Scanning clears all neighbours of a zero."""
        assert problem("..\n0.").value == bytes([CLEAR] * 4)

    def test_full_number_settles_its_neighbours(self) -> None:
        """If a number's unknown cells must all be mines, its neighbours are settled."""
        assert problem(".2.\n121").value == bytes([MINE, CLEAR, MINE, CLEAR, CLEAR, CLEAR])

    def test_settling_continues_to_adjacent_numbers(self) -> None:
        """The rules are applied until nothing changes."""
        # The 0 clears its neighbour, which leaves one cell for the 1.
        assert list(problem("..1.0").value) == [UNKNOWN, MINE, CLEAR, CLEAR, CLEAR]

    def test_opened_mines_count_for_their_numbers(self) -> None:
        """The numbers around an opened mine need one mine less."""
        assert list(problem("*1.").value) == [MINE, CLEAR, CLEAR]

    def test_impossible_number_is_reported(self) -> None:
        """A number that is impossible alone is reported before any other fault."""
        with pytest.raises(
            InconsistentPosition, match=r"the 3 is impossible: .*: \(0, 1\)"
        ) as caught:
            problem(".3.")
        assert caught.value.cause == "number"
        assert caught.value.cells == ((0, 1),)

    def test_contradiction_reports_only_linked_numbers(self) -> None:
        """Numbers elsewhere on the board are not reported."""
        with pytest.raises(InconsistentPosition, match="2 numbers contradict") as caught:
            problem("0.2..1")
        assert caught.value.cause == "component"
        assert caught.value.cells == ((0, 0), (0, 2))

    def test_fixed_cell_counts_as_opened(self) -> None:
        """A fixed cell has a known value, like an opened cell."""
        scanned = Problem(Position.parse("..\n11"), [0], [])
        assert list(scanned.value[:2]) == [CLEAR, MINE]

    @pytest.mark.parametrize(("safe", "mined"), [([2], []), ([], [2]), ([0], [0])])
    def test_invalid_fixed_cell_is_rejected(self, safe: list[int], mined: list[int]) -> None:
        """Opened cells and contradictory values are refused."""
        with pytest.raises(BadSetting, match="cell"):
            Problem(Position.parse("..\n11"), safe, mined)


class TestAreas:
    def test_known_shared_cells_do_not_link_numbers(self) -> None:
        """If all cells that two numbers share are known, neither number affects the other."""
        # The original's example: a known mine between them.
        silly = problem("2..\n.*.\n..2")
        assert [len(area) for area in areas(silly)] == [1, 1]
        assert not any(linked(silly, island) for island in silly.unsettled())

    def test_numbers_sharing_unknown_cells_form_one_area(self) -> None:
        """Two numbers may share unknown cells directly or through other numbers."""
        assert [len(area) for area in areas(problem(".1.1.1."))] == [3]
        assert len(areas(problem(".1...1."))) == 2

    @pytest.mark.parametrize(
        ("rule", "first"), [(StartRule.ROWS, 0), (StartRule.FEWEST, 2), (StartRule.WEIGHTED, 1)]
    )
    def test_start_rules(self, rule: StartRule, first: int) -> None:
        """Each rule starts at the expected number; the search follows links between numbers."""
        scanned = problem("......\n.2..1.\n......\n...1..")
        # The numbers have 28, 8 and 5 combinations; the last shares cells with both others.
        ways = [comb(scanned.room[i], scanned.needs[i]) for i in scanned.unsettled()]
        assert ways == [28, 8, 5]
        [area] = areas(scanned, rule)
        assert area[0] == first
        assert sorted(area) == [0, 1, 2]


class TestLikelihood:
    @pytest.mark.parametrize(
        ("name", "value"),
        [(Likelihood.VALUES, 3), (Likelihood.COMBINATIONS, 7), (Likelihood.PRODUCT, 1 / 6)],
    )
    def test_formulas(self, name: Likelihood, value: float) -> None:
        """The values were computed by hand for a cell next to a 1 of 4 and a 2 of 3."""
        assert FORMULAS[name]([0, 1], [1, 2], [4, 3]) == pytest.approx(value)


class TestMatching:
    @pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
    def test_area_arrangements_are_found_once(self, formula: object) -> None:
        """The search is complete, whatever the order."""
        scanned = problem(".....\n.2.1.\n.....")
        [area] = areas(scanned)
        search = Matching(scanned, area, formula, lambda: None)  # type: ignore[arg-type]
        replayed = list(search.arrangements())
        cells = search.cells
        by_hand = {
            bytes(values)
            for values in product((0, 1), repeat=len(cells))
            if all(
                sum(values[cells.index(cell)] for cell in scanned.unknown(island))
                == scanned.needs[island]
                for island in area
            )
        }
        assert len(replayed) == len(set(replayed))
        assert set(replayed) == by_hand
        assert search.tried >= len(replayed)

    def test_impossible_area_has_no_arrangement(self) -> None:
        """The search of an impossible area ends without a result."""
        # Because of the 1, the 4 needs three mines in the two cells on the right.
        scanned = problem("...\n143\n...")
        [area] = areas(scanned)
        search = Matching(scanned, area, FORMULAS[Likelihood.VALUES], lambda: None)
        assert list(search.arrangements()) == []
        assert search.tried > 0

    def test_long_area_does_not_recurse(self) -> None:
        """The search has its own stack, so the number of numbers is unlimited."""
        scanned = problem(".1" * 5000 + ".")
        [area] = areas(scanned)
        search = Matching(scanned, area, FORMULAS[Likelihood.VALUES], lambda: None)
        assert next(search.arrangements()).count(1) in (2500, 2501)


class TestTotals:
    @pytest.mark.parametrize("least", range(12))
    def test_counts_with_gaps_are_matched(self, least: int) -> None:
        """Possible counts may have gaps; None means that no combination gives the total."""
        counts = [{1, 3}, {0, 4}, {2}, {1, 5}]
        for most in range(least, 14):
            sums = {sum(picked) for picked in product(*counts)}
            for now in product(*counts):
                chosen = choose(counts, now, least, most)
                assert (chosen is None) == sums.isdisjoint(range(least, most + 1))
                if chosen is not None:
                    assert least <= sum(chosen) <= most
                    assert all(count in of for count, of in zip(chosen, counts, strict=True))

    def test_least_and_most_mines(self) -> None:
        """The minimum has no mine on floating cells, the maximum has one on each."""
        assert extremes([{1, 3}, {0}], 2) == (1, 5)


class TestQuestion:
    def test_query_distinguishes_fixed_cells_from_contradictions(self) -> None:
        """A query may fail because of its fixed cells, or because of the numbers alone."""
        with CountQuery([([7, 8], 1), ([8, 9], 1)], Work()) as question:
            assert question.ask({7: 1}, "") == {7: 1, 8: 0, 9: 1}
            assert question.ask({7: 1, 8: 1}, "") is None
            assert not question.contradicts_itself
            question.bound(3, 3)
            assert question.ask({7: 1}, "") is None
            assert question.contradicts_itself
