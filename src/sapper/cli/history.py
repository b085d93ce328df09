"""The command group `sapper history`: games finished in the browser and in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final

from sapper._util.shortening import shown
from sapper._util.whole_file import Existing, written_whole
from sapper.cli import completing
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import complain, emit
from sapper.cli.replay.tables import pairs
from sapper.cli.signatures import Argument, Group, Option
from sapper.cli.terminal import progress_bars
from sapper.dealer import RULES
from sapper.errors import BadSetting
from sapper.history import (
    History,
    ReplayImport,
    Selection,
    export_json_lines,
    export_parquet,
    import_json_lines,
    import_parquet,
    import_replays,
    summarize,
)
from sapper.history.replay_files import Skipped, is_zip
from sapper.history.transfer import HEAD_BYTES, Progress, is_export
from sapper.paths import GAMES_FILE, state_dir
from sapper.rules import Level, level_name

__all__ = ["app"]

_PARQUET: Final = ".parquet"
_LINES: Final = ".jsonl"
_MOST: Final = 2**63 - 1
"""Largest integer that SQLite accepts."""

app = Group(
    name="history",
    help="Show, export, import and erase finished games: those played in the browser and in the "
    "terminal on this computer.",
    no_args_is_help=True,
)

LevelText = Annotated[
    str | None,
    Option("--level", metavar="L", help="Only this level.", autocompletion=completing.level_names),
]
RuleSet = Annotated[
    str | None,
    Option(
        "--rules", metavar="R", help="Only this rule set.", autocompletion=completing.rule_names
    ),
]
Bot = Annotated[
    str,
    Option(
        "--bot",
        metavar="B",
        help="Games by this bot (default: games by people).",
        autocompletion=completing.bot_names,
    ),
]
Helped = Annotated[bool, Option("--helped", help="Games with help instead of those without.")]
Since = Annotated[str | None, Option(metavar="DAY", help="First day, YYYY-MM-DD.")]
Until = Annotated[str | None, Option(metavar="DAY", help="Last day, YYYY-MM-DD.")]
Everything = Annotated[bool, Option("--all", help="Include games by bots and games with help.")]
Json = Annotated[bool, Option("--json", help="Print JSON.")]


def _open() -> History:
    """Open all visitors' games; if the file does not exist, there are none."""
    folder = state_dir()
    if folder.exists() and not folder.is_dir():
        raise BadSetting(f"the directory of saved games is a file: {shown(str(folder))}")
    path = folder / GAMES_FILE
    return History(path if path.exists() else ":memory:")


def _selection(
    level: str | None,
    rules: str | None,
    bot: str,
    since: str | None,
    until: str | None,
    *,
    helped: bool,
    everything: bool = False,
) -> Selection:
    """Return the games selected by the options.

    Raises:
        BadSetting: If a rule set, level or day is invalid, or the days are in the wrong order.
    """
    if rules is not None and rules not in RULES:
        raise BadSetting(f"unknown rules {shown(rules)}; choose from: {', '.join(RULES)}")
    first = None if since is None else _start_ms(since, 0)
    after = None if until is None else _start_ms(until, 1)
    if first is not None and after is not None and first >= after:
        raise BadSetting(f"--since {since} is after --until {until}")
    return Selection(
        bot=None if everything else bot,
        rules=rules,
        level=None if level is None else str(Level.parse(level)),
        helped=None if everything else helped,
        since_ms=first,
        until_ms=after,
    )


def _start_ms(day: str, later: int) -> int:
    try:
        start = datetime.strptime(day, "%Y-%m-%d").astimezone()
        return int(1000 * (start + timedelta(days=later)).timestamp())
    except (ValueError, OverflowError):
        raise BadSetting(f"a day must be YYYY-MM-DD, got {shown(day)}") from None


