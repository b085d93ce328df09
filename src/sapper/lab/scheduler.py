"""Play runs to completion with workers, recorders and error handling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from sapper._util.interrupt import noticed
from sapper._util.worker_count import worker_count
from sapper.errors import BadSetting, BotFailed, SapperError
from sapper.lab.files import locked
from sapper.lab.local import InProcess, Processes
from sapper.lab.play import BOT_SECONDS, Done, Unit
from sapper.lab.queue import Queue, cut
from sapper.lab.record import Recorder
from sapper.lab.run_index import remember
from sapper.lab.spec import Spec
from sapper.lab.store import SHARD, RunStore

__all__ = ["Backend", "Scheduler", "Watch", "open_store", "workers_for"]

Watch = Callable[[Sequence[Recorder]], None]
"""Called whenever games have finished."""


class Backend(Protocol):
    """The interface of a pool of workers that play units."""

    @property
    def workers(self) -> int:
        """Number of units played in parallel."""

    def play(self, queue: Queue) -> Iterator[Done]:
        """Play units until none are left."""

    def close(self) -> None:
        """Stop all work in progress."""


def workers_for(
    specs: Sequence[Spec],
    workers: int | None = None,
    dask: str | None = None,
    bot_seconds: float = BOT_SECONDS,
) -> Backend:
    """Return a cluster's workers, or local ones: one per core by default, at most one per game.

    Raises:
        BadSetting: If the number of workers is invalid, or more than this machine supports.
        LostWorkers: If the cluster cannot be used.
    """
    if not bot_seconds > 0:
        raise BadSetting(f"bot_seconds must be greater than 0, got {bot_seconds}")
    if dask is not None:
        from sapper.lab.cluster import Cluster

        return Cluster(specs, dask, bot_seconds)
    count = worker_count(workers, sum(spec.games for spec in specs))
    # A bot from a file may exit the process it runs in, or never return.
    from_file = any(isinstance(spec.match.bot, str) and ":" in spec.match.bot for spec in specs)
    if count == 1 and not from_file:
        return InProcess(specs, bot_seconds)
    return Processes(specs, count, bot_seconds)


@contextmanager
def open_store(path: Path | str, spec: Spec, command: str, *, resume: bool) -> Iterator[RunStore]:
    """Create or reopen the directory of a run, and lock it against other processes.

    Raises:
        BadRun: If the directory cannot be used or contains another run.
    """
    store = RunStore(path)
    if store.exists:
        store.check(spec, resume=resume)
    else:
        store.begin({**spec.to_json(), "command": command})
    remember(store.path)
    with locked(store.path / "lock"):
        store.clean()
        yield store


class Scheduler:
    """Plays several runs together with the same workers.

    Args:
        recorders: The runs.
        backend: The workers; they are stopped on exit.
        watch: Called whenever games have finished.
    """

    def __init__(
        self, recorders: Sequence[Recorder], backend: Backend, watch: Watch | None = None
    ) -> None:
        self.recorders, self._backend, self._watch = recorders, backend, watch

    def __enter__(self) -> Scheduler:
        return self

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, KeyboardInterrupt):
            noticed.set()
        with ExitStack() as stack:
            stack.callback(self._backend.close)
            for recorder in self.recorders:
                if isinstance(problem, KeyboardInterrupt):
                    recorder.recount()
                if recorder.complete:
                    recorder.write_status("done")
                elif problem is None:
                    recorder.write_status("stopped")
                elif isinstance(problem, KeyboardInterrupt):
                    recorder.write_status("interrupted")
                elif isinstance(problem, SapperError):
                    notes = [note for note in getattr(problem, "__notes__", []) if "\n" not in note]
                    self._write_failure(recorder, "; ".join([str(problem), *notes]))

    def _write_failure(self, recorder: Recorder, message: str) -> None:
        # On a full disk, this fails as well; report the original failure.
        try:
            recorder.write_status("failed", message)
        except SapperError:
            return

    def play(self, upto: int | None = None) -> None:
        """Play all missing games, or those among the first `upto`.

        Raises:
            BotFailed: If a bot raises an exception or its choice is invalid; finished games are
                kept.
            BadRun: If games cannot be written.
            KeyboardInterrupt: On Ctrl-C; finished games are kept.
        """
        queue = Queue(self._units(upto))
        failures: dict[tuple[int, int], SapperError] = {}
        for done in self._backend.play(queue):
            self.recorders[done.unit.run].take(done)
            if self._watch is not None:
                self._watch(self.recorders)
            if done.interrupted:
                raise KeyboardInterrupt
            if done.failure is not None:
                # Let units in progress finish, but do not start any more.
                if not failures:
                    queue.clear()
                failures[done.unit.run, done.reached] = done.failure
            # Earlier games are still played, so that the reported failure is the same on every
            # machine.
            elif not failures or (done.unit.run, done.reached) < min(failures):
                queue.put_rest(done)
        if failures:
            # Report the failure of the earliest game, not of the fastest worker.
            raise _with_trace(failures[min(failures)])

    def _units(self, upto: int | None) -> list[Unit]:
        missing = [
            (run, games)
            for run, recorder in enumerate(self.recorders)
            for games in recorder.missing(upto)
        ]
        # Keep units small, so that all workers finish at about the same time.
        total, workers = sum(len(games) for _, games in missing), self._backend.workers
        most = SHARD if workers == 1 else max(1, min(SHARD, total // (8 * workers)))
        return [unit for run, games in missing for unit in cut(run, games, most)]


def _with_trace(failure: SapperError) -> SapperError:
    """Add the traceback of a failure in another process, which Python does not show."""
    if isinstance(failure, BotFailed) and failure.trace and failure.__cause__ is None:
        failure.add_note(failure.trace)
    return failure
