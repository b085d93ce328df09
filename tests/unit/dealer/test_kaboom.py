"""Kaboom's judge, marks, hints and figures, on positions analysed by hand."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from sapper.dealer import settings
from sapper.dealer.kaboom_aids import Figures, advice, figures, marks, marks_text, outcomes
from sapper.errors import BadSetting
from sapper.game import Game
from sapper.position import Position
from sapper.solver import Limit, analyze


class Check(NamedTuple):
    """A position with `#` for unopened cells, its marks, and the result of each click.

    A click is `X` if it loses and `s` if not, by the switch *guess anywhere*.
    """

    mines: int
    rows: str
    marks: str
    off: str
    on: str
    options: Mapping[str, Any] = MappingProxyType({})


# Source: the original Kaboom, run on these positions.
ORIGINAL = [
    Check(4, "3## ### ###", "3!o !!o ooo", "3Xs XXs sss", "3Xs XXs sss"),
    Check(2, "##1 2#1", "!?1 2?1", "Xs1 2s1", "Xs1 2s1"),
    Check(1, "1## ###", "1?o ??o", "1ss sss", "1ss sss"),
    Check(
        5,
        "##### ##### ##1## ##### #####",
        "ooooo o???o o?1?o o???o ooooo",
        "XXXXX XsssX Xs1sX XsssX XXXXX",
        "sssss sssss ss1ss sssss sssss",
    ),
    Check(2, "00000 12110 #####", "00000 12110 !.!..", "00000 12110 XsXss", "00000 12110 XsXss"),
    Check(
        3,
        "000000 011100 13#200 ###20#",
        "000000 011100 13!200 ??!20.",
        "000000 011100 13X200 XXX20s",
        "000000 011100 13X200 XXX20s",
    ),
]
# Source: worked out by hand.
OWN = [
    # There is one mine beside the left 1 and one in the middle two cells; everything to the right
    # is settled.
    Check(3, "#1####1#0", "?1?oo!1.0", "X1XXXX1s0", "X1XXXX1s0"),
    Check(3, "#1####1#0", "?1?oo!1.0", "s1sXXX1s0", "s1sssX1s0", {"judge": "local"}),
    # The total proves that the outside cells are safe.
    Check(1, "#1####", "?1?ooo", "s1ssss", "s1ssss"),
    Check(1, "#1####", "?1?ooo", "X1Xsss", "X1Xsss", {"known_outside_is_safe": True}),
    Check(
        1,
        "#1####",
        "?1?ooo",
        "s1ssss",
        "s1ssss",
        {"known_outside_is_safe": True, "judge": "local"},
    ),
    # Only outside cells can be safe.
    Check(3, "#2####", "!2!ooo", "X2Xsss", "X2Xsss"),
    # The outside cell is a mine; a flag on a cell makes no difference.
    Check(2, "#1##", "?1?o", "s1sX", "s1sX"),
    # Nothing is open.
    Check(2, "## ##", "oo oo", "ss ss", "ss ss"),
    # These safe cells are in the same component, connected through the settled cells in between.
    Check(2, "00000 12110 #####", "00000 12110 !.!..", "00000 12110 XsXss", "00000 12110 XsXss"),
    Check(
        4,
        "1#### ##### ####0 #####",
        "1?ooo ??o.. ooo.0 ooo..",
        "1XXXX XXXss XXXs0 XXXss",
        "1XXXX XXXss XXXs0 XXXss",
    ),
    Check(
        4,
        "1#### ##### ####0 #####",
        "1?ooo ??o.. ooo.0 ooo..",
        "1sXXX ssXss XXXs0 XXXss",
        "1ssss sssss ssss0 sssss",
        {"judge": "local"},
    ),
]


def position_of(check: Check) -> Position:
    """Return the position in Sapper's own form."""
    return Position.parse(check.rows.replace("#", ".").replace(" ", "\n"), check.mines)


@pytest.mark.parametrize("check", [*ORIGINAL, *OWN], ids=str)
def test_marks(check: Check) -> None:
    """Each cell has the same mark as in the original."""
    assert marks_text(analyze(position_of(check))).split() == check.marks.split()


@pytest.mark.parametrize("anywhere", [False, True])
@pytest.mark.parametrize("check", [*ORIGINAL, *OWN], ids=str)
def test_clicks(check: Check, anywhere: bool) -> None:
    """Each cell is clicked in a new game, and the result is compared with the table."""
    position = position_of(check)
    expected = "".join((check.on if anywhere else check.off).split())
    told = outcomes(analyze(position), guess_anywhere=anywhere, **check.options)
    for i, (cell, char) in enumerate(zip(position.topology.cells(), expected, strict=True)):
        if char.isdigit():
            assert told[i] is None
            continue
        assert told[i] == (char == "s")
        for seed in range(3):
            game = Game.from_position(
                position, "kaboom", seed=seed, guess_anywhere=anywhere, **check.options
            )
            assert game.open(cell)
            assert (game.status == "lost") == (char == "X")


