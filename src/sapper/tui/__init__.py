"""The game in a terminal, on Textual. It needs the extra ``tui``."""

# First, because its error tells what to install if Textual is missing.
from sapper.tui.looks import LOOKS

# isort: split
from sapper.tui.app import SapperApp

__all__ = ["LOOKS", "SapperApp"]
