"""Public games: share a finished game, and watch one at its URL.

``/g/ID`` is the Replay page with a game that its player has shared, or that is on a leaderboard;
``/g/ID.png`` and ``/g/ID.svg`` are pictures of its end, for link previews.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper._util.shortening import shown
from sapper.dealer import rules_label
from sapper.history import Record
from sapper.replay import to_json
from sapper.rules import level_label
from sapper.server import limits
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import endpoint, json_of, unless_gone
from sapper.server.http.errors import NoGame
from sapper.server.http.history import figures_json
from sapper.server.http.visitors import Visitors
from sapper.server.jobs.long_jobs import LongJobs
from sapper.server.jobs.pictures import drawn
from sapper.server.protocol import BadMessage, Json
from sapper.server.storage.public_games import PublicGame, PublicGames, Shared
from sapper.server.storage.store import Store
from sapper.translation import Text, catalogue, t
from sapper.web import Assets, Preview, current_language

__all__ = ["PublicGamesApi"]

_BODY_BYTES: Final = 1_000
_THREADS: Final = anyio.CapacityLimiter(2)
"""Number of threads that read and write public games."""
_PICTURE_BYTES: Final = 8 * 2**20
"""Maximum bytes of pictures in memory: hundreds of usual ones."""
_FRESH_S: Final = 300
_FORMS: Final = {"png": "image/png", "svg": "image/svg+xml"}

_Result = TypeVar("_Result")


class PublicGamesApi:
    """The routes.

    Args:
        store: The game store.
        visitors: Identifies browsers.
        jobs: Draws the pictures.
        assets: The pages.
    """

    def __init__(self, store: Store, visitors: Visitors, jobs: LongJobs, assets: Assets) -> None:
        self._store, self._games = store, PublicGames(store.database)
        self._visitors, self._jobs, self._assets = visitors, jobs, assets
        self._pictures: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        rate = AddressRate(limits.STANDING_PER_S, limits.STANDING_BURST, "public_games")

        def route(path: str, answer: Callable[[Request], Awaitable[Any]], method: str) -> Route:
            return Route(path, endpoint(answer, rate), methods=[method])

        own = "/api/history/games/{key}/share"
        self.routes: Final = [
            route("/g/{id}.png", partial(self._picture, "png"), "GET"),
            route("/g/{id}.svg", partial(self._picture, "svg"), "GET"),
            Route("/g/{id}", self._page),
            route("/api/games/{id}", self._game, "GET"),
            route(own, self._shared, "GET"),
            route(own, self._share, "POST"),
            route(own, self._unshare, "DELETE"),
        ]

    async def _find(self, request: Request) -> PublicGame | None:
        return await _in_thread(partial(self._games.find, request.path_params["id"]))

    async def _page(self, request: Request) -> Response:
        """Return a public game's page."""
        game = await self._find(request)
        if game is None:
            raise HTTPException(404)
        self._jobs.prepare()
        preview = Preview(
            f"/g/{game.id}",
            _text(_title(game)),
            _text(_description(game.record)),
            f"/g/{game.id}.png",
            listed=game.listed,
        )
        return self._assets.page(request, "replay", preview=preview)

    async def _picture(self, form: str, request: Request) -> Response:
        """Return the picture of a public game."""
        game = await self._expect(request)
        key = game.id, form
        picture = self._pictures.get(key)
        if picture is None:
            work = partial(drawn, game.record, form, str(_title(game)))
            who = self._visitors.who(request)
            picture = await unless_gone(request, self._jobs.do(who, work, heavy=True))
            self._keep(key, picture)
        else:
            self._pictures.move_to_end(key)
        headers = {"cache-control": f"public, max-age={_FRESH_S}", "x-robots-tag": "noindex"}
        return Response(picture, headers=headers, media_type=_FORMS[form])

    def _keep(self, key: tuple[str, str], picture: bytes) -> None:
        self._pictures[key] = picture
        while sum(map(len, self._pictures.values())) > _PICTURE_BYTES:
            self._pictures.popitem(last=False)

    async def _expect(self, request: Request) -> PublicGame:
        game = await self._find(request)
        if game is None:
            raise NoGame(t("there is no public game at this address"))
        return game

    async def _game(self, request: Request) -> Json:
        """Return a public game with its replay."""
        game = await self._expect(request)
        own = self._visitors.session_of(request) == game.player

        def answer() -> Json:
            figures = game.record.to_json()
            del figures["moves"]
            return {
                "game": figures_json(game.id, figures),
                "replay": to_json(game.record.replay()),
                "name": game.name,
                "profile": game.name is not None and not game.private,
                "board": game.board,
                "own": game.record.key if own else None,
                "shared": game.shared,
                "listed": game.listed,
            }

        return await _in_thread(answer)

    # A player's own games.

    async def _own(self, request: Request) -> tuple[str, str]:
        """Return the browser's session and the key of the requested game, which may be the last."""
        player, key = self._visitors.session_of(request), request.path_params["key"]
        if player is not None and key == "last":
            latest = await _in_thread(lambda: self._store.history.of(player).rows(limit=1))
            key = latest[0]["key"] if latest else None
        if player is None or key is None:
            raise NoGame(t("this browser has no games yet"))
        return player, key

    async def _shared(self, request: Request) -> Json:
        """Return the public page of a game in the browser's history, if it is shared."""
        player, key = await self._own(request)
        shared = await _in_thread(partial(self._games.shared, player, key))
        return self._shared_json(request, key, shared)

    async def _share(self, request: Request) -> Json:
        """Share a game in the browser's history."""
        message = await json_of(request, _BODY_BYTES)
        listed = message.get("listed", False)
        if not isinstance(listed, bool):
            raise BadMessage(f"'listed' must be true or false, got {shown(listed)}")
        player, key = await self._own(request)
        share = partial(self._games.share, player, key, listed=listed)
        shared = await _in_thread(share)
        if shared is None:
            raise NoGame(f"there is no game {shown(key)} in your history")
        return self._shared_json(request, key, shared)

    async def _unshare(self, request: Request) -> Json:
        """Stop sharing a game."""
        player, key = await self._own(request)
        await _in_thread(partial(self._games.unshare, player, key))
        return self._shared_json(request, key, None)

    def _shared_json(self, request: Request, key: str, shared: Shared | None) -> Json:
        return {
            "game": key,
            "id": None if shared is None else shared.id,
            "listed": shared is not None and shared.listed,
            "named": self._visitors.signed_in(request) is not None,
        }


def _title(game: PublicGame) -> Text:
    """Return the title of a public game, such as *Ann: Expert, No guess, won in 62.36 s*."""
    record = game.record
    values = {
        "level": level_label(record.level),
        "rules": rules_label(record.rules),
        "time": f"{record.time_ms / 1000:.2f}",
    }
    if record.won:
        result = t("{level}, {rules}: won in {time} s", **values)
    else:
        result = t("{level}, {rules}: lost after {time} s", **values)
    return result if game.name is None else t("{name}: {result}", name=game.name, result=result)


def _description(record: Record) -> Text:
    if not record.won:
        return t("Minesweeper: watch the replay, with a review of every move.")
    return t(
        "Minesweeper: 3BV {bbbv}, {speed} 3BV/s, {clicks} clicks. Watch the replay, with a review "
        "of every move.",
        bbbv=record.bbbv,
        speed=f"{1000 * record.bbbv / max(1, record.time_ms):.2f}",
        clicks=record.clicks,
    )


def _text(text: Text) -> str:
    """Return a message in the current request's language."""
    return catalogue(current_language()).text(text)


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    return await anyio.to_thread.run_sync(work, limiter=_THREADS)
