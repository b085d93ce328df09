"""A topology: squares whose numbers count the mines a knight's move away."""

from sapper.topology import Tile, Tiling, register

MOVES = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


@register
class Knight(Tiling):
    """A cell has up to eight neighbours, none of them adjacent to it."""

    name = "knight"
    label = "Knight's moves"
    summary = "Numbers count the mines a knight's move away, as in chess."
    pattern = ((Tile(MOVES),),)
