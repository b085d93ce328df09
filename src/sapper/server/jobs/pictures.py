"""Jobs that draw finished games, for link previews."""

from __future__ import annotations

from typing import Final

from sapper.drawing import position_svg
from sapper.drawing.raster import png
from sapper.history import Record
from sapper.replay import Playback

__all__ = ["PNG_SIZE", "drawn"]

PNG_SIZE: Final = (1200, 630)
"""The size that link previews are made for, in pixels."""
_CELL_PX: Final = 32
_GROUND: Final = "#f4f3f0"


def drawn(record: Record, form: str, title: str) -> bytes:
    """Return the picture of the end of a game.

    Args:
        record: The game.
        form: ``svg`` or ``png``.
        title: The picture's accessible name.
    """
    position = Playback(record.replay()).position()
    svg = position_svg(position, cell_px=_CELL_PX, title=title)
    return svg.encode() if form == "svg" else png(svg, _CELL_PX, *PNG_SIZE, _GROUND)
