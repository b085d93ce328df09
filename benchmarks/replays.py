"""Measure reading, playing and analysing replays, and compare metrics with other programs.

Each sample in the folder is read repeatedly for a while; ``parse`` is the mean over the samples of
a format, in replays per second on one core. ``analyze`` is `sapper replay analyze` without
``--win-chances``: reading, playing, metrics, and the exact risk of every click.

With ``--compare FOLDER``, the metrics of all replays in a folder are compared with other programs'
values in its ``expected.json``, and differences are printed.

With ``--many N``, a folder of N replays, copies of the samples, is analysed by `sapper replay
analyze` with one process and with one per core.

``python benchmarks/replays.py [-n 20] [--folder tests/data/replays] [--compare FOLDER] [--many
2000] [--json]``
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from math import isclose
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any

import numpy as np

from report import emit
from sapper._util.worker_count import cores
from sapper.replay import (
    WRITERS,
    Playback,
    Replay,
    analyze_replay,
    load,
    measure_play,
    parse,
    serialize,
)
from sapper.rules import EXPERT

SAMPLES = Path(__file__).parents[1] / "tests" / "data" / "replays"
START = "from sapper.cli import main; main()"
STRICT = {"ms_toollib": 1e-9, "rawvf": 1e-3}


def seconds(step: Callable[[], object], times: int) -> float:
    """Return the mean processor time of a call, after a warm-up call."""
    step()
    start = process_time()
    for _ in range(times):
        step()
    return (process_time() - start) / times


def files(folder: Path) -> Iterator[tuple[Path, Replay]]:
    """Return every replay in a folder and its subfolders."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".avf", ".rmv", ".mvf", ".evf"):
            yield path, load(path)


def speeds(folder: Path, times: int) -> list[dict[str, Any]]:
    """Return a row for each format: replays read per second."""
    found: defaultdict[str, list[tuple[float, int, int]]] = defaultdict(list)
    for path, replay in files(folder):
        data = {replay.format: path.read_bytes()}
        data |= {f"{form} (written)": serialize(replay, form, lossy=True) for form in WRITERS}
        for form, one in data.items():
            taken = seconds(lambda one=one: parse(one), times)  # type: ignore[misc]
            found[form].append((taken, len(replay.events), len(one)))
    rows = []
    for form, several in sorted(found.items()):
        taken, events, size = (float(np.mean(column)) for column in zip(*several, strict=True))
        rows.append(
            {
                "parse": form,
                "files": len(several),
                "events": round(events),
                "kB": round(size / 1000),
                "replays/s": 1 / taken,
            }
        )
    return rows


def costs(folder: Path, times: int) -> list[dict[str, Any]]:
    """Return a row for each step on Expert replays: median and worst processor time."""
    expert = (EXPERT.width, EXPERT.height, EXPERT.mines)
    found: defaultdict[str, list[float]] = defaultdict(list)
    for path, replay in files(folder):
        shape, data = replay.board.topology, path.read_bytes()
        if (shape.width, shape.height, replay.board.mines) != expert:
            continue
        played = Playback(replay)
        steps: dict[str, Callable[[], object]] = {
            "play": lambda replay=replay: Playback(replay),  # type: ignore[misc]
            "measure": lambda played=played: measure_play(played),  # type: ignore[misc]
            "analyze": lambda data=data: analyze_replay(parse(data)).to_json(),  # type: ignore[misc]
        }
        for name, step in steps.items():
            found[name].append(seconds(step, times))
    return [
        {
            "expert": name,
            "files": len(values),
            "median_s": float(np.median(values)),
            "worst_s": max(values),
        }
        for name, values in found.items()
    ]


