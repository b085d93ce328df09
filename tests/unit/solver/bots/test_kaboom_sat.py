"""kaboom-sat: its formula, its marks on the original's positions, and its queries."""

from itertools import product

import pytest

from sapper.position import Position
from sapper.rules import Level
from sapper.simulation import simulate
from sapper.solver.bots import Choice, as_choice, make_bot
from sapper.solver.bots._formula import Formula
from sapper.solver.bots.constraints import constraints
from sapper.solver.bots.kaboom_sat import KaboomSat
from sapper.solver.sat import exactly
from sapper.topology import Cell

ARTICLE = Position.parse("..1\n2.1")
"""The article's board; clockwise, its cells are x1, x2 and x3."""

# Source: the original Kaboom, run on these positions; cells marked `o` touch no number.
ORIGINAL = [
    (4, "3## ### ###", "3!o !!o ooo"),
    (2, "##1 2#1", "!?1 2?1"),
    (1, "1## ###", "1?o ??o"),
    (5, "##### ##### ##1## ##### #####", "ooooo o???o o?1?o o???o ooooo"),
    (2, "00000 12110 #####", "00000 12110 !.!.."),
    (3, "000000 011100 13#200 ###20#", "000000 011100 13!200 ??!20."),
]


def choose(text: str, mines: int | None = None) -> Choice:
    """Return the bot's choice in a position."""
    return KaboomSat().choose(Position.parse(text, mines))


def cells(choice: Choice, kind: str) -> set[Cell | None]:
    """Return the cells that a choice opens or flags."""
    return {action.cell for action in choice.actions if action.kind == kind}


def satisfied(formula: list[list[int]], mined: tuple[bool, ...]) -> bool:
    """Whether every clause has a true literal."""
    return all(any(mined[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in formula)


def test_formula_from_the_article() -> None:
    """Source: the article, in DIMACS: 3 variables, 6 clauses, and the answer ``1 2 -3``.

    The article mentions a second solution; with two mines in all, both fit.
    """
    dimacs = [[1, 2], [1, 3], [2, 3], [-1, -2, -3], [2, 3], [-2, -3]]
    assert [*exactly(2, [1, 2, 3]), *exactly(1, [2, 3])] == dimacs
    fitting = [mined for mined in product((True, False), repeat=3) if satisfied(dimacs, mined)]
    assert fitting == [(True, True, False), (True, False, True)]
    bot = KaboomSat()
    for total in (None, 2):
        bot.choose(Position(ARTICLE.topology, ARTICLE.cells, total))
        assert bot.statistics.variables == 3
        assert bot.statistics.clauses >= 6
    for total in (0, 1, 3):
        formula = Formula(constraints(ARTICLE, set()), total)
        assert formula.settle() == (set(), set())
        formula.close()


def test_numbers_alone_give_six_clauses() -> None:
    """The two 1s are equivalent, so one is left out, as in the article."""
    formula = Formula(constraints(ARTICLE, set())[:2])
    assert (len(formula.cells), formula.clauses, formula.auxiliary) == (3, 6, 0)
    assert formula.settle() == (set(), {0})
    formula.close()


@pytest.mark.parametrize(("mines", "rows", "marks"), ORIGINAL)
def test_marks_match_the_original(mines: int, rows: str, marks: str) -> None:
    """Source: the debug view of the original Kaboom."""
    text = rows.replace("#", ".").replace(" ", "\n")
    proved = KaboomSat().marks(Position.parse(text, mines))
    drawn = list(rows.replace(" ", ""))
    for mark, kind in (
        ("!", proved.mined),
        (".", proved.safe),
        ("?", proved.unknown),
        ("o", proved.outside),
    ):
        for cell in kind:
            drawn[cell] = mark
    assert "".join(drawn) == marks.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "mines", "clear", "mined"),
    [
        ("1..\n...", 1, True, False),
        ("1..\n...", 2, False, False),
        ("1..\n...", 3, False, True),
        ("1..\n...", None, False, False),
        ("..", 0, True, False),
        ("..", 1, False, False),
        ("..", 2, False, True),
        (".2.\n222\n...", 4, False, False),
    ],
)
def test_total_proves_outside_cells(text: str, mines: int | None, clear: bool, mined: bool) -> None:
    """Outside cells are clear if the numbers need every mine, and mines if all of them must be."""
    marks = KaboomSat().marks(Position.parse(text, mines))
    assert (marks.outside_clear, marks.outside_mined) == (clear, mined)


