"""Worker processes that start quickly."""

from __future__ import annotations

from multiprocessing.context import BaseContext

import pytest

from sapper.lab import local


@pytest.fixture(autouse=True)
def forked_workers(forking: BaseContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the worker processes instead of starting them."""
    monkeypatch.setattr(local, "_SPAWN", forking)
