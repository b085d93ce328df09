"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["until"]


def until(done: Callable[[], bool], what: str, seconds: float = 120.0) -> None:
    """Wait until something has happened.

    The limit only ends a test that hangs; a busy machine takes longer than an idle one.

    Raises:
        TimeoutError: If it does not happen.
    """
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds} s for {what}")
        time.sleep(0.02)
