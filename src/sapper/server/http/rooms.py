"""Rooms of several people: their list, new ones, their recordings, and their windows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from sapper._util.shortening import shown
from sapper.community import (
    PHRASES,
    STRENGTHS,
    Flags,
    FlagsMove,
    game_in,
    review_flags,
)
from sapper.community.flags import RATED_FLAGS
from sapper.community.live_board import check_rules
from sapper.community.nicknames import free_nickname
from sapper.community.race_settings import RATED, RATED_RULES
from sapper.dealer import RULES
from sapper.errors import BadSetting, SapperError
from sapper.generation import parse_id
from sapper.replay import Replay, serialize
from sapper.rules import INTERMEDIATE, LEVELS, Level, level_label
from sapper.server import limits
from sapper.server.http.address_limits import AddressRate, Rates
from sapper.server.http.endpoints import address_of, endpoint, json_of
from sapper.server.http.errors import TooMany
from sapper.server.http.site_changes import SiteChanges
from sapper.server.http.sockets import Sockets, exchange
from sapper.server.http.visitors import Visitors
from sapper.server.instruments import note_refusal
from sapper.server.protocol import BadMessage, Json, encode
from sapper.server.rooms.codes import parse_code
from sapper.server.rooms.errors import NoRoom
from sapper.server.rooms.hub import RoomHub
from sapper.server.rooms.live_room import LiveRoom
from sapper.server.rooms.making import SETTINGS, wanted
from sapper.server.rooms.qr_code import qr_code
from sapper.server.rooms.requests import RoomWindow
from sapper.solver.bots import bot_label, bots
from sapper.topology import Cell
from sapper.translation import Text, t
from sapper.web.language import current_language

__all__ = ["room_routes"]

_BODY_BYTES: Final = 10_000
_STRENGTH_LABELS: Final[dict[str, Text]] = {
    "novice": t("Novice"),
    "casual": t("Casual"),
    "skilled": t("Skilled"),
    "master": t("Master"),
}


def room_routes(
    hub: RoomHub,
    visitors: Visitors,
    sockets: Sockets,
    page: Callable[[Request], Awaitable[Response]] | None,
    changes: SiteChanges,
) -> list[BaseRoute]:
    """Return the routes.

    Args:
        hub: The rooms.
        visitors: Identifies browsers.
        sockets: Admits windows.
        page: Returns a room's page; None if there is none.
        changes: The changes by the operator.
    """
    requests = AddressRate(limits.ROOM_REQUESTS_PER_S, limits.ROOM_REQUESTS_BURST, "room_requests")
    lists = AddressRate(limits.ROOM_LISTS_PER_S, limits.ROOM_LISTS_BURST, "room_lists")
    makes = AddressRate(limits.NEW_ROOMS_PER_S, limits.NEW_ROOMS_BURST, "new_rooms")
    api = _RoomsApi(hub, visitors)
    windows = _RoomWindows(hub, visitors, sockets, requests, changes)
    routes: list[BaseRoute] = [
        Route("/api/rooms", endpoint(api.listed, lists)),
        Route("/api/rooms", endpoint(api.make, makes), methods=["POST"]),
        Route("/api/rooms/menu", endpoint(api.menu, lists)),
        Route("/api/rooms/{code}/qr.svg", endpoint(api.qr_code, lists)),
        Route("/api/rooms/{code}/recording", endpoint(api.recording, requests)),
        Route("/api/rooms/{code}/games/{number}", endpoint(api.game, requests)),
        Route("/api/rooms/{code}/review", endpoint(api.review, requests)),
        WebSocketRoute("/ws/rooms/{code}", windows.play),
    ]
    if page is not None:
        routes.append(Route("/r/{code}", endpoint(page)))
    return routes


class _RoomsApi:
    def __init__(self, hub: RoomHub, visitors: Visitors) -> None:
        self._hub, self._visitors = hub, visitors

    async def listed(self, request: Request) -> Json:
        """Return the public rooms, and the name of the visitor."""
        return {"rooms": await self._hub.listed(), "name": _name(self._visitors, request)}

    async def menu(self, request: Request) -> Json:
        """Return the choices for a room."""
        return {"name": _name(self._visitors, request), **_menu()}

    async def make(self, request: Request) -> Response:
        """Create a room; return its code."""
        self._visitors.check_may_meet_others(request)
        room = wanted(await json_of(request, _BODY_BYTES))
        cookie = self._visitors.cookie(request)
        maker, language = self._visitors.session_id(cookie), current_language()
        name = _name(self._visitors, request)
        if name is None and room.is_rated:
            raise BadSetting(t("rated games are for players with a name; claim one on Account"))
        name = name or free_nickname(maker, ())
        code = await self._hub.make(maker, name, language, room)
        response = Response(encode({"code": code}), media_type="application/json")
        self._visitors.remember(request, response, cookie)
        return response

    async def qr_code(self, request: Request) -> Response:
        """Return the QR code of a room's link, whether or not there is a room with this code."""
        link = f"{request.url.scheme}://{request.url.netloc}/r/{_code(request)}"
        headers = {"Cache-Control": "private, max-age=3600"}
        return Response(qr_code(link), media_type="image/svg+xml", headers=headers)

    async def recording(self, request: Request) -> Json:
        """Return the recording of a finished game with its board."""
        games, ended, value = await self._recorded(request)
        found = parse_id(value["recording"]["board"])
        return {
            **value,
            "game": ended.game,
            "games": games,
            "finished_ms": ended.finished_ms,
            "mines": found.board.rows,
            "start": list(found.start),
        }

    async def game(self, request: Request) -> Response:
        """Return a player's game, or the game of a shared board, as a replay file."""
        _, _, value = await self._recorded(request)
        given = request.path_params["number"]
        number = None if given == "all" else _whole(given, "the number of the player")
        if value["kind"] == "flags" or (number is None) != (value["kind"] == "shared"):
            raise NoRoom(t("this game has no such replay"))
        replay = await self._hub.in_thread(partial(_replay, value["recording"], number))
        return Response(replay, media_type="application/json")

    async def review(self, request: Request) -> Json:
        """Return the review of a finished game of Flags."""
        _, _, value = await self._recorded(request)
        if value["kind"] != Flags.kind:
            raise NoRoom(t("this game has no such review"))
        return await self._hub.in_thread(partial(_review, value["recording"]))

    async def _recorded(self, request: Request) -> tuple[int, Any, Json]:
        given = request.query_params.get("game")
        game = None if given is None else _whole(given, "game")
        games, ended = await self._hub.recording(_code(request), game)
        return games, ended, json.loads(ended.recording)


