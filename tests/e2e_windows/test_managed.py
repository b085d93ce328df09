"""Detecting whether a window manager is running."""

from __future__ import annotations

from collections.abc import Callable

from Xlib import X, Xatom
from Xlib.display import Display

from support.desktop import Desktop


def test_window_id_of_an_ended_manager_is_not_trusted(
    desktop: Desktop, need: Callable[..., None]
) -> None:
    """Another program may reuse the window id that the root window still lists."""
    need("openbox")
    desktop.manage()
    assert desktop.screen.managed
    desktop.clear()
    assert not desktop.screen.managed
    other = Display(desktop.display)
    try:
        root = other.screen().root
        window = root.create_window(0, 0, 50, 50, 0, X.CopyFromParent)
        check = other.intern_atom("_NET_SUPPORTING_WM_CHECK")
        root.change_property(check, Xatom.WINDOW, 32, [window.id])
        other.sync()
        assert not desktop.screen.managed
    finally:
        other.close()
