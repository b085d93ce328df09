"""Proofs for people: few numbers, in plain words."""

import pytest

from sapper.errors import InconsistentPosition
from sapper.position import Position
from sapper.solver import hint
from sapper.solver.deduction import deduce
from sapper.topology import Cell

# The numbers used in each proof were counted by hand.
PROOFS = [
    (".F0", None, (0, 1), [(0, 2)], "The 0 at (0, 2) has no mine around it."),
    ("*1.", None, (0, 2), [(0, 1)], "The 1 at (0, 1) already has its mine, which is open."),
    (
        "....\n1221",
        None,
        (0, 0),
        [(1, 0), (1, 2), (1, 3)],
        "The 1 at (1, 0), the 2 at (1, 2) and the 1 at (1, 3) together leave no room for a mine "
        "here.",
    ),
    (
        "...\n111\n000",
        None,
        (0, 2),
        [(1, 0), (1, 1)],
        "The mine around the 1 at (1, 0) lies in cells that the 1 at (1, 1) also touches. "
        "So the 1 at (1, 1) has no mine left for its other cells.",
    ),
    (
        ".1.\n11.",
        None,
        (0, 2),
        [(0, 1), (1, 0)],
        "The 1 at (1, 0) has only one unopened cell around it, which must be a mine. "
        "So the 1 at (0, 1) already has its mine.",
    ),
    (
        "....\n.11.\n....",
        1,
        (0, 0),
        [(1, 2)],
        "With one mine in all, the 1 at (1, 2) leaves no room for a mine here.",
    ),
    ("....", 0, (0, 3), [], "The mine total leaves no mine for unopened cells."),
]


@pytest.mark.parametrize(("text", "mines", "cell", "because", "sentence"), PROOFS)
def test_worked_proofs(
    text: str, mines: int | None, cell: tuple[int, int], because: list[Cell], sentence: str
) -> None:
    """A proof names the easiest numbers, and only those that it needs."""
    proof = deduce(Position.parse(text, mines), cell)
    assert proof is not None
    assert list(proof.because) == because
    assert proof.sentence() == sentence


def test_cell_names_can_be_customised() -> None:
    """The caller's function names the cells in the sentence."""
    proof = deduce(Position.parse(".F0"), (0, 1))
    assert proof is not None
    assert proof.sentence(lambda cell: f"<{cell.col}>") == "The 0 at <2> has no mine around it."


@pytest.mark.parametrize("cell", [(0, 1), (0, 0), (1, 0)])
def test_unproved_cell_has_no_proof(cell: tuple[int, int]) -> None:
    """Mines, numbers and coin flips have no proof that they are safe."""
    assert deduce(Position.parse("1..\n0..", 1), (0, 0)) is None
    assert deduce(Position.parse("..\n11", 1), cell) is None


def test_impossible_number_is_reported() -> None:
    """An impossible number is reported as in an analysis, and proves nothing."""
    with pytest.raises(InconsistentPosition, match=r"the 3 at \(0, 0\)") as caught:
        deduce(Position.parse("3..", 0), (0, 1))
    assert caught.value.cells == ((0, 0),)


def test_hint_contains_its_proof() -> None:
    """The proof consists of words and cells; the hint for a guess has no proof."""
    clue = hint(Position.parse("...\n111\n000"))
    assert clue.cell == Cell(0, 0)
    assert clue.to_json()["because"] == [list(cell) for cell in clue.because]
    assert clue.proof is not None
    assert clue.sentence == clue.proof.sentence()
    assert hint(Position.parse("..\n11")).to_json()["because"] == []


def test_proof_uses_only_the_chosen_numbers() -> None:
    """Other numbers are ignored, even impossible ones; too few prove nothing."""
    impossible = Position.parse("...\n118\n000")
    assert deduce(impossible, (0, 2), numbers=[(1, 0), (1, 1)]) is not None
    wall = Position.parse("...\n111\n000")
    assert deduce(wall, (0, 2), numbers=[(1, 0)]) is None
    proof = deduce(wall, (0, 2), numbers=[(1, 0), (1, 1)])
    assert proof == deduce(wall, (0, 2))
