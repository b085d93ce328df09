"""fair-evaluate's enumeration agrees with one that tries every placement."""

from functools import cache
from itertools import combinations, product
from math import comb
from random import Random

import pytest

from sapper.game import Game
from sapper.solver import analyze
from sapper.solver.bots._composite import Composite, split
from sapper.solver.bots._enumeration import (
    Boxes,
    Budget,
    BudgetSpent,
    MineTally,
    enumerated,
    estimate,
    tried,
)
from sapper.solver.bots.constraints import Constraint, constraints
from sapper.solver.bots.fair_evaluate import components, saturate

LEFT, BRIDGES, RIGHT = range(8), range(8, 12), range(12, 20)
ARTICLE = [
    (frozenset(range(6)), 3),
    (frozenset(range(5, 12)), 3),
    (frozenset(range(8, 15)), 3),
    (frozenset(range(14, 20)), 3),
]
"""Two parts of eight cells each and four bridges, as the article's picture has it by its words."""


def cells_of(groups: list[Constraint]) -> list[int]:
    """Return all cells of a component."""
    return sorted(frozenset[int]().union(*(cells for cells, _ in groups)))


@cache
def found_in_games(most: int) -> list[list[Constraint]]:
    """Return components from real games, without saturated cells."""
    found = []
    for seed in range(12):
        game, draw = Game("16x16:50", "kind", seed=seed), Random(seed)
        while not game.over:
            groups = saturate(constraints(game.position, set()), set(), set())
            found += [part for part in components(groups) if len(cells_of(part)) <= most]
            mined = analyze(game.position).mined
            clear = [cell for cell in game.position.unopened_cells() if cell not in mined]
            game.open(draw.choice(clear))
    distinct = {tuple(part): part for part in found}
    return list(distinct.values())


def plain(groups: list[Constraint], first: int) -> tuple[dict[int, int], dict[int, int], set[int]]:
    """The article's loop: legal placements, those with a mine on each cell, and the tries."""
    cells, legal, with_mine = cells_of(groups), dict[int, int](), dict[int, int]()
    done, waiting = set[int](), {first}
    while waiting:
        mines = waiting.pop()
        done.add(mines)
        for placed in combinations(cells, mines):
            over = any(len(around.intersection(placed)) > need for around, need in groups)
            short = any(len(around.intersection(placed)) < need for around, need in groups)
            if short and not over:
                waiting |= {mines + 1} - done
            elif over and not short:
                waiting |= {mines - 1} & set(range(mines)) - done
            elif not over:
                legal[mines] = legal.get(mines, 0) + 1
                for cell in placed:
                    with_mine[cell] = with_mine.get(cell, 0) + 1
    return legal, with_mine, done


def same(found: MineTally, groups: list[Constraint]) -> bool:
    """Whether a tally matches the plain enumeration."""
    legal, with_mine, _ = plain(groups, estimate(groups))
    sums = {cell: sum(found.counts(count).values()) for cell, count in found.with_mine.items()}
    return found.counts(found.legal) == legal and sums == {
        cell: with_mine.get(cell, 0) for cell in cells_of(groups)
    }


def whole(groups: list[Constraint], budget: int = 10**6) -> MineTally:
    """Return the tally of a component without splitting it."""
    boxes = Boxes([cells for cells, _ in groups], len(cells_of(groups)) + 1)
    return boxes.tally([mines for _, mines in groups], Budget(budget))


def test_box_counts_match_single_placements() -> None:
    """Placements by mine count and each cell's share match on components from games."""
    checked = found_in_games(9)
    assert len(checked) > 60
    for groups in checked:
        assert same(whole(groups), groups)


def test_boxes_try_the_same_mine_counts() -> None:
    """Mine counts increase while numbers lack mines, and decrease while they have too many."""
    for groups in found_in_games(9):
        _, _, done = plain(groups, estimate(groups))
        assert set(tried(groups)) == done
        size = len(cells_of(groups))
        assert enumerated(groups) == sum(comb(size, mines) for mines in done)


def test_start_count_does_not_change_the_result() -> None:
    """Source: the article, "it would not matter to begin at any number"."""
    for groups in found_in_games(7):
        starts = range(len(cells_of(groups)) + 1)
        assert len({tuple(sorted(plain(groups, first)[0].items())) for first in starts}) == 1


