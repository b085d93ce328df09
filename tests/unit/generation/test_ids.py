"""Game ids."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import Board
from sapper.errors import BadBoard
from sapper.generation import format_id, generate, parse_id, prove
from sapper.topology import TOPOLOGIES, topology

IDS = [
    line.split()
    for line in (Path(__file__).parents[2] / "data" / "tatham_ids.txt").read_text().splitlines()
    if not line.startswith("#")
]


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from([*TOPOLOGIES]), st.data())
def test_every_board_round_trips(width: int, height: int, shape: str, data: st.DataObject) -> None:
    """The id of a board gives the same board and first click."""
    place = topology(shape, width, height)
    mined = bytes(data.draw(st.lists(st.integers(0, 1), min_size=place.size, max_size=place.size)))
    start = place.cell(data.draw(st.integers(0, place.size - 1)))
    board = Board(place, mined)
    assert parse_id(format_id(board, start)) == (board, start)


@pytest.mark.parametrize(("mines", "text"), IDS)
def test_tatham_ids_give_the_original_boards(mines: str, text: str) -> None:
    """Tatham's boards have the stated mines and need no guess after the first click."""
    board, start = parse_id(text)
    assert board.mines == int(mines)
    assert not board.numbers[board.topology.index(start)]
    assert prove(board, start) is not None


def test_unmasked_bits_are_accepted() -> None:
    """Tatham's unmasked form encodes four cells per digit, with the highest bit first."""
    assert parse_id("3x2:2,1,u80").board.rows == ["*10", "110"]
    assert parse_id("3x2:2,1,u80").start == (1, 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "30x16",
        "30x16:1,2",
        "0x4:0,0,s",
        "3x2:1,2,sg",
        "3x2:1,2,sgAAA",
        "3x2:1,2,s_w",
        "3x2:2,1,sgA",
        "3x2:1,2,m80",
        "3x2:2,1,m8",
        "3x2:2,1,uzz",
        "3x2/moebius:1,2,sgA",
        "9999999x9999999:0,0,sAA",
        "3x2:1,2,sgA\n3x2",
        "3x2:1,2,sgÄ",
    ],
)
def test_invalid_id_is_rejected(text: str) -> None:
    """Missing, extra or stray bits, cells off the board and unknown shapes are refused."""
    with pytest.raises(BadBoard):
        parse_id(text)


@given(st.text(max_size=40))
def test_no_text_breaks_the_parser(text: str) -> None:
    """Any text is an id or raises `BadBoard`."""
    with contextlib.suppress(BadBoard):
        parse_id(text)


def test_generated_board_has_an_id() -> None:
    """The record of a generated board includes an id that recreates it."""
    made = next(generate("16x16:40", seed=2, no_guess="pairs"))
    assert parse_id(made.to_json()["id"]) == (made.board, made.start)