def test_outside_proved_clear_is_opened() -> None:
    """An outside proved to be mines is flagged, and the rule that decided is named."""
    clear = choose("1..\n...", 1)
    assert (clear.by, clear.guess) == ("total", False)
    assert cells(clear, "open") == {(0, 2), (1, 2)}
    full = choose("1..\n...", 3)
    assert (full.by, full.guess) == ("guess", True)
    assert cells(full, "flag") == {(0, 2), (1, 2)}


def test_safe_cells_are_opened_and_mines_flagged() -> None:
    """A single choice does everything that is proved."""
    choice = choose("....\n1221\n0000", 2)
    assert (choice.by, choice.risk, choice.guess) == ("safe", 0.0, False)
    assert cells(choice, "flag") == {(0, 1), (0, 2)}
    assert cells(choice, "open") == {(0, 0), (0, 3)}


def test_guess_is_a_possibly_clear_frontier_cell() -> None:
    """The seed picks the guess, outside only if all frontier cells are mines."""
    bot, taken = KaboomSat(), set()
    position = Position.parse("..1\n2.1", 2)
    for seed in range(20):
        bot.begin(Level.of("3x2:2"), seed)
        choice = bot.choose(position)
        assert (choice.by, choice.guess) == ("guess", True)
        taken |= cells(choice, "open")
    assert taken == {(0, 1), (1, 1)}
    outside = choose("3..\n...\n...", 4)
    assert (outside.by, outside.guess) == ("guess outside", True)
    assert cells(outside, "open") <= set(Position.parse("3..\n...\n...").unopened_cells())
    assert cells(outside, "open").isdisjoint({(0, 1), (1, 0), (1, 1)})


def test_bot_stops_when_only_mines_are_left() -> None:
    """The bot flags the remaining mines first."""
    assert cells(choose("..\n22\n00", 2), "flag") == {(0, 0), (0, 1)}
    assert as_choice(make_bot("kaboom-sat").choose(Position.parse("FF\n22", 2))).actions == ()


def test_settled_cells_are_left_out_of_the_formula() -> None:
    """A second query about the same position needs no solving."""
    bot, position = KaboomSat(), Position.parse("....\n1221\n0000", 2)
    first = bot.marks(position)
    assert (bot.statistics.variables, first.safe, first.mined) == (4, {0, 3}, {1, 2})
    assert bot.marks(position) == first
    assert (bot.statistics.variables, bot.statistics.clauses, bot.statistics.asked) == (0, 0, 0)
    bot.begin(Level.of("4x3:2"), 0)
    bot.marks(position)
    assert bot.statistics.variables == 4


def test_known_arrangements_save_queries() -> None:
    """Each cell has two queries; each is solved or answered by a known arrangement."""
    text = ".....\n.1.2.\n.....\n.2.1.\n....."
    position = Position.parse(text, 5)
    few, every = KaboomSat(), KaboomSat(witnesses=False)
    assert few.marks(position) == every.marks(position)
    cells_here = few.statistics.variables
    assert every.statistics.asked >= 2 * cells_here
    assert every.statistics.skipped == 0
    assert few.statistics.asked + few.statistics.skipped == every.statistics.asked
    assert few.statistics.asked < every.statistics.asked


def test_totalizer_is_omitted_within_bounds() -> None:
    """One mine next to a number satisfies both bounds on the outside without a totalizer."""
    bot = KaboomSat()
    far = ".1......\n........\n........"
    bot.marks(Position.parse(far, 10))
    assert bot.statistics.auxiliary == 0
    near = "2..2\n....\n....\n2..2"
    bot.marks(Position.parse(near, 4))
    assert bot.statistics.auxiliary > 0


def test_huge_totalizer_is_omitted() -> None:
    """The omission is reported, and only the numbers are used."""
    rows = ["." * 45, ".1." * 15, "." * 45] * 15
    bot = KaboomSat()
    marks = bot.marks(Position.parse("\n".join(rows), 225))
    assert (bot.statistics.variables, bot.statistics.partial) == (1800, True)
    assert (marks.safe, marks.mined, marks.outside_clear) == (frozenset(), frozenset(), False)


@pytest.mark.parametrize("text", ["8..", "0.1.3", ".1.2.1.", "1.1.1"])
def test_impossible_numbers_prove_nothing(text: str) -> None:
    """If the numbers need more mines than there are, the bot still guesses."""
    choice = choose(text, 1)
    assert choice.guess
    assert cells(choice, "flag") == set()


def test_kaboom_rules_never_end_a_guess() -> None:
    """The bot guesses only if no frontier cell is safe, so its guesses survive under Kaboom."""
    batch = simulate("kaboom-sat", "intermediate", "kaboom", n=25, seed=1)
    assert (batch.wins, batch.guesses > 0) == (25, True)
