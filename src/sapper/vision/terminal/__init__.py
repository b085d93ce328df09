"""Play text-mode Minesweeper programs, such as freesweep, in a private terminal.

`play` does everything; the other parts are for your own programs. This needs the extra ``vision``.
"""

from sapper.vision.terminal.console import Console
from sapper.vision.terminal.games import play
from sapper.vision.terminal.player import TerminalPlayer, contradictions
from sapper.vision.terminal.program import Keys, TextProgram, load_program, programs
from sapper.vision.terminal.surface import TerminalSurface

__all__ = [
    "Console",
    "Keys",
    "TerminalPlayer",
    "TerminalSurface",
    "TextProgram",
    "contradictions",
    "load_program",
    "play",
    "programs",
]
