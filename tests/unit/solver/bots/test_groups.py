"""The group bot, compared with the examples in its article."""

from itertools import combinations
from math import comb

import pytest

from sapper.game import Game
from sapper.position import Position
from sapper.solver import analyze
from sapper.solver.bots import make_bot
from sapper.solver.bots._last_turns import last_turns
from sapper.solver.bots._reduction import reduce_groups
from sapper.solver.bots.base import as_choice
from sapper.solver.bots.constraints import Constraint, constraints
from sapper.solver.bots.groups import Groups, estimates
from sapper.topology import Cell


def group(cells: str, mines: int) -> Constraint:
    """Parse the article's notation, such as (123,1)."""
    return frozenset(map(int, cells)), mines


def named(*groups: tuple[str, int]) -> list[Constraint]:
    """Parse several groups in the article's notation."""
    return [group(*each) for each in groups]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([("5678", 2), ("5", 1)], [("678", 1), ("5", 1)]),
        ([("5", 1), ("5678", 2)], [("5", 1), ("678", 1)]),
        ([("2345", 3), ("5", 1)], [("234", 2), ("5", 1)]),
        ([("123", 1), ("234", 2)], [("1", 0), ("4", 1), ("23", 1)]),
        ([("234", 2), ("123", 1)], [("4", 1), ("1", 0), ("23", 1)]),
        ([("123", 1), ("123", 1)], [("123", 1)]),
        ([("123", 1), ("34", 1)], [("123", 1), ("34", 1)]),
        ([("12", 1), ("34", 1)], [("12", 1), ("34", 1)]),
    ],
)
def test_steps_from_the_article(
    before: list[tuple[str, int]], after: list[tuple[str, int]]
) -> None:
    """Source: the article, for equal, contained and overlapping groups."""
    assert reduce_groups(named(*before)) == named(*after)


def test_reduction_reaches_a_fixed_point() -> None:
    """The second pass uses the results of the first: 1 is safe, 2 is a mine, and so on."""
    chain = named(("12", 1), ("123", 1), ("234", 1), ("345", 2), ("456", 1))
    reduced = reduce_groups(chain)
    assert reduce_groups(reduced) == reduced
    assert group("3", 0) in reduced


def plain_reduction(groups: list[Constraint]) -> list[Constraint]:
    """The article's loop as published: every pair in every pass."""
    live = [(set(cells), mines) for cells, mines in groups]
    changed = True
    while changed:
        changed = False
        i = 0
        while i < len(live):
            for j in range(i + 1, len(live)):
                (a, am), (b, bm) = live[i], live[j]
                shared = a & b
                if not shared:
                    continue
                if a == b:
                    live[j] = (set(), 0)
                elif b <= a:
                    live[i] = (a - b, am - bm)
                elif a <= b:
                    live[j] = (b - a, bm - am)
                else:
                    (parent, pm), (_, cm) = ((a, am), (b, bm)) if am > bm else ((b, bm), (a, am))
                    mines = pm - len(parent - shared)
                    if mines != cm:
                        continue
                    live[i], live[j] = (a - shared, am - mines), (b - shared, bm - mines)
                    live.append((shared, mines))
                changed = True
            i += 1
    return [(frozenset(cells), mines) for cells, mines in live if cells]


def test_skipping_unchanged_pairs_keeps_the_result() -> None:
    """On real positions, fast and plain reduction give the same list."""
    compared = 0
    for seed in range(30):
        game = Game("expert", first_click="opening", seed=seed)
        game.open((8, 15))
        for _ in range(6):
            groups = constraints(game.position, set())
            assert reduce_groups(groups) == plain_reduction(groups)
            compared += 1
            known = analyze(game.position)
            if not known.safe or game.over:
                break
            game.open(min(known.safe))
    assert compared > 100


def test_four_and_two_from_the_article() -> None:
    """The factors of the first round and the final values are published."""
    four, two = group("0123456", 4), group("3456789", 2)
    own4, own2, shared = 4 / 7, 2 / 7, 1 - (1 - 4 / 7) * (1 - 2 / 7)
    assert [round(x, 2) for x in (own4, own2, shared)] == [0.57, 0.29, 0.69]
    factor = 4 / (3 * own4 + 4 * shared)
    # The article prints 0.895, calculated from inputs with two digits.
    assert factor == pytest.approx(0.895, abs=0.005)
    assert 2 / (3 * own2 + 4 * shared * factor) == pytest.approx(0.604, abs=0.005)
    assert reduce_groups([four, two]) == [four, two]
    values = estimates([four, two])
    for cells, mines in (four, two):
        assert sum(values[cell] for cell in cells) == pytest.approx(mines, abs=0.01)
    assert values[0] > values[3] > values[7]


def test_first_estimates_treat_groups_as_independent() -> None:
    """A single group gives its share; a certain mine is capped at 0.99."""
    assert estimates([group("1234567", 4)])[1] == pytest.approx(0.571, abs=0.001)
    assert estimates([group("1", 1)]) == {1: 0.99}