def metrics(replay: Replay) -> dict[str, dict[str, Any]]:
    """Return the metrics of a replay under the names of the other programs."""
    analysis = analyze_replay(replay)
    found = analysis.metrics
    clicks, board = found.clicks, found.board
    toollib = {
        "rtime": found.time_s, "bbbv": board.bbbv, "bbbv_solved": found.solved,
        "op": board.openings, "isl": board.islands, "zini": board.zini, "hzini": board.hzini,
        "left": clicks.left, "right": clicks.right, "double": clicks.double, "cl": clicks.all,
        "ce": clicks.effective, "flag": found.flags, "ioe": found.ioe, "thrp": found.thrp,
        "corr": found.corr, "bbbv_s": found.bbbv_s, "stnb": found.stnb_ms_toollib or 0.0,
        "rqp": found.rqp, "qg": found.qg, "path": found.path_px, "etime": found.estimated_s,
        "pluck": analysis.pluck,
    }  # fmt: skip
    rawvf = {
        "RAW_Time": found.time_s, "RAW_3BV": board.bbbv, "RAW_Solved3BV": found.solved,
        "RAW_ZiNi": board.zini, "RAW_HZiNi": board.hzini, "RAW_Clicks": clicks.all,
        "RAW_LeftClicks": clicks.left, "RAW_RightClicks": clicks.right,
        "RAW_DoubleClicks": clicks.double, "RAW_Openings": board.openings,
        "RAW_WastedClicks": clicks.all - found.effective_any_flag, "RAW_Islands": board.islands,
        "RAW_Flags": found.flags, "RAW_Unflags": clicks.flags_removed,
        "RAW_Misflags": clicks.wrong_flags, "RAW_IOE": found.ioe,
        "RAW_Correctness": found.corr_any_flag, "RAW_Throughput": found.thrp_any_flag,
    }  # fmt: skip
    return {"ms_toollib": toollib, "rawvf": rawvf}


def compare(folder: Path) -> list[dict[str, Any]]:
    """Return a row for each other program: the number of values, and those that differ."""
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    counts = dict.fromkeys(STRICT, 0)
    replays = dict.fromkeys(STRICT, 0)
    differ: dict[str, list[str]] = {program: [] for program in STRICT}
    for path, replay in files(folder):
        said = expected[str(path.relative_to(folder))]
        for program, values in metrics(replay).items():
            if not isinstance(said.get(program), dict):
                continue
            replays[program] += 1
            for name, value in values.items():
                other = float(said[program][name])
                counts[program] += 1
                if not isclose(value or 0, other, rel_tol=1e-9, abs_tol=STRICT[program]):
                    differ[program].append(f"{path.name} {name}: {value} and {other}")
    return [
        {
            "program": program,
            "replays": replays[program],
            "values": counts[program],
            "differ": "; ".join(differ[program]) or "none",
        }
        for program in STRICT
    ]


def many(folder: Path, count: int) -> list[dict[str, Any]]:
    """Return a row for each number of processes: replays analysed per second, start included."""
    samples = [path for path, _ in files(folder)]
    rows = []
    with TemporaryDirectory() as place:
        for number in range(count):
            path = samples[number % len(samples)]
            copyfile(path, Path(place) / f"{number:06}{path.suffix}")
        for workers in dict.fromkeys((1, cores())):
            command = [sys.executable, "-c", START, "replay", "analyze", place, "--json"]
            start = monotonic()
            subprocess.run(
                [*command, "--workers", str(workers)], check=True, stdout=subprocess.DEVNULL
            )
            taken = monotonic() - start
            rows.append({"replays": count, "processes": workers, "replays/s": count / taken})
    return rows


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="times each file is read (20)")
    parser.add_argument("--folder", type=Path, default=SAMPLES, help="replays to read")
    parser.add_argument("--compare", type=Path, help="folder with an expected.json")
    parser.add_argument("--many", type=int, help="analyse a folder of so many replays")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    if options.compare is not None:
        emit(compare(options.compare), options.json)
        return
    if options.many is not None:
        emit(many(options.folder, options.many), options.json)
        return
    rows = speeds(options.folder, options.n) + costs(options.folder, options.n)
    emit(rows, options.json)


if __name__ == "__main__":
    main()
