"""Room errors on the server."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["NoRoom", "TooManyRooms"]


class NoRoom(SapperError, LookupError):
    """No room has this code."""

    code = "no_room"


class TooManyRooms(SapperError, RuntimeError):
    """The visitor has created too many rooms, or the server has too many."""

    code = "too_many"
