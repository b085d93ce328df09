"""Ask before help that would disqualify a game, so that a stray key cannot spoil it."""

from __future__ import annotations

from collections.abc import Callable

from sapper.translation import t

__all__ = ["HelpQuestion"]


class HelpQuestion:
    """A second press of the same key confirms the requested help.

    Args:
        counts: Function that returns whether help would disqualify the current game.
        say: Shows the question.
    """

    def __init__(self, counts: Callable[[], bool], say: Callable[[str], object]) -> None:
        self._counts, self._say = counts, say
        self._key = ""
        self._go: Callable[[], object] | None = None
        self._always = False

    def before(self, key: str, go: Callable[[], object]) -> None:
        """Give the help immediately, or ask first.

        Args:
            key: The key that was pressed.
            go: The function that gives the help.
        """
        if self._always or key == self._key or not self._counts():
            self.drop()
            go()
            return
        self._say(
            t(
                "With help, this game will not count. Press {key} again to continue, or Y to "
                "always allow.",
                key=key,
            )
        )
        # Every message cancels the pending question, so set it after the message.
        self._key, self._go = key, go

    def allow(self) -> None:
        """Give the requested help, and do not ask again."""
        if self._go is not None:
            go, self._always = self._go, True
            self.drop()
            go()

    def drop(self) -> None:
        """Cancel the question."""
        self._key, self._go = "", None
