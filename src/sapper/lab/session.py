"""Play runs to completion: workers, recorders, and error handling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from sapper._util.interrupt import noticed
from sapper._util.worker_count import worker_count
from sapper.errors import BadSetting, BotFailed, SapperError
from sapper.lab.files import locked
from sapper.lab.local import Here, Processes
from sapper.lab.play import BOT_SECONDS, Done, Unit
from sapper.lab.queue import Queue, cut
from sapper.lab.record import Recorder
from sapper.lab.run_index import remember
from sapper.lab.spec import Spec
from sapper.lab.store import SHARD, Store

__all__ = ["Backend", "Session", "Watch", "kept", "workers_for"]

Watch = Callable[[Sequence[Recorder]], None]
"""Called whenever games have finished."""


class Backend(Protocol):
    """Something that plays units."""

    @property
    def workers(self) -> int:
        """Number of units played at the same time, if known."""

    def play(self, queue: Queue) -> Iterator[Done]:
        """Play units until none are left; the unfinished part of a unit is returned."""

    def close(self) -> None:
        """Stop everything in progress."""


def workers_for(
    specs: Sequence[Spec],
    workers: int | None = None,
    dask: str | None = None,
    bot_seconds: float = BOT_SECONDS,
) -> Backend:
    """Return the requested workers: a cluster's, or local ones, one per core by default.

    There are never more local workers than games.

    Raises:
        BadSetting: If the number of workers is invalid, or more than this machine supports.
        LostWorkers: If there is no cluster.
    """
    if not bot_seconds > 0:
        raise BadSetting(f"bot_seconds must be greater than 0, got {bot_seconds}")
    if dask is not None:
        from sapper.lab.cluster import Cluster

        return Cluster(specs, dask, bot_seconds)
    count = worker_count(workers, sum(spec.games for spec in specs))
    # A bot from a file may end the process it runs in, or never return.
    from_file = any(isinstance(spec.match.bot, str) and ":" in spec.match.bot for spec in specs)
    if count == 1 and not from_file:
        return Here(specs, bot_seconds)
    return Processes(specs, count, bot_seconds)


@contextmanager
def kept(path: Path | str, spec: Spec, command: str, *, resume: bool) -> Iterator[Store]:
    """Create or reopen a run's directory, locked against other processes.

    Raises:
        BadRun: If it cannot be used, or contains another run.
    """
    store = Store(path)
    if store.exists:
        store.check(spec, resume=resume)
    else:
        store.begin({**spec.to_json(), "command": command})
    remember(store.path)
    with locked(store.path / "lock"):
        store.clean()
        yield store


class Session:
    """Runs that are played together by the same workers.

    Args:
        recorders: The runs.
        backend: The workers; they are ended with the session.
        watch: Called whenever games have finished.
    """

    def __init__(
        self, recorders: Sequence[Recorder], backend: Backend, watch: Watch | None = None
    ) -> None:
        self.recorders, self._backend, self._watch = recorders, backend, watch

    def __enter__(self) -> Session:
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
                    recorder.tell("done")
                elif problem is None:
                    recorder.tell("stopped")
                elif isinstance(problem, KeyboardInterrupt):
                    recorder.tell("interrupted")
                elif isinstance(problem, SapperError):
                    notes = [note for note in getattr(problem, "__notes__", []) if "\n" not in note]
                    self._tell_failure(recorder, "; ".join([str(problem), *notes]))

    def _tell_failure(self, recorder: Recorder, message: str) -> None:
        # On a full disk this fails too, and the first failure should be reported.
        try:
            recorder.tell("failed", message)
        except SapperError:
            return

    def play(self, upto: int | None = None) -> None:
        """Play all missing games, or those up to a number.

        Raises:
            BotFailed: If a bot raises, or its choice is invalid; finished games are kept.
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
                # Units in progress may finish; no later ones start.
                if not failures:
                    queue.clear()
                failures[done.unit.run, done.reached] = done.failure
            # Earlier games are still played: the first failure is reported, on any machine.
            elif not failures or (done.unit.run, done.reached) < min(failures):
                queue.put_rest(done)
        if failures:
            # That of the first game, whichever worker was faster.
            raise _with_trace(failures[min(failures)])

    def _units(self, upto: int | None) -> list[Unit]:
        missing = [
            (run, games)
            for run, recorder in enumerate(self.recorders)
            for games in recorder.missing(upto)
        ]
        # Small enough that all workers finish together; a single worker always does.
        total, workers = sum(len(games) for _, games in missing), self._backend.workers
        most = SHARD if workers == 1 else max(1, min(SHARD, total // (8 * workers)))
        return [unit for run, games in missing for unit in cut(run, games, most)]


def _with_trace(failure: SapperError) -> SapperError:
    """Add the calls that led to a failure in another process, which Python cannot show."""
    if isinstance(failure, BotFailed) and failure.trace and failure.__cause__ is None:
        failure.add_note(failure.trace)
    return failure
