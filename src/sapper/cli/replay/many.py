"""Process replays, in several processes if there are many."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from sapper._util.parent_process import end_with_parent
from sapper._util.worker_count import worker_count
from sapper.cli.input import BadInput
from sapper.cli.output import Complaints
from sapper.cli.replay.files import read_found
from sapper.cli.terminal import tracked
from sapper.errors import SapperError
from sapper.plugins import load_plugins
from sapper.replay import Replay
from sapper.replay.summary import Row

__all__ = ["Answer", "Measure", "Measured", "measure_all"]

_Item = TypeVar("_Item")

Answer = tuple[Row, dict[str, Any]]
"""The table row of a replay and its JSON form."""

Measure = Callable[[str, Replay], Answer]
"""Function that measures a named replay; picklable, so that worker processes can run it."""

_MAX_IN_PROCESS: Final = 40
"""Up to this many files are read faster without starting processes."""
_CHUNK_SIZE: Final = 8
"""Maximum number of files sent to a process at once."""


class Measured(NamedTuple):
    """The result for a file.

    Attributes:
        name: Path of the file.
        answer: The result; None if the file cannot be read.
        error: The error as JSON, if it cannot be read.
    """

    name: str
    answer: Answer | None
    error: dict[str, Any] | None = None


def measure_all(
    files: list[tuple[str, bool]], measure: Measure, workers: int | None = None
) -> Iterator[Measured]:
    """Read and measure files in order; files in folders that are not replays are skipped.

    The first ten unreadable files are reported on standard error, one per line; the rest are only
    counted. A progress bar is shown there if it is a terminal.

    Args:
        files: Paths, each with a flag for "named explicitly".
        measure: The function to run on each replay.
        workers: Number of processes (default: one per core; for few files, the current process).

    Raises:
        BadSetting: If this machine does not support that many processes.
    """
    work = partial(_measure_file, measure)
    piped = any(path == "-" for path, _ in files)
    if workers is None and len(files) <= _MAX_IN_PROCESS:
        workers = 1
    count = worker_count(workers, len(files))
    if piped or count == 1:
        yield from _reported(map(work, files), len(files))
        return
    spawn = multiprocessing.get_context("spawn")
    at_once = min(_CHUNK_SIZE, -(-len(files) // count))
    pool = ProcessPoolExecutor(count, mp_context=spawn, initializer=_start)
    try:
        yield from _reported(pool.map(work, files, chunksize=at_once), len(files))
    finally:
        pool.shutdown(cancel_futures=True)


def _start() -> None:
    """Initialize a worker process."""
    end_with_parent()
    load_plugins()


def _measure_file(measure: Measure, file: tuple[str, bool]) -> Measured | None:
    name, named = file
    try:
        replay = read_found(name, named)
        return None if replay is None else Measured(name, measure(name, replay))
    except BadInput as problem:
        # The message already names the file.
        return Measured(name, None, {**problem.to_json(), "line": str(problem)})
    except SapperError as problem:
        return Measured(name, None, {**problem.to_json(), "line": f"{name}: {problem}"})


def _reported(items: Iterable[Measured | None], total: int) -> Iterator[Measured]:
    complaints = Complaints()
    for one in tracked(items, total, "replays") if total > 1 else items:
        if one is None:
            continue
        if one.error is not None:
            complaints.add(one.error.pop("line"))
        yield one
    complaints.end("files cannot be read; --json lists all")
