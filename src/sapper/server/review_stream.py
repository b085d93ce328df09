"""Streams reviews to browsers: the quick part from a thread, the rest from a process."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from functools import partial
from typing import Final

from sapper.errors import Cancelled, SapperError
from sapper.server import limits
from sapper.server.job_cost import is_heavy_position
from sapper.server.job_future import Busy
from sapper.server.outbox import encode
from sapper.server.process_pool import ProcessPool
from sapper.server.protocol import Json, error_body
from sapper.server.review_job import Reviewable, first_lines, rest_of_lines
from sapper.server.sessions import Sessions
from sapper.translation import t

__all__ = ["ReviewStream"]

_log: Final = logging.getLogger(__name__)


class ReviewStream:
    """Streams reviews, a bounded number at the same time for each browser.

    Args:
        sessions: With the threads and the process that find them.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._running: Counter[str] = Counter()

    def check_room(self, who: str) -> None:
        """Check that a browser may have another review.

        Raises:
            Busy: If it has enough running.
        """
        if self._running[who] >= limits.REVIEWS_PER_SESSION:
            raise Busy(t("this browser has enough reviews running; close one of them"))

    async def lines(self, who: str, told: Reviewable) -> AsyncGenerator[str, None]:
        """Yield the lines of a review as they are found; see `sapper.server.review_job`.

        Args:
            who: Names the browser.
            told: The game.
        """
        try:
            # Others may have begun since it was asked, while their files were still being sent.
            self.check_room(who)
        except Busy as problem:
            yield _line(error_body(problem.code, str(problem)))
            return
        heavy = is_heavy_position(told.now.position)
        pool: ProcessPool = self._sessions.reviews
        parts: asyncio.Queue[str | None] = asyncio.Queue()
        job, stop = None, None
        self._running[who] += 1
        try:
            job = pool.submit(
                partial(rest_of_lines, told.trail, told.now.status, risks=heavy), parts.put_nowait
            )
            job.add_done_callback(partial(_end, parts))
            # The process may have to be started, so the first figures come from a thread.
            yield await self._sessions.in_thread(partial(first_lines, told, risks=not heavy))
            await pool.until_ready(job)
            stop = asyncio.get_running_loop().call_later(limits.REVIEW_BUDGET_S, pool.stop, job)
            while (part := await parts.get()) is not None:
                yield part
            yield await job
        except Cancelled:
            said = f"the rest of the review takes longer than {limits.REVIEW_BUDGET_S:g} seconds"
            yield _line(error_body("too_slow", f"{said} and was left out"))
        except SapperError as problem:
            yield _line(error_body(problem.code, str(problem)))
        except Exception:
            _log.exception("a game could not be reviewed")
            yield _line(error_body("internal", "something went wrong on the server"))
        finally:
            # The page may have gone.
            if stop is not None:
                stop.cancel()
            if job is not None:
                pool.stop(job)
            self._running[who] -= 1
            if not self._running[who]:
                del self._running[who]


def _end(parts: asyncio.Queue[str | None], job: asyncio.Future[str]) -> None:
    """End the stream, and read the exception, for which nobody may be waiting."""
    parts.put_nowait(None)
    if not job.cancelled():
        job.exception()


def _line(message: Json) -> str:
    return f"{encode(message)}\n"
