"""Jobs of unpredictable duration, run in processes that can be ended.

Most take a moment, and are done by processes that give up after one. A job that is not done by
then begins again in another process, where each visitor has one at a time. So no visitor's long
jobs delay the short ones of others.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from math import inf
from typing import Any, Final, TypeVar

from starlette.requests import ClientDisconnect, Request

from sapper.server import limits
from sapper.server.job_runner import TooSlow
from sapper.server.process_pool import ProcessPool
from sapper.server.turns import Turns, Who

__all__ = ["LongJobs", "ignore_result", "run_within", "unless_gone"]

_Result = TypeVar("_Result")

_TOO_SLOW: Final = "it takes longer than {seconds:g} seconds now"
_REMEMBERED: Final = 10_000
"""Slow jobs remembered; the one of longest ago is forgotten first."""


class LongJobs:
    """Runs jobs in processes: briefly in one lane, then in the other."""

    def __init__(self) -> None:
        # Visitors wait for these jobs, so they get a share of a busy machine.
        self._quick = ProcessPool(limits.QUICK_PROCESSES, idle=False, memory=limits.LONG_JOB_BYTES)
        self._long = ProcessPool(limits.LONG_PROCESSES, idle=False, memory=limits.LONG_JOB_BYTES)
        self._slow: OrderedDict[tuple[str, str], float] = OrderedDict()
        """When a visitor's job of a kind last took long."""
        self._quick_turns = Turns(limits.QUICK_PER_ADDRESS)
        self._long_turns = Turns(limits.LONG_PER_ADDRESS)

    def prepare(self) -> None:
        """Start the processes for quick jobs, for a page that will soon need them."""
        self._quick.prepare()

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers that were started."""
        return [*self._quick.pids, *self._long.pids]

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
        """Do a job and return its result. If the caller is cancelled, the job ends.

        Args:
            who: The visitor.
            work: The job; see `ProcessPool`.
            heavy: Whether it is known to take longer than a moment.
            budget_s: The time limit (default: `limits.STUDY_BUDGET_S`).
            tell: Called with each text about its progress.

        Raises:
            TooSlow: If it takes longer.
            Busy: If it waits too long for other jobs of the visitor.
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
        """Do a job that takes a moment; see `do`.

        Where the last such job of the same visitor or address took longer, this one is not tried:
        each might cost a process, which others would have to wait for.
        """
        kind = (who.address or who.visitor, getattr(getattr(work, "func", work), "__name__", ""))
        self._check_slow(kind)
        end_turn = await self._quick_turns.take(who)
        try:
            # The one before may have been slow.
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
            raise TooSlow(_TOO_SLOW.format(seconds=limits.MOMENT_S))

    def _note_slow(self, kind: tuple[str, str]) -> None:
        self._slow[kind] = asyncio.get_running_loop().time()
        self._slow.move_to_end(kind)
        while len(self._slow) > _REMEMBERED:
            self._slow.popitem(last=False)

    async def long(
        self,
        who: Who,
        work: Callable[[], _Result],
        budget_s: float | None = None,
        tell: Callable[[str], object] | None = None,
    ) -> _Result:
        """Do a job that is known to take longer; see `do`."""
        budget = limits.STUDY_BUDGET_S if budget_s is None else budget_s
        return await run_within(self._long, await self._long_turns.take(who), work, budget, tell)


async def run_within(
    pool: ProcessPool,
    end_turn: Callable[[], None],
    work: Callable[[], _Result],
    seconds: float,
    tell: Callable[[str], object] | None = None,
) -> _Result:
    """Do a job in a pool and return its result. If the caller is cancelled, the job ends.

    Args:
        pool: The processes.
        end_turn: Called once the job is over; see `Turns`.
        work: The job.
        seconds: The time limit.
        tell: Called with each text about its progress.

    Raises:
        TooSlow: If it takes longer.
    """
    try:
        job = pool.submit(work, tell)
    except BaseException:
        end_turn()
        raise
    # Not before its process is free again.
    job.add_done_callback(lambda _: end_turn())
    job.add_done_callback(ignore_result)
    try:
        await pool.until_ready(job)
        # Awaiting the job itself would cancel its future together with the caller.
        await asyncio.wait({job}, timeout=seconds)
        if job.done():
            return job.result()
    finally:
        pool.stop(job)
    raise TooSlow(_TOO_SLOW.format(seconds=seconds))


async def unless_gone(request: Request, work: Any) -> Any:
    """Await a coroutine or future; cancel it when the browser closes the request.

    Args:
        request: Whose body was read.
        work: The awaitable.

    Raises:
        ClientDisconnect: If the browser closes the request.
    """
    running: asyncio.Future[Any] = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({running, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise ClientDisconnect
        return running.result()
    finally:
        gone.cancel()
        running.cancel()
        running.add_done_callback(ignore_result)


def ignore_result(future: asyncio.Future[Any]) -> None:
    """Read the exception of an abandoned job, so that asyncio does not log it."""
    if not future.cancelled():
        future.exception()


async def _gone(request: Request) -> None:
    """Wait until the other end closes the request."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
