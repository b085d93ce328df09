"""The HTTP interface of the Replay page: play and review replay files.

``POST /api/replay`` with a replay of any format answers with lines of JSON: first ``replay``, with
all data needed to play it, then the lines of `sapper.server.http.review`. ``GET`` returns the
browser's finished game as a replay or, with ``?day=YYYY-MM-DD``, the result of a daily board.
``POST /api/replay/take-over?steps=N`` with a replay makes it the browser's game, which continues
after N clicks. ``POST /api/replay/formats`` returns the formats that can store a replay, and ``POST
/api/replay/convert?format=FORMAT`` returns it in one of them. Files are not stored.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sapper._util.shortening import shown
from sapper.game import Game
from sapper.server import limits
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import body_of, endpoint, unless_gone
from sapper.server.http.errors import NoGame
from sapper.server.http.forwarding import GameRoute
from sapper.server.http.review import ReviewStream
from sapper.server.http.visitors import Visitors
from sapper.server.jobs.long_jobs import LongJobs, Who
from sapper.server.jobs.replays import converted, formats_of, opened, recorded, taken_over
from sapper.server.jobs.reviews import Reviewable
from sapper.server.protocol import BadMessage, Json, encode
from sapper.server.session.new_games import take_over
from sapper.server.session.sessions import Sessions
from sapper.translation import t

__all__ = ["ReplayApi"]

_MEDIA_TYPES: Final = {
    "json": "application/json",
    "rawvf": "text/plain; charset=utf-8",
    "evf": "application/octet-stream",
}


class ReplayApi:
    """The routes of the replay page.

    Args:
        sessions: The sessions whose games may be replaced.
        visitors: Knows the browsers.
        stream: Streams the reviews.
        jobs: Runs the jobs that read files.
    """

    def __init__(
        self, sessions: Sessions, visitors: Visitors, stream: ReviewStream, jobs: LongJobs
    ) -> None:
        self._sessions, self._visitors, self._stream = sessions, visitors, stream
        self._jobs = jobs
        rate = AddressRate(limits.STUDIES_PER_S, limits.STUDIES_BURST, "replays")
        self.routes: Final = [
            GameRoute("/api/replay", endpoint(self._last, rate), methods=["GET"]),
            Route("/api/replay", endpoint(self._replay, rate), methods=["POST"]),
            GameRoute("/api/replay/take-over", endpoint(self._take_over, rate), methods=["POST"]),
            Route("/api/replay/formats", endpoint(self._formats, rate), methods=["POST"]),
            Route("/api/replay/convert", endpoint(self._convert, rate), methods=["POST"]),
        ]

    async def _last(self, request: Request) -> Response:
        """Return the browser's finished game, or a daily result, as a replay in Sapper's format."""
        session_id = self._visitors.session_of(request)
        if session_id is None:
            raise NoGame(t("this browser has no game to watch yet"))
        day = request.query_params.get("day")
        if day is not None:
            game = await self._sessions.daily_game(session_id, day)
            if game is None:
                raise NoGame(f"there is no result of the daily board of {shown(day)}")
            saved = game.to_json()
        else:
            client = await self._sessions.open(session_id)
            try:
                saved = await client.finished_game()
            finally:
                self._sessions.release(client)
        record = await self._sessions.latest_game(session_id)
        work = partial(recorded, saved, record)
        text: bytes = await self._answer(request, work, heavy=False)
        return Response(text, media_type="application/json")

    async def _replay(self, request: Request) -> Response:
        who = self._visitors.who(request)
        self._stream.check_room(who.visitor)
        data = await body_of(request, limits.FILE_BYTES)
        work = partial(opened, data)
        first, game = await self._answer(request, work, heavy=_is_heavy(data))
        return StreamingResponse(self._lines(who, first, game), media_type="application/x-ndjson")

    async def _answer(self, request: Request, work: Callable[[], Any], *, heavy: bool) -> Any:
        who = self._visitors.who(request)
        return await unless_gone(request, self._jobs.do(who, work, heavy=heavy))

    async def _lines(self, who: Who, first: str, game: Reviewable) -> AsyncIterator[str]:
        yield first
        if game.decisions:
            async with aclosing(self._stream.lines(who, game)) as lines:
                async for line in lines:
                    yield line

    async def _formats(self, request: Request) -> Json:
        data = await body_of(request, limits.FILE_BYTES)
        work = partial(formats_of, data)
        formats: Json = await self._answer(request, work, heavy=_is_heavy(data))
        return formats

    async def _convert(self, request: Request) -> Response:
        form = request.query_params.get("format", "json")
        data = await body_of(request, limits.FILE_BYTES)
        work = partial(converted, data, form)
        name, written = await self._answer(request, work, heavy=_is_heavy(data))
        return Response(
            written,
            media_type=_MEDIA_TYPES[form],
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def _take_over(self, request: Request) -> Response:
        steps = request.query_params.get("steps", "")
        if not (steps.isascii() and steps.isdigit() and len(steps) <= 9):
            raise BadMessage(f"'steps' must be a whole number, got {shown(steps)}")
        data = await body_of(request, limits.FILE_BYTES)
        work = partial(taken_over, data, int(steps))
        game: Game = await self._answer(request, work, heavy=_is_heavy(data))
        cookie = self._visitors.cookie(request)
        client = await self._sessions.open(self._visitors.session_id(cookie))
        try:
            await client.replace_game(partial(take_over, game=game))
        finally:
            self._sessions.release(client)
        response = Response(encode({"steps": int(steps)}), media_type="application/json")
        self._visitors.remember(request, response, cookie)
        return response


def _is_heavy(data: bytes) -> bool:
    """Return whether reading a file may take too long for the server process."""
    return len(data) > limits.REPLAY_BYTES_AT_ONCE
