"""A rule set under which any guess that may be a mine is a mine."""

from sapper.dealer import register
from sapper.dealer.lazy import LazyDealer
from sapper.rules import FirstClick, Rules


@register
class UnkindDealer(LazyDealer):
    """Makes only proved cells safe; `LazyDealer` deals boards that agree."""

    rules = Rules(
        name="unkind",
        summary="Any guess that can be a mine is a mine.",
        first_clicks=(FirstClick.OPENING,),
    )

    def opens(self, analysis, cell):
        """Return whether a click opens this cell, by index, given the analysis of the position."""
        position = analysis.position
        begun = any(char in position.cells for char in b"012345678")
        return not begun or position.topology.cell(cell) in analysis.safe
