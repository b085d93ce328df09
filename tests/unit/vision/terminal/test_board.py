"""Finding and reading a board among the characters of a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.topology import Cell
from sapper.vision import NoBoard, Unreadable
from sapper.vision.terminal import load_program
from sapper.vision.terminal.board import TextGeometry, cursor_cell, find_board, read_screen
from sapper.vision.terminal.colour import coloured_cell, cursor_colour

FREESWEEP = load_program("freesweep")
FRAMED = replace(FREESWEEP, cursor="", frame="+-|", looks={".": ".", "1": "1"})
DRAWN = {look: char for char, look in FREESWEEP.looks.items() if char != "`"}


def drawn(rows: list[str], top: int = 0, left: int = 0, width: int = 100) -> list[str]:
    """Return looks as freesweep draws them, with its panel and the cursor on the first cell."""
    edge = "+" + "---" * len(rows[0]) + "+"
    inner = ["|" + "".join(f" {DRAWN[look]} " for look in row) + "|" for row in rows]
    inner[0] = "|<" + inner[0][2] + ">" + inner[0][4:]
    panel = ["+-------------------+", "|-------------------|", "|Mines: 7           |"]
    lines = [" " * width] * top + [" " * left + line for line in (edge, *inner, edge)]
    shown = [line.ljust(width - 21) + side for line, side in zip(lines, panel, strict=False)]
    return shown + [line.ljust(width) for line in lines[len(shown) :]]


sizes = st.integers(3, 12)


@given(st.data(), sizes, sizes, st.integers(0, 4), st.integers(0, 6))
def test_drawn_board_is_found_and_read(
    data: st.DataObject, rows: int, columns: int, top: int, left: int
) -> None:
    """Boards of any size are found anywhere and read as drawn."""
    at = find_board(drawn(["." * columns] * rows, top, left), FREESWEEP)
    assert at == TextGeometry(left + 2, top + 1, 3, rows, columns)
    row = st.text("".join(DRAWN), min_size=columns, max_size=columns)
    looks = data.draw(st.lists(row, min_size=rows, max_size=rows))
    lines = drawn(looks, top, left)
    found = read_screen(lines, FREESWEEP, at)
    assert found.looks.decode() == "".join(looks)
    assert (found.confidence == 1).all()
    assert found.mines == 7
    assert cursor_cell(lines, (0, 0), FREESWEEP, at) == Cell(0, 0)


def test_screen_without_a_board_is_rejected() -> None:
    """Dashes alone do not make a board."""
    with pytest.raises(NoBoard, match="no fresh board"):
        find_board(["+-----+", "|Help |", "+-----+"], FREESWEEP)


@pytest.mark.parametrize(("side", "mark"), [(0, "^"), (-1, "v")])
def test_board_beyond_the_screen_is_rejected(side: int, mark: str) -> None:
    """When freesweep scrolls, its frame shows arrows."""
    lines = drawn(["....."] * 5, width=60)[:7]
    lines[side] = lines[side].replace("---", mark * 3)
    with pytest.raises(NoBoard, match="does not fit"):
        find_board(lines, FREESWEEP)


@pytest.mark.parametrize(
    ("line", "at", "char"), [(2, 5, "?"), (2, 6, "1"), (0, 3, "v"), (2, 0, "<"), (2, 16, "#")]
)
def test_unknown_characters_are_doubted(line: int, at: int, char: str) -> None:
    """Unknown characters, stray characters and broken frames are reported, never guessed."""
    fresh = ["....."] * 5
    found = find_board(drawn(fresh), FREESWEEP)
    lines = drawn(fresh)
    lines[line] = lines[line][:at] + char + lines[line][at + 1 :]
    with pytest.raises(Unreadable, match="do not match"):
        _ = read_screen(lines, FREESWEEP, found).position


def test_two_cursors_count_as_none() -> None:
    """The position of a half-redrawn cursor is unknown."""
    lines = drawn(["....."] * 5)
    at = find_board(lines, FREESWEEP)
    lines[3] = lines[1]
    assert cursor_cell(lines, (0, 0), FREESWEEP, at) is None


def test_colour_cursor_is_the_differing_cell() -> None:
    """If no cell or several cells have a colour, the cursor is unknown."""
    at = TextGeometry(1, 0, 2, 3, 4)
    plain = [["default"] * 9 for _ in range(3)]
    assert cursor_colour(plain, at) is None
    marked = [line[:] for line in plain]
    marked[1][5] = "reverse"
    # Colours beside the board are ignored.
    marked[2][0] = "red"
    assert cursor_colour(marked, at) == "reverse"
    assert coloured_cell(marked, at, "reverse") == Cell(1, 2)
    marked[2][1] = "red"
    assert cursor_colour(marked, at) is None
    assert coloured_cell(marked, at, "reverse") == Cell(1, 2)
    marked[0][1] = "reverse"
    assert coloured_cell(marked, at, "reverse") is None


def test_frame_next_to_the_characters_is_recognised() -> None:
    """Some programs draw frames without a gap; a broken frame is not recognised."""
    lines = ["+-------+", "|. . . .|", "|. 1 . .|", "|. . . .|", "+-------+"]
    at = find_board([lines[0], lines[1], lines[1], lines[1], lines[4]], FRAMED)
    assert (at.rows, at.columns) == (3, 4)
    assert read_screen(lines, FRAMED, at).position.rows == ["....", ".1..", "...."]
    broken = [lines[0], lines[1][:-1] + ">", *lines[2:]]
    assert read_screen(broken, FRAMED, at).unreadable
