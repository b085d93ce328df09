"""fair-evaluate, rule by rule, including deductions that its bounds miss."""

from itertools import pairwise

from sapper.position import Position
from sapper.rules import Level
from sapper.simulation import simulate
from sapper.solver import analyze
from sapper.solver.bots import Choice, as_choice, make_bot
from sapper.solver.bots.constraints import constraints
from sapper.solver.bots.fair_evaluate import FairEvaluate, components, evaluate, saturate
from sapper.topology import Cell


def choose(text: str, mines: int | None = None, **options: int) -> Choice:
    """Return the bot's choice in a position."""
    return FairEvaluate(**options).choose(Position.parse(text, mines))


def cells(choice: Choice, kind: str) -> set[Cell | None]:
    """Return the cells that a choice opens or flags."""
    return {action.cell for action in choice.actions if action.kind == kind}


def test_saturated_number_is_dropped() -> None:
    """The first number settles its cell, but not the remaining cells of the second."""
    groups = [(frozenset({0}), 1), (frozenset({0, 1, 2}), 2), (frozenset({3, 4}), 1)]
    mined, safe = set[int](), set[int]()
    left = saturate(groups, mined, safe)
    assert left == [(frozenset({1, 2}), 1), (frozenset({3, 4}), 1)]
    assert (mined, safe) == ({0}, set())


def test_saturation_reaches_a_fixed_point() -> None:
    """Each step enables the next, whatever the order of the numbers."""
    chain = [(frozenset({cell, cell + 1}), 1) for cell in range(6)]
    for groups in ([(frozenset({0}), 1), *chain], [*chain, (frozenset({0}), 1)]):
        mined, safe = set[int](), set[int]()
        assert saturate(groups, mined, safe) == []
        assert (mined, safe) == ({0, 2, 4, 6}, {1, 3, 5})


def test_adjacent_numbers_can_be_in_different_components() -> None:
    """Source: the article: components consist of numbers that share cells."""
    apart = constraints(Position.parse("...\n111\n111\n..."), set())
    assert len(components(apart)) == 2
    joined = constraints(Position.parse(".1.2.1."), set())
    assert [len(part) for part in components(joined)] == [3]
    assert all(not a[0].isdisjoint(b[0]) for a, b in pairwise(components(joined)[0]))


def test_saturation_flags_and_opens() -> None:
    """One choice flags mines, then opens safe cells, and names the rule that decided."""
    choice = choose("1.1.\n111.\n00..")
    assert choice.actions[0].kind == "flag"
    assert (choice.by, choice.risk, choice.guess) == ("saturation", 0.0, False)
    assert cells(choice, "open") == {(0, 3), (1, 3), (2, 2), (2, 3)}


def test_enumeration_solves_1221() -> None:
    """No number of 1-2-2-1 is saturated, but only one placement is legal."""
    choice = choose("....\n1221\n0000")
    assert (choice.by, choice.guess) == ("enumeration", False)
    assert cells(choice, "flag") == {(0, 1), (0, 2)}
    assert cells(choice, "open") == {(0, 0), (0, 3)}


def test_other_components_bound_mine_count() -> None:
    """Source: the article: with 5 mines left and 3 elsewhere, 2 of the possible 2 to 4 are here."""
    text = ".1..\n..1.\n...."
    assert choose(text, 4).guess
    alone = analyze(Position.parse(text, 1))
    choice = choose(text, 1)
    assert (choice.by, choice.guess) == ("bounds", False)
    assert cells(choice, "open") == alone.safe
    assert cells(choice, "flag") == alone.mined


def test_counts_can_settle_floating_cells() -> None:
    """The remaining mines are all next to the number, or fill all other cells."""
    clear = choose(".1....", 1)
    assert (clear.by, clear.guess) == ("bounds", False)
    assert cells(clear, "open") == {(0, 3), (0, 4), (0, 5)}
    full = choose(".1....", 4)
    assert full.guess
    assert cells(full, "flag") == {(0, 3), (0, 4), (0, 5)}


def test_no_bounds_without_total() -> None:
    """Without a total, the number of mines is not limited."""
    assert choose(".1....").by == "any cell"
    assert choose("....\n1221\n0000").by == "enumeration"


GAP = """
.3.3.
**5**
**.**
*****
.6.6.
**5**
**.**
*****
.4.4.
"""
"""Two components of one or three mines each, and one of one or two; opened mines part them."""


def test_interval_bounds_miss_gaps() -> None:
    """Bounds are intervals, as published; the exact engine sees the gaps in them.

    The first two components hold 2, 4 or 6 of the 5 mines, so the last one holds 1, in its middle.
    """
    position = Position.parse(GAP, 26 + 5)
    exact, choice = analyze(position), FairEvaluate().choose(position)
    assert (exact.safe, exact.mined) == ({(8, 0), (8, 4)}, {(8, 2)})
    assert (choice.by, choice.guess) == ("any cell", True)
    assert cells(choice, "flag") == set()


def test_exceeded_budget_proves_nothing() -> None:
    """The result is marked as unfinished and allows any number of mines."""
    choice = choose("....\n1221\n0000", 2, budget=1)
    assert (choice.by, choice.guess) == ("any cell, unfinished", True)
    assert cells(choice, "flag") == set()
    assert evaluate([(frozenset({0, 1}), 1)], 0) is None


def test_deep_components_are_skipped() -> None:
    """The search terminates on components of any size."""
    chain = [(frozenset({cell, cell + 1}), 1) for cell in range(5000)]
    assert evaluate(chain, 10**6) is None
    assert evaluate(chain[:299], 10**6) is not None


def test_seed_chooses_the_guess() -> None:
    """The guess may be a floating cell; equal seeds give equal games."""
    bot, position = FairEvaluate(), Position.parse("1..\n...", 2)
    taken = set()
    for seed in range(30):
        choices = []
        for _ in range(2):
            bot.begin(Level.of("3x2:2"), seed)
            choices.append(bot.choose(position))
        assert choices[0] == choices[1]
        taken |= cells(choices[0], "open")
    assert taken == set(position.unopened_cells())


def test_remaining_mines_are_flagged() -> None:
    """Once the last mines are flagged, the bot has nothing left to do."""
    assert cells(choose("..\n22\n00", 2), "flag") == {(0, 0), (0, 1)}
    assert as_choice(make_bot("fair-evaluate").choose(Position.parse("FF\n22", 2))).actions == ()


def test_fair_rules_never_end_complete_play() -> None:
    """Under Fair Mines, guesses survive unless a cell is safe, so only a missed one can lose."""
    assert simulate("fair-evaluate", "beginner", "fair", n=40, seed=1).wins >= 39
