"""The HTTP interface of the history: statistics, games and replays; export, import and erase.

A visitor sees only their own games.
"""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import anyio
import anyio.to_thread
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from sapper._util.shortening import shown
from sapper.coach.patterns import patterns
from sapper.dealer import rules_label
from sapper.errors import BadLevel, MissingExtra, SapperError
from sapper.history import History, PatternCount, Record, Selection, export_parquet, summarize
from sapper.replay import to_json
from sapper.rules import Level, level_label
from sapper.server import limits
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import endpoint, json_of, unless_gone
from sapper.server.http.errors import NoGame
from sapper.server.http.imports import Imports
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import BadMessage, Json, encode, error_body, whole_of
from sapper.server.session.sessions import Sessions
from sapper.server.storage.schema import SCHEMA
from sapper.server.storage.store import Store
from sapper.solver.bots import bot_label

__all__ = ["figures_json", "history_routes"]

_log: Final = logging.getLogger(__name__)

_PER_S: Final = 10.0
_BURST: Final = 60
_BODY_BYTES: Final = 10_000
_THREADS: Final = anyio.CapacityLimiter(2)
"""Number of threads that read the history."""
_BESTS: Final = 5
_PAGE: Final = 50
_LONGEST_PAGE: Final = 500
_TEXTS: Final = ("player", "bot", "rules", "variant", "level")
_SWITCHES: Final = ("won", "helped")
_TIMES: Final = ("since_ms", "until_ms")
_LINES: Final = "application/x-ndjson"

_Result = TypeVar("_Result")


def history_routes(
    store: Store, visitors: Visitors, sessions: Sessions, imports: Imports
) -> list[Route]:
    """Return the routes.

    Args:
        store: The game store.
        visitors: Identifies browsers.
        sessions: Notified when games are imported or erased.
        imports: Reads imported files.
    """
    api = _HistoryApi(store, visitors, sessions, imports)
    rate = AddressRate(_PER_S, _BURST, "history")

    def route(path: str, answer: Callable[[Request], Awaitable[Any]], method: str = "GET") -> Route:
        return Route(f"/api/history{path}", endpoint(answer, rate), methods=[method])

    return [
        route("/statistics", api.statistics),
        route("/games", api.games),
        route("/games/{key}", api.game),
        route("/export", api.export),
        route("/import", api.add, "POST"),
        route("/erase", api.erase, "POST"),
    ]


