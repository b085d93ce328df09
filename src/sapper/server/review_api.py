"""The HTTP interface of the review page: a stream of lines, and going back to a decision.

``GET /api/review`` streams the review of the browser's finished game, or with ``?game=ID`` of one
in its history; ``POST`` that of a running game, which then counts as helped.
``POST /api/review/retry`` makes the game of the browser the one before a decision.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sapper.errors import IllegalAction
from sapper.server.client import Client
from sapper.server.http_api import NoGame, endpoint, json_of
from sapper.server.protocol import Json, whole_of
from sapper.server.review_stream import ReviewStream
from sapper.server.reviewable_games import DAY, GAME, of_day, of_history
from sapper.server.secrecy import check_over
from sapper.server.sessions import Sessions
from sapper.server.visitors import Visitors
from sapper.translation import t

__all__ = ["review_routes"]

_MOST_BYTES: Final = 1_000
"""The longest body of a request here."""


def review_routes(sessions: Sessions, visitors: Visitors, stream: ReviewStream) -> list[Route]:
    """Return the routes.

    Args:
        sessions: Whose games are reviewed.
        visitors: Identifies the browsers.
        stream: Streams the reviews.
    """
    api = _ReviewApi(sessions, visitors, stream)
    return [
        Route("/api/review", endpoint(api.review), methods=["GET", "POST"]),
        Route("/api/review/retry", endpoint(api.retry), methods=["POST"]),
    ]


class _ReviewApi:
    def __init__(self, sessions: Sessions, visitors: Visitors, stream: ReviewStream) -> None:
        self._sessions, self._visitors, self._stream = sessions, visitors, stream

    async def _client(self, request: Request) -> Client:
        session_id = self._visitors.known(request)
        if session_id is None:
            raise NoGame(t("this browser has no game to review yet"))
        return await self._sessions.open(session_id)

    async def review(self, request: Request) -> Response:
        """Stream a review; see `sapper.server.review_job` for its lines."""
        client = await self._client(request)
        try:
            day, key = request.query_params.get("day"), request.query_params.get("game")
            if key is not None:
                told = await of_history(self._sessions, client, key)
            elif day is not None:
                told = await of_day(self._sessions, client, day)
            else:
                told = await client.to_review(helping=request.method == "POST")
            if not told.decisions:
                raise NoGame(
                    t("no cell was opened in this game yet, so there is nothing to review")
                )
            if request.method != "POST":
                why = t("this game is still running, and its review would count as help")
                check_over(told.now, why)
            who = self._visitors.who(request)
            self._stream.check_room(who.visitor)
        finally:
            self._sessions.release(client)
        lines = self._stream.lines(who, told)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def retry(self, request: Request) -> Json:
        """Make the browser's game the one before a decision of it."""
        message = await json_of(request, _MOST_BYTES)
        decision = whole_of(message, "decision")
        client = await self._client(request)
        try:
            key, game = message.get("key"), None
            if isinstance(key, str) and key.startswith(DAY):
                game = await self._sessions.daily_game(client.session.id, key.removeprefix(DAY))
            if isinstance(key, str) and key.startswith(GAME):
                record = await self._sessions.finished_game(
                    client.session.id, key.removeprefix(GAME)
                )
                if record is not None:
                    game = await self._sessions.in_thread(record.game)
                if game is None:
                    raise IllegalAction(t("games from other programs cannot be continued here"))
            if game is None and key != client.session.key:
                raise IllegalAction(t("a newer game has started; review that one"))
            await client.do({"type": "retry", "decision": decision, "game": game})
        finally:
            self._sessions.release(client)
        return {"decision": decision}
