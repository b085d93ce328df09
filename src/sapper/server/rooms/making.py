"""New rooms, from the settings that a visitor chooses."""

from __future__ import annotations

import secrets
import time
from dataclasses import fields
from typing import Any, Final, NamedTuple

from sapper._util.shortening import shown
from sapper.community import (
    ROOMS,
    STRENGTHS,
    FlagsSettings,
    RaceSettings,
    Room,
    SharedBoardSettings,
)
from sapper.errors import BadSetting
from sapper.server.protocol import BadMessage, Json
from sapper.server.rooms.hosted_room import HostedRoom, RoomInfo
from sapper.server.rooms.requests import bot_event

__all__ = ["SETTINGS", "Wanted", "made_room", "wanted"]

SETTINGS: Final[dict[str, Any]] = {
    "race": RaceSettings,
    "shared": SharedBoardSettings,
    "flags": FlagsSettings,
}
"""The class of the settings of each kind of room."""
_MOST_BOTS: Final = 49


class Wanted(NamedTuple):
    """A room that a visitor wants to create.

    Attributes:
        room: The new room.
        public: Whether it is listed.
        bots: The strengths of its bots.
    """

    room: Room
    public: bool
    bots: list[str]

    @property
    def is_rated(self) -> bool:
        """Whether its games count for ratings."""
        return bool(self.room.settings.to_json().get("rated", False))


def wanted(body: Json) -> Wanted:
    """Read a request for a room.

    Raises:
        BadMessage: If a field is missing, unknown or has another type.
        BadSetting: If a value is not allowed.
    """
    known = ("kind", "settings", "public", "bots")
    if unknown := [name for name in body if name not in known]:
        raise BadMessage(f"unknown field {shown(unknown[0])}; choose from: {', '.join(known)}")
    kind, public, bots = body.get("kind"), body.get("public", False), body.get("bots", [])
    if not isinstance(kind, str) or kind not in SETTINGS:
        raise BadMessage(f"'kind' must be one of {', '.join(SETTINGS)}, got {shown(kind)}")
    if not isinstance(public, bool):
        raise BadMessage(f"'public' must be true or false, got {shown(public)}")
    if not isinstance(bots, list) or not all(isinstance(one, str) for one in bots):
        raise BadMessage(f"'bots' must be a list of strengths, got {shown(bots)}")
    if len(bots) > _MOST_BOTS or any(one not in STRENGTHS for one in bots):
        raise BadSetting(f"a room has at most {_MOST_BOTS} bots, each {', '.join(STRENGTHS)}")
    settings = _settings(kind, body.get("settings", {}))
    return Wanted(ROOMS[kind](settings, secrets.randbits(64)), public, bots)


def _settings(kind: str, given: Any) -> Any:
    names = [field.name for field in fields(SETTINGS[kind])]
    if not isinstance(given, dict):
        raise BadMessage(f"'settings' must be an object, got {shown(given)}")
    for name, value in given.items():
        if name not in names:
            raise BadSetting(f"unknown setting {shown(name)}; choose from: {', '.join(names)}")
        if not isinstance(value, str | int | float):
            raise BadSetting(f"{name!r} must be a text, number or switch, got {shown(value)}")
        if name in ("level", "rules", "mine", "boards") and not isinstance(value, str):
            raise BadSetting(f"{name!r} must be a text, got {shown(value)}")
    return SETTINGS[kind].from_json(given)


def made_room(code: str, maker: str, name: str, language: str, wanted_room: Wanted) -> HostedRoom:
    """Return a new room with its maker and its bots.

    Args:
        code: Its code.
        maker: The session id of its maker.
        name: The name of the maker.
        language: The maker's language code.
        wanted_room: The room.

    Raises:
        RoomFull: If it has no room for all bots.
    """
    made_ms = int(time.time() * 1000)
    info = RoomInfo(code, _new_id(code), maker, made_ms, wanted_room.public)
    hosted = HostedRoom(wanted_room.room, info)
    hosted.happen(0, ["join", maker, name, False])
    hosted.happen(0, ["away", maker])
    for strength in wanted_room.bots:
        hosted.happen(0, bot_event(hosted.room, None, strength, language))
    return hosted


def tournament_room(
    code: str,
    room: Room,
    players: dict[str, str],
    tournament: str,
    race: int,
    wait_ms: int,
) -> HostedRoom:
    """Return a new room for a tournament race.

    Args:
        code: Its code.
        room: The race.
        players: The names of the players by session id.
        tournament: The tournament's code.
        race: The number of the race.
        wait_ms: How long the race waits for players who are not connected.
    """
    made_ms = int(time.time() * 1000)
    info = RoomInfo(code, _new_id(code), "", made_ms, False, tournament, race, wait_ms)
    hosted = HostedRoom(room, info)
    for player, name in players.items():
        hosted.happen(0, ["join", player, name, False])
        hosted.happen(0, ["away", player])
    return hosted


def _new_id(code: str) -> str:
    return f"{code}-{secrets.token_hex(6)}"
