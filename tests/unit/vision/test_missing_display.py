"""A machine without a screen: the message names the reason."""

import pytest

from sapper.vision.errors import Cause, NoWindow


@pytest.mark.parametrize(
    ("wayland", "message"),
    [(None, "DISPLAY is not set"), ("wayland-0", "log in to an X11 session, or use --url")],
)
def test_missing_display_is_explained(
    monkeypatch: pytest.MonkeyPatch, wayland: str | None, message: str
) -> None:
    """The message was: Bad display name "", also on Wayland, which lets no program click."""
    pytest.importorskip("Xlib", reason="python-xlib is not installed")
    from sapper.vision.x11 import X11Screen

    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if wayland:
        monkeypatch.setenv("WAYLAND_DISPLAY", wayland)
    with pytest.raises(NoWindow, match=message) as refused:
        X11Screen()
    assert refused.value.cause is Cause.NO_SCREEN
