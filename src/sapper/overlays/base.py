"""The interface of overlays: the mark of each cell, as shown and as spoken."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from sapper._util.arguments import number
from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.solver import Analysis

__all__ = ["TINTS", "Mark", "Overlay"]

TINTS: Final = ("safe", "danger", "unknown", "low", "medium", "high")
"""The tints of cells: proved safe, proved mine, neither, and three classes of risk."""
_MOST_TEXT: Final = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of an overlay on one cell.

    Attributes:
        text: At most three characters, so that it fits into a cell everywhere.
        spoken: The text in words, for screen readers and the tooltip (default: the text).
        tint: One of `TINTS`, or none.
        heat: A colour from 0 (calm) to 1 (alarming), instead of a tint.

    >>> Mark("3", "3 unopened neighbours", heat=0.4).text
    '3'

    Raises:
        BadSetting: If the text is too long, or the colour is unknown.
    """

    text: str = ""
    spoken: str = ""
    tint: str = ""
    heat: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or len(self.text) > _MOST_TEXT:
            raise BadSetting(
                f"the text of a mark must be a string of at most {_MOST_TEXT} characters, got "
                f"{shown(self.text)}"
            )
        if not isinstance(self.spoken, str):
            raise BadSetting(f"the words of a mark must be a string, got {shown(self.spoken)}")
        if self.tint not in ("", *TINTS):
            raise BadSetting(f"unknown tint {shown(self.tint)}; choose from: {', '.join(TINTS)}")
        if self.heat is not None:
            heat = number(self.heat)
            if heat is None or not 0 <= heat <= 1:
                raise BadSetting(f"heat must be between 0 and 1, got {shown(self.heat)}")
            object.__setattr__(self, "heat", heat)
        if not self.spoken:
            object.__setattr__(self, "spoken", self.text)


class Overlay(ABC):
    """Information about a position, shown on its unopened cells.

    A new overlay is one file with one subclass, which `sapper.overlays.register` registers. No
    repaint rule is needed: after each move, `marks` is called again and every cell whose mark has
    changed is redrawn, near the move or not.
    """

    name: ClassVar[str]
    """Its name in messages: lower-case letters, digits and hyphens."""
    label: ClassVar[str]
    """Its name for players."""
    summary: ClassVar[str] = ""
    """A description in one sentence, shown below the board."""
    compact: ClassVar[bool] = False
    """Whether the page makes its marks from the chances; built-in overlays do, for big boards."""

    @abstractmethod
    def marks(self, position: Position, analysis: Analysis) -> Mapping[tuple[int, int], Mark]:
        """Return the marks of unopened cells, by row and column; other cells show none.

        Marks of opened cells are ignored, because these cells show their number.

        Args:
            position: The position, with the player's flags.
            analysis: Its analysis, which ignores flags.
        """
