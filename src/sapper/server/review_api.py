"""The HTTP interface of the review page: a stream of lines, and going back to a decision.

``GET /api/review`` streams the review of the browser's finished game, ``POST`` that of a running
one, which then counts as helped. ``POST /api/review/retry`` makes the game of the browser the one
before a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sapper.errors import IllegalAction, SapperError
from sapper.game import Status
from sapper.server.client import Client
from sapper.server.daily import Day
from sapper.server.http_api import endpoint, json_of
from sapper.server.protocol import Json, whole_of
from sapper.server.review_job import Reviewable
from sapper.server.review_stream import ReviewStream
from sapper.server.sessions import Sessions
from sapper.server.snapshot import Snapshot

__all__ = ["review_routes"]

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


def review_routes(sessions: Sessions, session_of: SessionOf, stream: ReviewStream) -> list[Route]:
    """Return the routes.

    Args:
        sessions: Whose games are reviewed.
        session_of: Gives the session of a request, or None.
        stream: Streams the reviews.
    """
    api = _ReviewApi(sessions, session_of, stream)
    return [
        Route("/api/review", endpoint(api.review), methods=["GET", "POST"]),
        Route("/api/review/retry", endpoint(api.retry), methods=["POST"]),
    ]


class _ReviewApi:
    def __init__(self, sessions: Sessions, session_of: SessionOf, stream: ReviewStream) -> None:
        self._sessions, self._session_of, self._stream = sessions, session_of, stream

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
            self._stream.check_room(session_id)
        finally:
            self._sessions.release(client)
        lines = self._stream.lines(session_id, told)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def _of_day(self, client: Client, day: Day) -> Reviewable:
        """Return the game of a daily result."""
        game = await self._sessions.daily_game(client.session.id, day)
        if game is None:
            raise NoGame(f"there is no result of the daily board of {day:.20}")
        now, helped = Snapshot.of(game), client.session.dailies[day].helped
        return Reviewable(f"{_DAY}{day}", game.trail(), now, helped)

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
