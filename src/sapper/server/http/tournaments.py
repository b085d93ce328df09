"""Tournaments: their pages, and the worker that starts their races.

``/tournaments`` lists them, and each has a page, ``/t/CODE``. Any player with a name can create
one. Their races are rooms.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache, partial
from typing import Any, Final, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper._util.shortening import shown
from sapper.community import ArenaSettings, RaceSettings
from sapper.dealer import RULES, rules_label
from sapper.errors import BadSetting, IllegalAction, SapperError
from sapper.rules import LEVELS, level_label
from sapper.server import limits
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import endpoint, json_of
from sapper.server.http.errors import NoGame
from sapper.server.http.standing import expect_named_player, in_thread, named_player
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import BadMessage, Json, whole_of
from sapper.server.storage.profiles import Profiles
from sapper.server.storage.store import Store
from sapper.server.storage.tournaments import Listed, Tournament, Tournaments
from sapper.translation import t
from sapper.web import Assets, Preview

__all__ = ["RaceRooms", "TournamentRunner", "TournamentsApi"]

_log: Final = logging.getLogger(__name__)

_BODY_BYTES: Final = 2_000
_INTERVAL_S: Final = 0.5
_PAUSE_S: Final = 5.0
_MINUTE_MS: Final = 60_000
_SETTINGS: Final = ("level", "rules", "mine", "boards", "rated")
"""The settings of races that a maker can choose."""


class RaceRooms(Protocol):
    """The rooms where races take place."""

    async def create_for(
        self,
        settings: RaceSettings,
        seed: int,
        players: dict[str, str],
        tournament: str,
        race: int,
    ) -> str:
        """Create a room for a race; return its code."""

    async def exists(self, code: str) -> bool:
        """Return whether a room still exists."""


class TournamentRunner:
    """Starts the races of tournaments.

    Args:
        store: The game store.
        rooms: The rooms of the races.
    """

    def __init__(self, store: Store, rooms: RaceRooms) -> None:
        self._tournaments, self._profiles = Tournaments(store.database), Profiles(store.database)
        self._rooms = rooms

    async def run(self) -> None:
        """Start races until cancelled."""
        while True:
            try:
                for code in await in_thread(self._tournaments.due):
                    await self.tick(code)
            except (OSError, SapperError, sqlite3.Error) as problem:
                _log.warning("tournaments cannot continue now: %s", problem)
                await asyncio.sleep(_PAUSE_S)
            except Exception:
                _log.exception("a tournament could not continue")
                await asyncio.sleep(_PAUSE_S)
            await asyncio.sleep(_INTERVAL_S)

    async def tick(self, code: str) -> None:
        """Handle everything that is due in a tournament."""
        with suppress(IllegalAction):
            found = await in_thread(partial(self._tournaments.tick, code))
            if found is None:
                return
            for race, room in found.rooms.items():
                if not await self._rooms.exists(room):
                    # The room was lost, so the race has no result.
                    await in_thread(partial(self._tournaments.lost, code, race))
            for pairing in found.pending:
                names = await in_thread(partial(self._profiles.names, pairing.players))
                players = {one: name for one, (name, _) in names.items()}
                if len(players) < 2:
                    await in_thread(partial(self._tournaments.lost, code, pairing.race))
                    continue
                room = await self._rooms.create_for(
                    found.arena.settings.race, pairing.seed, players, code, pairing.race
                )
                await in_thread(partial(self._tournaments.started, code, pairing.race, room))


class TournamentsApi:
    """The routes.

    Args:
        store: The game store.
        visitors: Identifies browsers.
        assets: The pages.
    """

    def __init__(self, store: Store, visitors: Visitors, assets: Assets) -> None:
        self._tournaments, self._profiles = Tournaments(store.database), Profiles(store.database)
        self._visitors, self._assets = visitors, assets
        rate = AddressRate(limits.STANDING_PER_S, limits.STANDING_BURST, "tournaments")

        def route(
            path: str, answer: Callable[[Request], Awaitable[Any]], method: str = "POST"
        ) -> Route:
            return Route(f"/api/tournaments{path}", endpoint(answer, rate), methods=[method])

        self.routes: Final = [
            Route("/t/{code}", self._page),
            route("", self._list, "GET"),
            route("", self._create),
            route("/{code}", self._tournament, "GET"),
            route("/{code}/join", self._join),
            route("/{code}/pause", self._pause),
        ]

    async def _page(self, request: Request) -> Response:
        """Return a tournament's page."""
        found = await self._find(request)
        if found is None:
            raise HTTPException(404)
        preview = Preview(f"/t/{found.code}", found.arena.settings.name, listed=False)
        return self._assets.page(request, "tournament", preview=preview)

    async def _find(self, request: Request) -> Tournament | None:
        return await in_thread(partial(self._tournaments.get, _code(request)))

    async def _list(self, request: Request) -> Json:
        """Return the running tournaments and the latest ones that are over."""

        def find() -> list[tuple[Listed, str | None]]:
            listed = self._tournaments.listed()
            names = self._profiles.names({one.winner for one in listed if one.winner})
            return [(one, names.get(one.winner or "", (None,))[0]) for one in listed]

        found = await in_thread(find)
        account = named_player(self._visitors, request)
        return {
            "tournaments": [_listed_json(one, winner) for one, winner in found],
            "levels": [{"value": name, "label": level_label(name)} for name in LEVELS],
            "rules": [{"value": name, "label": rules_label(name)} for name in _race_rules()],
            "name": None if account is None else account.name,
        }

    async def _create(self, request: Request) -> Json:
        """Start a tournament."""
        account = expect_named_player(self._visitors, request)
        message = await json_of(request, _BODY_BYTES)
        name, minutes = message.get("name"), whole_of(message, "minutes")
        if not isinstance(name, str) or not name.isprintable():
            raise BadMessage(f"'name' must be a text, got {shown(name)}")
        chosen = {key: message[key] for key in _SETTINGS if key in message}
        size = whole_of(message, "race_size") if "race_size" in message else 4
        lobby_ms = _MINUTE_MS * (whole_of(message, "starts_in") if "starts_in" in message else 0)

        def create() -> str:
            race = RaceSettings(**chosen)
            settings = ArenaSettings(
                name.strip(), race, minutes * _MINUTE_MS, size, lobby_ms=lobby_ms
            )
            return self._tournaments.create(account.player, settings)

        return {"code": await in_thread(create)}

    async def _tournament(self, request: Request) -> Json:
        """Return a tournament with its table."""
        return await self._answer(request, await self._find(request))

    async def _join(self, request: Request) -> Json:
        """Make the player ready for the next race."""
        account = expect_named_player(self._visitors, request)
        join = partial(self._tournaments.join, _code(request), account.player)
        return await self._answer(request, await in_thread(join))

    async def _pause(self, request: Request) -> Json:
        """Leave the player out of the next races."""
        account = expect_named_player(self._visitors, request)
        pause = partial(self._tournaments.pause, _code(request), account.player)
        return await self._answer(request, await in_thread(pause))

    async def _answer(self, request: Request, found: Tournament | None) -> Json:
        if found is None:
            raise NoGame(t("there is no tournament with this code"))
        account = named_player(self._visitors, request)
        player = "" if account is None else account.player
        view = found.arena.view()
        names = await in_thread(
            partial(self._profiles.names, [one["player"] for one in view["table"]])
        )
        racing = {one: race for race, players in view["racing"] for one in players}

        def state(one: str) -> str:
            return "racing" if one in racing else "ready" if one in view["ready"] else "paused"

        def name(one: str) -> str | None:
            return names[one][0] if one in names else None

        own = next((one for one in view["table"] if one["player"] == player), None)
        settings = found.arena.settings
        return {
            "code": found.code,
            **_settings_json(settings),
            "over": found.finished_ms is not None,
            "left_ms": max(0, settings.end_ms - view["time_ms"]),
            "starts_in_ms": max(0, settings.lobby_ms - view["time_ms"]),
            "table": [
                {
                    **{key: one[key] for key in _ROW},
                    "name": name(one["player"]),
                    "profile": one["player"] in names and not names[one["player"]][1],
                    "state": state(one["player"]),
                    "own": one["player"] == player,
                }
                for one in view["table"]
            ],
            "races": [
                {"race": race, "room": found.rooms.get(race), "names": list(map(name, players))}
                for race, players in view["racing"]
            ],
            "you": None
            if account is None
            else {
                "name": account.name,
                "state": None if own is None else state(player),
                "pausing": player in view["pausing"],
                "room": found.rooms.get(racing.get(player, 0)),
            },
        }


_ROW: Final = ("place", "points", "races", "wins", "streak", "best_ms")


@cache
def _race_rules() -> tuple[str, ...]:
    """Return the rule sets of races, whose mines never move."""
    found = []
    for name in RULES:
        with suppress(BadSetting):
            found.append(RaceSettings(rules=name).rules)
    return tuple(found)


def _code(request: Request) -> str:
    return str(request.path_params["code"]).upper()


def _settings_json(settings: ArenaSettings) -> Json:
    race = settings.race
    return {
        "name": settings.name,
        "level_label": level_label(race.level),
        "rules_label": rules_label(race.rules),
        "mine": str(race.mine),
        "boards": str(race.boards),
        "rated": race.rated,
        "race_size": settings.race_size,
        "minutes": settings.length_ms // _MINUTE_MS,
    }


def _listed_json(one: Listed, winner: str | None) -> Json:
    return {
        "code": one.code,
        **_settings_json(one.settings),
        "players": one.players,
        "left_ms": one.left_ms,
        "starts_in_ms": one.starts_in_ms,
        "finished_ms": one.finished_ms,
        "winner": winner,
    }
