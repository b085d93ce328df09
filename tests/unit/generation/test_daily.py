"""The daily board."""

from __future__ import annotations

import hashlib
import hmac
from datetime import date, timedelta

import pytest

from sapper.errors import BadSetting
from sapper.generation import generate, prove
from sapper.generation.daily import DAILY_START, DailyBoards, daily, parse_day

_BOARDS = DailyBoards(bytes(32))


def test_daily_board_follows_the_documented_recipe() -> None:
    """The board of a published seed can be generated with the documented recipe."""
    day = date(2026, 11, 22)
    digest = hmac.new(bytes(32), b"daily 2026-11-22", hashlib.sha256).digest()
    seed = int.from_bytes(digest, "big") >> (256 - 53)
    assert seed == _BOARDS.seed(day) == 5_373_283_914_072_050
    [made] = generate("intermediate", start=(8, 8), seed=seed, no_guess="total")
    assert _BOARDS.board(day).board == daily(seed).board == made.board


def test_the_date_does_not_tell_the_board() -> None:
    """Anyone could generate tomorrow's board, because its seed was the date."""
    tomorrow = date(2026, 11, 23)
    dated, others = daily(20261123).board, DailyBoards(b"1" * 32).board(tomorrow).board
    assert len({str(board) for board in (dated, others, _BOARDS.board(tomorrow).board)}) == 3


def test_days_before_the_secret_keep_their_boards() -> None:
    """Boards that were played with the date as the seed can still be practised and checked."""
    boards = DailyBoards(bytes(32), dated_until=date(2026, 11, 22))
    assert boards.seed(date(2026, 11, 22)) == 20261122
    assert boards.seed(date(2026, 1, 2)) == 20260102
    assert boards.seed(date(2026, 11, 23)) == _BOARDS.seed(date(2026, 11, 23))


def test_no_board_in_a_month_needs_a_guess() -> None:
    """The boards of different days are different."""
    days = [date(2026, 11, 1) + timedelta(days=n) for n in range(30)]
    boards = [_BOARDS.board(day).board for day in days]
    assert all(prove(board, DAILY_START) is not None for board in boards)
    assert len({str(board) for board in boards}) == 30


def test_day_is_parsed() -> None:
    """A day may be a date or the word "today"."""
    now = date(2026, 11, 22)
    assert parse_day("today", now) == now
    assert parse_day("2026-11-21", now) == date(2026, 11, 21)
    with pytest.raises(BadSetting, match="YYYY-MM-DD or today, got '22'"):
        parse_day("22", now)


def test_a_day_that_does_not_exist_is_named() -> None:
    """The form of the date was blamed, although it was right."""
    with pytest.raises(BadSetting, match="there is no day 2027-02-29 in the calendar"):
        parse_day("2027-02-29", date(2026, 11, 22))
    with pytest.raises(BadSetting, match="a day is written YYYY-MM-DD"):
        parse_day("22.11.2026", date(2026, 11, 22))
