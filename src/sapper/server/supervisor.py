"""The parent process of a site: it starts worker processes and replaces those that end.

It serves nothing itself. All workers accept connections from the same socket, which stays
open while they are replaced. SIGHUP restarts them one after another; SIGTERM and SIGINT stop them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from sapper.server.cluster.membership import site_of
from sapper.server.cluster.redis_bus import check_redis, mark_ended, redis_client
from sapper.server.listening import CannotServe
from sapper.server.storage.opening import open_postgresql
from sapper.server.storage.store import Store
from sapper.server.worker import READY, WorkerSettings

__all__ = ["supervise"]

_log: Final = logging.getLogger(__name__)

_SHORT_LIFE_S: Final = 5.0
"""A worker that ends sooner than this, or before it serves, is replaced after a pause."""
_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 8.0
_STOP_S: Final = 30.0
"""Time for a worker to save its games before it is killed."""
_BURY_S: Final = 0.5
_BURY_ATTEMPTS: Final = 60


class _Worker:
    """A worker process.

    Args:
        process: The process.
        name: Its name.
    """

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        self.process, self.name = process, name
        self.started_s = time.monotonic()
        self.ready: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            if line == READY and not self.ready.done():
                self.ready.set_result(True)
        if not self.ready.done():
            self.ready.set_result(False)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        with suppress(ProcessLookupError):
            self.process.send_signal(number)

    async def stop(self) -> None:
        """Ask the process to save its games and end."""
        self.signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.process.wait(), _STOP_S)
        except TimeoutError:
            _log.error("the worker %s does not stop, and is killed", self.name)
            self.signal(signal.SIGKILL)
            await self.process.wait()


class _Supervisor:
    """Keeps the workers running.

    Args:
        settings: The settings of all workers.
        site: The name of the site in Redis.
    """

    def __init__(self, settings: WorkerSettings, site: str) -> None:
        self._settings, self._site = settings, site
        self._redis = redis_client(settings.redis)
        self._workers: list[_Worker] = []
        self._stopping = asyncio.Event()
        self._restarting: asyncio.Task[None] | None = None
        self._burying: set[asyncio.Task[None]] = set()

    async def run(self, started: Callable[[], object]) -> bool:
        """Run until a signal; return whether all games were saved."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._stopping.set)
        loop.add_signal_handler(signal.SIGINT, self._stopping.set)
        loop.add_signal_handler(signal.SIGHUP, self._restart)
        self._workers = [await self._start(slot) for slot in range(self._settings.workers)]
        keeping = [asyncio.create_task(self._keep(slot)) for slot in range(len(self._workers))]
        keeping.append(asyncio.create_task(self._report(self._workers, started)))
        await self._stopping.wait()
        if self._restarting is not None:
            keeping.append(self._restarting)
        for task in keeping:
            task.cancel()
        await asyncio.gather(*keeping, return_exceptions=True)
        await asyncio.gather(*(worker.stop() for worker in self._workers))
        if self._burying:
            await asyncio.wait(self._burying, timeout=_BURY_S)
        for burying in self._burying:
            burying.cancel()
        await self._redis.aclose()
        return all(worker.process.returncode == 0 for worker in self._workers)

    async def _report(self, workers: Iterable[_Worker], started: Callable[[], object]) -> None:
        await asyncio.gather(*(worker.ready for worker in workers))
        started()

    async def _start(self, slot: int) -> _Worker:
        name = f"{socket.gethostname()}-{secrets.token_hex(4)}"
        settings = replace(self._settings, name=name, leads=slot == 0)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "sapper.server.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=settings.sockets,
            # Ctrl-C in a terminal reaches only this process.
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(settings.to_line())
        worker = _Worker(process, name)
        task = asyncio.create_task(self._bury(worker))
        self._burying.add(task)
        task.add_done_callback(self._burying.discard)
        return worker

    async def _bury(self, worker: _Worker) -> None:
        """Wait until a worker ends, and notify the others."""
        await worker.process.wait()
        # The other workers notice this themselves once they can be reached again.
        for _ in range(_BURY_ATTEMPTS):
            try:
                await mark_ended(self._redis, self._site, worker.name)
                return
            except OSError:
                await asyncio.sleep(_BURY_S)

    async def _keep(self, slot: int) -> None:
        """Keep a worker running, with growing pauses if it ends immediately."""
        pause_s = 0.0
        while True:
            worker = self._workers[slot]
            status = await worker.process.wait()
            if worker is not self._workers[slot]:
                # This process has been replaced by a restarted one.
                continue
            has_served = worker.ready.done() and worker.ready.result()
            is_short = not has_served or time.monotonic() - worker.started_s < _SHORT_LIFE_S
            pause_s = min(_LONGEST_PAUSE_S, max(_FIRST_PAUSE_S, 2 * pause_s)) if is_short else 0.0
            again = f"starting another{f' in {pause_s:g} s' if pause_s else ''}"
            _log.error("the worker %s has ended (status %d); %s", worker.name, status, again)
            await asyncio.sleep(pause_s)
            self._workers[slot] = await self._start(slot)

    def _restart(self) -> None:
        if self._restarting is None or self._restarting.done():
            self._restarting = asyncio.create_task(self._replace_all())

    async def _replace_all(self) -> None:
        """Replace all workers, each as soon as its replacement is ready."""
        for slot, worker in enumerate(self._workers):
            replacement = await self._start(slot)
            if not await replacement.ready:
                _log.error("a new worker does not start; the others are kept")
                return
            self._workers[slot] = replacement
            await worker.stop()
        _log.warning("all workers have been restarted")


def supervise(settings: WorkerSettings, started: Callable[[], object]) -> bool:
    """Run the workers of a site until SIGTERM or Ctrl-C; return whether all games were saved.

    Args:
        settings: The settings of all workers; `name`, `leads` and `slots` are replaced.
        started: Called when the first workers are ready or have failed to start.

    Raises:
        BadSetting: If an address cannot be read, or the database has another version.
        BusFailed: If Redis cannot be reached.
        CannotOpen: If the database cannot be reached.
        CannotServe: If the system does not support such processes.
        DatabaseInUse: If a single server uses the database.
        MissingExtra: If a library is not installed.
    """
    if sys.platform == "win32":
        raise CannotServe("several workers need Linux or macOS; leave out --redis and --workers")
    asyncio.run(check_redis(settings.redis))
    # This also creates the key that signs cookies, before the workers need it.
    with Store(open_postgresql(settings.database, shared=True)) as store:
        site = site_of(store.secret())
    with tempfile.TemporaryDirectory(prefix="sapper-") as slots:
        return asyncio.run(_run(replace(settings, slots=slots), site, started))


async def _run(settings: WorkerSettings, site: str, started: Callable[[], object]) -> bool:
    return await _Supervisor(settings, site).run(started)
