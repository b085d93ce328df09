"""The history's statistics agree with a plain calculation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import groupby
from statistics import median
from zoneinfo import ZoneInfo

import pytest

from sapper.history import History, Record, Selection, summarize
from sapper.server.storage.database import Database
from sapper.stats import wilson
from support.histories import made_up

RECORDS = [made_up(number, seed=3) for number in range(300)]


@pytest.fixture
def history(database: Database) -> History:
    """A history of three hundred games, on each database engine in turn."""
    made = History(database)
    made.add_all(RECORDS)
    return made


def test_statistics_match_a_plain_calculation(history: History) -> None:
    """Games, times, speeds, guesses and efficiency are all compared."""
    found = summarize(history)
    won = [record for record in RECORDS if record.won]
    times = [record.time_ms / 1000 for record in won]
    assert (found.games, found.won, found.losses) == (300, len(won), 300 - len(won))
    assert found.interval == wilson(len(won), 300)
    assert (found.best_s, found.median_s) == (min(times), median(times))
    assert found.recent_s == times[::-1][:10]
    assert found.bbbv == median(record.bbbv for record in won)
    speeds = [1000 * record.bbbv / record.time_ms for record in won]
    assert found.bbbv_s == pytest.approx(median(speeds))
    assert found.best_bbbv_s == pytest.approx(max(speeds))
    assert found.forced_guesses == pytest.approx(sum(r.forced_guesses for r in RECORDS) / 300)
    assert found.needless_guesses == pytest.approx(sum(r.needless_guesses for r in RECORDS) / 300)
    assert found.risk == pytest.approx(sum(record.risk for record in RECORDS))
    known = [record for record in RECORDS if record.solved is not None]
    solved = sum(record.solved or 0 for record in known)
    assert found.efficiency == pytest.approx(solved / sum(record.clicks for record in known))


def test_streaks_are_runs_of_games(history: History) -> None:
    """Games are ordered by time."""
    runs = [(won, len(list(games))) for won, games in groupby(r.won for r in RECORDS)]
    found = summarize(history)
    assert found.longest_won == max(length for won, length in runs if won)
    assert found.longest_lost == max(length for won, length in runs if not won)
    assert found.streak == (runs[-1][1] if runs[-1][0] else -runs[-1][1])


@pytest.mark.parametrize(
    "zone", [UTC, timezone(timedelta(hours=5, minutes=45)), ZoneInfo("Europe/Prague")]
)
def test_days_and_months_use_the_time_zone(history: History, zone: ZoneInfo | timezone) -> None:
    """The calendar and the monthly results use the requested time zone."""

    def day(record: Record) -> str:
        return datetime.fromtimestamp(record.finished_ms / 1000, zone).date().isoformat()

    found = summarize(history, zone=zone)
    expected: dict[str, int] = {}
    for record in RECORDS:
        expected[day(record)] = expected.get(day(record), 0) + 1
    assert found.days == expected
    for month in found.months:
        games = [record for record in RECORDS if day(record)[:7] == month["month"]]
        times = [record.time_ms / 1000 for record in games if record.won]
        assert (month["games"], month["won"]) == (len(games), len(times))
        assert month["median_s"] == (median(times) if times else None)
    assert len(found.months) > 1
    assert found.trend_unit == "week"
    weeks = [datetime.fromisoformat(part["from"]) for part in found.trend]
    assert {week.weekday() for week in weeks} == {0}
    assert sum(part["games"] for part in found.trend) == 300
    assert weeks == sorted(set(weeks))


def test_distribution_includes_all_wins(history: History) -> None:
    """The distribution has twenty bins from 0; the last one includes the longest games."""
    found = summarize(history)
    assert len(found.distribution["ends"]) == len(found.distribution["games"]) + 1 == 21
    assert sum(found.distribution["games"]) == found.won


def test_a_selection_without_games_has_no_figures(history: History) -> None:
    """Missing figures are unknown; nothing is divided by zero."""
    found = summarize(history, Selection(player="nobody"))
    assert (found.games, found.best_s, found.median_s, found.efficiency) == (0, None, None, None)
    assert (found.streak, found.longest_won, found.months, found.days) == (0, 0, [], {})
    assert found.interval == (0.0, 1.0)


def test_statistics_include_only_selected_games(history: History) -> None:
    """Games with help are selected separately."""
    found = summarize(history, Selection(helped=False, level="expert"))
    expected = [r for r in RECORDS if not r.helped and r.level == "expert"]
    assert found.games == len(expected)
    assert found.to_json()["won"] == sum(record.won for record in expected)
