"""Rated games with other times than on a server, so that tests need not wait."""

from __future__ import annotations

import pytest

from sapper.community.flags import RATED_FLAGS
from sapper.community.race_settings import RATED

__all__ = ["allow_any_times"]


def allow_any_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rated games have any times until the end of the test."""
    for fixed in (RATED, RATED_FLAGS):
        for name in list(fixed):
            monkeypatch.delitem(fixed, name)
