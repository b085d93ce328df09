"""The terminal game, built with Textual. It needs the extra ``tui``."""

# Import this first: its error says what to install if Textual is missing.
from sapper.tui.cell_styles import LOOKS

# isort: split
from sapper.tui.app import SapperApp

__all__ = ["LOOKS", "SapperApp"]
