"""One X server for all tests; each test starts with an empty screen."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("Xlib", reason="python-xlib is not installed")

from sapper.vision.screen import Screen
from support.desktop import Desktop, missing
from support.not_installed import not_installed


@pytest.fixture(scope="session")
def _desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    needed("Xvfb")
    running = Desktop(tmp_path_factory.mktemp("home"))
    yield running
    running.stop()


@pytest.fixture
def desktop(_desktop: Desktop) -> Iterator[Desktop]:
    """An empty screen."""
    yield _desktop
    _desktop.clear()


@pytest.fixture(params=["x11", "desktop", "pynput"])
def backend(
    request: pytest.FixtureRequest, desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Screen | None]:
    """Each screen backend: X11, which is the default, and mss with X11's devices or pynput's."""
    if request.param == "x11":
        yield None
        return
    # Only the X11 backend can give a window the keyboard focus; on other desktops, a click does.
    needed("openbox")
    desktop.manage()
    monkeypatch.setenv("DISPLAY", desktop.display)
    pytest.importorskip("mss", reason="mss is not installed")
    from sapper.vision.desktop import DesktopScreen
    from sapper.vision.desktop.devices import PynputDevices

    if request.param == "pynput":
        # On Linux, it is not part of the extra; `pip install --no-deps pynput` is enough for X11.
        pytest.importorskip(
            "pynput", reason="pynput is not installed: pip install --no-deps pynput"
        )
    with DesktopScreen(PynputDevices() if request.param == "pynput" else None) as screen:
        yield screen


@pytest.fixture
def need() -> Callable[..., None]:
    """Skip a test whose programs are not installed; in CI, fail it instead."""
    return needed


def needed(*programs: str) -> None:
    """Skip a test whose programs are not installed; in CI, fail it instead."""
    gone = missing(*programs)
    if not gone:
        return
    reason = not_installed(*gone)
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
