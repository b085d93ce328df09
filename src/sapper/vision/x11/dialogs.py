"""Recognise, move and close dialogs of X11 programs."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import Any

from Xlib import X, error
from Xlib.display import Display
from Xlib.protocol.event import ClientMessage

from sapper.vision.patience import Patience
from sapper.vision.screen import Box

__all__ = ["ANSWERS", "close", "is_dialog_of", "place_beside", "wait_until_gone"]

ANSWERS = ("Return", "space", "Escape")
"""Keys that answer a dialog: its default button, the focused button, or cancel."""
_KINDS = ("_NET_WM_WINDOW_TYPE_DIALOG", "_NET_WM_STATE_MODAL")
_CLOSE_TIMEOUT_S = 0.8
"""Seconds to wait for a dialog to close after a key."""


def is_dialog_of(display: Display, dialog: Any, window: Any, *, is_new: bool) -> bool:
    """Return whether a window is a dialog that may block another window.

    A window is one if it is transient for the other window, or if the same program opened it later.
    A window of a different program must have been opened later and have the type of a dialog.

    Args:
        display: The X11 connection.
        dialog: The window that may be a dialog.
        window: The other window.
        is_new: Whether it was opened after the screen was first captured.
    """
    try:
        # Menus and tooltips.
        if dialog.get_attributes().override_redirect:
            return False
        owner = dialog.get_wm_transient_for()
        if owner is not None and owner.id == window.id:
            return True
        mask = display.display.info.resource_id_mask
        same_program = dialog.id & ~mask == window.id & ~mask
        return is_new and (same_program or owner is not None or _has_dialog_type(display, dialog))
    except error.XError:
        # The window has just been closed.
        return False


def _has_dialog_type(display: Display, window: Any) -> bool:
    """Return whether a window has the type of a dialog or the modal state."""
    kinds = set[int]()
    for name in ("_NET_WM_WINDOW_TYPE", "_NET_WM_STATE"):
        property = window.get_full_property(display.intern_atom(name), X.AnyPropertyType)
        kinds.update(() if property is None else map(int, property.value))
    return any(display.intern_atom(kind) in kinds for kind in _KINDS)


def place_beside(dialog: Box, board: Box, screen: Box) -> tuple[int, int]:
    """Return a position for a dialog beside the board or, if none is free, mostly off screen."""
    across = min(max(dialog.x, 0), max(screen.width - dialog.width, 0))
    down = min(max(dialog.y, 0), max(screen.height - dialog.height, 0))
    places = [
        (board.x + board.width, down),
        (board.x - dialog.width, down),
        (across, board.y + board.height),
        (across, board.y - dialog.height),
    ]
    for x, y in places:
        if screen.contains(Box(x, y, dialog.width, dialog.height)):
            return x, y
    return screen.width - 1, down


def close(display: Display, dialog: Any) -> None:
    """Ask a window to close, like the button in its title bar."""
    delete = display.intern_atom("WM_DELETE_WINDOW")
    try:
        if delete not in dialog.get_wm_protocols():
            return
        data = (32, [delete, X.CurrentTime, 0, 0, 0])
        kind = display.intern_atom("WM_PROTOCOLS")
        dialog.send_event(ClientMessage(window=dialog, client_type=kind, data=data))
    except error.XError:
        return
    display.sync()


def wait_until_gone(is_there: Callable[[], bool]) -> bool:
    """Wait for a window to close; return False on timeout."""
    patience = Patience(_CLOSE_TIMEOUT_S)
    while is_there():
        if patience.is_over():
            return False
        sleep(0.01)
    return True