@app.command(
    epilog=example("sapper history stats --level expert --since 2026-01-01"),
    short_help="Print statistics: win rate, times, 3BV/s, guesses.",
)
def stats(
    level: LevelText = None,
    rules: RuleSet = None,
    bot: Bot = "",
    helped: Helped = False,
    since: Since = None,
    until: Until = None,
    as_json: Json = False,
) -> int:
    """Print statistics: games, win rate, times, 3BV/s, efficiency, guesses and streaks."""
    zone = datetime.now().astimezone().tzinfo
    assert zone is not None
    with _open() as history:
        chosen = _selection(level, rules, bot, since, until, helped=helped)
        statistics = summarize(history, chosen, zone)
    if as_json:
        emit(statistics.to_json())
        return ExitStatus.DONE
    low, high = statistics.interval
    rate = f"{100 * statistics.won / statistics.games:.1f} %" if statistics.games else "-"
    lines: list[tuple[str, Any]] = [
        ("games", statistics.games),
        ("won", f"{statistics.won} ({rate}, 95 %: {100 * low:.1f} to {100 * high:.1f} %)"),
        ("best time (s)", statistics.best_s),
        ("median time (s)", statistics.median_s),
        ("3BV (median)", statistics.bbbv),
        ("3BV/s (median)", statistics.bbbv_s),
        ("3BV/s (best)", statistics.best_bbbv_s),
        ("efficiency (IOE)", statistics.efficiency),
        ("forced guesses per game", statistics.forced_guesses),
        ("needless guesses per game", statistics.needless_guesses),
        ("longest winning streak", statistics.longest_won),
        ("days played", len(statistics.days)),
    ]
    if statistics.unmeasured:
        lines.append(("games not measured yet", statistics.unmeasured))
    pairs(lines)
    return ExitStatus.DONE