def test_contradictory_sums_terminate() -> None:
    """Scaling contradictory numbers would otherwise never end."""
    assert set(estimates([group("12", 1), group("23", 2), group("13", 0)])) == {1, 2, 3}


def brute(groups: list[Constraint], unknown: list[int], mines: int) -> dict[int, int]:
    """Try every placement, as the article does."""
    tally, fitting = dict.fromkeys(unknown, 0), 0
    for placed in combinations(unknown, mines):
        laid = set(placed)
        if all(len(cells & laid) == count for cells, count in groups):
            fitting += 1
            for cell in placed:
                tally[cell] += 1
    return {**tally, -1: fitting}


def test_last_turns_of_nine_mines_and_twenty_one_cells() -> None:
    """Source: the article's log line LastTurns(9,21) out of 293930; brute force gives this count.

    The article shows its position only as a picture, so its 144 placements cannot be checked.
    """
    groups = [
        (frozenset({0, 1, 2}), 1),
        (frozenset({2, 3, 4, 5}), 2),
        (frozenset({5, 6, 7}), 1),
        (frozenset({8, 9, 10, 11, 12}), 3),
        (frozenset({12, 13, 14}), 1),
        (frozenset({14, 15, 16}), 2),
    ]
    unknown = list(range(21))
    result = last_turns(groups, unknown, 9)
    truth = brute(groups, unknown, 9)
    assert result.possible == comb(21, 9) == 293930
    assert result.fitting == truth.pop(-1)
    assert {cell: share * result.fitting for cell, share in result.p_mine.items()} == truth


def test_last_turns_is_exact() -> None:
    """LastTurns agrees with the exact engine on a position that needs the mine total."""
    position = Position.parse("...\n121\n...", mines=2)
    unknown = [0, 1, 2, 6, 7, 8]
    result = last_turns(constraints(position, set()), unknown, 2)
    exact = analyze(position)
    assert result.fitting == exact.solutions
    for cell in unknown:
        assert float(result.p_mine[cell]) == pytest.approx(exact.p_mine.flat[cell])


def test_last_turns_of_impossible_position() -> None:
    """If no placement fits, the bot uses its estimates or chooses nothing."""
    assert last_turns([(frozenset({0, 1}), 2)], [0, 1, 2], 1).fitting == 0
    short = Position.parse("...\n1.1", mines=6)
    assert as_choice(Groups().choose(short)).by == "probability"
    full = Position.parse("...\n232", mines=2)
    assert as_choice(Groups().choose(full)).by == "nothing left"


def test_full_groups_are_flagged_and_empty_ones_opened() -> None:
    """A single choice flags the full groups, then opens the empty ones."""
    choice = as_choice(make_bot("groups").choose(Position.parse("....\n1221\n0000", mines=2)))
    actions = [(action.kind.value, action.cell) for action in choice.actions]
    assert actions == [("flag", (0, 1)), ("flag", (0, 2)), ("open", (0, 0)), ("open", (0, 3))]
    assert (choice.by, choice.risk, choice.guess) == ("reduction", 0.0, False)


def test_only_last_turns_uses_the_mine_total() -> None:
    """The distant cells are safe because all mines touch numbers; reduction cannot see this."""
    position = Position.parse("..1...\n111...", mines=1)
    choice = as_choice(make_bot("groups").choose(position))
    assert choice.by in ("reduction", "last turns")
    assert not choice.guess
    assert {action.cell for action in choice.actions if action.kind == "open"} <= analyze(
        position
    ).safe


@pytest.mark.parametrize(
    ("options", "by"),
    [
        ({}, "last turns"),
        ({"last_turns": False}, "probability"),
        ({"last_turns": False, "probability": False}, "random"),
    ],
)
def test_parts_can_be_disabled(options: dict[str, bool], by: str) -> None:
    """The part that remains decides a coin flip."""
    choice = as_choice(make_bot("groups", **options).choose(Position.parse("..\n11", mines=1)))
    assert (choice.by, choice.guess) == (by, True)
    assert choice.risk == pytest.approx(0.5)


def test_without_total_only_frontier_cells_are_guessed() -> None:
    """Floating cells have no estimate, and LastTurns does nothing."""
    choice = as_choice(make_bot("groups").choose(Position.parse("....\n2...\n....")))
    assert choice.by == "probability"
    assert choice.actions[0].cell in {Cell(0, 0), Cell(0, 1), Cell(1, 1), Cell(2, 0), Cell(2, 1)}


def test_known_mines_do_not_carry_over() -> None:
    """A bot can analyse positions in any order without starting a game."""
    bot = make_bot("groups")
    bot.choose(Position.parse("..3\n..2", mines=3))
    fresh = Position.parse("...\n...", mines=1)
    assert all(action.kind == "open" for action in as_choice(bot.choose(fresh)).actions)