def test_flags_do_not_change_the_verdict() -> None:
    """Flags count only as the player's opinion, even on a safe cell."""
    check = OWN[0]
    flagged = Position.parse(check.rows.replace("#", ".")[:-2] + "F0", check.mines)
    assert marks(analyze(flagged)) == marks(analyze(position_of(check)))
    game = Game.from_position(flagged, "kaboom", seed=1)
    game.open((0, 0))
    assert game.status == "lost"


@pytest.mark.parametrize(
    ("rows", "mines", "options", "hint"),
    [
        ("F1####", 1, {}, "You flagged a cell that could be empty."),
        ("F2####", 3, {}, "All surrounding cells are deadly. You need to play elsewhere."),
        ("####", 1, {}, "You can play anywhere!"),
        ("#1####1#0", 3, {}, "There are safe cells."),
        ("#1####", 1, {}, "There are no safe cells, but you can guess."),
        ("#1####", 1, {"known_outside_is_safe": True}, "There are safe cells."),
        ("00", 0, {}, None),
    ],
)
def test_hints(rows: str, mines: int, options: dict[str, Any], hint: str | None) -> None:
    """The hint is the first of the five sentences that applies."""
    assert advice(analyze(Position.parse(rows.replace("#", "."), mines)), **options) == hint


@pytest.mark.parametrize(
    ("check", "size", "outside", "least", "most"),
    [
        (ORIGINAL[0], 3, 5, 3, 3),
        (ORIGINAL[3], 8, 16, 1, 1),
        (ORIGINAL[5], 5, 0, 3, 3),
        (Check(4, "#2#### ###### ###1##", "", "", ""), 9, 7, 2, 3),
        (Check(2, "## ##", "", "", ""), 0, 4, 0, 0),
    ],
)
def test_figures(check: Check, size: int, outside: int, least: int, most: int) -> None:
    """The figures are the number of frontier cells and the possible range of their mines."""
    found = figures(analyze(position_of(check)))
    assert found == Figures(size, outside, least, most, found.elapsed_s)
    assert found.elapsed_s > 0


def test_figures_of_a_wide_position_have_no_counts() -> None:
    """For a position too wide to count, the counts are omitted."""
    wide = Position.parse("\n".join(["." * 12, ".2" * 6] * 6))
    known = analyze(wide, limit=Limit(states=0))
    assert not known.exact
    assert figures(known) == Figures(108, 0, None, None, known.elapsed_s)


@pytest.mark.parametrize("rules", ["kaboom", "kind"])
@pytest.mark.parametrize(
    ("level", "options", "reason"),
    [
        (
            "9x9:10",
            {"first_click": "any"},
            r"safe or opening for rules k.* \(.*\), got 'any'",
        ),
        ("9x9:81", {}, "mines must be at most 80, got 81"),
        ("9x9:73", {"first_click": "opening"}, "mines must be at most 72, got 73"),
        ("9x9@1", {}, "need a density below 1, got 1"),
        ("9x9:10", {"judge": "strict"}, "judge"),
        ("9x9:10", {"guess_anywhere": "yes"}, "guess_anywhere"),
    ],
)
def test_impossible_settings_are_rejected(
    rules: str, level: str, options: dict[str, Any], reason: str
) -> None:
    """The error includes the reason."""
    with pytest.raises(BadSetting, match=reason):
        settings(level, rules, **options)


def test_unknown_judge_error_names_both_judges() -> None:
    """The error for an unknown judge names both valid ones."""
    with pytest.raises(BadSetting, match="judge must be global or local, got 'strict'"):
        settings("9x9:10", "kaboom", judge="strict")


def test_a_chord_judges_its_cells_one_by_one() -> None:
    """A chord's first guess reveals information for the next one."""
    outcomes_seen = set()
    for seed in range(60):
        position = Position.parse("mines: 2\n...\n.1.\n...\n..F")
        game = Game.from_position(position, "kaboom", seed=seed)
        game.flag((0, 0))
        game.chord((1, 1))
        outcomes_seen.add(str(game.status))
    assert "lost" in outcomes_seen


def test_a_win_by_flags_needs_proof() -> None:
    """Without a layout, flags win only once all of them are proved."""
    position = Position.parse("mines: 2\n1..\n2..\n...")
    game = Game.from_position(position, "kaboom", win="flags", seed=1)
    for cell in [(0, 1), (2, 1)]:
        game.flag(cell)
    assert game.status == "playing"
    proved = Game.from_position(
        Position.parse("mines: 2\n00000\n12110\n....."), "kaboom", win="flags"
    )
    proved.flag((2, 0))
    proved.flag((2, 2))
    assert proved.status == "won"
    proved.undo()
    proved.flag((2, 1))
    assert proved.status == "playing"
    proved.flag((2, 1))
    proved.flag((2, 2))
    assert proved.status == "won"
    assert proved.board.mine_cells() == [(2, 0), (2, 2)]


def test_the_argument_known_is_deprecated() -> None:
    """The old name of `analysis` still works, with a warning."""
    analysis = analyze(Position.parse("...\n111", mines=1))
    with pytest.warns(DeprecationWarning, match=r"marks\(known=\) is deprecated; use analysis="):
        assert marks(known=analysis) == marks(analysis)  # type: ignore[call-arg]
