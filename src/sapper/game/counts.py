"""Click counts of a game."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Counts"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Click counts since the game started, including undone clicks.

    Attributes:
        left: Clicks to open a cell.
        right: Clicks to set or remove a flag or question mark.
        chords: Clicks to chord a number.
        left_effective: Clicks of `left` that opened something.
        right_effective: Clicks of `right` that changed something.
        chords_effective: Clicks of `chords` that opened something.
        undos: Number of undone actions; these are not clicks.
    """

    left: int = 0
    right: int = 0
    chords: int = 0
    left_effective: int = 0
    right_effective: int = 0
    chords_effective: int = 0
    undos: int = 0

    @property
    def clicks(self) -> int:
        """Number of all clicks."""
        return self.left + self.right + self.chords

    @property
    def effective(self) -> int:
        """Number of clicks that had an effect."""
        return self.left_effective + self.right_effective + self.chords_effective
