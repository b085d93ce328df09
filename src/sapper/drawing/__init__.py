"""Pictures of boards and positions as SVG, for documents and notebooks."""

from sapper.drawing.marks import MARKS, Cells, Chances, Marks, OverlayMark, OverlayMarks
from sapper.drawing.pictures import MOST_SHOWN, Options, board_svg, position_svg
from sapper.drawing.svg import MOST_CELLS
from sapper.drawing.themes import THEMES, Theme, register

__all__ = [
    "MARKS",
    "MOST_CELLS",
    "MOST_SHOWN",
    "THEMES",
    "Cells",
    "Chances",
    "Marks",
    "Options",
    "OverlayMark",
    "OverlayMarks",
    "Theme",
    "board_svg",
    "position_svg",
    "register",
]
