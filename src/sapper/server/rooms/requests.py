"""Requests from windows to a room, and the messages that answer them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sapper.community import STRENGTHS, Message, Room
from sapper.community.nicknames import free_nickname
from sapper.errors import IllegalAction, SapperError
from sapper.server.jobs.errors import TooSlow
from sapper.server.protocol import Json
from sapper.server.rooms.events import Event
from sapper.server.rooms.hosted_room import HostedRoom
from sapper.server.session.outbox import Outbox
from sapper.translation import Text, t
from sapper.web.language import translated_to

__all__ = [
    "Delivery",
    "Request",
    "RoomWindow",
    "bot_event",
    "handle",
    "passed_on",
]

_BOT_NAMES: Final[dict[str, Text]] = {
    "novice": t("Novice bot"),
    "casual": t("Casual bot"),
    "skilled": t("Skilled bot"),
    "master": t("Master bot"),
}


@dataclass(eq=False)
class RoomWindow:
    """A room window.

    Attributes:
        visitor: The session id of its visitor.
        name: The name of the visitor's account; None for guests.
        language: Its language code.
        notice: A message for it after the view, or None.
        outbox: The messages that wait for it.
        has_view: Whether it has been sent the view, which comes before all other messages.
        may_change: Called when the visitor joins or takes part; returns whether that is allowed
            now.
    """

    visitor: str
    name: str | None
    language: str
    notice: Json | None = None
    outbox: Outbox = field(default_factory=Outbox)
    has_view: bool = False
    may_change: Callable[[], bool] = lambda: True


class Request(NamedTuple):
    """A request from a window to a room.

    Attributes:
        at_ms: When it arrived, by the room's clock.
        kind: The type of the message, or ``enter`` for a new window, ``away`` for the last one of
            a visitor that has closed, and ``forget`` for an erased player.
        fields: The fields of the message.
        window: The window.
        re: The id of the message.
    """

    at_ms: int
    kind: str
    fields: Json
    window: RoomWindow
    re: str | None = None


class Delivery(NamedTuple):
    """A message to send.

    Attributes:
        to: The session ids of visitors whose windows get it.
        text: The message as JSON text.
        late_text: The same for watchers who see the game late; None if there are none.
        only: The only window that gets it, if it is not for all windows of these visitors.
        asker: The window whose message it answers.
        re: The id of that message.
        late: Those of `to` who get `late_text`.
        lists_members: Whether it has all members, so that a later one replaces it.
    """

    to: tuple[str, ...]
    text: str
    only: RoomWindow | None = None
    asker: RoomWindow | None = None
    re: str | None = None
    late_text: str | None = None
    late: frozenset[str] = frozenset()
    lists_members: bool = False

    def for_window(self, window: RoomWindow) -> str:
        """Return the text for a window."""
        is_late = self.late_text is not None and window.visitor in self.late
        text = self.late_text if is_late and self.late_text is not None else self.text
        if window is self.asker and self.re is not None:
            return f'{text[:-1]},"re":{json.dumps(self.re)}}}'
        return text


def handle(hosted: HostedRoom, request: Request) -> tuple[list[Delivery], SapperError | None]:
    """Handle what is due and then a request; return the messages to send, and the error if any.

    The first message that follows from a request answers it, so those that are due come before it.
    """
    deliveries: list[Delivery] = []
    try:
        deliveries += passed_on(hosted, hosted.tick(request.at_ms))
        deliveries += _answer(hosted, request)
    except SapperError as problem:
        return deliveries, _failed(hosted, request, problem)
    return deliveries, None


def _answer(hosted: HostedRoom, request: Request) -> list[Delivery]:
    """Handle a request from a window; return the messages to send.

    Raises:
        SapperError: If it is not possible.
    """
    window, room = request.window, hosted.room
    match request.kind:
        case "enter":
            return _entered(hosted, request)
        case "away":
            if window.visitor not in room.members:
                return []
            return passed_on(hosted, hosted.happen(request.at_ms, ["away", window.visitor]))
        case "forget":
            return passed_on(hosted, hosted.forget(request.at_ms, request.fields["alias"]))
        case "sync":
            return [_direct(hosted, _view(hosted, window), request)]
        case "join":
            return _joined(hosted, request)
        case "leave":
            return _left(hosted, request)
    messages = hosted.happen(request.at_ms, _event(hosted, request))
    deliveries = passed_on(hosted, messages)
    return deliveries if request.kind == "pointer" else _answered(hosted, deliveries, request)


def _failed(hosted: HostedRoom, request: Request, problem: SapperError) -> SapperError | None:
    """Return the error for a window, or None if it gets none."""
    if request.kind in ("away", "pointer"):
        return None
    if problem.code == "cancelled":
        hosted.save_whole()
        return TooSlow(t("dealing this board takes too long; choose fewer mines or other rules"))
    return problem


def passed_on(hosted: HostedRoom, messages: list[Message]) -> list[Delivery]:
    """Convert room messages to window messages."""
    if not messages:
        return []
    late = _late_watchers(hosted.room)
    deliveries = []
    for message in messages:
        body = message.body
        if body["type"] == "view":
            body = {**body, **_naming(hosted)}
        text = _encoded(body, hosted.room.time_ms)
        late_text = None
        if late and not late.isdisjoint(message.to):
            late_text = _encoded(body, hosted.room.time_ms - hosted.room.watchers_delay_ms)
        lists = body["type"] == "members"
        deliveries.append(
            Delivery(message.to, text, late_text=late_text, late=late, lists_members=lists)
        )
    return deliveries


def _late_watchers(room: Room) -> frozenset[str]:
    if not room.watchers_delay_ms:
        return frozenset()
    return frozenset(member.id for member in room.members if not member.plays)


def _encoded(body: Json, now_ms: int) -> str:
    text = json.dumps(body, separators=(",", ":"))
    return f'{text[:-1]},"now_ms":{now_ms}}}'


def _naming(hosted: HostedRoom) -> Json:
    return {"code": hosted.info.code, "public": hosted.info.public}


def _view(hosted: HostedRoom, window: RoomWindow) -> Json:
    room = hosted.room
    is_member = window.visitor in room.members
    view = room.view(window.visitor) if is_member else room.preview()
    return {"type": "view", "view": view, **_naming(hosted)}


def _direct(hosted: HostedRoom, body: Json, request: Request) -> Delivery:
    """Return a message for the requesting window."""
    window = request.window
    is_late = window.visitor in _late_watchers(hosted.room)
    now_ms = hosted.room.time_ms - (hosted.room.watchers_delay_ms if is_late else 0)
    return Delivery((), _encoded(body, now_ms), window, window, request.re)


def _answered(hosted: HostedRoom, deliveries: list[Delivery], request: Request) -> list[Delivery]:
    """Make the first message to the asker the answer, or add one."""
    if request.re is None:
        return deliveries
    for at, one in enumerate(deliveries):
        if request.window.visitor in one.to:
            deliveries[at] = one._replace(asker=request.window, re=request.re)
            return deliveries
    return [*deliveries, _direct(hosted, {"type": "done"}, request)]


def _entered(hosted: HostedRoom, request: Request) -> list[Delivery]:
    """Welcome a new window."""
    visitor, members = request.window.visitor, hosted.room.members
    messages: list[Message] = []
    if visitor in members and not members[visitor].connected:
        messages = hosted.happen(request.at_ms, ["back", visitor])
    view = _direct(hosted, _view(hosted, request.window), request)
    others = [message for message in messages if message.body["type"] != "view"]
    return [view, *passed_on(hosted, others)]


def _joined(hosted: HostedRoom, request: Request) -> list[Delivery]:
    window, members = request.window, hosted.room.members
    messages: list[Message] = []
    if window.visitor not in members:
        watch = request.fields.get("watch", False)
        if hosted.info.tournament and not watch:
            raise IllegalAction(t("only the tournament adds players to this race"))
        if not watch:
            _check_named(hosted, window)
        name = window.name or free_nickname(window.visitor, hosted.names_of_others(window.visitor))
        messages = hosted.happen(request.at_ms, ["join", window.visitor, name, watch])
    view = _direct(hosted, _view(hosted, window), request)
    others = view._replace(to=(window.visitor,), only=None)
    return [others, *passed_on(hosted, messages)]


def _check_named(hosted: HostedRoom, window: RoomWindow) -> None:
    """Keep guests out of rated games: one person could see the same mines in two browsers."""
    if hosted.is_rated and window.name is None:
        raise IllegalAction(t("rated games are for players with a name; you can watch"))


def _left(hosted: HostedRoom, request: Request) -> list[Delivery]:
    visitor = request.window.visitor
    if hosted.info.tournament and hosted.room.members[visitor].plays:
        raise IllegalAction(t("players of a tournament cannot leave its race"))
    messages = hosted.happen(request.at_ms, ["leave", visitor])
    left = _direct(hosted, {"type": "left"}, request)
    return [left._replace(to=(visitor,), only=None), *passed_on(hosted, messages)]


def _event(hosted: HostedRoom, request: Request) -> Event:
    """Return the event for a message.

    Raises:
        SapperError: If a field is invalid.
    """
    visitor, given = request.window.visitor, request.fields
    match request.kind:
        case "take_part":
            if hosted.info.tournament:
                raise IllegalAction(t("only the tournament adds players to this race"))
            _check_named(hosted, request.window)
            return ["part", visitor]
        case "start" | "rematch" as kind:
            if hosted.info.tournament:
                raise IllegalAction(t("only the tournament starts this race"))
            return [kind, visitor]
        case "admit" | "kick" | "lock" | "vote" as kind:
            if hosted.info.tournament:
                raise IllegalAction(t("only the operator removes players from a tournament"))
            return [kind, visitor, given["locked"] if kind == "lock" else given["number"]]
        case "add_bot":
            return _bot_event(hosted, request)
        case "remove_bot":
            return ["unbot", visitor, given["number"]]
        case "bomb":
            return ["bomb", visitor, *given["cell"]]
        case "pointer":
            return ["point", visitor, given["x"], given["y"]]
        case "say":
            return ["say", visitor, given["phrase"]]
    return ["act", visitor, request.kind, *given["cell"]]


def _bot_event(hosted: HostedRoom, request: Request) -> Event:
    strength, window = request.fields["strength"], request.window
    if hosted.info.tournament:
        raise IllegalAction(t("bots do not play in tournaments"))
    bot = request.fields.get("bot")
    return bot_event(hosted.room, window.visitor, strength, window.language, bot)


def bot_event(
    room: Room, host: str | None, strength: str, language: str, bot: str | None = None
) -> Event:
    """Return the event that adds a bot of a strength, named in a language."""
    settings, name = STRENGTHS[strength], str(translated_to(language, _BOT_NAMES[strength]))
    bot_id = f"bot:{room.members.next_number}"
    return ["bot", host, bot_id, name, bot or settings.bot, settings.pace_ms, settings.error]
