"""The app that shows one replay, for `sapper replay view`."""

from __future__ import annotations

from sapper.replay import Replay
from sapper.tui.replay_screen import ReplayScreen
from sapper.tui.terminal_app import TerminalApp

__all__ = ["ReplayApp"]


class ReplayApp(TerminalApp):
    """Plays a replay until it is closed.

    Args:
        replay: The game.
        look: A name of `LOOKS`; None for ``dark``, or ``plain`` if NO_COLOR is set.
        language: Language code of all text.
    """

    def __init__(self, replay: Replay, look: str | None = None, language: str = "en") -> None:
        super().__init__(look, language)
        self.replay_screen = ReplayScreen(replay, self.look, self.words)

    def on_mount(self) -> None:
        """Show the replay; closing it ends the app."""
        self.push_screen(self.replay_screen, lambda _: self.exit())
