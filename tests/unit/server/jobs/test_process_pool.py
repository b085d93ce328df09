"""Worker processes for heavy jobs: results and shutdown."""

from __future__ import annotations

import asyncio
import gc
import json
import operator
import os
import select
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sapper.dealer import settings
from sapper.errors import Cancelled, IllegalAction
from sapper.game import Game, Status
from sapper.game.review import Reviewer
from sapper.position import Position
from sapper.server import limits
from sapper.server.jobs import process_pool, process_worker
from sapper.server.jobs.job_runner import Job, JobRunner
from sapper.server.jobs.process_pool import ProcessPool
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.jobs.workers import WorkerPool
from sapper.server.session.analysis_tasks import _hint, _overlay, _review, _second
from sapper.server.session.moves import act
from sapper.server.session.new_games import continued
from sapper.topology import Cell
from support.process_ends import kill_parent
from support.waiting import Turn

# A job that blocks forever in native code and never polls the cancel flag.
_FOREVER = partial(select.select, [], [], [])

_PARENT = """
import asyncio, os, select, sys
from functools import partial
from sapper.server.jobs.process_pool import ProcessPool

async def main():
    pool = ProcessPool(2)
    first = [pool.submit(partial(select.select, [], [], [])), pool.submit(os.getpid)]
    pids = {await first[1], *pool.pids}
    while len(pids) < 2:
        pids |= set(pool.pids)
        await asyncio.sleep(0)
    for pid in pids:
        print("worker", pid, flush=True)
    await asyncio.gather(*first)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_results_and_exceptions_are_returned() -> None:
    """Sapper's own exceptions keep their class and message."""

    async def scenario() -> None:
        pool = ProcessPool(1)
        assert await pool.submit(os.getpid) != os.getpid()
        over = Game("3x3:8", seed=1, first_click="any")
        for cell in over.position.unopened_cells():
            if not over.over:
                over.open(cell)
        with pytest.raises(IllegalAction, match="the game is"):
            await pool.submit(partial(act, over, "open", Cell(0, 0), False))
        with pytest.raises(ZeroDivisionError):
            await pool.submit(partial(operator.truediv, 1, 0))
        pool.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("rules", ["no-guess", "kaboom", "kind", "fair", "classic"])
def test_game_continues_identically_in_a_worker(rules: str) -> None:
    """Equal seeds and clicks give equal games in every process."""
    cells = [Cell(4, 4), Cell(0, 0), Cell(8, 8), Cell(0, 8), Cell(2, 5)]

    async def scenario() -> None:
        pool = ProcessPool(1)
        here, there = (Game.begin(settings("9x9:10", rules, seed=5)) for _ in range(2))
        for cell in cells:
            if here.over:
                break
            moved = await pool.submit(partial(act, there, "open", cell, False))
            assert moved.done == here.open(cell)
            there = moved.game
            assert there.position == moved.now.position == here.position
            assert there.status is here.status
        assert there.to_json()["actions"] == [
            [*a[:-1], b[-1]]
            for a, b in zip(here.to_json()["actions"], there.to_json()["actions"], strict=True)
        ]
        assert there.guesses == here.guesses
        pool.close()

    asyncio.run(scenario())


def test_position_is_analysed_identically_in_a_worker() -> None:
    """The overlay's text, the hint and the continued game are the same."""
    position = Position.parse("....\n.22.\n....", mines=4)
    classic = settings("4x3:4", "classic", seed=1)

    async def scenario() -> None:
        pool = ProcessPool(1)
        for job in (
            partial(_second, partial(_overlay, position, "chances", {}, 1, None)),
            partial(_second, partial(_hint, position, classic, 1, "a")),
        ):
            there, here = await pool.submit(job), job()
            assert str(there) == str(here)
        game, now = await pool.submit(partial(continued, position, "kaboom", {}))
        assert game.position == now.position == position
        pool.close()

    asyncio.run(scenario())


def test_deal_can_be_stopped() -> None:
    """Native code polls the flag, and its process takes the next job."""

    async def scenario() -> None:
        pool = ProcessPool(1)
        before = await pool.submit(os.getpid)
        game = Game("100x100:2200", "no-guess", seed=1)
        dealing = pool.submit(partial(act, game, "open", Cell(50, 50), False))
        waiting = pool.submit(os.getpid)
        pool.stop(waiting)
        with pytest.raises(Cancelled):
            await waiting
        while pool._open[dealing].worker is None:
            await Turn()
        pool.stop(dealing)
        with pytest.raises(Cancelled):
            await dealing
        assert await pool.submit(os.getpid) in pool.pids
        assert before is not None
        pool.close()

    asyncio.run(scenario())


