"""One X server for all tests; every test has the screen for itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("Xlib", reason="python-xlib is not installed")

from support.desktop import Desktop, missing


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


@pytest.fixture
def need() -> Callable[..., None]:
    """Skips a test whose programs are not installed; in CI that is a failure."""
    return needed


def needed(*programs: str) -> None:
    """Skip a test whose programs are not installed; in CI that is a failure."""
    gone = missing(*programs)
    if not gone:
        return
    reason = f"not installed: {', '.join(gone)}; CONTRIBUTING.md and .ci/run tell what is needed"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
