"""The effect of clicks on the visible cells."""

from __future__ import annotations

import pytest

from sapper.board import Board
from sapper.dealer import LivePosition
from sapper.dealer.base import reveals
from sapper.game.table import Table
from sapper.position import Position
from sapper.rules import Chord

BOARD = Board.parse("*1001*\n220011\n*10000")


def table(rows: str, chord: Chord = Chord.EXACT) -> Table:
    """Return a table that shows these rows of the board."""
    return Table(LivePosition(Position.parse(rows)), reveals(BOARD), chord)


def rows(on: Table) -> list[str]:
    """Return the visible cells, row by row."""
    text = on.seen.cells.decode()
    return [text[at : at + 6] for at in (0, 6, 12)]


def test_an_opening_stops_at_flags_and_drops_questions() -> None:
    """Flagged cells stay closed, and opened cells lose their question mark."""
    on = table("......\n...F..\n......")
    assert on.toggle_question(2)
    [(clicked, shown)] = on.open([2])
    assert clicked == 2
    assert next(iter(shown.numbers.items())) == (2, 0)
    assert rows(on) == [".1001.", ".20F11", ".10000"]
    assert on.questions == set()
    assert (on.seen.opened, on.seen.flags) == (13, 1)


def test_the_caller_decides_whether_cells_after_a_mine_are_opened() -> None:
    """A chord that hits a mine may stop there or continue."""
    stopped, gone_on = table("......\n......\n......"), table("......\n......\n......")
    next(stopped.open([0, 1]))
    assert [shown.exploded for _, shown in gone_on.open([0, 1, 1])] == [True, False]
    assert rows(stopped)[0] == "*....."
    assert rows(gone_on)[0] == "*1...."


@pytest.mark.parametrize(
    ("shown", "chord", "cells"),
    [
        ("F.....\n.2....\nF.....", Chord.EXACT, [1, 2, 6, 8, 13, 14]),
        ("*.....\n.2....\nF.....", Chord.EXACT, [1, 2, 6, 8, 13, 14]),
        ("FF....\n.2....\nF.....", Chord.EXACT, []),
        ("FF....\n.2....\nF.....", Chord.AT_LEAST, [2, 6, 8, 13, 14]),
        ("F.....\n.2....\n......", Chord.AT_LEAST, []),
        ("F.....\n......\nF.....", Chord.EXACT, []),
    ],
)
def test_a_chord_needs_its_flags(shown: str, chord: Chord, cells: list[int]) -> None:
    """Flags and opened mines count; with `at least`, there may be more of them."""
    assert table(shown, chord).chorded(7) == cells


def test_marks_replace_each_other() -> None:
    """A cell has a flag or a question mark, not both; open cells have neither."""
    on = table("......\n.2....\n......")
    assert on.toggle_flag(0)
    assert on.toggle_question(0)
    assert (on.is_flagged(0), on.questions, on.seen.flags) == (False, {0}, 0)
    assert on.toggle_flag(0)
    assert (on.is_flagged(0), on.questions, on.seen.flags) == (True, set(), 1)
    assert not on.toggle_flag(7)
    assert not on.toggle_question(7)


def test_a_win_flags_every_mine() -> None:
    """Mines with a flag keep it, and question marks on the others go."""
    on = table("F.....\n......\n......")
    on.toggle_question(5)
    assert on.flag_mines(BOARD.mined) == [5, 12]
    assert (on.seen.flags, on.questions) == (3, set())
