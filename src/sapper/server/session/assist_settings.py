"""The player's help settings, which persist between games and can change at any time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Self

from sapper._util.arguments import quoted
from sapper.dealer import RULES
from sapper.server.protocol import BadMessage, Json, text_of

__all__ = ["MODES", "OVERLAYS", "AssistSettings"]

MODES: Final = ("solo", "assisted", "automatic")
OVERLAYS: Final = ("none", "states", "chances", "risks")


@dataclass(frozen=True, slots=True)
class AssistSettings:
    """The kinds of help to show on the board.

    Attributes:
        mode: ``solo``, ``assisted`` or ``automatic`` (a bot plays).
        overlay: The overlay on unopened cells.
        show_states: Option of the rules Fair: whether to show their evaluation of each cell.
        debug: Whether to show Kaboom's debug view: marks, figures and a hint.
    """

    mode: str = "solo"
    overlay: str = "none"
    show_states: bool = False
    debug: bool = False

    def changed(self, message: Mapping[str, Any]) -> Self:
        """Return the settings updated by a message.

        Raises:
            BadMessage: If a setting is invalid.
        """
        settings: Json = {}
        for name, legal in (("mode", MODES), ("overlay", OVERLAYS)):
            if name in message:
                settings[name] = text_of(dict(message), name, legal)
        for name in ("show_states", "debug"):
            if name in message:
                settings[name] = switch_of(message, name)
        return replace(self, **settings)

    def layer(self, rules: str) -> str:
        """Return the layer to draw over the board: an overlay, ``marks`` or ``none``."""
        aid = RULES[rules].aid
        if (aid == "marks" and self.debug) or (aid == "states" and self.show_states):
            return aid
        return "none" if self.mode == "solo" else self.overlay

    def to_json(self) -> Json:
        """Return the JSON form."""
        return asdict(self)


def switch_of(message: Mapping[str, Any], name: str) -> bool:
    """Return a boolean from a message.

    Raises:
        BadMessage: If the field is not a boolean.
    """
    value = message[name]
    if not isinstance(value, bool):
        raise BadMessage(f"{name!r} must be true or false, got {quoted(value):.40}")
    return value
