"""Positions and boards in the file formats of other programs."""

from __future__ import annotations

import random

import pytest

from sapper import BadBoard, BadPosition, Board, Position
from sapper.formats import load, read_board_file, read_mbf, write_board_file, write_mbf
from sapper.topology import topology

MBF = bytes([3, 2, 0, 2, 2, 0, 0, 1])


def test_mbf_has_columns_before_rows() -> None:
    """The bytes of a small board give its mines."""
    assert read_mbf(MBF).mine_cells() == [(0, 2), (1, 0)]


@pytest.mark.parametrize("seed", range(5))
def test_mbf_file_round_trips(seed: int) -> None:
    """Boards of up to 255 rows and columns round-trip, even with more than 255 mines."""
    rng = random.Random(seed)
    shape = topology("rectangle", rng.randint(1, 60), rng.randint(1, 60))
    board = Board(shape, bytes(rng.random() < 0.3 for _ in range(shape.size)))
    assert read_mbf(write_mbf(board)) == board


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\3\2\0", "at least 4 bytes, got 3"),
        (MBF[:-1], "of 2 mines has 8 bytes, got 7"),
        (bytes([3, 2, 0, 1, 3, 0]), "mine 1 is in row 0, column 3, outside the 3x2 board"),
        (bytes([3, 2, 0, 2, 1, 1, 1, 1]), "mine 2 is in row 1, column 1, as another one"),
        (bytes([0, 2, 0, 0]), "0"),
    ],
)
def test_damaged_mbf_file_is_rejected(data: bytes, said: str) -> None:
    """The message gives the reason and the location."""
    with pytest.raises(BadBoard, match=said):
        read_mbf(data)


def test_mbf_supports_only_small_rectangles() -> None:
    """A torus or a wider board is an error rather than a different board."""
    for shape in (topology("torus", 5, 5), topology("rectangle", 256, 1)):
        with pytest.raises(BadBoard, match="at most 255"):
            write_mbf(Board.from_mines(shape, []))


def test_a_board_file_is_a_position_with_its_total() -> None:
    """Hidden cells are H, or ? for a shown mine; flags are kept."""
    position = read_board_file("4x2x3\nHH?F\n1232\n\n")
    assert str(position) == "mines: 3\n...F\n1232"
    assert read_board_file(write_board_file(position)) == position


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1 must be"),
        ("3x2\nHHH\nHHH", "line 1 must be"),
        ("3x2x1\nHHH", "line 1 says 2 rows, got 1"),
        ("3x2x1\nHHH\nHH", "line 3 has 2 cells, but line 1 says 3"),
        ("3x2x1\nHHH\nHx1", "line 3, column 2: 'x' is not a cell"),
        ("3x2x9\nHHH\nHHH", "mines must be between 0 and 6"),
    ],
)
def test_damaged_board_file_is_rejected(text: str, said: str) -> None:
    """The error gives the reason and the location."""
    with pytest.raises(BadPosition, match=said):
        read_board_file(text)


@pytest.mark.parametrize(
    ("data", "form", "first"),
    [
        (MBF, "mbf", "..."),
        (b"3x2x1\r\nHHH\r\n111\r\n", "board", "..."),
        (b'\n{"rows": ["1.", "F."], "mines": 2}\n{"rows": ["."]}', "json", "1."),
        (b"\xef\xbb\xbf// seen\nmines: 1\n.1\n..\n", "text", ".1"),
    ],
)
def test_form_is_detected_from_content(data: bytes, form: str, first: str) -> None:
    """Neither a format option nor a file name is needed."""
    found = load(data)
    assert found.form == form
    assert found.position.rows[0] == first
    assert (found.board is not None) == (form == "mbf")


def test_mbf_board_is_separate_from_the_position() -> None:
    """A solver gets only the position, in which nothing is open."""
    found = load(MBF)
    assert found.board == read_mbf(MBF)
    assert found.position == Position.unopened(topology("rectangle", 3, 2), mines=2)


def test_damaged_mbf_file_is_reported_as_such() -> None:
    """The error for a damaged binary file gives its length, because the file is not text."""
    with pytest.raises(BadBoard, match="has 8 bytes, got 7"):
        load(MBF[:-1])


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b'{"rows": 3}', b"abc"])
def test_other_input_is_rejected(data: bytes) -> None:
    """Input in an unknown format is reported as a bad position."""
    with pytest.raises(BadPosition):
        load(data)
