"""The HTTP interface of the analysis board: independent requests about positions.

Requests are stateless and never use a running game. A query is cancelled when the browser closes
its request, as the page does when the position changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from sapper.errors import SapperError
from sapper.overlays import OVERLAYS
from sapper.position import Position
from sapper.server import limits
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import body_of, endpoint, json_of, unless_gone
from sapper.server.http.visitors import Visitors
from sapper.server.jobs import analyses
from sapper.server.jobs.job_cost import is_heavy_position
from sapper.server.jobs.long_jobs import LongJobs, Who
from sapper.server.jobs.process_pool import ignore_result
from sapper.server.protocol import BadMessage, Json, cell_of, encode, error_body, text_of
from sapper.solver.arrange import Likelihood, Method, StartRule
from sapper.translation import t

__all__ = ["AnalyzeApi"]

_GRACE_S: Final = 5.0
"""Extra seconds for an arrangement search beyond its own limit."""


class AnalyzeApi:
    """The routes of the analysis board.

    Args:
        visitors: Identifies browsers.
        jobs: Runs the jobs.
    """

    def __init__(self, visitors: Visitors, jobs: LongJobs) -> None:
        self._visitors, self._jobs = visitors, jobs
        looks = AddressRate(limits.LOOKS_PER_S, limits.LOOKS_BURST, "positions")
        studies = AddressRate(limits.STUDIES_PER_S, limits.STUDIES_BURST, "studies")

        def post(path: str, answer: Any, rate: AddressRate) -> Route:
            return Route(f"/api/analyze{path}", endpoint(answer, rate), methods=["POST"])

        self.routes: Final = [
            post("", self._chances, looks),
            post("/cell", self._cell, looks),
            post("/deal", self._deal, looks),
            post("/wins", self._wins, studies),
            post("/arrange", self._arrange, studies),
            post("/load", self._load, studies),
        ]

    async def _chances(self, request: Request) -> Json:
        position, message = await _question(request)
        overlay = text_of(message, "overlay", tuple(OVERLAYS)) if "overlay" in message else None
        work = partial(analyses.chances, position, overlay)
        return await self._answer(request, work, heavy=is_heavy_position(position))

    async def _cell(self, request: Request) -> Json:
        position, message = await _question(request)
        values = message.get("values") is True
        work = partial(analyses.cell, position, cell_of(message), values=values)
        return await self._answer(request, work, heavy=is_heavy_position(position))

    async def _deal(self, request: Request) -> Json:
        position, _ = await _question(request)
        return await self._answer(
            request, partial(analyses.deal, position), heavy=is_heavy_position(position)
        )

    async def _wins(self, request: Request) -> Json:
        position, _ = await _question(request)
        if position.mines is None and position.density is None:
            raise BadMessage(t("to compute win chances, enter the mine total or density"))
        return await self._answer(
            request, partial(analyses.wins, position), heavy=is_heavy_position(position)
        )

    async def _load(self, request: Request) -> Json:
        data = await body_of(request, limits.FILE_BYTES)
        work = partial(analyses.loaded, data)
        loaded = await self._answer(
            request, work, heavy=len(data) > limits.POSITION_BYTES // 2 or analyses.is_picture(data)
        )
        rows = loaded["position"]["rows"]
        if len(rows) * len(rows[0]) > limits.SMALL_CELLS:
            raise BadMessage(f"a position has at most {limits.SMALL_CELLS} cells in the browser")
        return loaded

    async def _arrange(self, request: Request) -> StreamingResponse:
        """Answer with lines of JSON: ``{"progress": ...}`` while working, then the result."""
        position, message = await _question(request)
        work = partial(
            analyses.arrangement,
            position,
            text_of({"method": Method.BACKTRACKING, **message}, "method", tuple(Method)),
            text_of({"start_rule": StartRule.WEIGHTED, **message}, "start_rule", tuple(StartRule)),
            text_of(
                {"likelihood": Likelihood.COMBINATIONS, **message}, "likelihood", tuple(Likelihood)
            ),
            limits.ARRANGE_BUDGET_S,
        )
        who = self._visitors.who(request)
        lines = self._lines(who, work, heavy=is_heavy_position(position))
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def _lines(
        self, who: Who, work: Callable[[], Json], *, heavy: bool
    ) -> AsyncIterator[str]:
        """Search for an arrangement, and yield progress."""
        queue: asyncio.Queue[Json | None] = asyncio.Queue()
        budget = limits.ARRANGE_BUDGET_S + _GRACE_S
        running = asyncio.ensure_future(
            self._jobs.do(
                who,
                work,
                heavy=heavy,
                budget_s=budget,
                tell=lambda text: queue.put_nowait({"progress": text}),
            )
        )
        running.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            yield _line({"progress": "starting"})
            while (line := await queue.get()) is not None:
                yield _line(line)
            yield _line(await running)
        except SapperError as problem:
            yield _line(error_body(problem.code, str(problem)))
        except asyncio.CancelledError:
            # The browser has disconnected, or the server is stopping.
            return
        finally:
            running.cancel()
            running.add_done_callback(ignore_result)

    async def _answer(self, request: Request, work: Callable[[], Json], *, heavy: bool) -> Json:
        result: Json = await unless_gone(
            request, self._jobs.do(self._visitors.who(request), work, heavy=heavy)
        )
        return result


async def _question(request: Request) -> tuple[Position, Json]:
    """Return the position in a request, and the other fields of the request.

    Raises:
        BadMessage: If the position is missing or too large.
        BadPosition: If the position is invalid.
    """
    message = await json_of(request, limits.POSITION_BYTES)
    position = Position.from_json(message.get("position"))
    if position.topology.size > limits.SMALL_CELLS:
        raise BadMessage(f"a position has at most {limits.SMALL_CELLS} cells in the browser")
    return position, message


def _line(value: Json) -> str:
    return f"{encode(value)}\n"
