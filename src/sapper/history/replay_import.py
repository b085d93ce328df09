"""Import other programs' replays into the history."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from hashlib import blake2b
from itertools import islice
from typing import Final, NamedTuple

from sapper._util.parent_process import end_with_parent
from sapper._util.worker_count import worker_count
from sapper.errors import SapperError
from sapper.history.records import Record
from sapper.history.replay_files import ReplayFile, Skipped, find_replay_files
from sapper.history.store import History
from sapper.history.tables import Row, row_of
from sapper.plugins import load_plugins
from sapper.replay import parse

__all__ = [
    "ReadReplay",
    "RefusedFile",
    "ReplayImport",
    "import_replays",
    "read_replay",
    "read_replays",
]

_MAX_IN_PROCESS: Final = 40
"""Up to this many files are read faster without starting processes."""
_CHUNK_SIZE: Final = 16
"""Maximum number of files sent to a process at once."""
_BATCH_SIZE: Final = 500
"""Number of replays to save per transaction."""


class RefusedFile(NamedTuple):
    """A file that was not imported, with the reason."""

    name: str
    reason: str


class ReplayImport(NamedTuple):
    """The result of an import, which counts every file.

    Attributes:
        added: Number of new replays.
        known: Number of replays already in the history, or repeated in the files.
        refused: Files that should be replays of finished games and are not.
        skipped: Number of other files in folders and archives, by reason.
    """

    added: int
    known: int
    refused: tuple[RefusedFile, ...]
    skipped: Mapping[Skipped, int]


class ReadReplay(NamedTuple):
    """The result of reading a replay.

    Attributes:
        name: Name of the file.
        digest: Digest of its content.
        row: The game; None if the content was known, refused or skipped.
        reason: Why it was refused.
        skipped: Why it was not read.
    """

    name: str
    digest: bytes
    row: Row | None = None
    reason: str | None = None
    skipped: Skipped | None = None


def import_replays(
    history: History,
    paths: Iterable[str],
    *,
    workers: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> ReplayImport:
    """Import other programs' replays, with the players and dates given in the files.

    Replays are saved as they are read. After an interruption, call it again to resume: files whose
    content was already imported are recognised under any name without being played.

    Args:
        history: The history to add the games to.
        paths: Files, folders and zip archives.
        workers: Number of processes (default: one per core; for few files, the current process).
        progress: Called with the number of files read and the total.

    Raises:
        BadReplay: If an archive cannot be read.
        BadSetting: If this machine does not support that many processes.
    """
    files = list(find_replay_files(paths))
    added = known = done = 0
    refused: list[RefusedFile] = []
    skipped: Counter[Skipped] = Counter()
    replays = read_replays(files, history.replay_digests(), workers)
    while batch := list(islice(replays, _BATCH_SIZE)):
        rows = [(one.digest, one.row) for one in batch if one.row is not None]
        wrong = [RefusedFile(one.name, one.reason) for one in batch if one.reason is not None]
        others = [one.skipped for one in batch if one.skipped is not None]
        new = history.add_replays(rows)
        added += new
        known += len(batch) - new - len(wrong) - len(others)
        refused += wrong
        skipped.update(others)
        done += len(batch)
        if progress is not None:
            progress(done, len(files))
    return ReplayImport(added, known, tuple(refused), skipped)


def read_replays(
    files: list[ReplayFile], known: frozenset[bytes], workers: int | None = None
) -> Iterator[ReadReplay]:
    """Read and play replays in order.

    Args:
        files: The files.
        known: Digests of content to skip.
        workers: Number of processes (default: one per core; for few files, the current process).

    Raises:
        BadSetting: If this machine does not support that many processes.
    """
    if workers is None and len(files) <= _MAX_IN_PROCESS:
        workers = 1
    count = worker_count(workers, len(files))
    if count == 1:
        for file in files:
            yield _read(file, known)
        return
    at_once = min(_CHUNK_SIZE, -(-len(files) // count))
    pool = ProcessPoolExecutor(
        count, multiprocessing.get_context("spawn"), initializer=_start, initargs=(known,)
    )
    try:
        yield from pool.map(_read_in_process, files, chunksize=at_once)
    finally:
        pool.shutdown(cancel_futures=True)


_known: frozenset[bytes] = frozenset()


def _start(known: frozenset[bytes]) -> None:
    """Initialize a worker process."""
    global _known
    end_with_parent()
    load_plugins()
    _known = known


def _read_in_process(file: ReplayFile) -> ReadReplay:
    return _read(file, _known)


def _read(file: ReplayFile, known: frozenset[bytes]) -> ReadReplay:
    try:
        data = file.read()
    except SapperError as problem:
        return ReadReplay(file.name, b"", reason=str(problem))
    if isinstance(data, Skipped):
        return ReadReplay(file.name, b"", skipped=data)
    return read_replay(file.name, data, known)


def read_replay(name: str, data: bytes, known: frozenset[bytes] = frozenset()) -> ReadReplay:
    """Read and play a replay.

    Args:
        name: Its name in messages.
        data: The file.
        known: Digests of content to skip.
    """
    digest = blake2b(data, digest_size=16).digest()
    if digest in known:
        return ReadReplay(name, digest)
    try:
        return ReadReplay(name, digest, row_of(Record.of_replay(parse(data))))
    except SapperError as problem:
        return ReadReplay(name, digest, reason=str(problem))
