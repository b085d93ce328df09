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
from sapper.lab.life import GRACE_S, Pulse
from sapper.lab.play import BOT_SECONDS, Done, Player, Unit
from sapper.lab.queue import Queue
from sapper.lab.repeating import add_command, command
from sapper.lab.spec import Spec
from sapper.lab.table import empty

__all__ = ["UNIT_SECONDS", "Here", "Processes"]

UNIT_SECONDS = 1.0
"""Duration of a unit: the work lost with a worker, and the interval of updates."""

_LOOK_S = 0.25
"""Seconds between checks for overdue workers."""

_LIVES = 3
"""Process deaths at the same games before the run is aborted."""

_SPAWN = multiprocessing.get_context("spawn")


class Here:
    """One worker, which is this process."""

    def __init__(self, specs: Sequence[Spec], bot_seconds: float = BOT_SECONDS) -> None:
        self._players = [Player(spec, bot_seconds) for spec in specs]
        self.workers = 1

    def play(self, queue: Queue) -> Iterator[Done]:
        """Play units until none are left."""
        while (unit := queue.take()) is not None:
            yield self._players[unit.run].play(unit, UNIT_SECONDS)

    def close(self) -> None:
        """Do nothing."""


class Processes:
    """Worker processes; a dead one is replaced, and its games are replayed."""

    def __init__(
        self, specs: Sequence[Spec], workers: int, bot_seconds: float = BOT_SECONDS
    ) -> None:
        self._specs, self._bot_seconds = list(specs), bot_seconds
        self.workers = workers
        self._hands: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, Unit] = {}
        self._pulses: dict[Connection, Pulse] = {}
        self._deaths: Counter[Unit] = Counter()

    def play(self, queue: Queue) -> Iterator[Done]:
        """Play units until none are left.

        Raises:
            LostWorkers: If one process after the other dies at the same games.
        """
        while True:
            self._send(queue)
            if not self._busy:
                return
            for ready in wait(list(self._busy), _LOOK_S):
                assert isinstance(ready, Connection)
                unit = self._busy.pop(ready)
                try:
                    done = ready.recv()
                except (EOFError, OSError):
                    self._bury(ready, unit)
                    queue.put_back(unit)
                    continue
                yield done
            yield from self._overdue(queue)

    def _overdue(self, queue: Queue) -> Iterator[Done]:
        """End the workers whose bot does not return even after its time is up.

        The games they had finished are played again first, so that none is missing.
        """
        for hand, pulse in list(self._pulses.items()):
            if hand not in self._busy or not pulse.overdue(self._bot_seconds + GRACE_S):
                continue
            unit, process = self._busy.pop(hand), self._hands.pop(hand)
            process.kill()
            process.join()
            hand.close()
            del self._pulses[hand]
            spec, game = self._specs[unit.run], unit.start + pulse.finished
            if game > unit.start:
                again = Processes(self._specs, 1, self._bot_seconds)
                try:
                    yield from again.play(Queue([Unit(unit.run, unit.start, game)]))
                finally:
                    again.close()
            failure = BotFailed(
                f"bot {spec.match.name}, game {spec.seed_of(game)}, choice {pulse.choice}: took "
                f"longer than {self._bot_seconds:g} s, and its process was ended"
            )
            add_command(failure, spec, spec.seed_of(game), self._bot_seconds)
            yield Done(Unit(unit.run, game, game), empty(), failure)

    def _send(self, queue: Queue) -> None:
        while len(self._busy) < self.workers and (unit := queue.take()) is not None:
            idle = next((hand for hand in self._hands if hand not in self._busy), None)
            hand = idle or self._hire()
            self._busy[hand] = unit
            self._pulses[hand].begin()
            try:
                hand.send(unit)
            except OSError:
                # It died while idle; `play` notices the end of its pipe.
                continue

    def _hire(self) -> Connection:
        ours, theirs = _SPAWN.Pipe()
        shared = _SPAWN.RawArray("d", 3)
        process = _SPAWN.Process(
            target=_serve, args=(theirs, self._specs, self._bot_seconds, shared), daemon=True
        )
        process.start()
        theirs.close()
        self._hands[ours] = process
        self._pulses[ours] = Pulse(shared)
        return ours

    def _bury(self, hand: Connection, unit: Unit) -> None:
        process, pulse = self._hands.pop(hand), self._pulses.pop(hand)
        hand.close()
        process.join()
        self._deaths[unit] += 1
        if self._deaths[unit] >= _LIVES:
            spec = self._specs[unit.run]
            seed = spec.seed_of(unit.start + pulse.finished)
            lost = LostWorkers(
                f"bot {spec.match.name}, game {seed}, choice {pulse.choice}: {_LIVES} processes "
                f"died (exit status {process.exitcode})"
            )
            if repeat := command(spec, seed):
                lost.add_note(f"repeat this game with: {repeat}")
            raise lost

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        for process in self._hands.values():
            process.kill()
        for hand, process in self._hands.items():
            process.join()
            hand.close()
        self._hands.clear()
        self._pulses.clear()
        self._busy.clear()


def _serve(
    hand: Connection,
    specs: Sequence[Spec],
    bot_seconds: float,
    shared: MutableSequence[float],
) -> None:
    """Runs in a worker process until its pipe closes, even if its parent was killed."""
    # Ctrl-C reaches all processes of a terminal; the parent decides what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    sys.stdout = sys.stderr
    pulse = Pulse(shared)
    players: dict[int, Player] = {}
    try:
        while True:
            unit: Unit = hand.recv()
            if unit.run not in players:
                players[unit.run] = Player(specs[unit.run], bot_seconds, pulse)
            hand.send(players[unit.run].play(unit, UNIT_SECONDS))
    except (EOFError, OSError):
        return
