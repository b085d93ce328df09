"""Messages from a room window to the server."""

from __future__ import annotations

from typing import Annotated, Final, Literal, NotRequired, TypedDict

from sapper.server.messages.checking import Range
from sapper.server.messages.incoming import Kind, Nothing
from sapper.server.messages.values import Cell

__all__ = [
    "ROOM_INCOMING",
    "RoomBot",
    "RoomCell",
    "RoomJoin",
    "RoomLock",
    "RoomNewBot",
    "RoomOther",
    "RoomPhrase",
    "RoomPointer",
]


class RoomJoin(TypedDict):
    """A new member.

    Attributes:
        watch: Whether to watch instead of playing (default: play).
    """

    watch: NotRequired[bool]


class RoomNewBot(TypedDict):
    """A new bot.

    Attributes:
        strength: Its strength.
        bot: The name of the bot that plays (default: the usual one).
    """

    strength: Literal["novice", "casual", "skilled", "master"]
    bot: NotRequired[str]


class RoomBot(TypedDict):
    """A bot in the room.

    Attributes:
        number: Its number.
    """

    number: Annotated[int, Range()]


class RoomOther(TypedDict):
    """A member of the room.

    Attributes:
        number: The number of the member.
    """

    number: Annotated[int, Range()]


class RoomLock(TypedDict):
    """Whether new people can come in.

    Attributes:
        locked: Whether they cannot.
    """

    locked: bool


class RoomCell(TypedDict):
    """A cell of the room's board.

    Attributes:
        cell: The cell.
    """

    cell: Cell


class RoomPointer(TypedDict):
    """The position of the pointer.

    Attributes:
        x: Its distance from the left side of the board in 16ths of a cell.
        y: Its distance from the top side.
    """

    x: int
    y: int


class RoomPhrase(TypedDict):
    """A preset phrase.

    Attributes:
        phrase: Its name.
    """

    phrase: str


ROOM_INCOMING: Final = {
    kind.name: kind
    for kind in (
        Kind("join", RoomJoin, "Join the room; a guest is named by the server."),
        Kind("take_part", Nothing, "Play instead of watching, or ask the host to let one play."),
        Kind("leave", Nothing, "Leave the room for good."),
        Kind("add_bot", RoomNewBot, "Add a bot. Only the host can do this."),
        Kind("remove_bot", RoomBot, "Remove a bot. Only the host can do this."),
        Kind("start", Nothing, "Start the game or a rematch. Only the host can do this."),
        Kind("rematch", Nothing, "Ask for a rematch, which starts once all players have asked."),
        Kind("admit", RoomOther, "Let a waiting member play. Only the host can do this."),
        Kind("kick", RoomOther, "Remove a member for good. Only the host can do this."),
        Kind("lock", RoomLock, "Lock the room, or unlock it. Only the host can do this."),
        Kind("vote", RoomOther, "Vote for the removal of a player."),
        Kind("open", RoomCell, "Open a cell."),
        Kind("flag", RoomCell, "Set or remove a flag."),
        Kind("chord", RoomCell, "Open the other neighbours of a number whose flags match it."),
        Kind("bomb", RoomCell, "Use the bomb in Flags."),
        Kind("pointer", RoomPointer, "Show the pointer on a shared board. There is no answer."),
        Kind("say", RoomPhrase, "Say a preset phrase."),
        Kind("sync", Nothing, "Request the whole view."),
    )
}
"""Every kind of message that a room window may send, by name."""