class _HistoryApi:
    def __init__(
        self, store: Store, visitors: Visitors, sessions: Sessions, imports: Imports
    ) -> None:
        self._store, self._visitors, self._sessions = store, visitors, sessions
        self._imports = imports

    def _history(self, request: Request) -> History:
        """Return the browser's games; a new browser has none."""
        return self._store.history.of(self._visitors.session_of(request) or "nobody")

    async def statistics(self, request: Request) -> Response:
        """Return statistics, best games, kinds of games, players' names, and patterns."""
        history, selection = self._history(request), _selection(request.query_params)
        zone = _zone(request.query_params.get("zone", "UTC"))

        def best() -> list[Json]:
            if selection.level is None or selection.rules is None:
                return _listed(history.fastest_of_kinds(selection))
            return _listed(history.rows(selection, _BESTS, fastest=True))

        # SQLite queries run in one thread while Python computes in another.
        figures, fastest, kinds, players, seen = await asyncio.gather(
            _in_thread(lambda: summarize(history, selection, zone).to_json()),
            _in_thread(best),
            _in_thread(history.kinds),
            _in_thread(history.players),
            _in_thread(lambda: _patterns(history.pattern_counts(selection))),
        )
        for kind in kinds:
            kind |= _labels(kind)
        result = {
            "statistics": figures,
            "best": fastest,
            "kinds": kinds,
            "players": players,
            "patterns": seen,
        }
        return Response(await _in_thread(lambda: encode(result)), media_type="application/json")

    async def games(self, request: Request) -> Json:
        """Return one page of the list without moves, latest first by default."""
        history, selection = self._history(request), _selection(request.query_params)
        offset = _number(request.query_params, "offset", 0, 2**31)
        limit = _number(request.query_params, "limit", _PAGE, _LONGEST_PAGE)
        order = request.query_params.get("order", "desc")
        if order not in ("asc", "desc", "fastest"):
            raise BadMessage(f"'order' must be asc, desc or fastest, got {shown(order)}")
        by = request.query_params.get("sort", "date")

        def find() -> Json:
            rows = history.rows(
                selection,
                limit,
                offset,
                fastest=order == "fastest",
                by=by,
                descending=order == "desc",
            )
            return {"games": _listed(rows), "total": history.count(selection), "offset": offset}

        return await _in_thread(find)

    async def game(self, request: Request) -> Json:
        """Return a game with its replay and moves."""
        history, key = self._history(request), request.path_params["key"]

        def find() -> Json:
            record = history.get(key)
            if record is None:
                raise NoGame(f"there is no game {shown(key)} in your history")
            return _whole(key, record)

        return await _in_thread(find)

    async def export(self, request: Request) -> Response:
        """Return the games as JSON Lines or Parquet."""
        history, selection = self._history(request), _selection(request.query_params)
        kind = request.query_params.get("format", "jsonl")
        if kind not in ("jsonl", "parquet"):
            raise BadMessage(f"'format' must be jsonl or parquet, got {shown(kind)}")
        name = f'attachment; filename="sapper-history.{kind}"'
        headers = {"content-disposition": name}
        if kind == "jsonl":
            # Stream line by line, because there may be many games.
            return StreamingResponse(_lines(history, selection), headers=headers, media_type=_LINES)
        path = await _in_thread(partial(_parquet, history, selection))
        erase = BackgroundTask(os.unlink, path)
        return FileResponse(path, headers=headers, background=erase)

    async def add(self, request: Request) -> Response:
        """Add the games of an exported file or of replays; existing games are kept."""
        cookie = self._visitors.cookie(request)
        owner = self._visitors.session_id(cookie)
        queue: asyncio.Queue[Json | None] = asyncio.Queue()
        who = self._visitors.who(request)
        changed = partial(self._sessions.history_changed, owner)
        history = self._store.history.of(owner)
        job = await self._imports.start(request, who, history, queue.put_nowait, changed)
        response: Response
        if request.headers.get("accept") == _LINES:
            job.add_done_callback(lambda _: queue.put_nowait(None))
            response = _Stream(self._progress(job, queue), job)
        else:
            result = await unless_gone(request, job)
            response = Response(encode(result), media_type="application/json")
        self._visitors.remember(request, response, cookie)
        return response

    async def _progress(
        self, job: asyncio.Future[Json], queue: asyncio.Queue[Json | None]
    ) -> AsyncIterator[str]:
        """Yield lines with the progress of an import, and finally its result."""
        queue.put_nowait({"games": 0, "share": 0.0})
        try:
            while (progress := await queue.get()) is not None:
                yield f"{encode({'progress': progress})}\n"
            yield f"{encode(await job)}\n"
        except SapperError as problem:
            yield f"{encode(error_body(problem.code, str(problem)))}\n"
        except Exception:
            _log.exception("a file of games could not be imported")
            yield f"{encode(error_body('internal', 'something went wrong on the server'))}\n"

    async def erase(self, request: Request) -> Json:
        """Erase the selected games and their mistakes; the request must include their number."""
        message = await json_of(request, _BODY_BYTES)
        games, given = whole_of(message, "games"), message.get("selection", {})
        if not isinstance(given, dict) or not all(isinstance(v, str) for v in given.values()):
            raise BadMessage(f"'selection' must be an object of texts, got {shown(given)}")
        history, selection = self._history(request), _selection(given)

        def erase() -> int:
            count = history.count(selection)
            if count != games:
                raise BadMessage(f"'games' must be their number, {count} by now, got {games}")
            erased = history.erase(selection)
            if history.owner is not None:
                with self._store.transaction() as db:
                    SCHEMA.games_erased(db, history.owner)
            return erased

        erased = await _in_thread(erase)
        if history.owner is not None:
            await self._sessions.history_changed(history.owner)
        return {"erased": erased}


