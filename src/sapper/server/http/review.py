"""The HTTP interface of the Review page: stream reviews, and retry decisions.

``GET /api/review`` streams the review of the browser's finished game or, with ``?game=ID``, of a
game in its history. ``POST`` streams the review of a running game, which then counts as helped.
``POST /api/review/retry`` sets the browser's game back to a decision.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sapper.errors import IllegalAction, SapperError
from sapper.server import limits
from sapper.server.http.endpoints import endpoint, json_of
from sapper.server.http.errors import NoGame
from sapper.server.http.forwarding import GameRoute
from sapper.server.http.reviewable_games import DAY, GAME, of_day, of_history
from sapper.server.http.visitors import Visitors
from sapper.server.instruments import note_refusal
from sapper.server.jobs.errors import Busy, TooSlow
from sapper.server.jobs.job_cost import is_heavy_position
from sapper.server.jobs.long_jobs import LongJobs, Who
from sapper.server.jobs.process_pool import ignore_result
from sapper.server.jobs.reviews import Reviewable, first_lines, rest_of_lines
from sapper.server.protocol import Json, encode, error_body, whole_of
from sapper.server.session.client import Client
from sapper.server.session.new_games import retry
from sapper.server.session.secrecy import check_over
from sapper.server.session.sessions import Sessions
from sapper.translation import t, tn

__all__ = ["ReviewStream", "review_routes"]

_log: Final = logging.getLogger(__name__)

_MOST_BYTES: Final = 1_000
"""Maximum size of a request body."""


class ReviewStream:
    """Streams reviews, with a limited number per browser at a time.

    Args:
        jobs: Runs the jobs.
    """

    def __init__(self, jobs: LongJobs) -> None:
        self._jobs = jobs
        self._running: Counter[str] = Counter()

    def check_room(self, who: str) -> None:
        """Check that a browser may start another review.

        Raises:
            Busy: If too many of its reviews are running.
        """
        if self._running[who] >= limits.REVIEWS_PER_SESSION:
            note_refusal("reviews_per_session")
            raise Busy(t("this browser has too many reviews running; close one"))

    async def lines(self, who: Who, game: Reviewable) -> AsyncGenerator[str, None]:
        """Yield the lines of a review as they are computed; see `sapper.server.jobs.reviews`.

        Args:
            who: The visitor.
            game: The game.
        """
        try:
            # Other reviews may have started since the request was first checked.
            self.check_room(who.visitor)
        except Busy as problem:
            yield _line(error_body(problem.code, str(problem)))
            return
        parts: asyncio.Queue[str | None] = asyncio.Queue()
        job: asyncio.Future[str] | None = None
        self._running[who.visitor] += 1
        try:
            first = await self._first(who, game)
            if first is not None:
                yield first
            job = asyncio.ensure_future(
                self._jobs.long(
                    who,
                    partial(rest_of_lines, game, whole=first is None),
                    limits.REVIEW_BUDGET_S,
                    parts.put_nowait,
                )
            )
            job.add_done_callback(lambda _: parts.put_nowait(None))
            while (part := await parts.get()) is not None:
                yield part
            yield await job
        except TooSlow:
            message = tn(
                "the rest of the review takes longer than {n} second and was left out",
                "the rest of the review takes longer than {n} seconds and was left out",
                round(limits.REVIEW_BUDGET_S),
            )
            yield _line(error_body("too_slow", message))
        except SapperError as problem:
            yield _line(error_body(problem.code, str(problem)))
        except Exception:
            _log.exception("a game could not be reviewed")
            yield _line(error_body("internal", "something went wrong on the server"))
        finally:
            # The page may have been closed.
            if job is not None:
                job.cancel()
                job.add_done_callback(ignore_result)
            self._running[who.visitor] -= 1
            if not self._running[who.visitor]:
                del self._running[who.visitor]

    async def _first(self, who: Who, game: Reviewable) -> str | None:
        """Return the first lines, including all risks; None if they take too long."""
        if is_heavy_position(game.now.position):
            return None
        try:
            return await self._jobs.quick(who, partial(first_lines, game, risks=True))
        except TooSlow:
            return None


def _line(message: Json) -> str:
    return f"{encode(message)}\n"


def review_routes(sessions: Sessions, visitors: Visitors, stream: ReviewStream) -> list[Route]:
    """Return the routes.

    Args:
        sessions: The sessions with the reviewed games.
        visitors: Identifies the browsers.
        stream: Streams the reviews.
    """
    api = _ReviewApi(sessions, visitors, stream)
    return [
        GameRoute("/api/review", endpoint(api.review), methods=["GET", "POST"]),
        GameRoute("/api/review/retry", endpoint(api.retry), methods=["POST"]),
    ]


class _ReviewApi:
    def __init__(self, sessions: Sessions, visitors: Visitors, stream: ReviewStream) -> None:
        self._sessions, self._visitors, self._stream = sessions, visitors, stream

    async def _client(self, request: Request) -> Client:
        session_id = self._visitors.session_of(request)
        if session_id is None:
            raise NoGame(t("this browser has no game to review yet"))
        return await self._sessions.open(session_id)

    async def review(self, request: Request) -> Response:
        """Stream a review, whose lines are described in `sapper.server.jobs.reviews`."""
        client = await self._client(request)
        try:
            day, key = request.query_params.get("day"), request.query_params.get("game")
            if key is not None:
                to_review = await of_history(self._sessions, client, key)
            elif day is not None:
                to_review = await of_day(self._sessions, client, day)
            else:
                to_review = await client.to_review(helping=request.method == "POST")
            if not to_review.decisions:
                raise NoGame(
                    t("no cell was opened in this game yet, so there is nothing to review")
                )
            if request.method != "POST":
                why = t("this game is still running, and its review would count as help")
                check_over(to_review.now, why)
            who = self._visitors.who(request)
            self._stream.check_room(who.visitor)
        finally:
            self._sessions.release(client)
        lines = self._stream.lines(who, to_review)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def retry(self, request: Request) -> Json:
        """Return the browser's game to a decision."""
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
            await client.replace_game(partial(retry, game=game, decision=decision))
        finally:
            self._sessions.release(client)
        return {"decision": decision}
