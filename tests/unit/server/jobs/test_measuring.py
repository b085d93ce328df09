"""Finished games are measured in the background until the server shuts down."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from typing import Any

import pytest

from sapper.errors import Cancelled
from sapper.history import History
from sapper.server.jobs import measuring
from sapper.server.storage.fair_play import FairPlay
from sapper.server.storage.store import Store
from support.histories import played
from support.standings import finish, won_game
from support.waiting import Turn


class Waiting:
    """A pool whose first process never starts."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    def submit(self, _: object) -> asyncio.Future[Any]:
        """Accept a job."""
        return asyncio.get_running_loop().create_future()

    async def until_ready(self, _: object) -> None:
        """Wait for the process."""
        self.asked.set()
        await asyncio.Event().wait()

    def stop(self, job: asyncio.Future[Any]) -> None:
        """Make the job raise."""
        job.set_exception(Cancelled("the job was cancelled"))


def test_job_interrupted_by_shutdown_is_not_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error does not contain `Future exception was never retrieved`."""
    monkeypatch.setattr(measuring, "_DELAY_S", 0.0)
    reported: list[dict[str, Any]] = []

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: reported.append(told))
        history = History(":memory:")
        history.add(replace(played(1), forced_guesses=None))
        pool = Waiting()
        work = measuring.Measuring(history, pool)  # type: ignore[arg-type]
        work.start()
        await pool.asked.wait()
        await work.stop()
        history.close()

    asyncio.run(scenario())
    gc.collect()
    assert not reported


class Failing(Waiting):
    """A pool whose processes end before their jobs are done."""

    def submit(self, _: object) -> asyncio.Future[Any]:
        """Accept a job."""
        job = asyncio.get_running_loop().create_future()
        job.set_exception(RuntimeError("a worker process ended before its job was done"))
        return job

    async def until_ready(self, _: object) -> None:
        """Return immediately."""

    def stop(self, job: asyncio.Future[Any]) -> None:
        """Do nothing."""


def test_unmeasurable_game_does_not_block_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a game cannot be measured, it is abandoned, and the others are measured."""
    monkeypatch.setattr(measuring, "_DELAY_S", 0.0)
    monkeypatch.setattr(measuring, "_PAUSE_S", 600.0)

    async def scenario() -> None:
        with History(":memory:") as history:
            history.add_all(replace(played(seed), forced_guesses=None) for seed in (1, 2))
            work = measuring.Measuring(history, Failing())  # type: ignore[arg-type]
            work.start()
            while history.waiting(1):
                await Turn()
            await work.stop()

    asyncio.run(asyncio.wait_for(scenario(), 300))


class Immediate(Failing):
    """A pool that runs each job immediately."""

    def submit(self, work: Any) -> asyncio.Future[Any]:
        """Do a job."""
        job = asyncio.get_running_loop().create_future()
        job.set_result(work())
        return job


def test_games_on_leaderboards_get_their_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures for the operator are computed after the guesses, and only once."""
    monkeypatch.setattr(measuring, "_DELAY_S", 0.0)

    async def scenario() -> None:
        with Store(None) as store:
            finish(store, "ann", won_game(), 1_700_000_000_000, 20_000)
            fair_play = FairPlay(store.database)
            work = measuring.Measuring(
                store.history,
                Immediate(),
                None,
                fair_play,  # type: ignore[arg-type]
            )
            work.start()
            while fair_play.waiting() is not None:
                await Turn()
            await work.stop()
            assert store.history.unmeasured() == 0
            with store.database.using() as db:
                [figures] = db.execute("SELECT figures FROM entries").fetchone()
            assert '"won":true' in figures

    asyncio.run(asyncio.wait_for(scenario(), 300))
