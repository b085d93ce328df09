"""The read-only HTTP interface of the lab page: the runs on this machine.

Visitors from a network get the names and figures of runs, but no data about the machine, such as
commands, directories, bot options or error messages.
"""

from __future__ import annotations

import json
import logging
import math
import re
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sapper.errors import MissingExtra, SapperError
from sapper.server.http.proxies import is_own_machine
from sapper.server.protocol import Json, encode, error_body

__all__ = ["ROUTES"]

_log: Final = logging.getLogger(__name__)

_THREADS: Final = anyio.CapacityLimiter(2)
"""Maximum number of concurrent requests; each may read all games of a run."""


_PUBLIC: Final = frozenset(
    {"id", "name", "state", "updated", "bot", "level", "rules", "first_click", "start", "seed"}
    | {"games", "games_wanted", "games_per_second", "win_rate", "interval", "by", "lost_by"}
    | {"digest", "history", "guesses", "calibration"}
)
"""Fields of a run that visitors from a network may see."""
_DAMAGED: Final = "this run cannot be read: its files are damaged"


async def _all(request: Request) -> Response:
    """Return all runs with their ``status.json``, latest first."""
    return await _answer(request, _listed)


async def _one(request: Request) -> Response:
    """Return one run: its settings, status and chart data."""
    return await _answer(request, _bot_text, request.path_params["name"])


async def _answer(request: Request, look: Any, *args: Any) -> Response:
    is_own = is_own_machine(request)
    try:
        result = await anyio.to_thread.run_sync(look, *args, limiter=_THREADS)
    except MissingExtra as problem:
        return JSONResponse(error_body(problem.code, str(problem)), status_code=501)
    except SapperError as problem:
        text = str(problem) if is_own else _DAMAGED
        return JSONResponse(error_body(problem.code, text), status_code=409)
    except (OSError, TypeError, ValueError, LookupError, AttributeError) as problem:
        # The files of a run are not validated and may contain anything.
        _log.warning("a run cannot be read: %r", problem)
        return JSONResponse(error_body("damaged", _DAMAGED), status_code=409)
    if result is None:
        return JSONResponse(error_body("not_found", "there is no such run"), status_code=404)
    if not is_own:
        result = [_public(run) for run in result] if isinstance(result, list) else _public(result)
    # Not `JSONResponse`, because file names may not be valid UTF-8.
    return Response(encode(result), media_type="application/json")


def _public(run: Json) -> Json:
    """Return the fields of a run that visitors from a network may see."""
    fields = {name: value for name, value in run.items() if name in _PUBLIC}
    # A bot loaded from a file is named after the file.
    return {**fields, "bot": re.split(r"[/\\]", str(run.get("bot", "")))[-1]}


def _listed() -> Any:
    from sapper.lab.run_index import listed

    runs = [{**_standing(path), "id": name} for name, path in listed().items()]
    return sorted(runs, key=lambda run: -(run["updated"] or 0))


def _standing(path: Path) -> Json:
    """Return the settings and latest status of a run."""
    from sapper.lab.status import read_status

    standing: Json = {}
    try:
        settings = json.loads(
            (path / "run.json").read_bytes(), parse_constant=_finite, parse_float=_finite
        )
    except (OSError, ValueError, RecursionError):
        settings = None
    if isinstance(settings, dict):
        standing |= settings
    standing |= read_status(path) or {}
    standing.setdefault("state", "stopped")
    if type(standing.get("updated")) not in (int, float):
        standing["updated"] = None
    return {**standing, "path": str(path), "name": path.name}


def _finite(text: str) -> float | None:
    """Return a number; None for values that JSON cannot represent, such as NaN."""
    number = float(text)
    return number if math.isfinite(number) else None


def _bot_text(name: str) -> Json | None:
    from sapper.lab.charts import charts
    from sapper.lab.run_index import find
    from sapper.lab.runs import Run

    path = find(name)
    if path is None:
        return None
    run = Run.open(path)
    # If the status cannot be read, compute the summary from the games.
    return {**_standing(path), **run.summary, "id": name, **charts(run)}


ROUTES: Final = [
    Route("/api/runs", _all),
    Route("/api/runs/{name}", _one),
]