class _RoomWindows:
    """Serves room windows."""

    def __init__(
        self,
        hub: RoomHub,
        visitors: Visitors,
        sockets: Sockets,
        rate: AddressRate,
        changes: SiteChanges,
    ) -> None:
        self._hub, self._visitors = hub, visitors
        self._sockets, self._rate, self._changes = sockets, rate, changes
        self._messages = Rates(limits.ROOM_MESSAGES_PER_S, limits.ROOM_MESSAGE_BURST)
        self._messages_of_address = AddressRate(
            limits.ROOM_MESSAGES_OF_ADDRESS_PER_S,
            limits.ROOM_MESSAGES_OF_ADDRESS_BURST,
            "room_messages",
        )
        self._moves = Rates(limits.ROOM_CHANGES_PER_S, limits.ROOM_CHANGES_BURST)
        self._moves_of_address = AddressRate(
            limits.ROOM_CHANGES_OF_ADDRESS_PER_S,
            limits.ROOM_CHANGES_OF_ADDRESS_BURST,
            "room_changes",
        )

    async def play(self, websocket: WebSocket) -> None:
        """Serve one room window."""
        await self._sockets.serve(websocket, self._play, shared=True)

    async def _play(self, websocket: WebSocket, visitor: str, closing: asyncio.Event) -> None:
        text = t("this room is still being loaded")
        opening = asyncio.ensure_future(self._found(websocket, visitor))
        room = await self._sockets.opened(websocket, opening, closing, text)
        if room is None:
            return
        notice = self._changes.message(self._visitors.ban_of(websocket))
        name = _name(self._visitors, websocket)
        address = address_of(websocket)
        window = RoomWindow(visitor, name, current_language(), notice)
        window.may_change = partial(self._may_change, visitor, address)
        room.enter(window)

        async def receive(given: str | bytes | None) -> None:
            room.receive(given, window)

        try:
            pause = partial(self._pause, visitor, address)
            await exchange(websocket, window.outbox, receive, closing, pause)
        finally:
            room.leave(window)

    def _pause(self, visitor: str, address: str) -> float:
        """Return how long a message of a visitor has to wait, whatever window it comes from."""
        wait_s = self._messages.bucket(visitor).take()
        return max(wait_s, self._messages_of_address.take(address))

    def _may_change(self, visitor: str, address: str) -> bool:
        """Return whether a visitor may join a room now; if so, count it."""
        if not self._moves.bucket(visitor).try_take():
            note_refusal("room_changes")
            return False
        return self._moves_of_address.try_take(address)

    async def _found(self, websocket: WebSocket, visitor: str) -> LiveRoom:
        if not self._rate.try_take(address_of(websocket)):
            raise TooMany(t("too many requests from one address; try again in a moment"))
        room = await self._hub.open(_code(websocket))
        room.check_room(visitor)
        return room


