"""Workers of a Dask cluster, which may join and leave at any time."""

from __future__ import annotations

import gc
import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sapper._core import __version__
from sapper.errors import BotFailed, MissingExtra, SapperError
from sapper.lab.errors import LostWorkers
from sapper.lab.play import BOT_SECONDS, Done, Player, Unit
from sapper.lab.queue import Queue
from sapper.lab.spec import Spec

try:
    from distributed import Client, as_completed
except ModuleNotFoundError:
    raise MissingExtra("Dask is not installed: pip install 'sapper[dask]'") from None

__all__ = ["Cluster"]

UNIT_SECONDS = 2.0
"""Duration of a unit: longer than on one machine, since each costs a message or two."""

_PATIENCE_S = 5
_GOODBYE_S = 10
_RETRIES = 5
"""The most retries of a unit whose worker died."""


class Cluster:
    """The workers of a Dask scheduler. If a worker dies, another one plays its unit.

    Args:
        specs: The runs.
        address: The scheduler's, such as ``tcp://127.0.0.1:8786``.
        bot_seconds: Time limit for one choice of a bot.

    Raises:
        LostWorkers: If no scheduler answers there, it has no workers, or other ones than these.
    """

    def __init__(
        self, specs: Sequence[Spec], address: str, bot_seconds: float = BOT_SECONDS
    ) -> None:
        self._address, self._bot_seconds = address, bot_seconds
        # The cluster's own messages about lost connections are replaced by one line of ours.
        for name in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        found = _connected(address)
        if isinstance(found, str):
            # Dispose of the client here: if the garbage collector did it in the thread that the
            # next one starts, it would wait forever for a lock that this start holds.
            gc.collect()
            raise LostWorkers(f"no Dask scheduler answers at {address!r:.80}: {found}")
        self._client = found
        self._jobs = [(spec, _source(spec)) for spec in specs]
        try:
            self._check_workers()
        except BaseException:
            self.close()
            raise

    def _check_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE_S)
            versions = self._client.run(_version)
        except TimeoutError:
            raise LostWorkers(f"the scheduler at {self._address!r} has no workers") from None
        except Exception as problem:
            raise LostWorkers(
                f"the workers of {self._address!r} cannot run games: {_first_line(problem)}"
            ) from None
        others = {version for version in versions.values() if version != __version__}
        if others:
            raise LostWorkers(
                f"workers of {self._address!r} run sapper {', '.join(sorted(others))}; "
                f"they need {__version__}"
            )

    @property
    def workers(self) -> int:
        """Number of units played at once, now."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def play(self, queue: Queue) -> Iterator[Done]:
        """Play units until none are left.

        Raises:
            LostWorkers: If the cluster goes, or its workers die again and again.
        """
        loop = self._client.loop
        finished = as_completed(loop=loop, with_results=True, raise_errors=False)
        waiting = 0
        while True:
            waiting += self._submit(queue, finished, waiting)
            if not waiting:
                return
            future, found = next(finished)
            waiting -= 1
            if not isinstance(found, Done):
                raise LostWorkers(
                    f"the cluster at {self._address!r} failed: {_reason(future.status, found)}"
                )
            future.release()
            yield found

    def _submit(self, queue: Queue, finished: Any, waiting: int) -> int:
        # Twice as many as are played, so that no worker is idle, and one that joins late
        # finds work.
        room, sent = 2 * self.workers + 2 - waiting, 0
        while sent < room and (unit := queue.take()) is not None:
            spec, source = self._jobs[unit.run]
            job = self._client.submit(
                _play, spec, source, unit, self._bot_seconds, pure=False, retries=_RETRIES
            )
            finished.add(job)
            sent += 1
        return sent

    def close(self) -> None:
        """Disconnect from the cluster; games in progress there are dropped."""
        # Finished games are saved by now, so a busy machine may take its time.
        with suppress(TimeoutError):
            self._client.close(timeout=_GOODBYE_S)


def _connected(address: str) -> Client | str:
    """Return a client, or the reason for none."""
    try:
        return Client(address, timeout=_PATIENCE_S, set_as_default=False)
    except (OSError, ValueError, TypeError) as problem:
        return _first_line(problem)


def _version() -> str:
    return __version__


def _source(spec: Spec) -> bytes | None:
    """Return the source of a bot from a file, which the workers need not have."""
    bot = spec.match.bot
    file, colon, _ = bot.rpartition(":") if isinstance(bot, str) else ("", "", "")
    return Path(file).read_bytes() if colon else None


def _play(spec: Spec, source: bytes | None, unit: Unit, bot_seconds: float) -> Done:
    """Runs on a worker."""
    if source is None:
        return Player(spec, bot_seconds).play(unit, UNIT_SECONDS)
    file, _, name = str(spec.match.bot).rpartition(":")
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / Path(file).name
        here.write_bytes(source)
        copy = replace(spec, match=replace(spec.match, bot=f"{here}:{name}"))
        found = Player(copy, bot_seconds).play(unit, UNIT_SECONDS)
    if found.failure is None:
        return found
    return replace(found, failure=_renamed(found.failure, str(here), file))


def _renamed(failure: SapperError, here: str, file: str) -> SapperError:
    """Return an error that names a bot's file as the user does."""
    message, notes = str(failure).replace(here, file), getattr(failure, "__notes__", [])
    trace = failure.trace.replace(here, file) if isinstance(failure, BotFailed) else ""
    renamed = BotFailed(message, trace)
    for note in notes:
        renamed.add_note(note.replace(here, file))
    return renamed


def _reason(status: str, found: Any) -> str:
    if isinstance(found, tuple) and len(found) == 3:
        found = found[1]
    return f"{type(found).__name__}: {_first_line(found)}" if found is not None else status


def _first_line(problem: object) -> str:
    return (str(problem).strip().splitlines() or [type(problem).__name__])[0][:200]
