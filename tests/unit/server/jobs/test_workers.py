"""Worker threads and session jobs: long jobs do not delay other jobs."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from sapper._util.cancel_flag import cancel_flag
from sapper.errors import Cancelled, IllegalAction
from sapper.server import limits
from sapper.server.jobs import job_runner
from sapper.server.jobs.errors import Busy, Superseded, TooSlow
from sapper.server.jobs.job_runner import Job, JobRunner
from sapper.server.jobs.workers import WorkerPool
from support.waiting import Turn


def test_endless_jobs_do_not_block_others() -> None:
    """Another job runs even though every thread is busy."""

    async def scenario() -> None:
        pool, gate = WorkerPool(2, most=4), threading.Event()
        stuck = [pool.submit(gate.wait) for _ in range(3)]
        assert await asyncio.wait_for(pool.submit(lambda: 7), 300) == 7
        gate.set()
        assert await asyncio.gather(*stuck) == [True] * 3
        pool.close()

    asyncio.run(scenario())


def test_exceptions_reach_the_caller() -> None:
    """Even exceptions that a future refuses to hold are passed on, and the threads survive."""

    async def scenario() -> None:
        pool = WorkerPool(1, most=1)
        for raised, expected in (
            (IllegalAction("no"), IllegalAction),
            (SystemExit(3), RuntimeError),
            (StopIteration(), RuntimeError),
        ):

            def work(raised: BaseException = raised) -> None:
                raise raised

            with pytest.raises(expected):
                await pool.submit(work)
        assert await pool.submit(lambda: 1) == 1
        pool.close()

    asyncio.run(scenario())


def test_excess_jobs_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs above the limit are refused immediately, so the queue is bounded."""
    monkeypatch.setattr(limits, "WAITING_JOBS", 2)

    async def scenario() -> None:
        pool, gate, began = WorkerPool(1, most=1), threading.Event(), threading.Event()
        pool.submit(lambda: (began.set(), gate.wait()))
        began.wait()
        waiting = [pool.submit(gate.wait) for _ in range(2)]
        with pytest.raises(Busy, match="server is too busy"):
            pool.submit(gate.wait)
        gate.set()
        await asyncio.gather(*waiting)
        pool.close()

    asyncio.run(scenario())


def test_slow_job_is_reported_and_published_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a slow job runs, its session refuses other jobs with an error."""
    monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.01)

    async def scenario() -> None:
        pool, gate = WorkerPool(1, most=2), threading.Event()
        published: asyncio.Queue[Any] = asyncio.Queue()
        runner = JobRunner(pool, published.put_nowait)
        with pytest.raises(TooSlow, match="longer than 0 seconds"):
            await runner.run(lambda: Job(gate.wait, lambda done: {"done": done}))
        with pytest.raises(Busy, match="still being computed"):
            await runner.run(lambda: Job(lambda: 1, lambda done: {"done": done}))
        gate.set()
        assert await published.get() == {"done": True}
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
        assert await runner.run(lambda: Job(lambda: 1, lambda done: {"done": done})) == {"done": 1}
        pool.close()

    asyncio.run(scenario())


def test_a_new_game_ends_a_slow_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old job's result is never published."""
    monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.01)

    def unhurried() -> Job[int]:
        """Run the new game's job without a time limit."""
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
        return Job(lambda: 2, lambda n: {"new": n})

    async def scenario() -> None:
        pool, gate = WorkerPool(1, most=3), threading.Event()
        published: list[Any] = []
        runner = JobRunner(pool, published.append)
        with pytest.raises(TooSlow):
            await runner.run(lambda: Job(gate.wait, lambda done: {"old": done}))
        waited = asyncio.ensure_future(runner.run(unhurried, replaces=True))
        assert await waited == {"new": 2}
        gate.set()
        assert await pool.submit(lambda: 3) == 3
        await Turn()
        assert not published
        pool.close()

    asyncio.run(scenario())


def test_job_of_a_replaced_game_is_superseded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows that wait for such a job get an error instead of its result."""

    def unhurried() -> Job[int]:
        """Run the new game's job without a time limit."""
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
        return Job(lambda: 2, lambda n: {"new": n})

    async def scenario() -> None:
        pool, gate = WorkerPool(1, most=3), threading.Event()
        runner = JobRunner(pool, lambda told: None)
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 60.0)
        monkeypatch.setattr(job_runner, "_STOPPING_S", 60.0)
        old = asyncio.ensure_future(runner.run(lambda: Job(gate.wait, lambda done: {})))
        await Turn()
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.01)
        new = asyncio.ensure_future(runner.run(unhurried, replaces=True))
        while not runner.busy:
            await Turn()
        assert await new == {"new": 2}
        gate.set()
        with pytest.raises(Superseded):
            await old
        pool.close()

    asyncio.run(scenario())


def test_closed_window_does_not_cancel_its_move() -> None:
    """The move of a closed window is still made, and sent to the other windows."""

    async def scenario() -> None:
        pool, gate = WorkerPool(1, most=1), threading.Event()
        published: asyncio.Queue[Any] = asyncio.Queue()
        runner = JobRunner(pool, published.put_nowait)
        gone = asyncio.ensure_future(
            runner.run(lambda: Job(gate.wait, lambda done: {"done": done}))
        )
        while not runner.busy:
            await Turn()
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        gate.set()
        assert await published.get() == {"done": True}
        await runner.idle()
        pool.close()

    asyncio.run(scenario())


def test_budget_applies_without_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job without a window must not block its session and a thread forever."""

    def work() -> None:
        flag, never = cancel_flag(), threading.Event()
        assert flag is not None
        while not flag.is_set:
            never.wait(0.001)
        raise Cancelled("the job was cancelled")

    async def scenario() -> None:
        pool = WorkerPool(1, most=1)
        runner = JobRunner(pool, lambda told: None)
        gone = asyncio.ensure_future(runner.run(lambda: Job(work, lambda done: {})))
        while not runner.busy:
            await Turn()
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.01)
        gone.cancel()
        await asyncio.wait_for(runner.idle(), 300)
        pool.close()

    asyncio.run(scenario())


def test_job_is_created_when_it_runs() -> None:
    """A move queued behind a new game from another window is made in the new game."""

    async def scenario() -> None:
        pool, game = WorkerPool(1, most=1), ["old"]
        runner = JobRunner(pool, lambda told: None)

        def begin(_: None) -> Any:
            game[0] = "new"
            return {}

        new = runner.run(lambda: Job(lambda: None, begin))
        move = runner.run(lambda: Job(lambda at=game[0]: at, lambda on: {"on": on}))  # type: ignore[misc]
        assert await asyncio.gather(new, move) == [{}, {"on": "new"}]
        pool.close()

    asyncio.run(scenario())
