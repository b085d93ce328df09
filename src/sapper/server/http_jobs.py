"""Jobs that an HTTP request waits for: stopped when the browser has gone, or they take too long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from sapper.server import limits
from sapper.server.job_runner import TooSlow
from sapper.server.workers import WorkerPool

__all__ = ["answer_by_job", "ignore_result"]

_Result = TypeVar("_Result")


async def answer_by_job(
    request: Request, pool: WorkerPool, work: Callable[[], _Result], *, heavy: bool
) -> _Result:
    """Do a job within `limits.STUDY_BUDGET_S`, and return its result.

    Args:
        request: Whose body was read.
        pool: The workers.
        work: The job.
        heavy: Whether it runs in a process.

    Raises:
        TooSlow: If it takes longer.
        ClientDisconnect: If the browser closes the request.
    """
    running = pool.submit(work, heavy=heavy)
    gone = asyncio.ensure_future(_gone(request))
    try:
        both: set[asyncio.Future[Any]] = {running, gone}
        budget = limits.STUDY_BUDGET_S
        await asyncio.wait(both, timeout=budget, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            return running.result()
        if gone.done():
            raise ClientDisconnect
        raise TooSlow(f"it takes longer than {budget:g} seconds now")
    finally:
        gone.cancel()
        if not running.done():
            pool.stop(running)
        running.add_done_callback(ignore_result)


def ignore_result(future: asyncio.Future[Any]) -> None:
    """Read the exception of a job that nobody waits for, so that asyncio does not log it."""
    if not future.cancelled():
        future.exception()


async def _gone(request: Request) -> None:
    """Wait until the other end closes the request."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
