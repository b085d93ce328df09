"""`report`: a run as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from string import Template

from sapper.lab import plots
from sapper.lab.calibrate import Calibration, calibration
from sapper.lab.runs import Run
from sapper.lab.spec import ProgramGames
from sapper.lab.tally import Tally, explains_nothing
from sapper.stats import wilson

__all__ = ["report"]

_PAGE = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #111; background: #fff;
  max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; }
.rate { font-size: 2rem; margin: 1rem 0 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
svg { max-width: 100%; height: auto; }
code, pre { font-size: .85rem; overflow-wrap: anywhere; white-space: pre-wrap; }
.wide { overflow-x: auto; }
@media print { h2 { break-after: avoid; } svg, table { break-inside: avoid; } }
</style>
</head>
<body>
<h1>$title</h1>
<p>$played</p>
$warning
<p class="rate"><strong>$rate</strong> of $games games won</p>
<p>Wilson 95 % interval: $interval.</p>
<h2>Games</h2>
$figures
<h2>What decided</h2>
$levels
<h2>The win rate, game by game</h2>
$so_far
<h2>Harder boards</h2>
$bbbv
<h2>Guesses</h2>
<p>$guesses</p>
$reliability
<h2>To play it again</h2>
<pre>$command</pre>
<p>sapper $version. Digest of all games: <code>$digest</code>.</p>
</body>
</html>
""")


def report(run: Run) -> str:
    """Return an HTML page with the tables and plots of a run, without external references.

    >>> from sapper.lab import run
    >>> "92.0 %" in report(run("exact", "beginner", n=50, seed=1))
    True
    """
    table, summary, tally = run.table(), run.summary, run.tally
    result = calibration(table)
    head = run.spec.head()
    games, total = tally.games, run.spec.games
    warning = "" if games == total else f"<p><strong>{games:,} of {total:,} games.</strong></p>"
    start = "the bot's own" if head["start"] is None else "row {}, column {}".format(*head["start"])
    won = table.column("result").to_numpy() == "won"
    return _PAGE.substitute(
        title=escape(f"{_bot(run)} on {head['level']}"),
        played=escape(
            f"Rules {head['rules']}{_options(head['rule_options'])}; "
            f"first click {head['first_click']}, start {start}; seeds from {head['seed']}."
        ),
        warning=warning,
        rate=_percent(tally.win_rate) if games else "-",
        games=f"{games:,}",
        interval=_interval(tally.interval),
        figures=_figures(tally),
        levels=_levels(tally),
        so_far=plots.svg(plots.win_rate_so_far(won)),
        bbbv=plots.svg(plots.win_rate_by_bbbv(table)),
        guesses=_guesses(result),
        reliability=_reliability(run, result),
        command=escape(_command(run)),
        version=escape(str(summary.get("sapper_version", ""))),
        digest=escape(str(summary.get("digest") or "not yet known")),
    )


def _bot(run: Run) -> str:
    return run.spec.name + _options(run.spec.options)


def _options(options: object) -> str:
    pairs = options.items() if isinstance(options, dict) else ()
    return "".join(f", {name}={value}" for name, value in pairs)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _interval(ends: tuple[float, float]) -> str:
    return f"{100 * ends[0]:.1f} % to {100 * ends[1]:.1f} %"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _figures(tally: Tally) -> str:
    games = max(1, tally.games)
    rows = [
        (name, f"{tally.results[name]:,}", _percent(tally.results[name] / games))
        for name in ("won", "lost", "stuck")
    ]
    mean, low, high = tally.per_game()
    text = _table(("result", "games", "share"), rows)
    guesses = f"Guesses a game: {mean:.2f} ({low:.2f} to {high:.2f})."
    if tally.games < 2:
        guesses = f"Guesses: {tally.guesses}."
    elif explains_nothing(tally.by, tally.guesses):
        guesses = "The bot does not mark its guesses."
    return text + (
        f"<p>{guesses} The bot thought for {1000 * tally.think_s / games:.3g} ms a game.</p>"
    )


def _levels(tally: Tally) -> str:
    games = max(1, tally.games)
    rows = (
        (name or "(not named)", f"{uses:,}", f"{uses / games:.2f}", f"{tally.lost_by[name]:,}")
        for name, uses in tally.by.most_common()
    )
    return _table(("level", "uses", "a game", "games lost"), rows)


def _guesses(result: Calibration) -> str:
    if not result.guesses:
        return "No guess has an estimate of its risk: return a Choice with guess and risk."
    return (
        f"{result.guesses:,} guesses with an estimate hit {result.mines:,} mines; their risks make "
        f"{result.expected:,.1f}. The difference is {result.z:+.1f} standard deviations: within "
        "2 or so, the risks are as true as these games can tell."
    )


def _reliability(run: Run, result: Calibration) -> str:
    if not result.guesses:
        return ""
    return (
        f"{plots.svg(plots.reliability({_bot(run): result}))}\n"
        f'<details><summary>Table by percent</summary><div class="wide">{_bins(result)}</div>'
        "</details>"
    )


def _bins(result: Calibration) -> str:
    rows = (
        (
            f"{one.percent} %",
            f"{one.guesses:,}",
            f"{one.mines:,}",
            _percent(one.share),
            _interval(wilson(one.mines, one.guesses)),
        )
        for one in result.bins
    )
    return _table(("risk", "opened", "mines", "actual", "95 % interval"), rows)


def _command(run: Run) -> str:
    if isinstance(run.spec, ProgramGames):
        return f"# played in {run.spec.program}; these games cannot be played again"
    head = run.spec.head()
    start = "bot" if head["start"] is None else "{},{}".format(*head["start"])
    options = "".join(f" --option {k}={_value(v)}" for k, v in head["options"].items())
    options += "".join(f" --rule {k}={_value(v)}" for k, v in head["rule_options"].items())
    return (
        f"sapper lab run --bot {head['bot']} --level {head['level']} --rules {head['rules']} "
        f"--first-click {head['first_click']} --start {start} -n {run.spec.games} "
        f"--seed {head['seed']}{options}"
    )


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
