"""Playing in programs that know nothing of it: what stands on the screen, and a hand to it."""

from sapper.vision.playing.log import Log
from sapper.vision.playing.player import Outcome, Player
from sapper.vision.playing.surface import Surface

__all__ = ["Log", "Outcome", "Player", "Surface"]
