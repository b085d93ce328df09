"""Pictures of patterns for the library: a position to draw, and its proof step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sapper.coach.patterns import Form
from sapper.coach.trainer.judging import Explanation, Place
from sapper.errors import SapperError
from sapper.position import Position
from sapper.solver import Deduction, deduce, proof_steps
from sapper.topology import Cell, topology
from sapper.translation import capital, t

__all__ = ["Picture", "pictures"]

_UNOPENED = ".smgSM"


@dataclass(frozen=True, slots=True)
class Picture:
    """A form of a pattern as a small position.

    Attributes:
        form: The form.
        position: The position. Numbers that are not part of the pattern are drawn as 0, so prove
            cells from `numbers` alone.
        numbers: The numbers of the pattern, in row order.
        safe: The cells that they prove safe.
        mined: The cells that they prove mined.
        guessed: The cells between which a player has to guess.
        explanations: The proof of each proved cell, in row order.
    """

    form: Form
    position: Position
    numbers: tuple[Cell, ...]
    safe: tuple[Cell, ...]
    mined: tuple[Cell, ...]
    guessed: tuple[Cell, ...]
    explanations: tuple[Explanation, ...]


def pictures(forms: tuple[Form, ...], place: Place = str) -> tuple[Picture, ...]:
    """Return the pictures of a pattern; forms that cannot be drawn by themselves are left out.

    Cells that may be anything are drawn open in the first picture, if its proof works without them,
    and unopened in the others.

    Args:
        forms: The forms of a pattern.
        place: Formats a cell in text (default: ``(row, column)``, counted from 0).
    """
    found = (_picture(form, place, first=form is forms[0]) for form in forms)
    return tuple(picture for picture in found if picture is not None)


def _picture(form: Form, place: Place, *, first: bool) -> Picture | None:
    ways = _UNOPENED, f"{_UNOPENED}?+"
    for unopened in ways if first else ways[::-1]:
        try:
            position = _position(form, unopened)
            proofs = list(_proofs(form, position, unopened))
        except SapperError:
            continue
        told = tuple(_explained(position, proof, place) for proof in proofs)
        safe = _cells(form, "s+" if "+" in unopened else "s")
        return Picture(
            form,
            position,
            _cells(form, "12345678"),
            safe,
            _cells(form, "m"),
            _cells(form, "g"),
            told,
        )
    return None


def _position(form: Form, unopened: str) -> Position:
    rows = [line.strip("#") for line in form.rows if line.strip("#")]
    cells = "".join(
        char if char in "12345678*" else "." if char in unopened else "0" for char in "".join(rows)
    )
    mines = None if form.remaining is None else form.remaining + cells.count("*")
    shape = topology("rectangle", len(rows[0]), len(rows))
    return Position(shape, cells.encode(), mines, running=False)


def _cells(form: Form, characters: str) -> tuple[Cell, ...]:
    """Return the cells of a picture without its walls that have one of these characters."""
    rows = [line.strip("#") for line in form.rows if line.strip("#")]
    return tuple(
        Cell(row, col)
        for row, line in enumerate(rows)
        for col, char in enumerate(line)
        if char in characters
    )


def _proofs(form: Form, position: Position, unopened: str) -> Iterator[Deduction]:
    """Yield the proofs by the pattern's numbers.

    Raises:
        SapperError: If the numbers contradict the picture, or do not prove a cell.
    """
    numbers = _cells(form, "12345678")
    for cell in _cells(form, "sm+" if "+" in unopened else "sm"):
        proof = deduce(position, cell, mined=cell in _cells(form, "m"), numbers=numbers)
        if proof is None:
            raise SapperError(f"{cell} is not proved in the picture")
        yield proof


def _explained(position: Position, proof: Deduction, place: Place) -> Explanation:
    steps, name = proof_steps(position, proof, place=place), place(proof.cell)
    if proof.mined:
        return Explanation(proof.cell, "mined", capital(t("{cell} is a mine.", cell=name)), steps)
    return Explanation(proof.cell, "safe", capital(t("{cell} is safe.", cell=name)), steps)
