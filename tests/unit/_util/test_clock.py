"""The clock of a machine whose clock may not be set."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from sapper._util.clock import EARLIEST_MS, LATEST_MS, YEARS, known_ms, now_ms


def test_limits_match_the_range_of_years() -> None:
    """Outside the range of years, the clock counts as not set."""
    first, last = YEARS[0], YEARS[-1]
    assert datetime(first, 1, 1, tzinfo=UTC).timestamp() * 1000 == EARLIEST_MS
    assert datetime(last + 1, 1, 1, tzinfo=UTC).timestamp() * 1000 == LATEST_MS
    assert [known_ms(ms) for ms in (EARLIEST_MS - 1, LATEST_MS, -1, 0)] == [0] * 4
    assert known_ms(EARLIEST_MS) == EARLIEST_MS


@pytest.mark.parametrize("year", [1969, 1970, 1999, 2100, 2150])
def test_unset_clock_returns_zero(year: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times before 2000 and after 2099 count as not set."""
    told_s = int(datetime(year, 6, 1, tzinfo=UTC).timestamp())
    monkeypatch.setattr(time, "time_ns", lambda: told_s * 10**9)
    assert now_ms() == 0
