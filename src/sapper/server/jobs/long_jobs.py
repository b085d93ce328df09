"""Run jobs of unpredictable duration in processes that can be killed.

Most jobs are quick, and processes for quick jobs give up after a moment. A job that is not done by
then is restarted in a process for long jobs, where each visitor has one at a time. As a result, one
visitor's long jobs do not delay the quick jobs of others.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple, TypeVar

from sapper.server import limits
from sapper.server.instruments import note_refusal
from sapper.server.jobs.errors import Busy, TooSlow
from sapper.server.jobs.process_pool import ProcessPool, ignore_result
from sapper.translation import Text, t, tn

__all__ = ["LongJobs", "Turns", "Who", "run_within"]

_Result = TypeVar("_Result")

_MAX_REMEMBERED: Final = 10_000
"""Maximum number of slow jobs to remember; the oldest is forgotten first."""


class Who(NamedTuple):
    """The visitor who requests a job.

    Attributes:
        visitor: The browser's session or, without a cookie, its address.
        address: The network, shared by all its visitors; None for addresses of this machine.
    """

    visitor: str
    address: str | None


class Turns:
    """Grants turns in the order of requests.

    Args:
        for_address: Maximum number of concurrent turns per address.
    """

    def __init__(self, for_address: int) -> None:
        self._for_address: Final = for_address
        self._taken: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._waiting: deque[tuple[Who, asyncio.Future[None]]] = deque()

    async def take(self, who: Who) -> Callable[[], None]:
        """Wait for a turn; return the function that ends it.

        Raises:
            Busy: If too many jobs of this visitor are waiting, or the others take too long.
        """
        if sum(other.visitor == who.visitor for other, _ in self._waiting) >= limits.WAITING_TURNS:
            note_refusal("long_jobs_waiting")
            raise Busy(t("this browser has too many long jobs waiting; close some"))
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((who, turn))
        self._hand_out()
        try:
            await asyncio.wait({turn}, timeout=limits.TURN_BUDGET_S)
        except asyncio.CancelledError:
            if not self._withdraw(who, turn):
                self._end(who)
            raise
        if self._withdraw(who, turn):
            note_refusal("long_job_turn")
            raise Busy(t("this browser is still running another long job; try again later"))
        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                self._end(who)

        return end

    def _withdraw(self, who: Who, turn: asyncio.Future[None]) -> bool:
        """Stop waiting; return False if the turn was already granted."""
        if turn.done():
            return False
        self._waiting.remove((who, turn))
        return True

    def _has_room(self, who: Who) -> bool:
        shared = who.address is not None and self._addresses[who.address] >= self._for_address
        return not (self._taken[who.visitor] or shared)

    def _hand_out(self) -> None:
        still: deque[tuple[Who, asyncio.Future[None]]] = deque()
        for who, turn in self._waiting:
            if self._has_room(who):
                self._taken[who.visitor] += 1
                if who.address is not None:
                    self._addresses[who.address] += 1
                turn.set_result(None)
            else:
                still.append((who, turn))
        self._waiting = still

    def _end(self, who: Who) -> None:
        for counts, key in ((self._taken, who.visitor), (self._addresses, who.address)):
            if key is not None:
                counts[key] -= 1
                if counts[key] <= 0:
                    del counts[key]
        self._hand_out()


class LongJobs:
    """Runs jobs in processes for quick jobs first, then in processes for long jobs."""

    def __init__(self) -> None:
        # Visitors wait for these jobs, so the jobs must make progress even on a busy machine.
        self._quick = ProcessPool(
            limits.QUICK_PROCESSES, idle=False, memory=limits.LONG_JOB_BYTES, name="quick"
        )
        self._long = ProcessPool(
            limits.LONG_PROCESSES, idle=False, memory=limits.LONG_JOB_BYTES, name="long"
        )
        self._slow: OrderedDict[tuple[str, str], float] = OrderedDict()
        """Time at which a visitor's job of each kind last took long."""
        self._quick_turns = Turns(limits.QUICK_PER_ADDRESS)
        self._long_turns = Turns(limits.LONG_PER_ADDRESS)

    def prepare(self) -> None:
        """Start the processes for quick jobs, for a page that will soon need them."""
        self._quick.prepare()

    @property
    def pids(self) -> list[int]:
        """Process ids of the started workers."""
        return [*self._quick.pids, *self._long.pids]

    @property
    def queues(self) -> dict[str, ProcessPool]:
        """The pools of processes, by name."""
        return {"quick": self._quick, "long": self._long}

    def close(self) -> None:
        """End the processes."""
        self._quick.close()
        self._long.close()

    async def do(
        self,
        who: Who,
        work: Callable[[], _Result],
        *,
        heavy: bool,
        budget_s: float | None = None,
        tell: Callable[[str], object] | None = None,
    ) -> _Result:
        """Run a job and return its result. If the caller is cancelled, the job is stopped.

        Args:
            who: The visitor.
            work: The job; see `ProcessPool`.
            heavy: Whether the job is known to take long.
            budget_s: The time limit (default: `limits.STUDY_BUDGET_S`).
            tell: Called with each progress text.

        Raises:
            TooSlow: If the job exceeds its time limit.
            Busy: If the job waits too long for other jobs of the visitor.
        """
        if not heavy:
            try:
                return await self.quick(who, work, tell)
            except TooSlow:
                pass
        return await self.long(who, work, budget_s, tell)

    async def quick(
        self, who: Who, work: Callable[[], _Result], tell: Callable[[str], object] | None = None
    ) -> _Result:
        """Run a job that should be quick; see `do`.

        If the last such job of the same visitor or address was slow, the job is not tried, because
        it might tie up a process.
        """
        kind = (who.address or who.visitor, getattr(getattr(work, "func", work), "__name__", ""))
        self._check_slow(kind)
        end_turn = await self._quick_turns.take(who)
        try:
            # A slow earlier job may have used up the time.
            self._check_slow(kind)
        except TooSlow:
            end_turn()
            raise
        try:
            return await run_within(self._quick, end_turn, work, limits.MOMENT_S, tell)
        except TooSlow:
            self._note_slow(kind)
            raise

    def _check_slow(self, kind: tuple[str, str]) -> None:
        if asyncio.get_running_loop().time() - self._slow.get(kind, -inf) < limits.SLOW_S:
            raise TooSlow(_too_slow(limits.MOMENT_S))

    def _note_slow(self, kind: tuple[str, str]) -> None:
        self._slow[kind] = asyncio.get_running_loop().time()
        self._slow.move_to_end(kind)
        while len(self._slow) > _MAX_REMEMBERED:
            self._slow.popitem(last=False)

    async def long(
        self,
        who: Who,
        work: Callable[[], _Result],
        budget_s: float | None = None,
        tell: Callable[[str], object] | None = None,
    ) -> _Result:
        """Run a job that is known to take long; see `do`."""
        budget = limits.STUDY_BUDGET_S if budget_s is None else budget_s
        return await run_within(self._long, await self._long_turns.take(who), work, budget, tell)


async def run_within(
    pool: ProcessPool,
    end_turn: Callable[[], None],
    work: Callable[[], _Result],
    seconds: float,
    tell: Callable[[str], object] | None = None,
) -> _Result:
    """Run a job in a pool and return its result. If the caller is cancelled, the job is stopped.

    Args:
        pool: The processes.
        end_turn: Called when the job is over; see `Turns`.
        work: The job.
        seconds: The time limit.
        tell: Called with each progress text.

    Raises:
        TooSlow: If the job exceeds its time limit.
    """
    try:
        job = pool.submit(work, tell)
    except BaseException:
        end_turn()
        raise
    # End the turn only once the process is free again.
    job.add_done_callback(lambda _: end_turn())
    job.add_done_callback(ignore_result)
    try:
        await pool.until_ready(job)
        # Awaiting the job directly would cancel its future together with the caller.
        await asyncio.wait({job}, timeout=seconds)
        if job.done():
            return job.result()
    finally:
        pool.stop(job)
    raise TooSlow(_too_slow(seconds))


def _too_slow(limit_s: float) -> Text:
    if limit_s < 1:
        return t("this takes too long right now")
    return tn(
        "this takes longer than {n} second right now",
        "this takes longer than {n} seconds right now",
        round(limit_s),
    )
