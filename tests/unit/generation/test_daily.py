"""The daily board."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from sapper.errors import BadSetting
from sapper.generation import generate, prove
from sapper.generation.daily import DAILY_START, daily, daily_seed, parse_day


def test_daily_board_follows_the_documented_recipe() -> None:
    """The board of a date can be generated with the documented recipe."""
    [made] = generate("intermediate", start=(8, 8), seed=20261122, no_guess="total")
    assert daily(date(2026, 11, 22)).board == made.board


def test_no_board_in_a_month_needs_a_guess() -> None:
    """The boards of different days are different."""
    days = [date(2026, 11, 1) + timedelta(days=n) for n in range(30)]
    boards = [daily(day).board for day in days]
    assert all(prove(board, DAILY_START) is not None for board in boards)
    assert len({str(board) for board in boards}) == 30


def test_day_is_parsed() -> None:
    """A day may be a date or the word "today"."""
    now = date(2026, 11, 22)
    assert parse_day("today", now) == now
    assert parse_day("2026-11-21", now) == date(2026, 11, 21)
    assert daily_seed(now) == 20261122
    with pytest.raises(BadSetting, match="YYYY-MM-DD or today, got '22'"):
        parse_day("22", now)


def test_a_day_that_does_not_exist_is_named() -> None:
    """The form of the date was blamed, although it was right."""
    with pytest.raises(BadSetting, match="there is no day 2027-02-29 in the calendar"):
        parse_day("2027-02-29", date(2026, 11, 22))
    with pytest.raises(BadSetting, match="a day is written YYYY-MM-DD"):
        parse_day("22.11.2026", date(2026, 11, 22))
