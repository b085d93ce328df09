"""The lab's page: the runs of this machine, also while they go on. It only looks."""

from __future__ import annotations

import json
import logging
import math
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread
import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sapper.errors import MissingExtra, SapperError
from sapper.server.outbox import encode
from sapper.server.protocol import Json, error_body

__all__ = ["ROUTES"]

_log: Final = logging.getLogger(__name__)

_AT_ONCE: Final = anyio.CapacityLimiter(2)
"""Requests answered at the same time: each may read all games of a run."""
_POINTS: Final = 160
"""Points of a line: more than a screen could tell apart."""


async def _all(_: Request) -> Response:
    """Every run, the latest first, as its ``status.json`` tells it."""
    return await _answer(_listed)


async def _one(request: Request) -> Response:
    """One run: what is played, and the lines of its plots."""
    return await _answer(_told, request.path_params["name"])


async def _answer(look: Any, *args: Any) -> Response:
    try:
        found = await anyio.to_thread.run_sync(look, *args, limiter=_AT_ONCE)
    except MissingExtra as problem:
        return JSONResponse(error_body(problem.code, str(problem)), status_code=501)
    except SapperError as problem:
        return JSONResponse(error_body(problem.code, str(problem)), status_code=409)
    except (OSError, TypeError, ValueError, LookupError, AttributeError) as problem:
        # Its files are not this server's own, and may hold anything.
        _log.warning("a run cannot be read: %r", problem)
        said = "this run cannot be read: its files are damaged"
        return JSONResponse(error_body("damaged", said), status_code=409)
    if found is None:
        return JSONResponse(error_body("not_found", "there is no such run"), status_code=404)
    # Not `JSONResponse`: names of files may have no UTF-8 form.
    return Response(encode(found), media_type="application/json")


def _listed() -> Any:
    from sapper.lab.run_index import listed

    runs = [{**_standing(path), "id": name} for name, path in listed().items()]
    return sorted(runs, key=lambda run: -(run["updated"] or 0))


def _standing(path: Path) -> Json:
    """How a run stands; of one that was never begun, what it was to be."""
    kept: Json = {}
    for name in ("run.json", "status.json"):
        try:
            told = json.loads(
                (path / name).read_bytes(), parse_constant=_finite, parse_float=_finite
            )
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(told, dict):
            kept |= told
    kept.setdefault("state", "stopped")
    if type(kept.get("updated")) not in (int, float):
        kept["updated"] = None
    return {**kept, "path": str(path), "name": path.name}


def _finite(text: str) -> float | None:
    """A number; None for what JSON does not have, such as NaN."""
    number = float(text)
    return number if math.isfinite(number) else None


def _told(name: str) -> Json | None:
    from sapper.lab.run_index import find
    from sapper.lab.runs import Run

    path = find(name)
    if path is None:
        return None
    table = Run.open(path).table(["result", "guesses", "risks", "last_risk"])
    won = np.asarray(table.column("result").to_numpy()) == "won"
    return {
        **_standing(path),
        "id": name,
        "history": _history(won),
        "guesses": _by_guesses(won, table.column("guesses").to_numpy()),
        "calibration": _calibration(table),
    }


def _history(won: Any) -> Json:
    """Return the win rate after each number of games, with its interval."""
    from sapper.stats import wilson

    wins, games = np.cumsum(won), len(won)
    counts = sorted({round(games * (i + 1) / _POINTS) for i in range(_POINTS)} - {0})
    ends = [wilson(int(wins[n - 1]), n) for n in counts]
    return {
        "games": counts,
        "rate": [float(wins[n - 1] / n) for n in counts],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
    }


def _by_guesses(won: Any, guesses: Any) -> list[Json]:
    """How many games had so many guesses, and how many of these were won."""
    games = np.bincount(guesses) if len(guesses) else np.zeros(0, int)
    wins = np.bincount(guesses[won], minlength=len(games)) if len(guesses) else games
    return [
        {"guesses": n, "games": int(count), "wins": int(wins[n])}
        for n, count in enumerate(games)
        if count
    ]


def _calibration(table: Any) -> list[Json]:
    """Group guesses by predicted risk, in steps of five percent."""
    from sapper.lab.table import fatal_risks
    from sapper.stats import wilson

    risks, fatal = fatal_risks(table)
    steps = np.minimum((risks * 20).astype(int), 19)
    found = []
    for step in np.unique(steps):
        here = steps == step
        n, mines = int(here.sum()), int(fatal[here].sum())
        low, high = wilson(mines, n)
        found.append(
            {
                "predicted": float(risks[here].mean()),
                "n": n,
                "mines": mines,
                "share": mines / n,
                "low": low,
                "high": high,
            }
        )
    return found


ROUTES: Final = [
    Route("/api/runs", _all),
    Route("/api/runs/{name}", _one),
]
