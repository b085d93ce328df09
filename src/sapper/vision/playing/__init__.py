"""Play in other programs by reading the screen and clicking."""

from sapper.vision.playing.log import Log
from sapper.vision.playing.player import Outcome, Player
from sapper.vision.playing.surface import Surface

__all__ = ["Log", "Outcome", "Player", "Surface"]
