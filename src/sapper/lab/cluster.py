"""Workers in a Dask cluster, which may join and leave at any time."""

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
from sapper._util.installing import pip_install
from sapper._util.shortening import first_line, shown
from sapper.errors import BotFailed, MissingExtra, SapperError
from sapper.lab.errors import LostWorkers
from sapper.lab.play import BOT_SECONDS, Done, Unit, UnitPlayer
from sapper.lab.queue import Queue
from sapper.lab.spec import Spec

try:
    from distributed import Client, as_completed
except ModuleNotFoundError:
    raise MissingExtra(f"Dask is not installed: {pip_install('dask')}") from None

__all__ = ["Cluster"]

UNIT_SECONDS = 2.0
"""Duration of a unit: longer than on one machine, because each unit costs one or two messages."""

_CONNECT_TIMEOUT_S = 5
_CLOSE_TIMEOUT_S = 10
_RETRIES = 5
"""Maximum number of retries of a unit whose worker died."""


class Cluster:
    """The workers of a Dask scheduler. If a worker dies, another one plays its unit.

    Args:
        specs: The runs.
        address: Address of the scheduler, such as ``tcp://127.0.0.1:8786``.
        bot_seconds: Time limit for one choice of a bot.

    Raises:
        LostWorkers: If no scheduler answers, or it has no workers or workers with another version
            of Sapper.
    """

    def __init__(
        self, specs: Sequence[Spec], address: str, bot_seconds: float = BOT_SECONDS
    ) -> None:
        self._address, self._bot_seconds = address, bot_seconds
        # Report one line instead of Dask's messages about lost connections.
        for name in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        client = _connected(address)
        if isinstance(client, str):
            # Dispose of the client here. If the garbage collector did so in the thread of the next
            # client, it would deadlock on a lock held by that client's start.
            gc.collect()
            raise LostWorkers(f"no Dask scheduler answers at {shown(address)}: {client}")
        self._client = client
        self._jobs = [(spec, _source(spec)) for spec in specs]
        try:
            self._check_workers()
        except BaseException:
            self.close()
            raise

    def _check_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_CONNECT_TIMEOUT_S)
            versions = self._client.run(_version)
        except TimeoutError:
            raise LostWorkers(f"the scheduler at {self._address!r} has no workers") from None
        except Exception as problem:
            raise LostWorkers(
                f"the workers of {self._address!r} cannot run games: {first_line(problem)}"
            ) from None
        others = {version for version in versions.values() if version != __version__}
        if others:
            raise LostWorkers(
                f"workers of {self._address!r} run sapper {', '.join(sorted(others))}; "
                f"they need {__version__}"
            )

    @property
    def workers(self) -> int:
        """Number of units currently played in parallel."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def play(self, queue: Queue) -> Iterator[Done]:
        """Play units until none are left.

        Raises:
            LostWorkers: If the connection to the cluster is lost, or its workers die repeatedly.
        """
        loop = self._client.loop
        finished = as_completed(loop=loop, with_results=True, raise_errors=False)
        waiting = 0
        while True:
            waiting += self._submit(queue, finished, waiting)
            if not waiting:
                return
            future, done = next(finished)
            waiting -= 1
            if not isinstance(done, Done):
                raise LostWorkers(
                    f"the cluster at {self._address!r} failed: {_reason(future.status, done)}"
                )
            future.release()
            yield done

    def _submit(self, queue: Queue, finished: Any, waiting: int) -> int:
        # Submit twice as many units as there are workers, so that none is idle and new workers find
        # work.
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
        """Disconnect from the cluster and discard its games in progress."""
        # Finished games are already saved, so there is no hurry on a busy machine.
        with suppress(TimeoutError):
            self._client.close(timeout=_CLOSE_TIMEOUT_S)


def _connected(address: str) -> Client | str:
    """Return a client, or the reason why none could be created."""
    try:
        return Client(address, timeout=_CONNECT_TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError, TypeError) as problem:
        return first_line(problem)


def _version() -> str:
    return __version__


def _source(spec: Spec) -> bytes | None:
    """Return the source of a bot's file, because workers may not have the file."""
    bot = spec.match.bot
    file, colon, _ = bot.rpartition(":") if isinstance(bot, str) else ("", "", "")
    return Path(file).read_bytes() if colon else None


def _play(spec: Spec, source: bytes | None, unit: Unit, bot_seconds: float) -> Done:
    """Play a unit; this function runs on a worker."""
    if source is None:
        return UnitPlayer(spec, bot_seconds).play(unit, UNIT_SECONDS)
    file, _, name = str(spec.match.bot).rpartition(":")
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / Path(file).name
        here.write_bytes(source)
        copy = replace(spec, match=replace(spec.match, bot=f"{here}:{name}"))
        done = UnitPlayer(copy, bot_seconds).play(unit, UNIT_SECONDS)
    if done.failure is None:
        return done
    return replace(done, failure=_renamed(done.failure, str(here), file))


def _renamed(failure: SapperError, here: str, file: str) -> SapperError:
    """Replace the path of a bot's file in an error with the path given by the user."""
    message, notes = str(failure).replace(here, file), getattr(failure, "__notes__", [])
    renamed = BotFailed(message)
    if isinstance(failure, BotFailed):
        renamed = BotFailed(message, failure.trace.replace(here, file), timed_out=failure.timed_out)
    for note in notes:
        renamed.add_note(note.replace(here, file))
    return renamed


def _reason(status: str, result: Any) -> str:
    if isinstance(result, tuple) and len(result) == 3:
        result = result[1]
    return f"{type(result).__name__}: {first_line(result)}" if result is not None else status
