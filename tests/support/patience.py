"""Long waiting times for terminal programs on a busy machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sapper.vision.playing import player
from sapper.vision.terminal import TerminalSurface

__all__ = ["PATIENCE", "wait_long"]

PATIENCE = 300.0


def wait_long(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Make `TerminalSurface` and its player wait for minutes; return the previous settings."""
    before = TerminalSurface.wait

    def wait(surface: Any, done: Callable[[], bool], seconds: float = PATIENCE) -> bool:
        return before(surface, done, max(seconds, PATIENCE))

    monkeypatch.setattr(TerminalSurface, "wait", wait)
    monkeypatch.setattr(player, "PATIENCE", 3 * PATIENCE)
    return before
