"""Looks are identified by logic, using stored screenshots whose content is known."""

from __future__ import annotations

import numpy as np
import pytest

from sapper import vision
from sapper.errors import InconsistentPosition
from sapper.topology import topology
from sapper.vision.unthemed.gallery import Gallery, Looks
from sapper.vision.unthemed.naming import Ending, Naming
from support.marks import sampled
from support.screens import SCREENS, screen

NAMES = sorted(path.stem for path in SCREENS.glob("*.png"))


def grouped(name: str) -> tuple[Looks, str, vision.Geometry]:
    """Return a screenshot as look numbers, and its known content."""
    image, rows = screen(name)
    at = vision.find_geometry(image)
    return Gallery(at.size).look_numbers(image, at), "".join(rows), at


def naming(looks: Looks, seen: str, at: vision.Geometry) -> Naming:
    """Return the initial knowledge about a program: the look of an unopened cell."""
    unopened = looks[seen.index(".")] if "." in seen else -1
    return Naming(topology("rectangle", at.columns, at.rows), int(unopened))


def agrees(names: dict[int, str], looks: Looks, seen: str) -> bool:
    """Whether every name is correct; an opened mine may be called any kind of mine."""
    pairs = {
        (names[number], look)
        for number, look in zip(looks.tolist(), seen, strict=True)
        if number in names
    }
    return all(name == look or {name, look} <= set("*M") for name, look in pairs)


@pytest.mark.parametrize("name", sampled(NAMES, 3))
def test_no_two_meanings_share_a_look(name: str) -> None:
    """Cells are grouped only if a person could not tell them apart."""
    looks, seen, _ = grouped(name)
    pairs = set(zip(looks.tolist(), seen, strict=True))
    assert len(pairs) == len({number for number, _ in pairs})


def test_numbers_are_named_on_a_running_board() -> None:
    """Zeros follow from a single board; ambiguous looks stay unnamed."""
    looks, seen, at = grouped("sgt-mines-20-lost")
    looks = np.where(looks == looks[seen.index("*")], looks[seen.index(".")], looks)
    seen = seen.replace("*", ".")
    found = naming(looks, seen, at)
    found.went_on(looks)
    found.learn(looks)
    assert set(found.names.values()) >= set(".0")
    assert agrees(found.names, looks, seen)


def test_a_lost_board_names_its_mines() -> None:
    """On a fully shown board, the numbers identify the mines and vice versa."""
    looks, seen, at = grouped("xbomb-20-lost")
    # No unopened cell is visible, so use any unused number.
    found = Naming(topology("rectangle", at.columns, at.rows), 99)
    before = np.where([look == "M" for look in seen], 99, looks)
    found.went_on(before)
    found.ended(Ending(looks, before, seen.index("M")))
    assert agrees(found.names, looks, seen)
    assert set(found.names.values()) >= set("01234M") or set(found.names.values()) >= set("01234*")


def test_a_won_board_names_its_flags() -> None:
    """After a safe last click, the new look of untouched cells must be a flag."""
    looks, seen, at = grouped("sgt-mines-20-solved")
    found = Naming(topology("rectangle", at.columns, at.rows), 99)
    before = np.where([look == "F" for look in seen], 99, looks)
    last = seen.index("0")
    before[last] = 99
    found.went_on(before)
    found.ended(Ending(looks, before, last))
    assert agrees(found.names, looks, seen)
    assert set(found.names.values()) == set(seen) | {"."}


def test_one_opened_cell_proves_nothing() -> None:
    """A single opened cell may be any number, a mine, or an unopened cell with a mark."""
    board = np.zeros(25, dtype=np.int64)
    board[12] = 1
    found = Naming(topology("rectangle", 5, 5), 0)
    question = found.learn(board)
    assert found.names == {0: "."}
    assert question.meanings(1) == "012345678M."
    assert question.safe(range(12)) == []


def test_contradictory_names_are_forgotten() -> None:
    """A look cannot be two numbers, so all conclusions are dropped."""
    board = np.zeros(25, dtype=np.int64)
    board[12] = 1
    found = Naming(topology("rectangle", 5, 5), 0)
    found.names[1] = "3"
    found.names[2] = "1"
    board[7:12] = 2
    board[13:18] = 2
    board[1:4] = 2
    with pytest.raises(InconsistentPosition):
        found.learn(board)
    assert found.names == {0: "."}


def test_a_last_click_that_opens_many_cells_ends_a_won_game() -> None:
    """The opened cells are not mines; all others are, and their new look is a flag."""
    found = Naming(topology("rectangle", 5, 5), 0)
    found.names |= {1: "0", 2: "1"}
    board = np.ones(25, dtype=np.int64)
    board[[1, 5, 6]] = 2
    board[0] = 3
    found.ended(Ending(board, np.zeros(25, dtype=np.int64), 24))
    assert found.names[3] == "F"
