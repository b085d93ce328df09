"""Tables of replays for people, and Parquet files for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sapper._util.installing import pip_install
from sapper._util.shortening import shown
from sapper._util.whole_file import written_whole
from sapper.cli.output import MOST_LISTED
from sapper.cli.terminal import print_table
from sapper.errors import BadSetting, MissingExtra
from sapper.replay.summary import GUESSES, Row

__all__ = ["check_parquet", "listing", "number", "pairs", "phases", "summary", "write_parquet"]

_COLUMNS = {
    "file": "file", "format": "format", "level": "level", "status": "status", "time_s": "time",
    "bbbv": "3BV", "bbbv_s": "3BV/s", "clicks": "clicks", "ioe": "IOE", "corr": "Corr",
    "thrp": "ThrP", "zini": "ZiNi", "guesses": "guesses", "risk": "risk",
}  # fmt: skip


def number(value: Any) -> str:
    """Format a value with three decimals, or ``-`` if it is missing."""
    if value is None or value == "":
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def pairs(rows: Sequence[tuple[str, Any]]) -> None:
    """Print names and values, one pair per line."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {number(value)}")


def listing(rows: Sequence[Row]) -> None:
    """Print one line per replay."""
    columns = [
        key for key in _COLUMNS if key in rows[0] or (key == "guesses" and "risk" in rows[0])
    ]
    lines = []
    for row in rows:
        guesses = sum(row.get(kind, 0) for kind in GUESSES)
        lines.append([_cell(guesses if key == "guesses" else row[key]) for key in columns])
    names = ("file", "format", "level", "status")
    left = [place for place, key in enumerate(columns) if key in names]
    print_table([_COLUMNS[key] for key in columns], lines, left)


def summary(figures: dict[str, Any]) -> None:
    """Print statistics of many replays."""
    print()
    _periods(figures["periods"])
    if "phases" in figures:
        print()
        phases(figures["phases"])
        print()
        _print_shares(figures["where"])
    if figures["contradictory"]:
        count = len(figures["contradictory"])
        whose = "replay contradict its file" if count == 1 else "replays contradict their files"
        print(f"\nthe clicks of {count} {whose}:")
        _print_first(
            f"{one['file']}: {', '.join(one['contradictions'])}" for one in figures["contradictory"]
        )
    if figures["damaged"]:
        count = len(figures["damaged"])
        print(f"\n{count} {'file' if count == 1 else 'files'} could not be read:")
        _print_first(figures["damaged"])


def _print_first(names: Iterable[str]) -> None:
    """Print the first names, one per line, and the number of others."""
    listed = list(names)
    for name in listed[:MOST_LISTED]:
        print(f"  {_plain(name)}")
    if len(listed) > MOST_LISTED:
        print(f"  and {len(listed) - MOST_LISTED:,} more")


def _periods(periods: Sequence[dict[str, Any]]) -> None:
    """Print statistics by level and month."""
    risks = all("risk" in one for one in periods)
    heads = ("level", "month", "games", "won", "best", "median", "3BV/s", "IOE")
    rows = []
    for one in periods:
        low, high = one["interval"]
        won = f"{one['won']} [{100 * low:.0f}, {100 * high:.0f}] %"
        keys = ("best_s", "median_s", "bbbv_s", "ioe", *(("guesses", "risk") if risks else ()))
        values = [one[key] for key in keys]
        cells = (one["level"], one["month"], one["games"], won, *values)
        rows.append([_cell(value) for value in cells])
    print_table((*heads, *(("guesses", "risk") if risks else ())), rows, (0, 1))


def _print_shares(shares: dict[str, dict[str, dict[str, float]]]) -> None:
    """Print the share of time and risk by category."""
    rows = []
    heads = ("by", "group", "clicks", "seconds", "time", "expected losses", "risk")
    for way, groups in shares.items():
        whole = {
            what: sum(one[what] for one in groups.values()) or 1 for what in ("seconds", "risk")
        }
        for name, one in groups.items():
            time, risk = (f"{100 * one[what] / whole[what]:.0f} %" for what in ("seconds", "risk"))
            clicks, seconds, losses = one["clicks"], one["seconds"], one["risk"]
            group = name.replace("_", " ")
            rows.append(
                [way, group, f"{clicks:.0f}", f"{seconds:.1f}", time, f"{losses:.2f}", risk]
            )
    print_table(heads, rows, (0, 1))


def phases(figures: dict[str, list[float]]) -> None:
    """Print time and risk by quarter of the games."""
    heads = ("quarter of 3BV", "seconds", "time", "expected losses", "guesses")
    rows = []
    seconds_in_all = sum(figures["seconds"]) or 1.0
    columns = zip(figures["seconds"], figures["risk"], figures["guesses"], strict=True)
    for quarter, (seconds, risk, guesses) in enumerate(columns, start=1):
        share = f"{100 * seconds / seconds_in_all:.0f} %"
        rows.append([str(quarter), f"{seconds:.1f}", share, f"{risk:.2f}", f"{guesses:.0f}"])
    print_table(heads, rows, (0,))


def _cell(value: Any) -> str:
    return _plain(number(value))


def _plain(text: str) -> str:
    """Return text on one line; a name may contain any characters."""
    return "".join(char if char.isprintable() else "?" for char in text)


def check_parquet(path: Path) -> None:
    """Reject an unwritable file before the work starts.

    Raises:
        BadSetting: If the path is a directory, or its directory does not exist.
        MissingExtra: If pyarrow is not installed.
    """
    _arrow()
    if path.is_dir():
        raise BadSetting(f"--parquet needs a file, and {shown(str(path))} is a directory")
    if not path.parent.is_dir():
        raise BadSetting(f"--parquet: there is no directory {shown(str(path.parent))}")


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra(f"Parquet needs pyarrow: {pip_install('lab')}") from None
    return pa, pq


def write_parquet(rows: Sequence[Row], path: Path) -> None:
    """Write rows as a Parquet file.

    Raises:
        MissingExtra: If pyarrow is not installed.
    """
    pa, pq = _arrow()
    clean = [
        {key: _valid(value) if isinstance(value, str) else value for key, value in row.items()}
        for row in rows
    ]
    with written_whole(path) as temporary:
        pq.write_table(pa.Table.from_pylist(clean), temporary)


def _valid(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
