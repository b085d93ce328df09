"""The game in a terminal, on Textual. It needs the extra ``tui``."""

from sapper.tui.app import SapperApp
from sapper.tui.looks import LOOKS

__all__ = ["LOOKS", "SapperApp"]
