"""Room and tournament errors."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["NotAMember", "NotTheHost", "RoomFull"]


class NotAMember(SapperError, ValueError):
    """The room or tournament has no such member."""

    code = "not_a_member"


class NotTheHost(SapperError, ValueError):
    """Only the host of the room may do this."""

    code = "not_the_host"


class RoomFull(SapperError, ValueError):
    """The room already has as many players or watchers as it allows."""

    code = "room_full"
