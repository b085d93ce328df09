"""Process replays, in several processes if there are many."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from sapper._util.parent_process import end_with_parent
from sapper._util.worker_count import worker_count
from sapper.cli.output import Complaints
from sapper.cli.reading import BadInput
from sapper.cli.replay.files import read_found
from sapper.errors import SapperError
from sapper.replay import Replay
from sapper.replay.summary import Row

__all__ = ["Answer", "Look", "Looked", "look_at_all", "tracked"]

_Item = TypeVar("_Item")

Answer = tuple[Row, dict[str, Any]]
"""The row of a replay, and its JSON form."""

Look = Callable[[str, Replay], Answer]
"""Looks at a replay with a name; can be pickled, so that a process can do it."""

_FEW: Final = 40
"""So few files take less time than starting processes."""
_AT_ONCE: Final = 8
"""The most files that a process is given at once."""


class Looked(NamedTuple):
    """The result for a file.

    Attributes:
        name: Its path.
        answer: The result; None if the file cannot be read.
        error: Why not, in JSON.
    """

    name: str
    answer: Answer | None
    error: dict[str, Any] | None = None


def look_at_all(
    files: list[tuple[str, bool]], look: Look, workers: int | None = None
) -> Iterator[Looked]:
    """Read and look at files, in their order; in folders, those that are no replays are skipped.

    The first ten files that cannot be read are also reported in one line each on standard error,
    the others by their number. A progress bar is shown there if it is a terminal.

    Args:
        files: Their paths, and whether each was named.
        look: The function to run on each replay.
        workers: Number of processes (default: one per core, or this one for few files).

    Raises:
        BadSetting: If this machine does not support that many processes.
    """
    work = partial(_look_at, look)
    piped = any(path == "-" for path, _ in files)
    if workers is None and len(files) <= _FEW:
        workers = 1
    count = worker_count(workers, len(files))
    if piped or count == 1:
        yield from _reported(map(work, files), len(files))
        return
    spawn = multiprocessing.get_context("spawn")
    at_once = min(_AT_ONCE, -(-len(files) // count))
    pool = ProcessPoolExecutor(count, mp_context=spawn, initializer=end_with_parent)
    try:
        yield from _reported(pool.map(work, files, chunksize=at_once), len(files))
    finally:
        pool.shutdown(cancel_futures=True)


def _look_at(look: Look, file: tuple[str, bool]) -> Looked | None:
    name, named = file
    try:
        replay = read_found(name, named)
        return None if replay is None else Looked(name, look(name, replay))
    except BadInput as problem:
        # Its message names the file.
        return Looked(name, None, {**problem.to_json(), "line": str(problem)})
    except SapperError as problem:
        return Looked(name, None, {**problem.to_json(), "line": f"{name}: {problem}"})


def _reported(found: Iterable[Looked | None], total: int) -> Iterator[Looked]:
    complaints = Complaints()
    for one in tracked(found, total):
        if one is None:
            continue
        if one.error is not None:
            complaints.add(one.error.pop("line"))
        yield one
    complaints.end("files cannot be read; --json lists all")


def tracked(found: Iterable[_Item], total: int) -> Iterable[_Item]:
    """Show a progress bar on standard error while these are gone through, if it is a terminal."""
    if not sys.stderr.isatty() or total < 2:
        return found
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(found, description="replays", total=total, console=console, transient=True)
