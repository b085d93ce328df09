"""The HTTP interface of the Learn page: puzzles, lessons and the player's rating."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper._util.shortening import shown
from sapper.coach.practice import Practice
from sapper.coach.trainer import (
    FOCUSES,
    Answer,
    MistakeSet,
    Records,
    Training,
    judge,
    lesson_board,
    lessons,
    puzzles,
)
from sapper.coach.trainer.puzzle import BadPuzzle
from sapper.position import Position
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import endpoint, json_of
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import BadMessage, Json, encode
from sapper.server.storage.store import Store
from sapper.topology import cell_name

__all__ = ["answer_of", "cells_of", "name_of", "player_routes", "routes"]

_BODY_BYTES: Final = 10_000
_PER_S: Final = 10.0
_BURST: Final = 60
_THREADS: Final = anyio.CapacityLimiter(2)
"""Maximum number of concurrent requests."""


def routes(store: Store, visitors: Visitors) -> list[Route]:
    """Return the routes.

    Args:
        store: The store of ratings and progress.
        visitors: Identifies browsers.
    """
    api = _LearnApi(store)
    return player_routes(
        visitors,
        {
            "GET /api/learn": api.standing,
            "POST /api/learn/puzzle": api.puzzle,
            "POST /api/learn/answer": api.answer,
            "POST /api/learn/lesson": api.lesson_answer,
        },
    )


def player_routes(
    visitors: Visitors, answers: Mapping[str, Callable[[str, Json], Json]]
) -> list[Route]:
    """Return routes that answer a player's requests in threads.

    Args:
        visitors: Identifies browsers; the first request of a browser starts a session.
        answers: The functions of the player and the request's object, by method and path.
    """
    rate = AddressRate(_PER_S, _BURST, "learn")

    def route(address: str, answer: Callable[[str, Json], Json]) -> Route:
        method, path = address.split()

        async def respond(request: Request) -> Response:
            body = await json_of(request, _BODY_BYTES) if method == "POST" else {}
            cookie = visitors.cookie(request)
            player = visitors.session_id(cookie)
            result = await anyio.to_thread.run_sync(answer, player, body, limiter=_THREADS)
            response = Response(encode(result), media_type="application/json")
            visitors.remember(request, response, cookie)
            return response

        return Route(path, endpoint(respond, rate), methods=[method])

    return [route(address, answer) for address, answer in answers.items()]


class _LearnApi:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._training = Training(store.transaction)
        self._mistakes = MistakeSet(store.transaction)
        self._practice = Practice(store.transaction)

    def standing(self, player: str, _: Json) -> Json:
        """Return the rating, lessons with progress, and the mistakes and patterns to practise."""
        standing = self._training.standing(player)
        with self._store.transaction() as db:
            done = Records(db).lessons_done(player)
        return {
            "standing": standing.to_json(),
            "lessons": [lesson.to_json() for lesson in lessons()],
            "done": sorted(done),
            "focuses": [{"name": name, "label": label} for name, label in FOCUSES.items()],
            "mistakes": self._mistakes.counts(player)._asdict(),
            "practice": self._practice.standing(player).to_json(),
        }

    def puzzle(self, player: str, body: Json) -> Json:
        """Return the puzzle to solve; ``focus`` and ``timed`` select another kind."""
        focus, timed = body.get("focus"), body.get("timed")
        if not (focus is None or isinstance(focus, str)):
            raise BadMessage(f"focus must be a text, got {shown(focus)}")
        if not (timed is None or isinstance(timed, bool)):
            raise BadMessage(f"timed must be true or false, got {shown(timed)}")
        return self._training.puzzle(player, focus, timed).to_json()

    def answer(self, player: str, body: Json) -> Json:
        """Judge the answer to a puzzle; return the verdict and the new rating."""
        puzzle = puzzles().get(name_of(body, "puzzle"))
        if puzzle is None:
            raise BadPuzzle(f"there is no puzzle {shown(body['puzzle'])}")
        answer = answer_of(puzzle.position, body)
        outcome = self._training.answer(player, puzzle.id, answer, cell_name)
        return {
            **outcome.to_json(),
            "standing": self._training.standing(player).to_json(),
        }

    def lesson_answer(self, player: str, body: Json) -> Json:
        """Judge the answer to a lesson board, and record the board if it was solved."""
        board = lesson_board(name_of(body, "board"))
        verdict = judge(board.question, board.position, answer_of(board.position, body), cell_name)
        if verdict.solved:
            with self._store.transaction() as db:
                Records(db).finish_lesson(player, board.id)
        return verdict.to_json()


def name_of(body: Json, key: str) -> str:
    """Return a name from a request.

    Raises:
        BadMessage: If the value is not a string.
    """
    name = body.get(key)
    if not isinstance(name, str) or not name.isprintable():
        raise BadMessage(f"{key} must be a text, got {shown(name)}")
    return name


def answer_of(position: Position, body: Json) -> Answer:
    """Return an answer in a request: ``safe`` and ``mined``, lists of ``[row, col]``."""
    return Answer.of(position, cells_of(body, "safe"), cells_of(body, "mined"))


def cells_of(body: Json, key: str) -> list[Any]:
    """Return a list of cells in a request, each ``[row, col]``; empty if the key is missing.

    Raises:
        BadMessage: If the list has another form or more than 200 cells.
    """
    cells = body.get(key, [])
    if not isinstance(cells, list) or len(cells) > 200:
        raise BadMessage(f"{key} must be a list of at most 200 cells")
    for cell in cells:
        whole = isinstance(cell, list) and [type(at) for at in cell] == [int, int]
        if not whole:
            raise BadMessage(f"{key} must hold cells such as [3, 4], got {shown(cell)}")
    return cells
