"""An overlay: the number of unopened neighbours of each unopened cell."""

from sapper.overlays import Mark, Overlay, register
from sapper.translation import tn


@register
class Neighbours(Overlay):
    """Counts the unopened neighbours of a cell."""

    name = "unopened-neighbours"
    label = "Unopened neighbours"
    summary = "How many neighbours of a cell are unopened."

    def marks(self, position, analysis):
        """Return the count of each unopened cell as text, in words, and as a colour."""
        return {cell: self.mark(position, cell) for cell in position.unopened_cells()}

    def mark(self, position, cell):
        """Return the mark of one cell."""
        around = position.topology.neighbours(cell)
        count = sum(position.is_unopened(other) for other in around)
        words = tn("{n} unopened neighbour", "{n} unopened neighbours", count)
        return Mark(str(count), words, heat=count / len(around))
