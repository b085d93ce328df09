"""Measure the cost of pointer paths in server time per move and in the size of a saved game.

``move`` marks cells in one process, without sockets: it reads the message, plays it and saves it in
a file. Its processor time is the lowest mean of five repetitions. ``game`` uses the paths of
recorded Expert games at the web app's rate, and compresses the moves as the history does.

``python benchmarks/pointer_path.py [-n 400] [--folder tests/data/replays] [--json]``
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from report import emit
from sapper.replay import Playback, Replay, load
from sapper.server.messages.incoming import fields_in
from sapper.server.session.moves import mark
from sapper.server.session.saving import change
from sapper.server.session.session import Session
from sapper.server.storage.database import compact
from sapper.server.storage.store import Store

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "replays"
PAUSE_MS = 40


def move_rows(moves: int) -> Iterator[dict[str, Any]]:
    """Measure a move with paths of different lengths."""
    for points in (0, 10, 40, 1000):
        steps = [40, 1, 0, 40, -1, 0] * (points // 2)
        message: dict[str, Any] = {"type": "mark", "cell": [0, 0]}
        if points:
            message["pointer"] = [40 * points, 32, 8, *steps[3:]]
        with TemporaryDirectory() as folder, Store(Path(folder)) as store:
            spent = min(_play(store, json.dumps(message), moves) for _ in range(5))
        yield {"points": points, "moves": moves, "move_s": spent / moves}


def _play(store: Store, text: str, moves: int) -> float:
    session = Session("a" * 24)
    started = process_time()
    for _ in range(moves):
        _, fields = fields_in(json.loads(text))
        job = mark(session, fields, None)
        assert job.work is not None
        job.finish(job.work())
        store.commit([change(session)])
    return process_time() - started


def game_rows(folder: Path) -> Iterator[dict[str, Any]]:
    """Measure Expert games from other programs as if they had been played in the web app."""
    for path in sorted(folder.glob("expert*")):
        replay = load(path).scaled(16)
        if not replay.has_pointer:
            continue
        played = Playback(replay)
        bare, whole, points = _moves(replay, played)
        yield {
            "game": path.name,
            "seconds": played.time_ms / 1000,
            "actions": len(bare),
            "points": points,
            "bytes_without": len(zlib.compress(compact(bare).encode())),
            "bytes_with": len(zlib.compress(compact(whole).encode())),
        }


def _moves(replay: Replay, played: Playback) -> tuple[list[Any], list[Any], int]:
    """Return the actions without paths and with them, and the number of points."""
    steps = {step.event: step for step in played.steps}
    bare: list[Any] = []
    whole: list[Any] = []
    path: list[tuple[int, int, int]] = []
    points, last = 0, -PAUSE_MS
    for place, (ms, kind, x, y) in enumerate(replay.events):
        if ms < played.started_ms:
            continue
        if kind == "mv" and ms - last >= PAUSE_MS and min(x, y) >= 0:
            path.append((ms, x, y))
            last = ms
        if place in steps:
            # Real clocks have a resolution of a microsecond or better.
            entry = [str(steps[place].action), *steps[place].cell, ms / 1000 + 0.00012345]
            bare.append(entry)
            whole.append([*entry, _packed(ms, path)] if path else entry)
            points += len(path)
            path = []
    return bare, whole, points


def _packed(ms: int, path: list[tuple[int, int, int]]) -> list[int]:
    first, *_ = path
    numbers = [ms - first[0], *first[1:]]
    for before, after in pairwise(path):
        numbers += [b - a for a, b in zip(before, after, strict=True)]
    return numbers


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-n", type=int, default=400, help="moves")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    emit([*move_rows(given.n), *game_rows(given.folder)], given.json)


if __name__ == "__main__":
    main()