def _patterns(counts: Iterable[PatternCount]) -> list[Json]:
    """Return the patterns that still exist, the most missed first."""
    return [
        {
            "pattern": one.pattern,
            "name": patterns()[one.pattern].name,
            "seen": one.seen,
            "missed": one.missed,
            "seconds": round(one.ms / 1000 / one.seen, 1) if one.seen else None,
        }
        for one in counts
        if one.pattern in patterns()
    ]


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    return await anyio.to_thread.run_sync(work, limiter=_THREADS)


def _selection(raw: Any) -> Selection:
    """Read a selection from the parameters of a request."""
    fields: dict[str, Any] = {name: _text(raw, name) for name in _TEXTS if name in raw}
    for name in _SWITCHES:
        if name in raw:
            if raw[name] not in ("0", "1"):
                raise BadMessage(f"{name!r} must be 0 or 1, got {shown(raw[name])}")
            fields[name] = raw[name] == "1"
    for name in _TIMES:
        if name in raw:
            fields[name] = _number(raw, name, 0, 2**53)
    return Selection(**fields)


def _text(raw: Any, name: str) -> str:
    text: str = raw[name]
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadMessage(f"{name!r} must be a text, got {shown(text)}") from None
    return text


def _number(raw: Any, name: str, usual: int, most: int) -> int:
    text = raw.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= most):
        raise BadMessage(f"{name!r} must be a number from 0 to {most}, got {shown(text)}")
    return int(text)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadMessage(
            f"'zone' must be a time zone such as Europe/Prague, got {shown(name)}"
        ) from None


def _listed(rows: list[dict[str, Any]]) -> list[Json]:
    return [figures_json(row.pop("key"), row) for row in rows]


def figures_json(key: str, row: Mapping[str, Any]) -> Json:
    """Return the figures of a game, without its moves, as JSON."""
    return {
        "id": key,
        **row,
        **_labels(row),
        "replay": _fits(row["level"]),
    }


def _labels(row: Mapping[str, Any]) -> Json:
    """Return the labels of a game's level, rule set and bot."""
    return {
        "level_label": level_label(row["level"]),
        "rules_label": rules_label(row["rules"]),
        "bot_label": bot_label(row["bot"]) if row["bot"] else "",
    }


def _fits(level: str) -> bool:
    """Return whether the Replay and Review pages support boards of this level."""
    try:
        size = Level.parse(level)
    except BadLevel:
        # The level of an imported game may be unknown.
        return False
    return size.width * size.height <= limits.SMALL_CELLS


def _whole(key: str, record: Record) -> Json:
    figures = record.to_json()
    moves = figures.pop("moves")
    saved = moves if "actions" in moves else None
    return {"game": figures_json(key, figures), "replay": to_json(record.replay()), "saved": saved}


def _lines(history: History, selection: Selection) -> Iterator[str]:
    for record in history.records(selection):
        yield f"{encode(record.to_json())}\n"


def _parquet(history: History, selection: Selection) -> Path:
    handle, name = tempfile.mkstemp(suffix=".parquet")
    os.close(handle)
    try:
        export_parquet(history, Path(name), selection)
    except BaseException as problem:
        os.unlink(name)
        if isinstance(problem, MissingExtra):
            raise MissingExtra(f"{problem}; or export JSON Lines") from None
        raise
    return Path(name)


class _Stream(StreamingResponse):
    """A response with lines about a job; the job is cancelled with the response.

    Args:
        lines: The lines.
        job: The job.
    """

    def __init__(self, lines: AsyncIterator[str], job: asyncio.Future[Json]) -> None:
        super().__init__(lines, media_type=_LINES)
        self._job = job

    async def __call__(self, *args: Any) -> None:
        """Send the lines."""
        try:
            await super().__call__(*args)
        finally:
            # The browser may have disconnected, even before the first line.
            self._job.cancel()
