"""`sapper replay info`: what a replay says about a game, and what its clicks show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from sapper.cli.output import emit
from sapper.cli.replay import tables
from sapper.cli.replay.files import Files, bar, find, read_all
from sapper.errors import SapperError
from sapper.replay import Replay, measure_play
from sapper.replay.playback import Playback
from sapper.replay.summary import Row, row, summarize

__all__ = ["EXAMPLE", "Json", "Parquet", "info", "run"]

EXAMPLE = "sapper replay info game.avf"

DONE, BAD_INPUT = 0, 2

Parquet = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the table as Parquet; one row per replay."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON Lines, one object per replay.")]

Answer = tuple[Row, dict[str, Any]]
"""The row of a replay, and its JSON form."""


def info(files: Files, parquet: Parquet = None, as_json: Json = False) -> int:
    """Print what a replay says about a game, and what its clicks show.

    The format is recognised by content: AVF, RMV, MVF, EVF, RawVF or Sapper's JSON. For many
    files or a folder, print one row per replay, and games, wins, times and speed by month.
    Exit status 2 if a file cannot be read; the others are still reported.
    """

    def look(name: str, replay: Replay) -> Answer:
        metrics = measure_play(Playback(replay))
        return row(name, replay, metrics), metrics.to_json()

    return run(files, look, parquet, as_json=as_json, details=None)


def run(
    files: list[str],
    look: Callable[[str, Replay], Answer],
    parquet: Path | None,
    *,
    as_json: bool,
    details: Callable[[dict[str, Any]], None] | None,
) -> int:
    """Look at every file and print the results; return the exit status."""
    paths, many = find(files)
    rows: list[Row] = []
    code = DONE
    with bar(paths) as named:
        for found in read_all(named):
            if isinstance(found.replay, SapperError):
                code = BAD_INPUT
                if as_json:
                    emit({"file": found.name, "error": found.replay.to_json()})
                continue
            line, obj = look(found.name, found.replay)
            rows.append(line)
            if as_json:
                emit({"file": found.name, **_said(found.replay), **obj})
            elif not many:
                tables.pairs(_lines(found.replay, line))
                if details is not None:
                    details(obj)
    if parquet is not None:
        tables.write_parquet(rows, parquet)
    if many:
        summary = summarize(rows)
        if as_json:
            emit({"summary": summary})
        elif rows:
            tables.listing(rows)
            print()
            tables.periods(summary["periods"])
            if "phases" in summary:
                print()
                tables.phases(summary["phases"])
        else:
            print("no replays found")
    return code


def _said(replay: Replay) -> dict[str, Any]:
    """Return what the file says, in JSON."""
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
    }


def _lines(replay: Replay, line: Row) -> list[tuple[str, Any]]:
    said = _said(replay)
    names = {"bbbv": "3BV", "bbbv_s": "3BV/s", "file_time_s": "time in the file", "time_s": "time"}
    hidden = {"file", "format", "program", "player", "started_at", "mode"}
    first = [
        ("format", replay.format),
        *((name, _plain(value)) for name, value in said["info"].items() if name not in _REPEATED),
        ("events", said["events"]),
    ]
    rest = [(names.get(key, key), value) for key, value in line.items() if key not in hidden]
    return [*first, *rest]


_REPEATED = {"time_ms", "bbbv", "won"}


def _plain(value: Any) -> Any:
    """Return text on one line, whatever control characters a file has in a name."""
    if isinstance(value, str):
        return "".join(char if char.isprintable() else "?" for char in value)
    return value
