"""Read and write other programs' board and position files."""

from sapper.formats.board_file import read_board_file, write_board_file
from sapper.formats.detecting import Loaded, load
from sapper.formats.mbf import read_mbf, write_mbf

__all__ = [
    "Loaded",
    "load",
    "read_board_file",
    "read_mbf",
    "write_board_file",
    "write_mbf",
]
