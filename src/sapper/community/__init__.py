"""Rooms, standings and tournaments: what several people do together."""

from sapper.community.bot_opponent import STRENGTHS, BotSettings
from sapper.community.errors import NotAMember, NotTheHost, RoomFull
from sapper.community.members import Member
from sapper.community.message import Message
from sapper.community.race import Race, RacePhase
from sapper.community.race_result import RaceResult, RacerStatus, in_order
from sapper.community.race_settings import Mine, RaceSettings
from sapper.community.room import Room
from sapper.community.rooms import ROOMS, load_room

__all__ = [
    "ROOMS",
    "STRENGTHS",
    "BotSettings",
    "Member",
    "Message",
    "Mine",
    "NotAMember",
    "NotTheHost",
    "Race",
    "RacePhase",
    "RaceResult",
    "RaceSettings",
    "RacerStatus",
    "Room",
    "RoomFull",
    "in_order",
    "load_room",
]
