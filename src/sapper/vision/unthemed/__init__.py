"""Play a program without a theme by inferring the meaning of its cells."""

from sapper.vision.unthemed.explorer import Explorer
from sapper.vision.unthemed.gallery import Gallery
from sapper.vision.unthemed.naming import Naming
from sapper.vision.unthemed.player import UnthemedPlayer, choose_board
from sapper.vision.unthemed.surface import UnthemedSurface

__all__ = ["Explorer", "Gallery", "Naming", "UnthemedPlayer", "UnthemedSurface", "choose_board"]
