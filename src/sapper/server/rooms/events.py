"""The events of a room as JSON values, so that they can be saved and repeated.

An event is a list of its name and its values. The behaviour of a room depends only on its saved
form, the events after it, and their times.
"""

from __future__ import annotations

from typing import Any, Final

from sapper.actions import Action
from sapper.community import BotSettings, Flags, Message, Room, SharedBoard
from sapper.errors import IllegalAction
from sapper.topology import Cell

__all__ = ["ACTIONS", "STARTS", "Event", "is_saved", "perform"]

Event = list[Any]

ACTIONS: Final = ("act", "bomb")
"""The names of events that are actions in a game."""
STARTS: Final = ("start", "rematch")
"""The names of events that can start a game, which may take long."""
_NOT_SAVED: Final = ("say", "point")


def is_saved(event: Event) -> bool:
    """Return whether an event changes the saved form of a room."""
    return event[0] not in _NOT_SAVED


def perform(room: Room, now_ms: int, event: Event) -> list[Message]:
    """Apply an event.

    Raises:
        SapperError: If the event is not possible; nothing has changed.
    """
    match event:
        case ["join", member, name, watch]:
            return room.join(now_ms, member, name, watch=watch)
        case ["part", member]:
            return room.take_part(now_ms, member)
        case ["leave", member]:
            return room.leave(now_ms, member)
        case ["away", member]:
            return room.disconnect(now_ms, member)
        case ["back", member]:
            return room.reconnect(now_ms, member)
        case ["admit", host, number]:
            return room.admit(now_ms, host, number)
        case ["kick", host, number]:
            return room.kick(now_ms, host, number)
        case ["lock", host, locked]:
            return room.lock(now_ms, host, locked=locked)
        case ["vote", member, number]:
            return room.vote(now_ms, member, number)
        case ["bot", host, bot_id, name, *settings]:
            return room.add_bot(now_ms, host, bot_id, name, BotSettings(*settings))
        case ["unbot", host, number]:
            return room.remove_bot(now_ms, host, number)
        case ["start", host]:
            return room.start(now_ms, host)
        case ["rematch", member]:
            return room.ask_for_rematch(now_ms, member)
        case ["act", member, kind, row, col]:
            return room.act(now_ms, member, Action(kind, Cell(row, col)))
        case ["bomb", member, row, col]:
            return _flags(room).bomb(now_ms, member, Cell(row, col))
        case ["say", member, phrase]:
            return room.say(now_ms, member, phrase)
        case ["point", member, x, y]:
            return _shared(room).point(now_ms, member, x, y)
    raise ValueError(f"unknown event {event[0]}")


def _flags(room: Room) -> Flags:
    if not isinstance(room, Flags):
        raise IllegalAction("only Flags has a bomb")
    return room


def _shared(room: Room) -> SharedBoard:
    if not isinstance(room, SharedBoard):
        raise IllegalAction("only shared boards show pointers")
    return room