@app.command(
    "list",
    epilog=example("sapper history list -n 20 --level expert"),
    short_help="Print games, the latest first.",
)
def list_games(
    number: Annotated[int, Option("-n", min=1, metavar="N", help="Number of games.")] = 50,
    level: LevelText = None,
    rules: RuleSet = None,
    bot: Bot = "",
    helped: Helped = False,
    since: Since = None,
    until: Until = None,
    everything: Everything = False,
    fastest: Annotated[
        bool, Option("--fastest", help="The fastest won games, not the latest games.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Print games, newest first; with `--json`, one JSON object per game."""
    chosen = _selection(level, rules, bot, since, until, helped=helped, everything=everything)
    with _open() as history:
        rows = history.rows(chosen, min(number, _MOST), fastest=fastest)
    for row in rows:
        if as_json:
            emit({"id": row.pop("key"), **row})
            continue
        when = "date unknown    "
        if row["finished_ms"]:
            when = datetime.fromtimestamp(row["finished_ms"] / 1000).strftime("%Y-%m-%d %H:%M")
        won = "won" if row["won"] else "lost"
        about = " ".join(filter(None, (row["variant"], row["bot"], row["helped"])))
        time = f"{row['time_ms'] / 1000:9.3f} s"
        level = level_name(row["level"])
        print(f"{when}  {level:<14} {row['rules']:<10} {won:<4} {time}  {about}".rstrip())
    return ExitStatus.DONE


@app.command(epilog=example("sapper history export games.jsonl"))
def export(
    file: Annotated[
        Path,
        Argument(
            metavar="FILE",
            help="File to write: Parquet if its name ends in .parquet, else JSON Lines.",
        ),
    ],
    level: LevelText = None,
    rules: RuleSet = None,
    since: Since = None,
    until: Until = None,
    force: Annotated[bool, Option("--force", help="Overwrite an existing file.")] = False,
    as_json: Json = False,
) -> int:
    """Write games with all their moves as JSON Lines or Parquet.

    Games by bots and games with help are included.
    """
    chosen = _selection(level, rules, "", since, until, helped=False, everything=True)
    write = export_parquet if file.suffix == _PARQUET else export_json_lines
    with _open() as history:
        try:
            with written_whole(file, Existing.unless_forced(force)) as temporary:
                count = write(history, temporary, chosen)
        except OSError as problem:
            raise BadSetting(f"cannot write {file}: {problem.strerror or problem}") from None
    _print_count({"exported": count}, as_json)
    return ExitStatus.DONE


@app.command(
    "import",
    epilog=example("sapper history import replays/ old.zip"),
    short_help="Add exported games, or replays of other programs.",
)
def import_games(
    files: Annotated[
        list[str],
        Argument(
            metavar="FILE...",
            help="Files written by `export` or the web app; or replays (AVF, RMV, MVF, EVF, RawVF "
            "or Sapper's JSON), folders and zip archives of them.",
        ),
    ],
    workers: Annotated[
        int | None,
        Option(metavar="K", min=1, help="Processes that read replays (default: one per core)."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Add games from files, skipping those already present.

    Every game is replayed first to check it. A file written by `export` is added completely or not
    at all. Replays keep their players and dates. Each replay that cannot be imported is reported
    on one line of standard error, and the exit status is then 2. Other files in folders and
    archives are skipped and counted. After an interruption, run the same command again: it skips
    replays that are already imported.

    The web app does not show these games: there, each browser has its own games. To import files
    there, use the History page.
    """
    exports = [file for file in files if _is_export(file)]
    replays = [file for file in files if file not in exports]
    result: dict[str, Any] = {"imported": 0}
    with History() as history:
        for file in exports:
            result["imported"] += _import_export(history, Path(file))
        if replays:
            imported = _import_replays(history, replays, workers)
            for name, reason in imported.refused:
                complain(reason if name in reason else f"{name}: {reason}")
            result["imported"] += imported.added
            result |= {"known": imported.known, "refused": len(imported.refused)}
            result["skipped"] = {reason.value: n for reason, n in imported.skipped.items()}
    if as_json:
        emit(result)
    else:
        print(_import_text(result))
    return ExitStatus.BAD_INPUT if result.get("refused") else ExitStatus.DONE


def _import_text(result: dict[str, Any]) -> str:
    text = f"imported {_games(result['imported'])}"
    if result.get("known"):
        text += f", {result['known']} already there"
    if result.get("refused"):
        text += f", {result['refused']} refused"
    if skipped := result.get("skipped"):
        counts = [f"{Skipped(reason).label}: {n}" for reason, n in skipped.items()]
        text += f", {sum(skipped.values())} skipped ({', '.join(counts)})"
    return text


def _is_export(file: str) -> bool:
    """Return whether to read a file as an export; unrecognized files count as exports."""
    path = Path(file)
    if path.is_dir() or is_zip(file):
        return False
    if path.suffix in (_PARQUET, _LINES):
        return True
    try:
        with path.open("rb") as source:
            head = source.read(HEAD_BYTES)
    except OSError:
        return True
    return is_export(head)


def _import_export(history: History, file: Path) -> int:
    read = import_parquet if file.suffix == _PARQUET else import_json_lines
    try:
        # Open the file first, because the Parquet reader has long error messages.
        file.open("rb").close()
        with _progress_bar() as progress:
            return read(history, file, progress=progress)
    except OSError as problem:
        raise BadSetting(f"cannot read {file}: {problem.strerror or problem}") from None


def _import_replays(history: History, files: list[str], workers: int | None) -> ReplayImport:
    with _progress_bar() as show_progress:

        def progress(done: int, total: int) -> None:
            if show_progress is not None:
                show_progress(done, done / total)

        return import_replays(history, files, workers=workers, progress=progress)


@contextmanager
def _progress_bar() -> Iterator[Progress | None]:
    """Yield a callback that draws a bar on standard error, if it is a terminal."""
    with progress_bars() as bars:
        if bars is None:
            yield None
        else:
            yield lambda games, share: bars.update(f"{games:,} games", share, 1.0)


@app.command(epilog=example("sapper history erase --bot exact --yes"))
def erase(
    level: LevelText = None,
    rules: RuleSet = None,
    bot: Bot = "",
    helped: Helped = False,
    since: Since = None,
    until: Until = None,
    everything: Everything = False,
    yes: Annotated[
        bool, Option("--yes", help="Erase the games; otherwise only count them.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Erase games permanently, including from the file's free space."""
    chosen = _selection(level, rules, bot, since, until, helped=helped, everything=everything)
    with _open() as history:
        if not yes:
            count = history.count(chosen)
            raise BadSetting(f"{count} games would be erased for good; add --yes to erase them")
        erased = history.erase(chosen)
    _print_count({"erased": erased}, as_json)
    return ExitStatus.DONE


def _print_count(result: dict[str, int], as_json: bool) -> None:
    if as_json:
        emit(result)
        return
    [(what, count)] = result.items()
    print(f"{what} {_games(count)}")


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"
