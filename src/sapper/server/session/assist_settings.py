"""The player's help settings, which persist between games and can change at any time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

from sapper.dealer import RULES
from sapper.overlays import OVERLAYS
from sapper.server.messages.incoming import AssistChange
from sapper.server.messages.values import Mode, OverlayKind
from sapper.server.protocol import Json, text_of

__all__ = ["NO_OVERLAY", "AssistSettings"]

NO_OVERLAY: Final = "none"


@dataclass(frozen=True, slots=True)
class AssistSettings:
    """The kinds of help to show on the board.

    Attributes:
        mode: ``solo``, ``assisted`` or ``automatic`` (a bot plays).
        overlay: The overlay on unopened cells: a name of `OVERLAYS`, or ``none``.
        show_states: Option of the Fair rules: whether to show their evaluation of each cell.
        debug: Whether to show Kaboom's debug view: marks, statistics and a hint.
    """

    mode: Mode = "solo"
    overlay: OverlayKind = NO_OVERLAY
    show_states: bool = False
    debug: bool = False

    def changed(self, changes: AssistChange) -> Self:
        """Return these settings with changes.

        Raises:
            BadMessage: If there is no such overlay.
        """
        if "overlay" in changes:
            text_of({"overlay": changes["overlay"]}, "overlay", (NO_OVERLAY, *OVERLAYS))
        return replace(self, **changes)

    def layer(self, rules: str) -> str:
        """Return the layer to draw over the board: an overlay, ``marks`` or ``none``."""
        aid = RULES[rules].aid
        if (aid == "marks" and self.debug) or (aid == "states" and self.show_states):
            return aid
        return "none" if self.mode == "solo" else self.overlay

    def to_json(self) -> Json:
        """Return the JSON form."""
        return {name: getattr(self, name) for name in self.__slots__}
