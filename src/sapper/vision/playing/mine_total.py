"""The mine total of a game, given by the caller or read from the program."""

from __future__ import annotations

from collections.abc import Callable

from sapper.vision.playing.surface import Surface

__all__ = ["MineTotal"]


class MineTotal:
    """The mine total of the current game.

    Args:
        surface: The program, which may show the total.
        told: The caller's total, which takes precedence over the displayed one.
        warn: Called with a message if the program shows a different total from the caller's.
    """

    def __init__(
        self, surface: Surface, told: int | None, warn: Callable[[str], None] | None = None
    ) -> None:
        self._surface, self._given, self._warn = surface, told, warn
        self._displayed: int | None = None
        self._before: int | None = None

    @property
    def value(self) -> int | None:
        """The total; None if unknown."""
        return self._given if self._given is not None else self._displayed

    @property
    def source(self) -> str | None:
        """``told`` if given by the caller, ``read`` if read from the program; None if unknown."""
        if self._given is not None:
            return "told"
        return None if self._displayed is None else "read"

    def forget(self) -> None:
        """Discard the total before another game, because that game's total may differ."""
        if self._displayed is not None:
            self._before = self._displayed
        self._displayed = None

    def read(self) -> None:
        """Read the displayed total; an uncertain reading counts as unknown."""
        self._displayed = self._surface.total()
        if None in (self._given, self._displayed) or self._given == self._displayed:
            return
        if self._warn is not None:
            self._warn(
                f"the program shows {self._displayed} mines; {self._given} are used, as given"
            )
            self._warn = None

    @property
    def at_the_end(self) -> int | None:
        """Return the current or last game's total; the display may change at the end of a game."""
        return self._before if self.value is None else self.value
