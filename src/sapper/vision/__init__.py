"""Read and play Minesweeper in other programs' windows.

`read` turns a picture into a position; `sapper.vision.playing` plays games on the screen. Both need
the extra ``vision``.
"""

from sapper.vision.errors import NoBoard, NoWindow, PlayStopped, Unreadable
from sapper.vision.geometry import Geometry, find_geometry
from sapper.vision.images import load
from sapper.vision.looks import LOOKS
from sapper.vision.reading import SURE, Reading, read
from sapper.vision.theme import Theme, load_theme, themes

__all__ = [
    "LOOKS",
    "SURE",
    "Geometry",
    "NoBoard",
    "NoWindow",
    "PlayStopped",
    "Reading",
    "Theme",
    "Unreadable",
    "find_geometry",
    "load",
    "load_theme",
    "read",
    "themes",
]
