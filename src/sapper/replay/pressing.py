"""Rewrite events as presses and releases of known buttons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sapper.replay.events import Event, EventKind, Events

__all__ = ["Buttons", "as_mouse"]

_Kinds = tuple[EventKind, ...]
_LEFT: Final = (EventKind.LEFT_DOWN, EventKind.LEFT_UP)
_RIGHT: Final = (EventKind.RIGHT_DOWN, EventKind.RIGHT_UP)
_MIDDLE: Final = (EventKind.MIDDLE_DOWN, EventKind.MIDDLE_UP)
_ACTIONS: Final = {
    EventKind.OPEN: _LEFT,
    EventKind.FLAG: _RIGHT,
    EventKind.QUESTION: _RIGHT,
    EventKind.CHORD: _MIDDLE,
}
_CHANGES: Final = {
    EventKind.LEFT_CHANGE: _LEFT,
    EventKind.RIGHT_CHANGE: _RIGHT,
    EventKind.MIDDLE_CHANGE: _MIDDLE,
}
_DOWN: Final = {
    EventKind.LEFT_DOWN: "left",
    EventKind.SHIFT_LEFT_DOWN: "left",
    EventKind.RIGHT_DOWN: "right",
    EventKind.MIDDLE_DOWN: "middle",
}
_UP: Final = {
    EventKind.LEFT_UP: "left",
    EventKind.RIGHT_UP: "right",
    EventKind.MIDDLE_UP: "middle",
}
_UNKNOWN: Final = (EventKind.SECOND_DOWN, *_CHANGES)


@dataclass(slots=True)
class Buttons:
    """The buttons that are currently down."""

    left: bool = False
    right: bool = False
    middle: bool = False

    def resolve(self, kind: EventKind) -> _Kinds:
        """Return an event as presses and releases of known buttons."""
        if kind is EventKind.SECOND_DOWN:
            # Press the button that is not down yet, or both if neither is.
            pressed = ((self.left, _LEFT), (self.right, _RIGHT))
            return tuple(button[0] for down, button in pressed if not down)
        if (button := _CHANGES.get(kind)) is not None:
            down = getattr(self, _UP[button[1]])
            return (button[down],)
        return _ACTIONS.get(kind, (kind,))

    def note(self, kind: EventKind) -> None:
        """Update the state with an event."""
        if (pressed := _DOWN.get(kind)) is not None:
            setattr(self, pressed, True)
        elif (released := _UP.get(kind)) is not None:
            setattr(self, released, False)


def as_mouse(events: Events) -> Events:
    """Return equivalent events of known buttons only."""
    if not events.is_kind(*_ACTIONS, *_UNKNOWN).any():
        return events
    buttons = Buttons()
    rewritten: list[Event] = []
    for event in events:
        for kind in buttons.resolve(event.kind):
            buttons.note(kind)
            rewritten.append(event._replace(kind=kind))
    return Events.from_events(rewritten)
