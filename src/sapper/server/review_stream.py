"""Streams reviews to browsers: the quick part first."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from functools import partial
from typing import Final

from sapper.errors import SapperError
from sapper.server import limits
from sapper.server.job_cost import is_heavy_position
from sapper.server.job_future import Busy
from sapper.server.job_runner import TooSlow
from sapper.server.long_jobs import LongJobs, ignore_result
from sapper.server.outbox import encode
from sapper.server.protocol import Json, error_body
from sapper.server.review_job import Reviewable, first_lines, rest_of_lines
from sapper.server.turns import Who
from sapper.translation import t

__all__ = ["ReviewStream"]

_log: Final = logging.getLogger(__name__)


class ReviewStream:
    """Streams reviews, a bounded number at the same time for each browser.

    Args:
        jobs: Does the work.
    """

    def __init__(self, jobs: LongJobs) -> None:
        self._jobs = jobs
        self._running: Counter[str] = Counter()

    def check_room(self, who: str) -> None:
        """Check that a browser may have another review.

        Raises:
            Busy: If it has enough running.
        """
        if self._running[who] >= limits.REVIEWS_PER_SESSION:
            raise Busy(t("this browser has too many reviews running; close one"))

    async def lines(self, who: Who, told: Reviewable) -> AsyncGenerator[str, None]:
        """Yield the lines of a review as they are found; see `sapper.server.review_job`.

        Args:
            who: The visitor that asks.
            told: The game.
        """
        try:
            # Others may have begun since it was asked, while their files were still being sent.
            self.check_room(who.visitor)
        except Busy as problem:
            yield _line(error_body(problem.code, str(problem)))
            return
        parts: asyncio.Queue[str | None] = asyncio.Queue()
        job: asyncio.Future[str] | None = None
        self._running[who.visitor] += 1
        try:
            first = await self._first(who, told)
            if first is not None:
                yield first
            job = asyncio.ensure_future(
                self._jobs.long(
                    who,
                    partial(rest_of_lines, told, whole=first is None),
                    limits.REVIEW_BUDGET_S,
                    parts.put_nowait,
                )
            )
            job.add_done_callback(lambda _: parts.put_nowait(None))
            while (part := await parts.get()) is not None:
                yield part
            yield await job
        except TooSlow:
            said = f"the rest of the review takes longer than {limits.REVIEW_BUDGET_S:g} seconds"
            yield _line(error_body("too_slow", f"{said} and was left out"))
        except SapperError as problem:
            yield _line(error_body(problem.code, str(problem)))
        except Exception:
            _log.exception("a game could not be reviewed")
            yield _line(error_body("internal", "something went wrong on the server"))
        finally:
            # The page may have gone.
            if job is not None:
                job.cancel()
                job.add_done_callback(ignore_result)
            self._running[who.visitor] -= 1
            if not self._running[who.visitor]:
                del self._running[who.visitor]

    async def _first(self, who: Who, told: Reviewable) -> str | None:
        """Return the first lines, with all risks; None if they take longer than a moment."""
        if is_heavy_position(told.now.position):
            return None
        try:
            return await self._jobs.quick(who, partial(first_lines, told, risks=True))
        except TooSlow:
            return None


def _line(message: Json) -> str:
    return f"{encode(message)}\n"
