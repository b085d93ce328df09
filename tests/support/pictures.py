"""Positions from games and around pictures of patterns, and their symmetries."""

from __future__ import annotations

from functools import cache

from sapper.coach.patterns.definitions import NUMBERS, Elsewhere, Form
from sapper.coach.patterns.symmetry import turned, turned_place
from sapper.game import Game
from sapper.position import Position
from sapper.solver import analyze
from sapper.topology import Cell, topology


def surrounded(form: Form) -> Position:
    """Return a position that shows only what the picture needs.

    Cells that may be anything are unopened, and known cells are mines, which give no information.
    """
    known = form.remaining is not None and form.elsewhere is Elsewhere.NONE
    around = "o" if known else "?"
    inner = [row for row in form.rows if row.strip("#")]
    top, bottom = (set(row) != {"#"} for row in (form.rows[0], form.rows[-1]))
    left, right = (any(row[at] != "#" for row in inner) for at in (0, -1))
    rows = [around * left + row.strip("#") + around * right for row in inner]
    beyond = [around * len(rows[0])]
    rows = beyond * top + rows + beyond * bottom
    if known:
        rows = [row.replace("?", "o").replace("+", "o") for row in rows]
    mines = [[char in "o*" for char in row] for row in rows]
    cells = ""
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            if char in NUMBERS:
                near = sum(mines[i][j] for i, j in _around(r, c, len(rows), len(row)))
                stars = sum(rows[i][j] == "*" for i, j in _around(r, c, len(rows), len(row)))
                cells += str(int(char) - stars + near)
            else:
                cells += "*" if mines[r][c] else "."
    total = None if form.remaining is None else form.remaining + cells.count("*")
    return Position(topology("rectangle", len(rows[0]), len(rows)), cells.encode(), total)


def _around(r: int, c: int, height: int, width: int) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i in range(max(0, r - 1), min(height, r + 2))
        for j in range(max(0, c - 1), min(width, c + 2))
        if (i, j) != (r, c)
    ]


def turned_position(position: Position, symmetry: int) -> Position:
    """Return a position on a rectangle, turned or mirrored by a symmetry."""
    rows = turned(tuple(position.rows), symmetry)
    shape = topology("rectangle", len(rows[0]), len(rows))
    return Position(shape, "".join(rows).encode(), position.mines, position.density)


def turned_cell(cell: tuple[int, int], position: Position, symmetry: int) -> Cell:
    """Return the location of a cell after a symmetry."""
    return Cell(*turned_place(cell, position.height, position.width, symmetry))


@cache
def moments(level: str = "expert", games: int = 6) -> tuple[Position, ...]:
    """Return positions from games in which every third proved cell has been opened."""
    found = []
    for seed in range(games):
        game = Game(level, first_click="opening", seed=seed)
        shape = game.position.topology
        game.open((shape.height // 2, shape.width // 2))
        while not game.over and (safe := sorted(analyze(game.position).safe)):
            found.append(game.position)
            for cell in safe[::3]:
                game.open(cell)
    return tuple(found)
