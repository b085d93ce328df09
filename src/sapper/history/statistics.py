"""Compute statistics for the games in the history."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sapper._util.arguments import expect
from sapper.history.selection import Selection
from sapper.history.store import History
from sapper.stats import wilson

__all__ = ["Statistics", "summarize"]

_RECENT: Final = 10
_BINS: Final = 20
_DAY_MS: Final = 86_400_000
_DAYS_BY_DAY: Final = 62
_DAYS_BY_WEEK: Final = 366
_NO_OFFSET: Final = timedelta()
_BITS: Final = 24
_MOST: Final = (1 << _BITS) - 1
_NANO: Final = 1e-9


def _capped(column: str, most: str = str(_MOST)) -> str:
    return f"CASE WHEN {column} > {most} THEN {most} ELSE {column} END"


def _pair(high: str, low: str) -> str:
    return f"(({_capped(high)}) << {_BITS}) + ({_capped(low)})"


# The cost of a row in Python is proportional to its number of columns, so columns are packed into
# one.
_PACKED: Final = (
    "finished_ms * 2 + won",
    "time_ms",
    _pair("bbbv", "clicks"),
    "coalesce(solved, -1)",
    f"coalesce({_pair('forced_guesses', 'needless_guesses')}, -1)",
    f"CAST(({_capped('coalesce(risk, 0)', '1e6')}) * 1e9 AS BIGINT)",
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a set of games. Times are for won games, in seconds; None if there are none.

    Attributes:
        games: Number of games.
        won: Number of won games.
        interval: Wilson 95 % interval of the win rate.
        best_s: Best time.
        median_s: Median time.
        recent_s: Times of the last 10 won games, latest first.
        bbbv: Median 3BV of won games.
        bbbv_s: Median 3BV per second of won games.
        best_bbbv_s: Highest 3BV per second of won games.
        efficiency: 3BV solved per click (IOE) over all games for which it is known.
        undated: Number of games without a known time; excluded from months, trend and days.
        unmeasured: Number of games whose guesses have not been measured; excluded from the next
            four figures.
        forced_guesses: Guesses per game while no cell was proved safe.
        needless_guesses: Guesses per game while another cell was proved safe.
        risk: Expected number of mines hit by the guesses of all games.
        losses: Number of lost games, to compare with `risk`.
        streak: Current number of consecutive wins; negative for losses.
        longest_won: Largest number of consecutive wins.
        longest_lost: Largest number of consecutive losses.
        months: For each month: its first day (`from`), games, wins with their interval, median time
            and 3BV/s.
        trend: The same figures by day (for up to two months), week (for up to a year) or month.
        trend_unit: ``day``, ``week`` or ``month``.
        days: Number of games by day, for a calendar.
        distribution: Times of won games: the edges of up to 20 bins, and the number of games in
            each.
    """

    games: int
    won: int
    interval: tuple[float, float]
    best_s: float | None
    median_s: float | None
    recent_s: list[float]
    bbbv: float | None
    bbbv_s: float | None
    best_bbbv_s: float | None
    efficiency: float | None
    undated: int
    unmeasured: int
    forced_guesses: float | None
    needless_guesses: float | None
    risk: float
    losses: int
    streak: int
    longest_won: int
    longest_lost: int
    months: list[dict[str, Any]]
    trend: list[dict[str, Any]]
    trend_unit: str
    days: dict[str, int]
    distribution: dict[str, list[float]]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**asdict(self), "interval": list(self.interval)}


def summarize(
    history: History, selection: Selection | None = None, zone: tzinfo = UTC
) -> Statistics:
    """Return statistics of the selected games.

    Args:
        history: The history.
        selection: The games (default: all).
        zone: Time zone of days and months.
    """
    expect(history, History, "a History")
    expect(zone, tzinfo, "a time zone")
    rows = history.selected(_PACKED, selection)
    column = _unpacked(np.array(rows, dtype=np.int64).reshape(len(rows), len(_PACKED)))
    won = column["won"] > 0
    times = column["time_ms"][won] / 1000
    speeds = _ratio(column["bbbv"][won], times)
    solved_known = ~np.isnan(column["solved"])
    measured = ~np.isnan(column["forced_guesses"])
    solved, clicks = column["solved"][solved_known].sum(), column["clicks"][solved_known].sum()
    runs, dated = _runs(won), _dated(column)
    days = _local_days(dated["finished_ms"], zone)
    span = int(days[-1] - days[0]) if len(days) else 0
    months = _parts(dated, _begins(days, "month"))
    unit = "day" if span <= _DAYS_BY_DAY else "week" if span <= _DAYS_BY_WEEK else "month"
    return Statistics(
        games=len(rows),
        won=int(won.sum()),
        interval=wilson(int(won.sum()), len(rows)),
        best_s=_or_none(times, np.min),
        median_s=_or_none(times, np.median),
        recent_s=times[::-1][:_RECENT].tolist(),
        bbbv=_or_none(column["bbbv"][won], np.median),
        bbbv_s=_or_none(speeds, np.median),
        best_bbbv_s=_or_none(speeds, np.max),
        efficiency=float(solved / clicks) if clicks else None,
        undated=len(rows) - len(days),
        unmeasured=int((~measured).sum()),
        forced_guesses=_or_none(column["forced_guesses"][measured], np.mean),
        needless_guesses=_or_none(column["needless_guesses"][measured], np.mean),
        risk=float(column["risk"][measured].sum()),
        losses=int((measured & ~won).sum()),
        streak=runs[-1] if runs else 0,
        longest_won=max([0, *runs]),
        longest_lost=-min([0, *runs]),
        months=[{"month": part["from"][:7], **part} for part in months],
        trend=months if unit == "month" else _parts(dated, _begins(days, unit)),
        trend_unit=unit,
        days=_days(days),
        distribution=_distribution(times),
    )


