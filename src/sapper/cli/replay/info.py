"""`sapper replay info`: the details of a replay and the metrics of its clicks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import emit
from sapper.cli.replay import tables
from sapper.cli.replay.files import Files, find
from sapper.cli.replay.many import Answer, Measure, measure_all
from sapper.cli.signatures import Option
from sapper.metrics import rzini
from sapper.replay import Playback, Replay, contradictions, measure_play
from sapper.replay.summary import Row, row, summarize

__all__ = [
    "EXAMPLE",
    "Json",
    "Parquet",
    "RZiNi",
    "Workers",
    "info",
    "replay_json",
    "run",
    "with_rzini",
]

EXAMPLE = "sapper replay info game.avf"


Parquet = Annotated[
    Path | None,
    Option(metavar="FILE", help="Write the table as Parquet; one row per replay."),
]
Workers = Annotated[
    int | None,
    Option(metavar="K", min=1, help="Number of processes (default: one per core for many files)."),
]
RZiNi = Annotated[
    int | None,
    Option(
        "--rzini",
        metavar="RUNS",
        min=1,
        help="Also compute RZiNi: the fewest clicks in this many random greedy runs; on Expert, "
        "100 runs take 0.2 s.",
    ),
]
Json = Annotated[bool, Option("--json", help="Print JSON Lines, one object per replay.")]


def info(
    files: Files,
    rzini_runs: RZiNi = None,
    parquet: Parquet = None,
    workers: Workers = None,
    as_json: Json = False,
) -> int:
    """Print the details of a replay and the metrics of its clicks.

    The format is recognised from the content: AVF, RMV, MVF, EVF, RawVF or Sapper's JSON. For many
    files or a folder, print one row per replay, and a summary of games, wins, times and speed by
    month.
    Exit status 2 if a file cannot be read; the others are still reported.
    """
    return run(
        files,
        partial(_measure, rzini_runs),
        parquet,
        as_json=as_json,
        details=None,
        workers=workers,
    )


def _measure(runs: int | None, name: str, replay: Replay) -> Answer:
    played = Playback(replay)
    metrics = measure_play(played)
    answer = row(name, played, metrics), {**replay_json(played), **metrics.to_json()}
    return with_rzini(answer, replay, runs)


def with_rzini(answer: Answer, replay: Replay, runs: int | None) -> Answer:
    """Add the RZiNi of the board to an answer, if requested and the board is not huge."""
    line, obj = answer
    if runs is None or line["zini"] is None:
        return answer
    figures = {"rzini": rzini(replay.board, runs, seed=0)}
    return {**line, **figures}, {**obj, "board": {**obj["board"], **figures}}


def run(
    files: list[str],
    measure: Measure,
    parquet: Path | None,
    *,
    as_json: bool,
    details: Callable[[dict[str, Any]], None] | None,
    workers: int | None,
) -> int:
    """Measure every file, print the results, and return the exit status."""
    if parquet is not None:
        tables.check_parquet(parquet)
    paths, many = find(files)
    rows: list[Row] = []
    damaged: list[dict[str, Any]] = []
    for name, answer, error in measure_all(paths, measure, workers):
        if answer is None:
            damaged.append({"file": name, "error": error})
            if as_json:
                emit(damaged[-1])
            continue
        line, obj = answer
        rows.append(line)
        if as_json:
            emit({"file": name, **obj})
        elif not many:
            tables.pairs(_lines(obj, line))
            if details is not None:
                details(obj)
    if parquet is not None:
        tables.write_parquet(rows, parquet)
    if many:
        summary = {**summarize(rows), "damaged": [one["file"] for one in damaged]}
        if as_json:
            emit({"summary": summary})
        elif rows:
            tables.listing(rows)
            tables.summary(summary)
        else:
            print("no replay can be read" if damaged else "no replays found")
    return ExitStatus.BAD_INPUT if damaged else ExitStatus.DONE


def replay_json(played: Playback) -> dict[str, Any]:
    """Return the data of a replay file as JSON, including values that contradict its clicks."""
    replay = played.replay
    info = replay.info
    shape = replay.board.topology
    return {
        "format": replay.format,
        "width": shape.width,
        "height": shape.height,
        "mines": replay.board.mines,
        "events": len(replay.events),
        "has_pointer": replay.has_pointer,
        "cell_px": replay.cell_px,
        "info": {name: getattr(info, name) for name in info.__dataclass_fields__},
        "contradictions": [one.to_json() for one in contradictions(played)],
    }


def _lines(obj: dict[str, Any], line: Row) -> list[tuple[str, Any]]:
    names = {"bbbv": "3BV", "bbbv_s": "3BV/s", "file_time_s": "time in the file", "time_s": "time"}
    hidden = {"file", "format", "program", "player", "started_at", "mode", "contradictions"}
    first = [
        ("format", obj["format"]),
        *((name, _plain(value)) for name, value in obj["info"].items() if name not in _REPEATED),
        ("events", obj["events"]),
        *(("contradiction", one["text"]) for one in obj["contradictions"]),
    ]
    rest = [(names.get(key, key), value) for key, value in line.items() if key not in hidden]
    return [*first, *rest]


_REPEATED = {"time_ms", "bbbv", "won"}


def _plain(value: Any) -> Any:
    """Return text on one line; names in files may contain control characters."""
    if isinstance(value, str):
        return "".join(char if char.isprintable() else "?" for char in value)
    return value
