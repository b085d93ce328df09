"""Measure the import of many replays into the history: ``python benchmarks/replay_import.py``.

The replays are games of the bot `exact`, a third each on Beginner, Intermediate and Expert (seeds
from 0, safe first click), half of them in RawVF and half in EVF, in folders of a thousand.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from sapper.history import History, ReplayImport, import_replays
from sapper.replay import Replay, serialize
from sapper.simulation import Match

_LEVELS = ("beginner", "intermediate", "expert")
_FORMATS = ("rawvf", "evf")
_IN_FOLDER = 1000
_PACE_MS = 500


def _write(folder: Path, count: int) -> None:
    matches = [Match("exact", level) for level in _LEVELS]
    for number in range(count):
        replay = _at_a_human_pace(Replay.from_game(matches[number % len(matches)].game(number)))
        form = _FORMATS[number // len(matches) % len(_FORMATS)]
        path = folder / str(number // _IN_FOLDER) / f"{number}.{form}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(serialize(replay, form, lossy=True))


def _at_a_human_pace(replay: Replay) -> Replay:
    """Return a replay with events 0.5 s apart, because a win in zero time is not imported."""
    times = _PACE_MS * np.arange(len(replay.events))
    return replace(replay, events=replace(replay.events, ms=times))


def _import(history: History, folder: Path, workers: int | None) -> tuple[float, ReplayImport]:
    begun = perf_counter()
    found = import_replays(history, [str(folder)], workers=workers)
    return perf_counter() - begun, found


def _processor_s() -> float:
    """Return the processor time of this process and of its finished children."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Write replays and import them twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20_000, help="how many replays")
    parser.add_argument("--workers", type=int, help="processes (default: one per core)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "replays"
        folder.mkdir()
        _write(folder, given.n)
        with History(Path(home) / "history.sqlite3") as history:
            for name in ("first import", "the same files again"):
                begun = _processor_s()
                seconds, found = _import(history, folder, given.workers)
                print(
                    f"{name}: {seconds:.1f} s; {found.added} added, {found.known} known, "
                    f"{len(found.refused)} refused; {_processor_s() - begun:.1f} s of processors"
                )


if __name__ == "__main__":
    main()
