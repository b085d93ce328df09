"""Summarize many replays: one row per replay, and statistics over time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import Any, Final

from sapper.coach import Kind
from sapper.game import Status
from sapper.replay.analysis import PHASES, ReplayAnalysis
from sapper.replay.breakdown import BREAKDOWNS, break_down
from sapper.replay.contradicting import contradictions
from sapper.replay.play_metrics import RATES, PlayMetrics
from sapper.replay.playback import Playback
from sapper.rules import Level, level_name
from sapper.stats import wilson

__all__ = ["GUESSES", "Row", "row", "summarize"]

GUESSES: Final = tuple(str(kind) for kind in Kind if kind is not Kind.PROVED)
"""Columns with the clicks that were not proved safe."""

Row = dict[str, Any]
"""One replay as a flat row of a table."""


def row(
    name: str, played: Playback, metrics: PlayMetrics, analysis: ReplayAnalysis | None = None
) -> Row:
    """Return a replay as a flat row.

    Args:
        name: Name of the replay, such as its path.
        played: The replay.
        metrics: Metrics of the play.
        analysis: An analysis, which adds guesses, risk and the use of time.
    """
    replay = played.replay
    info, shape = replay.info, replay.board.topology
    clicks, board, origin = metrics.clicks, metrics.board, replay.origin
    density = None if origin is None else origin.density
    mines = replay.board.mines if density is None else None
    columns: Row = {
        "file": name,
        "format": replay.format,
        "program": info.program,
        "player": info.player,
        "started_at": info.started_at,
        "mode": info.mode,
        "level": level_name(Level(shape.width, shape.height, mines, density, shape.name)),
        "status": metrics.status,
        "time_s": metrics.time_s,
        "file_time_s": None if info.time_ms is None else info.time_ms / 1000,
        "bbbv": board.bbbv,
        "solved": metrics.solved,
        "bbbv_s": metrics.bbbv_s,
        "openings": board.openings,
        "islands": board.islands,
        "zini": board.zini,
        "hzini": board.hzini,
        "clicks": clicks.all,
        "left": clicks.left,
        "right": clicks.right,
        "double": clicks.double,
        "effective": clicks.effective,
        "flags": metrics.flags,
        "is_official": metrics.is_official,
        "is_fair": metrics.is_fair,
        "contradictions": ", ".join(one.what for one in contradictions(played)),
    }
    ratios = ("ioe", "corr", "thrp", "rqp", "qg", "stnb", "path_px", *RATES)
    columns |= {ratio: getattr(metrics, ratio) for ratio in ratios}
    if analysis is not None:
        columns |= _risks(analysis)
    return columns


def _risks(analysis: ReplayAnalysis) -> Row:
    by = break_down(analysis.choices, analysis.played.replay.board.topology)
    pluck = analysis.pluck
    columns: Row = {
        "risk": analysis.risk,
        "pluck": None if pluck == float("inf") else pluck,
        "longest_thought_s": max((c.thought_ms for c in analysis.choices), default=0) / 1000,
        **{kind: int(spent["clicks"]) for kind, spent in by["verdict"].items()},
    }
    for name, values in analysis.by_phase().items():
        columns |= {f"{name}_{phase + 1}": value for phase, value in enumerate(values)}
    for way, groups in by.items():
        for name, spent in groups.items():
            columns |= {f"{way}_{name}_{what}": value for what, value in spent.items()}
    return columns


def summarize(rows: Sequence[Row]) -> dict[str, Any]:
    """Return statistics of many rows.

    Returns:
        ``replays``; ``periods``, by level and month: games, wins with their 95 % interval, best and
        median times of won games, median 3BV/s and IOE; and ``contradictory``: the files that
        contradict their clicks (a game with a different result counts as neither won nor lost). If
        the rows have risks, also ``phases``: seconds, risk (expected losses) and guesses in each
        quarter of the games; ``where``: clicks, seconds and risk by verdict, action, area and click
        number; and the mean guesses and risk per game in ``periods``.
    """
    groups: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for one in rows:
        groups[one["level"], one["started_at"][:7] or "unknown"].append(one)
    summary: dict[str, Any] = {
        "replays": len(rows),
        "periods": [_period(*key, groups[key]) for key in sorted(groups)],
        "contradictory": [
            {"file": one["file"], "contradictions": one["contradictions"].split(", ")}
            for one in rows
            if one["contradictions"]
        ],
    }
    if rows and all("risk" in one for one in rows):
        summary["phases"] = {
            name: [sum(one[f"{name}_{phase}"] for one in rows) for phase in range(1, PHASES + 1)]
            for name in ("seconds", "risk", "guesses")
        }
        summary["where"] = {
            way: {
                name: {
                    what: sum(one[f"{way}_{name}_{what}"] for one in rows)
                    for what in ("clicks", "seconds", "risk")
                }
                for name in names
            }
            for way, names in BREAKDOWNS.items()
        }
    return summary


def _period(level: str, month: str, rows: list[Row]) -> dict[str, Any]:
    settled = [one for one in rows if "status" not in one["contradictions"].split(", ")]
    won = [one for one in settled if one["status"] == Status.WON]
    low, high = wilson(len(won), len(settled))
    times = [one["time_s"] for one in won]
    return {
        "level": level,
        "month": month,
        "games": len(rows),
        "won": len(won),
        "interval": [low, high],
        "best_s": min(times, default=None),
        "median_s": _median(times),
        "bbbv_s": _median(one["bbbv_s"] for one in rows),
        "ioe": _median(one["ioe"] for one in rows),
        **_mean_risks(rows),
    }


def _mean_risks(rows: list[Row]) -> Row:
    """Return the mean number of guesses per game, and the mean expected losses."""
    if not all("risk" in one for one in rows):
        return {}
    guesses = [sum(one[kind] for kind in GUESSES) for one in rows]
    return {"guesses": fmean(guesses), "risk": fmean(one["risk"] for one in rows)}


def _median(values: Iterable[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return median(present) if present else None