def test_unresponsive_job_is_killed() -> None:
    """The process of a stuck job is killed and replaced."""

    async def scenario() -> None:
        pool = ProcessPool(1)
        before = await pool.submit(os.getpid)
        stuck = pool.submit(_FOREVER)
        while pool._open[stuck].worker is None:
            await Turn()
        pool.stop(stuck)
        with pytest.raises(Cancelled):
            await stuck
        # This must not wait for the next job.
        while not set(pool.pids) - {before}:
            await Turn()
        assert await pool.submit(os.getpid) != before
        pool.close()

    asyncio.run(scenario())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_stopping_a_job_never_blocks() -> None:
    """Stopping a large job returns immediately, even if its process has not read it yet."""

    async def scenario() -> None:
        pool = ProcessPool(1)
        pid = await pool.submit(os.getpid)
        os.kill(pid, signal.SIGSTOP)
        unread = pool.submit(partial(len, bytes(2**24)))
        while not pool._workers[0]._sending:
            await Turn()
        pool.stop(unread)
        with pytest.raises(Cancelled):
            await unread
        assert await pool.submit(os.getpid) != pid
        pool.close()

    asyncio.run(scenario())


def test_process_start_does_not_count_towards_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget of a job begins when a process is ready."""
    monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.0)

    class Starting(WorkerPool):
        async def until_ready(self, heavy: asyncio.Future[Any]) -> None:
            await super().until_ready(heavy)
            await asyncio.wait({heavy})

    async def scenario() -> None:
        pool = Starting(1, most=1)
        runner = JobRunner(pool, lambda told: None)
        done = await runner.run(lambda: Job(os.getpid, lambda pid: {"pid": pid}, heavy=True))
        assert [done["pid"]] == pool.heavy.pids
        pool.close()

    asyncio.run(scenario())


def test_loss_is_explained_identically_in_a_worker() -> None:
    """Workers return both messages about a loss as finished text."""
    lost = next(game for seed in range(50) if (game := _played(seed)).status is Status.LOST)

    async def scenario() -> None:
        pool = ProcessPool(1)
        job = partial(_review, Reviewer(), lost.trail(), Snapshot.of(lost), 7, brief=False)
        (_, *there), (_, *here) = await pool.submit(job), job()
        assert there == here
        assert [json.loads(text)["type"] for text in there] == ["guesses", "review"]
        pool.close()

    asyncio.run(scenario())


def _played(seed: int) -> Game:
    """Open cells from the top left until the game is over."""
    game = Game("9x9:10", seed=seed)
    while not game.over:
        game.open(next(iter(game.position.unopened_cells())))
    return game


def test_dead_worker_is_replaced() -> None:
    """The job of a dead worker fails, and the next job succeeds."""

    async def scenario() -> None:
        pool = ProcessPool(1)
        pid = await pool.submit(os.getpid)
        stuck = pool.submit(_FOREVER)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(RuntimeError, match="a worker process ended"):
            await stuck
        assert await pool.submit(os.getpid) != pid
        pool.close()

    asyncio.run(scenario())


def test_job_interrupted_by_closing_is_not_logged() -> None:
    """Its future fails, and asyncio does not complain that nobody awaited it."""
    reported: list[dict[str, Any]] = []

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: reported.append(context)
        )
        pool = ProcessPool(1)
        await pool.submit(os.getpid)
        stuck = pool.submit(_FOREVER)
        while pool._open[stuck].worker is None:
            await Turn()
        pool.close()
        while not stuck.done():
            await Turn()

    asyncio.run(scenario())
    gc.collect()
    assert not reported


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no idle priority")
def test_a_worker_has_the_lowest_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers use only idle processor time."""
    monkeypatch.setattr(process_pool, "lower_priority", process_worker.lower_priority)
    monkeypatch.setattr(process_pool.limits, "START_BUDGET_S", 300.0)

    async def scenario() -> None:
        pool = ProcessPool(1)
        # The job may wait for a long time while other programs use all cores.
        await pool.until_ready(pool.submit(os.getpid))
        (pid,) = pool.pids
        assert os.sched_getscheduler(pid) == os.SCHED_IDLE
        pool.close()

    asyncio.run(scenario())


@pytest.mark.slow
def test_workers_end_with_a_killed_server(tmp_path: Path) -> None:
    """After SIGKILL, workers end even if one is stuck in native code and another is waiting."""
    script = tmp_path / "parent.py"
    script.write_text(_PARENT, "utf-8")
    assert len(kill_parent([sys.executable, str(script)], workers=2)) == 2


def test_late_kill_does_not_affect_the_next_job() -> None:
    """The result of the killed job counts, and the next job gets another process."""

    class Late:
        """A connection whose worker is killed as soon as its answer has arrived."""

        def __init__(self, worker: Any) -> None:
            self._worker, self._connection = worker, worker._connection

        def recv_bytes(self) -> bytes:
            answer: bytes = self._connection.recv_bytes()
            self._worker.kill(self._worker._job)
            return answer

        def __getattr__(self, name: str) -> Any:
            return getattr(self._connection, name)

    async def ask() -> tuple[int, int, int]:
        pool = ProcessPool(1)
        try:
            first = await pool.submit(os.getpid)
            [worker] = pool._workers
            worker._connection = Late(worker)  # type: ignore[assignment]
            return first, await pool.submit(os.getpid), await pool.submit(os.getpid)
        finally:
            pool.close()

    first, killed, after = asyncio.run(ask())
    assert first == killed
    assert after != killed