_Array = npt.NDArray[np.float64]


def _unpacked(table: npt.NDArray[np.int64]) -> dict[str, _Array]:
    """Return the columns ordered by time, with nan for missing numbers."""
    table = table[np.argsort(table[:, 0], kind="stable")]
    ended, time_ms, both, solved, guesses, risk = table.T
    columns = {
        "finished_ms": ended >> 1,
        "won": ended & 1,
        "time_ms": time_ms,
        "bbbv": both >> _BITS,
        "clicks": both & _MOST,
        "solved": np.where(solved < 0, np.nan, solved),
        "forced_guesses": np.where(guesses < 0, np.nan, guesses >> _BITS),
        "needless_guesses": np.where(guesses < 0, np.nan, guesses & _MOST),
        "risk": risk * _NANO,
    }
    return {name: values.astype(np.float64) for name, values in columns.items()}


def _or_none(values: _Array, find: Any) -> float | None:
    return float(find(values)) if len(values) else None


def _ratio(part: _Array, whole: _Array) -> _Array:
    return part[whole > 0] / whole[whole > 0]


def _runs(won: npt.NDArray[np.bool_]) -> list[int]:
    """Return the lengths of runs of wins or, as negative numbers, of losses."""
    if not len(won):
        return []
    ends = np.flatnonzero(np.diff(won)) + 1
    starts = np.concatenate([[0], ends])
    lengths = np.diff(np.concatenate([starts, [len(won)]]))
    runs: list[int] = np.where(won[starts], lengths, -lengths).tolist()
    return runs


def _local_days(finished_ms: _Array, zone: tzinfo) -> npt.NDArray[np.int64]:
    """Return the local day of each game, counted from 1970."""

    def offset_ms(moment_ms: float) -> float:
        offset = datetime.fromtimestamp(moment_ms / 1000, zone).utcoffset()
        return 1000 * (offset or _NO_OFFSET).total_seconds()

    days, places = np.unique(finished_ms // _DAY_MS, return_inverse=True)
    begins, ends = (
        np.array([offset_ms(_DAY_MS * (day + later)) for day in days.tolist()]) for later in (0, 1)
    )
    offsets = begins[places] if len(days) else begins
    # On days with clock changes, offsets may differ between games.
    for game in np.flatnonzero((begins != ends)[places] if len(days) else []).tolist():
        offsets[game] = offset_ms(float(finished_ms[game]))
    local: npt.NDArray[np.int64] = ((finished_ms + offsets) // _DAY_MS).astype(np.int64)
    return local


def _name(day: int) -> str:
    return np.datetime_as_string(np.datetime64(int(day), "D"))


def _days(days: npt.NDArray[np.int64]) -> dict[str, int]:
    distinct, counts = np.unique(days, return_counts=True)
    return {_name(day): int(count) for day, count in zip(distinct, counts, strict=True)}


def _begins(days: npt.NDArray[np.int64], unit: str) -> npt.NDArray[np.int64]:
    """Return the first day of the period to which each day belongs."""
    if unit == "day":
        return days
    if unit == "week":
        # 1 January 1970 was a Thursday, and weeks start on Monday (ISO 8601).
        return days - (days + 3) % 7
    months = days.astype("datetime64[D]").astype("datetime64[M]")
    return months.astype("datetime64[D]").astype(np.int64)


def _dated(column: dict[str, _Array]) -> dict[str, _Array]:
    """Return the games with a known time."""
    dated = column["finished_ms"] > 0
    return {name: values[dated] for name, values in column.items()}


def _parts(column: dict[str, _Array], begins: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return the figures for each day, week or month, given games ordered by time."""
    won = column["won"] > 0
    starts, places = np.unique(begins, return_index=True)
    parts = []
    for start, here in zip(starts, np.split(np.arange(len(begins)), places[1:]), strict=False):
        wins = here[won[here]]
        times = column["time_ms"][wins] / 1000
        parts.append(
            {
                "from": _name(start),
                "games": len(here),
                "won": len(wins),
                "interval": list(wilson(len(wins), len(here))),
                "median_s": _or_none(times, np.median),
                "bbbv_s": _or_none(_ratio(column["bbbv"][wins], times), np.median),
            }
        )
    return parts


def _distribution(times: _Array) -> dict[str, list[float]]:
    if not len(times):
        return {"ends": [], "games": []}
    # A few very long games must not squeeze all others into one bin.
    top = float(np.quantile(times, 0.99))
    counts, ends = np.histogram(np.minimum(times, top), bins=_BINS, range=(0.0, top or 1.0))
    return {"ends": ends.tolist(), "games": counts.tolist()}
