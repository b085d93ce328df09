"""Play in other programs by reading the screen and clicking."""

from sapper.vision.playing.log import Log
from sapper.vision.playing.player import Player, WindowGame
from sapper.vision.playing.surface import Surface

__all__ = ["Log", "Player", "Surface", "WindowGame"]
