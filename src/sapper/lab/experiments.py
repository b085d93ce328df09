"""The published experiments behind Sapper's bots and rules, with one function each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sapper.lab import trials
from sapper.lab.calibrate import Bin, calibration
from sapper.lab.players import Provoker
from sapper.lab.results import ResultTable, Workload
from sapper.lab.tally import Tally
from sapper.simulation.match import Match
from sapper.solver.arrange import Likelihood, StartRule
from sapper.stats import wilson

__all__ = ["EXPERIMENTS"]


def _groups(workload: Workload, data: dict[str, Any]) -> list[ResultTable]:
    bare = {"probability": False, "last_turns": False}
    cases = [
        ("reduction and a random cell", data["reduction"], bare),
        ("all three algorithms", data["all"], {}),
    ]
    starts = [("safe", (0, 0)), ("opening", (0, 0)), ("opening", (3, 3))]
    matches = [
        Match("groups", "expert", first_click=first_click, start=start, bot_options=options)
        for _, _, options in cases
        for first_click, start in starts
    ]
    tallies = iter(workload.tallies(matches))
    wins = [
        (name, f"{rate:.2f}", *(_rate(next(tallies)) for _ in starts)) for name, rate, _ in cases
    ]
    columns = ["bot", "published", *(f"{first_click} {start}" for first_click, start in starts)]
    night = workload.recorders([Match("groups", "expert", "windows-xp", start=None)])[0]
    bins = {one.percent: one for one in calibration(night.table()).bins}
    rows = [
        (str(percent), f"{opened:,}", f"{mines:,}", _share(mines, opened), *_cells(bins, percent))
        for percent, opened, mines in data["calibration"]
    ]
    head = ["risk, %", "opened", "mines", "actual, %", "ours: opened", "mines", "actual, %"]
    return [
        ResultTable(
            f"groups, expert, {workload.n:,} games from seed 1",
            columns,
            wins,
            ["Windows 7 begins with an opening; where the bot clicked, the article does not say."],
        ),
        ResultTable(
            f"groups, expert, windows-xp, start the bot's own, {workload.n:,} games from seed 1",
            head,
            rows,
            ["20 %: the untouched board, whose first mine Windows XP moves away."],
        ),
    ]


def _cells(bins: dict[int, Bin], percent: int) -> tuple[str, str, str]:
    one = bins.get(percent)
    if one is None:
        return "0", "0", "-"
    return f"{one.guesses:,}", f"{one.mines:,}", _share(one.mines, one.guesses)


def _autosweeper(workload: Workload, data: dict[str, Any]) -> list[ResultTable]:
    matches = [
        Match("autosweeper", f"20x20@{density:g}", first_click="any", start=None)
        for density in data["densities"]
    ]
    tallies = workload.tallies(matches)
    rows = [
        (
            f"{density:.2f}",
            _text(graph, ".2f"),
            f"{again:.3f}",
            _rate(tally),
            _text(level_2),
            f"{1000 * tally.by['level 2'] / tally.games:,.0f}",
            _text(guesses),
            f"{1000 * tally.by['level 3'] / tally.games:,.0f}",
            f"{tally.lost_by['level 2']:,}",
        )
        for density, graph, again, level_2, guesses, tally in zip(
            *(data[key] for key in ("densities", "graph", "again", "level_2", "guesses")),
            tallies,
            strict=True,
        )
    ]
    head = [
        "density", "graph", "program again", "ours", "level 2, graph", "ours", "guesses, graph",
        "ours", "lost by level 2",
    ]  # fmt: skip
    notes = [
        _jointly(name, data[key], tallies, data)
        for name, key in (("the graph", "graph"), ("the program run again", "again"))
    ]
    title = (
        f"autosweeper, 20x20, {workload.n:,} games a point from seed 1; level 2 and guesses: 1000"
    )
    return [ResultTable(title, head, rows, notes)]


def _jointly(
    name: str, rates: Sequence[float | None], tallies: Sequence[Tally], data: dict[str, Any]
) -> str:
    """Test all points together: a chi-square test of two samples per point."""
    theirs, total, points = data["games"], 0.0, 0
    for rate, tally in zip(rates, tallies, strict=True):
        if rate is None:
            continue
        pooled = (rate * theirs + tally.wins) / (theirs + tally.games)
        variance = pooled * (1 - pooled) * (1 / theirs + 1 / tally.games)
        total += (rate - tally.win_rate) ** 2 / variance if variance else 0.0
        points += 1
    bound = data["chi_square_99"][str(points)]
    word = "agree" if total <= bound else "differ"
    return f"Wins against {name}: chi-square {total:.1f} on {points} points, bound {bound}: {word}."


def _kaboom(workload: Workload, data: dict[str, Any]) -> list[ResultTable]:
    levels = list(data["clicks_ms"])
    tallies = workload.tallies([Match("kaboom-sat", level, "kaboom") for level in levels])
    deaths = [("published", "-", str(data["games"]), str(data["deaths"]))]
    deaths += [
        ("kaboom-sat", level, f"{tally.games:,}", f"{tally.results['lost']:,}")
        for level, tally in zip(levels, tallies, strict=True)
    ]
    clicks = []
    for level in levels:
        times = trials.click_times(level, min(workload.n, 10))
        median, worst = data["clicks_ms"][level]
        ours = [f"{1000 * times.median:.3f}", f"{1000 * times.worst:.3f}"]
        clicks.append((level, str(median), str(worst), f"{times.clicks:,}", *ours))
    return [
        ResultTable(
            "A player who never clicks what the rules forbid never dies",
            ["player", "level", "games", "deaths"],
            deaths,
        ),
        ResultTable(
            "What the rules take for a click, ms",
            ["level", "original: median", "worst", "clicks", "ours: median", "worst"],
            clicks,
        ),
    ]


def _fair(workload: Workload, data: dict[str, Any]) -> list[ResultTable]:
    levels = ["8x8:10", "16x16:40", "24x24:90"]
    tallies = workload.tallies([Match(Provoker, level, "fair") for level in levels])
    rows = []
    for level, tally in zip(levels, tallies, strict=True):
        row = [level, f"{tally.games:,}"]
        for kind in ("forced", "needless"):
            guesses = tally.by[f"{kind} guess"]
            row += [f"{guesses:,}", f"{tally.lost_by[f'{kind} guess']:,}"]
        rows.append([*row, f"{tally.lost_by['safe']:,}"])
    return [
        ResultTable(
            "A guess kills exactly where there was a safe cell",
            [
                "level",
                "games",
                "forced guesses",
                "deaths",
                "needless guesses",
                "deaths",
                "deaths on safe cells",
            ],
            rows,
            [
                f"Promised: deaths of {data['forced_deaths']:g} of the forced guesses, and of "
                "every needless one."
            ],
        )
    ]


def _arrange(workload: Workload, data: dict[str, Any]) -> list[ResultTable]:
    positions = trials.scattered("expert", workload.n, share=0.3)
    rows = []
    for start in StartRule:
        for likelihood in Likelihood:
            arranged = trials.arrangements(positions, start, likelihood, seconds=1.0)
            labels = [
                "; ".join(filter(None, [data["start"][start], data["likelihood"][likelihood]]))
            ]
            rows.append(
                [
                    str(start),
                    str(likelihood),
                    *labels,
                    _share(arranged.found, len(positions)),
                    f"{arranged.combinations:,.0f}",
                    f"{1000 * arranged.median_s:.2f}",
                ]
            )
    return [
        ResultTable(
            f"backtracking, {len(positions):,} expert boards with 30 % of cells open, 1 s each",
            [
                "start",
                "likelihood",
                "published",
                "solved, %",
                "combinations set, mean",
                "median, ms",
            ],
            rows,
        )
    ]


def _rate(tally: Tally) -> str:
    low, high = tally.interval
    return f"{tally.win_rate:.3f} [{low:.3f}, {high:.3f}]"


def _share(count: int, of: int) -> str:
    low, high = wilson(count, of)
    return f"{100 * count / max(1, of):.0f} [{100 * low:.0f}, {100 * high:.0f}]"


def _text(value: float | None, form: str = ",") -> str:
    return "-" if value is None else format(value, form)


EXPERIMENTS: dict[str, Callable[[Workload, dict[str, Any]], list[ResultTable]]] = {
    "groups": _groups,
    "autosweeper": _autosweeper,
    "kaboom": _kaboom,
    "fair": _fair,
    "arrange": _arrange,
}
"""Every experiment by its name."""
