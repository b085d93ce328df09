"""The outline of one cell as SVG."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.topology import Tile

__all__ = ["Outline", "short"]


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of a cell, in pixels.

    Attributes:
        tile: The cell's shape.
        px: Side of a square cell.
        line: The colour of the gaps between cells that are not square.
    """

    tile: Tile
    px: int
    line: str

    def filled(self, colour: str, *, rounded: bool = False) -> str:
        """Return the cell filled with a colour."""
        if self.tile.is_square:
            corner = f' rx="{self.px * 0.1:g}"' if rounded else ""
            return f'<rect width="{self.px}" height="{self.px}"{corner} fill="{colour}"/>'
        return (
            f'<polygon points="{self._points(self.px * 0.025)}" fill="{colour}" '
            f'stroke="{self.line}" stroke-width="{short(self.px * 0.025)}"/>'
        )

    def ring(self, inset: float, line: float, colour: str, *, dashed: bool = False) -> str:
        """Return a line around the cell, `inset` pixels inside it."""
        dash = f' stroke-dasharray="{self.px / 6:g}"' if dashed else ""
        if self.tile.is_square:
            side = self.px - 2 * inset
            place = f'rect x="{inset:.3g}" y="{inset:.3g}" width="{side:.4g}" height="{side:.4g}"'
        else:
            place = f'polygon points="{self._points(inset + self.px * 0.025)}"'
        return f'<{place} fill="none" stroke="{colour}" stroke-width="{line:.3g}"{dash}/>'

    def _points(self, inset: float) -> str:
        """Return the corners, with every side moved towards the centre."""
        (x, y), part = self.tile.middle, 1 - inset / (self.tile.radius * self.px)
        return " ".join(
            f"{short((x + (to_x - x) * part) * self.px)},{short((y + (to_y - y) * part) * self.px)}"
            for to_x, to_y in self.tile.outline
        )


def short(value: float) -> str:
    """Format a number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
