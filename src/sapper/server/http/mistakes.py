"""The HTTP interface of mistakes, in a finished game and in the stored collection.

``POST /api/review/mistake`` judges an answer to a mistake of a finished game, and stores the
mistake if the answer is wrong. The routes under ``/api/learn/mistakes`` return the next stored
mistake, judge its answer, export all mistakes and erase them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sapper._util.cancel_flag import cancel_flag
from sapper.coach import Reviewing
from sapper.coach.trainer import (
    Answer,
    Mistake,
    MistakeSet,
    Verdict,
    judge_mistake,
    mistake_of,
)
from sapper.errors import BadSetting
from sapper.server import limits
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import endpoint, json_of, unless_gone
from sapper.server.http.errors import NoGame
from sapper.server.http.forwarding import GameRoute
from sapper.server.http.learn import cells_of, name_of
from sapper.server.http.reviewable_games import finished
from sapper.server.http.visitors import Visitors
from sapper.server.jobs.job_cost import is_heavy_position
from sapper.server.jobs.long_jobs import LongJobs
from sapper.server.jobs.reviews import Reviewable
from sapper.server.protocol import BadMessage, Json, encode, whole_of
from sapper.server.session.sessions import Sessions
from sapper.server.storage.store import Store
from sapper.topology import cell_name
from sapper.translation import t

__all__ = ["MistakesApi"]

_BODY_BYTES: Final = 1_000
_THREADS: Final = anyio.CapacityLimiter(2)
"""Number of threads that read and write mistakes."""

_Result = TypeVar("_Result")


class MistakesApi:
    """The routes.

    Args:
        sessions: The sessions with the reviewed games.
        visitors: Identifies browsers.
        store: The store of the mistakes.
        jobs: Judges the answers.
    """

    def __init__(
        self, sessions: Sessions, visitors: Visitors, store: Store, jobs: LongJobs
    ) -> None:
        self._sessions, self._visitors = sessions, visitors
        self._mistakes = MistakeSet(store.transaction)
        self._jobs = jobs
        rate = AddressRate(limits.STUDIES_PER_S, limits.STUDIES_BURST, "mistakes")

        def route(path: str, answer: Callable[[Request], Any], method: str = "POST") -> Route:
            return Route(f"/api/{path}", endpoint(answer, rate), methods=[method])

        self.routes: Final = [
            GameRoute("/api/review/mistake", endpoint(self._judge, rate), methods=["POST"]),
            route("learn/mistakes", self._counts, "GET"),
            route("learn/mistakes/next", self._next),
            route("learn/mistakes/answer", self._answer),
            route("learn/mistakes/export", self._export, "GET"),
            route("learn/mistakes/erase", self._erase),
        ]

    def _player(self, request: Request) -> str:
        player = self._visitors.session_of(request)
        if player is None:
            raise NoGame(t("this browser has no game to review yet"))
        return player

    async def _judge(self, request: Request) -> Json:
        """Judge an answer to a mistake of a finished game; store the mistake if it is wrong."""
        message = await json_of(request, _BODY_BYTES)
        key, decision = name_of(message, "key"), whole_of(message, "decision")
        safe, player = cells_of(message, "safe"), self._player(request)
        client = await self._sessions.open(player)
        try:
            game_to_review, game = await finished(self._sessions, client, key)
        finally:
            self._sessions.release(client)
        heavy = is_heavy_position(game_to_review.now.position)
        work = partial(_judged, game_to_review, decision, safe)
        mistake, verdict = await self._do(request, work, heavy=heavy)
        if not verdict.solved:
            await _in_thread(partial(self._mistakes.add, player, mistake, game))
        return {**verdict.to_json(), **await self._counted(player)}

    async def _do(self, request: Request, work: Callable[[], _Result], *, heavy: bool) -> _Result:
        who = self._visitors.who(request)
        result: _Result = await unless_gone(request, self._jobs.do(who, work, heavy=heavy))
        return result

    async def _counts(self, request: Request) -> Json:
        """Return the number of stored mistakes."""
        return await self._counted(self._visitors.session_of(request) or "nobody")

    async def _next(self, request: Request) -> Json:
        """Return the next mistake to solve, or null."""
        player = self._player(request)
        mistake = await _in_thread(partial(self._mistakes.next, player))
        shown = None if mistake is None else _mistake_json(mistake)
        return {"mistake": shown, **await self._counted(player)}

    async def _answer(self, request: Request) -> Json:
        """Judge the answer to a stored mistake."""
        message = await json_of(request, _BODY_BYTES)
        key, safe, player = name_of(message, "id"), cells_of(message, "safe"), self._player(request)
        mistake = await _in_thread(partial(self._mistakes.get, player, key))
        heavy = is_heavy_position(mistake.position)
        work = partial(_verdict, mistake, safe)
        verdict = await self._do(request, work, heavy=heavy)
        removed = await _in_thread(partial(self._mistakes.note, player, key, verdict))
        return {**verdict.to_json(), "removed": removed, **await self._counted(player)}

    async def _export(self, request: Request) -> Response:
        """Return the mistakes as JSON Lines."""
        player = self._visitors.session_of(request) or "nobody"
        headers = {"content-disposition": 'attachment; filename="sapper-mistakes.jsonl"'}
        rows = await _in_thread(lambda: list(self._mistakes.export(player)))
        lines: Iterator[str] = (f"{encode(row)}\n" for row in rows)
        return StreamingResponse(lines, headers=headers, media_type="application/x-ndjson")

    async def _erase(self, request: Request) -> Json:
        """Erase all mistakes; the request must include their number."""
        message = await json_of(request, _BODY_BYTES)
        count, player = whole_of(message, "mistakes"), self._player(request)
        stored = (await _in_thread(partial(self._mistakes.counts, player))).total
        if stored != count:
            raise BadMessage(f"'mistakes' must be their number, {stored} by now, got {count}")
        return {"erased": await _in_thread(partial(self._mistakes.erase, player))}

    async def _counted(self, player: str) -> Json:
        counts = await _in_thread(partial(self._mistakes.counts, player))
        return {"total": counts.total, "due": counts.due}


def _judged(game: Reviewable, decision: int, safe: list[Any]) -> tuple[Mistake, Verdict]:
    """Judge an answer; runs in a worker."""
    work = Reviewing(game.trail, game.now.status, cancel_flag())
    mistake = mistake_of(*work.decision(decision))
    if mistake is None:
        raise BadSetting(f"decision {decision} is no mistake, or no cell is known to be better")
    return mistake, _verdict(mistake, safe)


def _verdict(mistake: Mistake, safe: list[Any]) -> Verdict:
    answer = Answer.of(mistake.position, safe)
    return judge_mistake(mistake, answer, cell_name, cancel_flag())


def _mistake_json(mistake: Mistake) -> Json:
    """Return the data that the page draws."""
    position = mistake.position
    obj = mistake.to_json()
    del obj["position"]
    return {
        **obj,
        "rows": position.rows,
        "mines": position.mines,
        "topology": position.topology.name,
    }


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    return await anyio.to_thread.run_sync(work, limiter=_THREADS)