def _code(connection: HTTPConnection) -> str:
    """Return the room code in the URL.

    Raises:
        NoRoom: If the text cannot be a code.
    """
    given = connection.path_params["code"]
    if (code := parse_code(given)) is None:
        raise NoRoom(t("no room has the code {code}", code=shown(given)))
    return code


def _name(visitors: Visitors, connection: HTTPConnection) -> str | None:
    signed_in = visitors.signed_in(connection)
    return None if signed_in is None else signed_in.account.name


def _whole(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise BadMessage(f"{what} must be a whole number, got {shown(text)}")
    return int(text)


def _replay(recording: Json, number: int | None) -> bytes:
    return serialize(Replay.from_game(game_in(recording, number)))


def _review(recording: Json) -> Json:
    moves = [
        FlagsMove(side, Cell(row, col), bomb, found, at_ms)
        for side, row, col, bomb, found, at_ms in recording["moves"]
    ]
    level = Level.parse(recording["level"])
    decisions = review_flags(parse_id(recording["board"]).board, level, moves)
    return {"decisions": [one.to_json() for one in decisions]}


def _menu() -> Json:
    return {
        "levels": [
            {
                "name": name,
                "level": f"{one.width}x{one.height}:{one.mines}",
                "label": level_label(name),
            }
            for name, one in LEVELS.items()
            if one.shape().size <= limits.SMALL_CELLS
        ],
        "rules": [
            {"name": rules.name, "label": rules.label}
            for rules in RULES.values()
            if _fits(rules.name)
        ],
        "strengths": [{"name": name, "label": _STRENGTH_LABELS[name]} for name in STRENGTHS],
        "bots": [{"name": name, "label": bot_label(name)} for name in bots],
        "phrases": [
            {"name": name, "emoji": phrase.emoji, "text": phrase.text}
            for name, phrase in PHRASES.items()
        ],
        "rated": {"race": dict(RATED), "flags": dict(RATED_FLAGS), "rules": list(RATED_RULES)},
        "kinds": [{"name": name, "settings": cls().to_json()} for name, cls in SETTINGS.items()],
    }


def _fits(rules: str) -> bool:
    try:
        check_rules(INTERMEDIATE, rules)
    except SapperError:
        return False
    return True
