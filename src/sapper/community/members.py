"""The members of a room: players, bots and watchers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

from sapper._util.shortening import shown
from sapper.community.bot_pace import BotSettings, strength_of
from sapper.community.errors import NotAMember, RoomFull
from sapper.community.message import field_values
from sapper.errors import BadSetting

__all__ = ["MOST_WATCHERS", "Member", "Members"]

MOST_WATCHERS: Final = 500
_LONGEST_ID: Final = 100
_LONGEST_NAME: Final = 60


@dataclass(slots=True)
class Member:
    """A member of a room.

    Attributes:
        id: The id for the server, such as the key of an account or a guest.
        name: The name shown to others.
        number: The number that identifies the member to others; never reused in this room.
        colour: The number of the member's colour: the lowest one free when the member joined.
        plays: Whether the member plays; otherwise, the member watches.
        connected: Whether a window of the member is connected.
        bot: How a bot plays; None for people.
        waits: Whether a watcher has asked the host to play.
    """

    id: str
    name: str
    number: int
    colour: int
    plays: bool = True
    connected: bool = True
    bot: BotSettings | None = None
    waits: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the saved form."""
        bot = None if self.bot is None else field_values(self.bot)
        return {**field_values(self), "bot": bot}

    def public(self) -> dict[str, Any]:
        """Return the public data, without the id, which may be a secret of the server."""
        return {
            "number": self.number,
            "colour": self.colour,
            "name": self.name,
            "plays": self.plays,
            "connected": self.connected,
            "bot": None if self.bot is None else self.bot.bot,
            "strength": None if self.bot is None else strength_of(self.bot),
            "waits": self.waits,
        }

    @classmethod
    def from_json(cls, obj: dict[str, Any]) -> Self:
        """Read the saved form."""
        bot = obj["bot"]
        return cls(**{**obj, "bot": None if bot is None else BotSettings(**bot)})


class Members:
    """The members of a room by id, in the order they joined.

    Args:
        most: The maximum number of players, bots included.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._by_id: dict[str, Member] = {}
        self._next = 0

    def __iter__(self) -> Iterator[Member]:
        return iter(self._by_id.values())

    def __contains__(self, member_id: object) -> bool:
        return member_id in self._by_id

    def __getitem__(self, member_id: str) -> Member:
        try:
            return self._by_id[member_id]
        except (KeyError, TypeError):
            raise NotAMember("you are not in this room") from None

    def add(
        self, member_id: str, name: str, *, plays: bool, bot: BotSettings | None = None
    ) -> Member:
        """Add a member.

        Raises:
            BadSetting: If the id or the name is empty or too long.
            RoomFull: If there are too many players or watchers.
        """
        for what, value, most in (("id", member_id, _LONGEST_ID), ("name", name, _LONGEST_NAME)):
            if not isinstance(value, str) or not 0 < len(value) <= most:
                raise BadSetting(f"a member's {what} must have 1 to {most} characters")
        if member_id in self._by_id:
            raise BadSetting(f"{shown(name)} is in this room already")
        if not plays:
            self._make_room_to_watch()
        self._check_room(plays=plays)
        taken = {member.colour for member in self}
        colour = next(colour for colour in range(len(taken) + 1) if colour not in taken)
        member = Member(member_id, name, self._next, colour, plays=plays, bot=bot)
        self._by_id[member_id] = member
        self._next += 1
        return member

    def remove(self, member_id: str) -> Member:
        """Remove and return a member."""
        member = self[member_id]
        del self._by_id[member_id]
        return member

    def take_part(self, member: Member) -> None:
        """Make a watcher a player.

        Raises:
            RoomFull: If there are too many players.
        """
        if not member.plays:
            self._check_room(plays=True)
            member.plays = True
            member.waits = False

    def _make_room_to_watch(self) -> None:
        """Remove a watcher who has gone if there are too many."""
        watchers = [member for member in self if not member.plays]
        gone = next((one for one in watchers if not one.connected), None)
        if gone is not None and len(watchers) >= MOST_WATCHERS:
            del self._by_id[gone.id]

    def _check_room(self, *, plays: bool) -> None:
        same = sum(member.plays == plays for member in self)
        most = self.most if plays else MOST_WATCHERS
        if same >= most:
            what = "players" if plays else "watchers"
            raise RoomFull(f"this room is full: it has {most} {what}")

    def numbered(self, number: int) -> Member:
        """Return the member with a number.

        Raises:
            BadSetting: If there is none.
        """
        member = next((one for one in self if one.number == number), None)
        if member is None:
            raise BadSetting(f"no member has the number {number}")
        return member

    @property
    def next_number(self) -> int:
        """The number of the next new member."""
        return self._next

    @property
    def players(self) -> list[Member]:
        """The players, bots included."""
        return [member for member in self if member.plays]

    @property
    def host(self) -> Member | None:
        """The first connected player who is a person, and who may start games."""
        people = [member for member in self.players if member.bot is None]
        return next((one for one in people if one.connected), people[0] if people else None)

    def to_json(self) -> dict[str, Any]:
        """Return the saved form."""
        return {"next": self._next, "members": [member.to_json() for member in self]}

    def load(self, saved: dict[str, Any]) -> None:
        """Read the saved form."""
        members = [Member.from_json(obj) for obj in saved["members"]]
        self._by_id = {member.id: member for member in members}
        self._next = saved["next"]
