"""Rewrite chords with the left button alone as chords with the middle button."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from sapper.actions import ActionKind
from sapper.replay.events import KINDS, EventKind, Events
from sapper.replay.playback import Playback
from sapper.replay.pressing import Buttons
from sapper.replay.recording import Replay

__all__ = ["without_left_chords"]

_PRESSES: Final = (EventKind.LEFT_DOWN, EventKind.SHIFT_LEFT_DOWN)
_LEFT_DOWN, _MIDDLE_DOWN, _MIDDLE_UP = (
    KINDS.index(kind) for kind in (EventKind.LEFT_DOWN, EventKind.MIDDLE_DOWN, EventKind.MIDDLE_UP)
)


def without_left_chords(replay: Replay) -> Replay:
    """Return an equivalent replay for formats in which the left button alone cannot chord.

    Args:
        replay: A replay with events of known buttons only.
    """
    events = replay.events
    if not (replay.info.super_click or events.is_kind(EventKind.SHIFT_LEFT_DOWN).any()):
        return replay
    chords = {step.event for step in Playback(replay).steps if step.action is ActionKind.CHORD}
    kinds = events.kind.copy()
    buttons = Buttons()
    pressed, joined = -1, False
    for place in np.flatnonzero(~events.is_kind(EventKind.MOVE)).tolist():
        kind = EventKind(KINDS[kinds[place]] or "")
        if kind in _PRESSES and not buttons.left:
            pressed, joined = place, buttons.right
        elif kind is EventKind.RIGHT_DOWN and buttons.left:
            # While the right button is down, any left press chords.
            joined = True
        elif kind is EventKind.LEFT_UP and buttons.left:
            shifted = KINDS[kinds[pressed]] is EventKind.SHIFT_LEFT_DOWN
            if not joined and (shifted or place in chords):
                kinds[pressed], kinds[place] = _MIDDLE_DOWN, _MIDDLE_UP
        buttons.note(kind)
    kinds[events.is_kind(EventKind.SHIFT_LEFT_DOWN) & (kinds == events.kind)] = _LEFT_DOWN
    rewritten = Events(events.ms, kinds, events.x, events.y)
    return replace(replay, events=rewritten, info=replace(replay.info, super_click=None))
