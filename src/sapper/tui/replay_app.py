"""The app that shows one replay, for `sapper replay view`."""

from __future__ import annotations

import os

from textual.app import App

from sapper.replay import Replay
from sapper.translation import catalogue
from sapper.tui.cell_styles import LOOKS, PLAIN
from sapper.tui.replay_screen import ReplayScreen

__all__ = ["ReplayApp"]


class ReplayApp(App[None]):
    """Plays a replay until it is closed.

    Args:
        replay: The game.
        look: A name of `LOOKS`; None for ``dark``, or ``plain`` if NO_COLOR is set.
        language: Language code of all text.
    """

    TITLE = "Sapper"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, replay: Replay, look: str | None = None, language: str = "en") -> None:
        # Textual removes NO_COLOR from the environment.
        colourless = bool(os.environ.get("NO_COLOR"))
        super().__init__()
        self._look = look or (PLAIN if colourless else next(iter(LOOKS)))
        self.theme = LOOKS[self._look]
        self.replay_screen = ReplayScreen(replay, self._look, catalogue(language))

    def on_mount(self) -> None:
        """Show the replay; closing it ends the app."""
        self.push_screen(self.replay_screen, lambda _: self.exit())