@pytest.mark.parametrize(
    "groups",
    [
        [(frozenset({0, 1}), 3)],
        [(frozenset({0, 1}), -1)],
        [(frozenset({0, 1}), 2), (frozenset({1, 2}), 0)],
        [(frozenset[int](), 1), (frozenset({1, 2}), 1)],
        [(frozenset[int](), -1), (frozenset({1, 2}), 1)],
    ],
)
def test_impossible_component_has_no_placement(groups: list[Constraint]) -> None:
    """The bridges may force an impossible mine count on a part or a number."""
    assert whole(groups).legal == 0
    assert set(tried(groups)) == plain(groups, estimate(groups))[2]


def test_composite_parts_share_no_number() -> None:
    """If the parts have no cells of their own, the component is not split."""
    composite = 0
    for groups in found_in_games(60):
        parts = split(groups)
        if parts is None:
            continue
        composite += 1
        assert sorted(number for part in parts for number in part) == list(range(len(groups)))
        bridges = Composite(groups, parts).bridges
        assert bridges
        for part in parts:
            others = [groups[n][0] for n in range(len(groups)) if n not in part]
            own = frozenset[int]().union(*(groups[n][0] for n in part)).difference(*others)
            assert own
            assert own.isdisjoint(bridges)
    assert composite > 50


def test_splitting_does_not_change_counts() -> None:
    """The parts have the same tally as the whole component."""
    checked = 0
    for groups in found_in_games(30):
        parts = split(groups)
        if parts is not None:
            assert_equal(Composite(groups, parts).tally(Budget(10**6)), whole(groups))
            checked += 1
    assert checked > 50


def assert_equal(a: MineTally, b: MineTally) -> None:
    """Check that the counts are equal."""
    assert a.counts(a.legal) == b.counts(b.legal)
    assert a.with_mine == b.with_mine


def test_component_from_the_article() -> None:
    """Source: the article: C(20,8) = 125970 placements are reduced to about 2·C(8,4)·2^4 = 2240."""
    assert comb(20, 8) == 125970
    assert 2 * comb(8, 4) * 2**4 == 2240
    parts = split(ARTICLE)
    assert parts == [[0, 1], [2, 3]]
    composite = Composite(ARTICLE, parts)
    assert composite.bridges == frozenset(BRIDGES)
    # The article ignores other mine counts in the parts and in the whole.
    assert 8 in tried(ARTICLE)
    assert enumerated(ARTICLE) > 125970
    assert 2240 <= composite.enumerated() < 3 * 2240
    assert_equal(composite.tally(Budget(10**5)), whole(ARTICLE))


def test_composite_placements_match_the_article() -> None:
    """For each placement on the bridges, each part tries mine counts from its estimate on."""
    for groups in [ARTICLE, *[part for part in found_in_games(16) if split(part)][:40]]:
        parts = split(groups)
        assert parts is not None
        composite, placements = Composite(groups, parts), 0
        for bits in product((False, True), repeat=len(composite.bridges)):
            bridges = sorted(composite.bridges)
            mined = {cell for cell, mine in zip(bridges, bits, strict=True) if mine}
            for part in parts:
                inner = [
                    (groups[n][0] - composite.bridges, groups[n][1] - len(groups[n][0] & mined))
                    for n in part
                ]
                size = len(cells_of(inner))
                placements += sum(comb(size, b) for b in plain(inner, estimate(inner))[2])
        assert composite.enumerated() == placements


def test_component_without_parts_stays_whole() -> None:
    """Every cell of a number also belongs to another number."""
    assert split([(frozenset({0, 1, 2}), 1), (frozenset({0, 1, 2}), 1)]) is None


def test_number_without_own_cells_joins_a_neighbour() -> None:
    """The number in the middle has only bridges, so two parts are left."""
    chain = [(frozenset({0, 1, 2}), 1), (frozenset({2, 3}), 1), (frozenset({3, 4, 5}), 1)]
    assert split(chain) == [[0, 1], [2]]


def test_budget_stops_enumeration() -> None:
    """The budget stops box counts and composite placements."""
    for groups in (ARTICLE, ARTICLE[:2]):
        with pytest.raises(BudgetSpent):
            whole(groups, budget=5)
    parts = split(ARTICLE)
    assert parts is not None
    with pytest.raises(BudgetSpent):
        Composite(ARTICLE, parts).tally(Budget(20))
