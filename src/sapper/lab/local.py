"""Workers on this machine: this process, or several worker processes."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections import Counter
from collections.abc import Iterator, MutableSequence, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from sapper._util.parent_process import end_with_parent
from sapper.errors import BotFailed
from sapper.lab.errors import LostWorkers
from sapper.lab.heartbeat import GRACE_S, Heartbeat
from sapper.lab.play import BOT_SECONDS, Done, Unit, UnitPlayer
from sapper.lab.queue import Queue
from sapper.lab.repeating import add_command, command
from sapper.lab.spec import Spec
from sapper.lab.table import empty
from sapper.plugins import load_plugins

__all__ = ["UNIT_SECONDS", "InProcess", "Processes"]

UNIT_SECONDS = 1.0
"""Duration of a unit: the interval between updates, and the most work lost when a worker dies."""

_CHECK_INTERVAL_S = 0.25
"""Seconds between checks for overdue workers."""

_MAX_DEATHS = 3
"""Number of processes that may die on the same unit before the run is aborted."""

_SPAWN = multiprocessing.get_context("spawn")


class InProcess:
    """A single worker: the current process."""

    def __init__(self, specs: Sequence[Spec], bot_seconds: float = BOT_SECONDS) -> None:
        self._players = [UnitPlayer(spec, bot_seconds) for spec in specs]
        self.workers = 1

    def play(self, queue: Queue) -> Iterator[Done]:
        """Play units until none are left."""
        while (unit := queue.take()) is not None:
            yield self._players[unit.run].play(unit, UNIT_SECONDS)

    def close(self) -> None:
        """Do nothing."""


class Processes:
    """Worker processes. A worker that dies is replaced, and its games are replayed."""

    def __init__(
        self, specs: Sequence[Spec], workers: int, bot_seconds: float = BOT_SECONDS
    ) -> None:
        self._specs, self._bot_seconds = list(specs), bot_seconds
        self.workers = workers
        self._processes: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, Unit] = {}
        self._heartbeats: dict[Connection, Heartbeat] = {}
        self._deaths: Counter[Unit] = Counter()

    def play(self, queue: Queue) -> Iterator[Done]:
        """Play units until none are left.

        Raises:
            LostWorkers: If several processes in a row die on the same games.
        """
        while True:
            self._send(queue)
            if not self._busy:
                return
            for ready in wait(list(self._busy), _CHECK_INTERVAL_S):
                assert isinstance(ready, Connection)
                unit = self._busy.pop(ready)
                try:
                    done = ready.recv()
                except (EOFError, OSError):
                    self._remove_dead(ready, unit)
                    queue.put_back(unit)
                    continue
                yield done
            yield from self._kill_overdue(queue)

    def _kill_overdue(self, queue: Queue) -> Iterator[Done]:
        """Kill workers whose bot does not return within its time limit.

        Games that such a worker had finished are replayed first, so that none is missing.
        """
        for pipe, beat in list(self._heartbeats.items()):
            if pipe not in self._busy or not beat.overdue(self._bot_seconds + GRACE_S):
                continue
            unit, process = self._busy.pop(pipe), self._processes.pop(pipe)
            process.kill()
            process.join()
            pipe.close()
            del self._heartbeats[pipe]
            spec, game = self._specs[unit.run], unit.start + beat.finished
            if game > unit.start:
                replayer = Processes(self._specs, 1, self._bot_seconds)
                try:
                    yield from replayer.play(Queue([Unit(unit.run, unit.start, game)]))
                finally:
                    replayer.close()
            failure = BotFailed(
                f"bot {spec.match.name}, game {spec.seed_of(game)}, choice {beat.choice}: took "
                f"longer than {self._bot_seconds:g} s, and its process was ended",
                timed_out=True,
            )
            add_command(failure, spec, spec.seed_of(game), self._bot_seconds)
            yield Done(Unit(unit.run, game, game), empty(), failure)

    def _send(self, queue: Queue) -> None:
        while len(self._busy) < self.workers and (unit := queue.take()) is not None:
            idle_pipe = next((pipe for pipe in self._processes if pipe not in self._busy), None)
            pipe = idle_pipe or self._start_process()
            self._busy[pipe] = unit
            self._heartbeats[pipe].begin()
            try:
                pipe.send(unit)
            except OSError:
                # The worker died while it was idle; `play` will notice that the pipe is closed.
                continue

    def _start_process(self) -> Connection:
        ours, theirs = _SPAWN.Pipe()
        shared = _SPAWN.RawArray("d", 3)
        process = _SPAWN.Process(
            target=_serve, args=(theirs, self._specs, self._bot_seconds, shared), daemon=True
        )
        process.start()
        theirs.close()
        self._processes[ours] = process
        self._heartbeats[ours] = Heartbeat(shared)
        return ours

    def _remove_dead(self, pipe: Connection, unit: Unit) -> None:
        process, beat = self._processes.pop(pipe), self._heartbeats.pop(pipe)
        pipe.close()
        process.join()
        self._deaths[unit] += 1
        if self._deaths[unit] >= _MAX_DEATHS:
            spec = self._specs[unit.run]
            seed = spec.seed_of(unit.start + beat.finished)
            error = LostWorkers(
                f"bot {spec.match.name}, game {seed}, choice {beat.choice}: {_MAX_DEATHS} "
                f"processes died (exit status {process.exitcode})"
            )
            if replay_command := command(spec, seed):
                error.add_note(f"repeat this game with: {replay_command}")
            raise error

    def close(self) -> None:
        """Kill all worker processes."""
        for process in self._processes.values():
            process.kill()
        for pipe, process in self._processes.items():
            process.join()
            pipe.close()
        self._processes.clear()
        self._heartbeats.clear()
        self._busy.clear()


def _serve(
    pipe: Connection,
    specs: Sequence[Spec],
    bot_seconds: float,
    shared: MutableSequence[float],
) -> None:
    """Play units in a worker process until its pipe closes, even if its parent was killed."""
    # Ctrl-C reaches every process in the terminal, but only the parent should react to it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    load_plugins()
    sys.stdout = sys.stderr
    heartbeat = Heartbeat(shared)
    players: dict[int, UnitPlayer] = {}
    try:
        while True:
            unit: Unit = pipe.recv()
            if unit.run not in players:
                players[unit.run] = UnitPlayer(specs[unit.run], bot_seconds, heartbeat)
            pipe.send(players[unit.run].play(unit, UNIT_SECONDS))
    except (EOFError, OSError):
        return
