"""Jobs of unknown length run in processes that can be killed, one per visitor at a time."""

from __future__ import annotations

import asyncio
import operator
import os
import sys
from functools import partial

import pytest

from sapper.errors import LimitReached
from sapper.server import limits
from sapper.server.jobs.errors import TooSlow
from sapper.server.jobs.long_jobs import LongJobs, Who
from sapper.server.jobs.process_pool import ProcessPool
from support.endless import endless, enormous

HOSTILE, OTHER = Who("hostile", None), Who("other", None)


def test_endless_jobs_do_not_delay_other_visitors() -> None:
    """Eight jobs share one process, and all of them end when they are abandoned."""

    async def scenario() -> None:
        jobs = LongJobs()
        try:
            stuck = [
                asyncio.ensure_future(jobs.do(HOSTILE, endless, heavy=index % 2 == 0))
                for index in range(8)
            ]
            for heavy in (False, True):
                assert await jobs.do(OTHER, partial(operator.add, 1, 1), heavy=heavy) == 2
            for job in stuck:
                job.cancel()
            await asyncio.gather(*stuck, return_exceptions=True)
            for heavy in (False, True):
                assert await jobs.do(HOSTILE, partial(operator.add, 1, 2), heavy=heavy) == 3
        finally:
            jobs.close()

    asyncio.run(scenario())


def test_slow_job_restarts_as_a_long_job(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process for long jobs runs the job again, and ends it when its budget is spent."""
    monkeypatch.setattr(limits, "MOMENT_S", 0.0)

    async def scenario() -> None:
        jobs = LongJobs()
        try:
            assert await jobs.do(HOSTILE, partial(operator.add, 1, 1), heavy=False) == 2
            with pytest.raises(TooSlow, match="takes too long"):
                await jobs.do(HOSTILE, endless, heavy=False, budget_s=0.1)
            assert await jobs.do(HOSTILE, partial(operator.add, 1, 2), heavy=False) == 3
        finally:
            jobs.close()

    asyncio.run(scenario())


def test_next_job_after_a_slow_one_starts_as_a_long_job(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another try would block a process; other jobs and other visitors are not affected."""
    monkeypatch.setattr(limits, "SLOW_S", 600.0)

    async def scenario() -> None:
        jobs = LongJobs()
        try:
            with pytest.raises(TooSlow):
                await jobs.quick(HOSTILE, endless)
            # Raise the time limit for quick jobs: a job refused now cannot have been started.
            monkeypatch.setattr(limits, "MOMENT_S", 600.0)
            with pytest.raises(TooSlow):
                await jobs.quick(HOSTILE, endless)
            for who, work in ((HOSTILE, os.getpid), (OTHER, os.getpid)):
                assert await jobs.quick(who, work)
        finally:
            jobs.close()

    asyncio.run(scenario())


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is bounded on Linux")
def test_job_memory_is_limited() -> None:
    """A job that needs more memory fails with a message, and the next one runs."""

    async def scenario() -> None:
        pool = ProcessPool(1, memory=2**28)
        try:
            assert await pool.submit(partial(enormous, 2**27)) == 2**27
            with pytest.raises(LimitReached, match="more memory than the server can provide"):
                await pool.submit(partial(enormous, 2**29))
            assert await pool.submit(partial(operator.add, 1, 1)) == 2
            # The native core aborts its process instead of raising MemoryError.
            with pytest.raises(LimitReached, match="more memory than the server can provide"):
                await pool.submit(os.abort)
            assert await pool.submit(partial(operator.add, 1, 1)) == 2
        finally:
            pool.close()

    asyncio.run(scenario())
