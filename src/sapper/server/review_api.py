"""The HTTP interface of the review page: a stream of lines, and going back to a decision.

``GET /api/review`` streams the review of the browser's finished game, ``POST`` that of a running
one, which then counts as helped. ``POST /api/review/retry`` makes the game of the browser the one
before a decision.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sapper.errors import Cancelled, IllegalAction, SapperError
from sapper.game import Status
from sapper.server import limits
from sapper.server.client import Client
from sapper.server.daily import Day
from sapper.server.http_api import endpoint, json_of
from sapper.server.job_cost import is_heavy_position
from sapper.server.job_future import Busy
from sapper.server.outbox import encode
from sapper.server.process_pool import ProcessPool
from sapper.server.protocol import Json, error_body, whole_of
from sapper.server.review_job import Reviewable, first_lines, rest_of_lines
from sapper.server.sessions import Sessions
from sapper.server.snapshot import Snapshot

__all__ = ["review_routes"]

_log: Final = logging.getLogger(__name__)

_MOST_BYTES: Final = 1_000
"""The longest body of a request here."""

_DAY: Final = "day-"
"""Begins the keys of games that are results of daily boards."""

SessionOf = Callable[[HTTPConnection], str | None]


class StillRunning(SapperError, RuntimeError):
    """A game whose review would help the player."""

    code = "still_running"


class NoGame(SapperError, LookupError):
    """There is no game to review."""

    code = "no_game"


def review_routes(sessions: Sessions, session_of: SessionOf) -> list[Route]:
    """Return the routes.

    Args:
        sessions: Whose games are reviewed.
        session_of: Gives the session of a request, or None.
    """
    api = _ReviewApi(sessions, session_of)
    return [
        Route("/api/review", endpoint(api.review), methods=["GET", "POST"]),
        Route("/api/review/retry", endpoint(api.retry), methods=["POST"]),
    ]


class _ReviewApi:
    def __init__(self, sessions: Sessions, session_of: SessionOf) -> None:
        self._sessions, self._session_of = sessions, session_of
        self._running: Counter[str] = Counter()

    async def _client(self, request: Request) -> Client:
        session_id = self._session_of(request)
        if session_id is None:
            raise NoGame("there is no game of this browser to review yet")
        return await self._sessions.open(session_id)

    async def review(self, request: Request) -> Response:
        """Stream a review; see `sapper.server.review_job` for its lines."""
        client = await self._client(request)
        try:
            day = request.query_params.get("day")
            if day is None:
                told = await client.to_review(helping=request.method == "POST")
            else:
                told = await self._of_day(client, day)
            if not told.decisions:
                raise NoGame("no cell was opened in this game yet, so there is nothing to review")
            playing = told.now.status is Status.PLAYING
            if playing and request.method == "GET":
                raise StillRunning("this game is still running, and its review would be help")
            session_id = client.session.id
            if self._running[session_id] >= limits.REVIEWS_PER_SESSION:
                raise Busy("this browser has enough reviews running; close one of them")
        finally:
            self._sessions.release(client)
        return StreamingResponse(self._lines(session_id, told), media_type="application/x-ndjson")

    async def _of_day(self, client: Client, day: Day) -> Reviewable:
        """Return the game of a daily result."""
        game = await self._sessions.daily_game(client.session.id, day)
        if game is None:
            raise NoGame(f"there is no result of the daily board of {day:.20}")
        now, helped = Snapshot.of(game), client.session.dailies[day].helped
        return Reviewable(f"{_DAY}{day}", game.trail(), now, helped)

    async def _lines(self, session_id: str, told: Reviewable) -> AsyncIterator[str]:
        heavy = is_heavy_position(told.now.position)
        pool: ProcessPool = self._sessions.reviews
        parts: asyncio.Queue[str | None] = asyncio.Queue()
        job, stop = None, None
        self._running[session_id] += 1
        try:
            job = pool.submit(
                partial(rest_of_lines, told.trail, told.now.status, risks=heavy), parts.put_nowait
            )
            job.add_done_callback(partial(_end, parts))
            # The process may have to be started, so the first figures come from a thread.
            yield await self._sessions.first_of_review(partial(first_lines, told, risks=not heavy))
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
            self._running[session_id] -= 1
            if not self._running[session_id]:
                del self._running[session_id]

    async def retry(self, request: Request) -> Json:
        """Make the browser's game the one before a decision of it."""
        message = await json_of(request, _MOST_BYTES)
        decision = whole_of(message, "decision")
        client = await self._client(request)
        try:
            key, game = message.get("key"), None
            if isinstance(key, str) and key.startswith(_DAY):
                game = await self._sessions.daily_game(client.session.id, key.removeprefix(_DAY))
            if game is None and key != client.session.key:
                raise IllegalAction("another game was begun in the meantime; review that one")
            await client.do({"type": "retry", "decision": decision, "game": game})
        finally:
            self._sessions.release(client)
        return {"decision": decision}


def _end(parts: asyncio.Queue[str | None], job: asyncio.Future[str]) -> None:
    """End the stream, and read the exception, for which nobody may be waiting."""
    parts.put_nowait(None)
    if not job.cancelled():
        job.exception()


def _line(message: Json) -> str:
    return f"{encode(message)}\n"
