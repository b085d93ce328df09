"""Order in a room: removing and voting people out, locking it, and letting people in."""

from __future__ import annotations

from typing import Any

import pytest

from sapper.actions import Action
from sapper.community import (
    STRENGTHS,
    Flags,
    FlagsSettings,
    NotTheHost,
    Race,
    RaceSettings,
    Room,
    SharedBoard,
    SharedBoardSettings,
    load_room,
)
from sapper.errors import BadSetting, IllegalAction


def shared(*people: str) -> SharedBoard:
    """Return a shared board with people who play it."""
    room = SharedBoard(SharedBoardSettings("beginner", lives=3), 7)
    join(room, *people)
    return room


def join(room: Room, *people: str) -> None:
    """Let people join."""
    for who in people:
        room.join(0, who, who.title())


def who_plays(room: Room) -> list[str]:
    """Return the ids of the players."""
    return [one.id for one in room.members.players]


def of_type(messages: list[Any], kind: str) -> list[Any]:
    """Return the messages of a type."""
    return [one for one in messages if one.body["type"] == kind]


def mines(room: SharedBoard) -> list[tuple[int, int]]:
    """Return the cells of three mines."""
    rows = room._dealt.board.rows if room._dealt else []
    found = [(r, c) for r, row in enumerate(rows) for c, char in enumerate(row) if char == "*"]
    return found[:3]


def test_a_stranger_cannot_lose_a_running_game() -> None:
    """Who joins a shared board in the middle of a game watches until the host agrees."""
    room = shared("ann", "bob")
    room.start(0, "ann")
    room.join(1, "eve", "Eve")
    assert room.members["eve"].waits
    for cell in mines(room):
        assert room.act(2, "eve", Action("open", cell)) == []
    assert str(room.phase) == "playing"
    with pytest.raises(NotTheHost):
        room.admit(3, "eve", 2)
    # Asking again does not help.
    room.take_part(3, "eve")
    assert who_plays(room) == ["ann", "bob"]
    room = load_room(room.to_json())  # type: ignore[assignment]
    [told] = of_type(room.admit(4, "ann", 2), "view")
    assert (told.to, told.body["view"]["you"]) == (("eve",), 2)
    assert who_plays(room) == ["ann", "bob", "eve"]
    with pytest.raises(BadSetting, match="has not asked"):
        room.admit(5, "ann", 2)


def test_who_waits_plays_the_next_game() -> None:
    """The host has seen who is there before starting it."""
    room = shared("ann")
    room.start(0, "ann")
    join(room, "eve")
    for cell in mines(room):
        room.act(1, "ann", Action("open", cell))
    assert str(room.phase) == "lost"
    assert room.members["eve"].waits
    room.start(2, "ann")
    assert who_plays(room) == ["ann", "eve"]


def test_the_host_removes_a_member_for_good() -> None:
    """The removed person is told, and cannot join again."""
    room = shared("ann", "bob", "eve")
    with pytest.raises(NotTheHost):
        room.kick(0, "bob", 2)
    with pytest.raises(BadSetting, match="not remove themselves"):
        room.kick(0, "ann", 0)
    with pytest.raises(BadSetting, match="no member"):
        room.kick(0, "ann", 9)
    [told] = of_type(room.kick(1, "ann", 2), "removed")
    assert told.to == ("eve",)
    room = load_room(room.to_json())  # type: ignore[assignment]
    for watch in (False, True):
        with pytest.raises(IllegalAction, match="removed from this room"):
            room.join(2, "eve", "Eve", watch=watch)
    assert who_plays(room) == ["ann", "bob"]


def test_nobody_enters_a_locked_room() -> None:
    """Members stay and reconnect, and watchers wait for the host."""
    room = shared("ann", "bob")
    room.join(0, "cy", "Cy", watch=True)
    with pytest.raises(NotTheHost):
        room.lock(0, "bob", locked=True)
    [told] = of_type(room.lock(0, "ann", locked=True), "members")
    assert told.body["locked"]
    assert room.preview()["locked"]
    for watch in (False, True):
        with pytest.raises(IllegalAction, match="locked"):
            room.join(1, "eve", "Eve", watch=watch)
    room.disconnect(2, "bob")
    assert room.join(3, "bob", "Bob")
    room.take_part(4, "cy")
    assert room.members["cy"].waits
    room.lock(5, "ann", locked=False)
    assert room.join(6, "eve", "Eve")


def test_players_vote_someone_out() -> None:
    """More than half of the others must agree, at least two of them."""
    room = shared("ann", "bob", "cy", "dan")
    with pytest.raises(BadSetting, match="themselves"):
        room.vote(0, "ann", 0)
    room.vote(1, "bob", 0)
    assert room.preview()["members"][0]["votes"] == 1
    room.vote(2, "bob", 0)
    assert of_type(room.vote(3, "cy", 0), "removed")
    assert room.members.host is room.members["bob"]
    # Of two people, neither can vote the other out, nor with the help of watchers.
    room.leave(4, "dan")
    room.join(4, "eve", "Eve", watch=True)
    with pytest.raises(IllegalAction, match="only players vote"):
        room.vote(5, "eve", 1)
    room.vote(6, "cy", 1)
    assert who_plays(room) == ["bob", "cy"]
    # The votes of people who have left do not count.
    join(room, "fay", "gus")
    room.leave(7, "cy")
    room.vote(8, "fay", 1)
    assert "bob" in who_plays(room)
    assert of_type(room.vote(9, "gus", 1), "removed")


def test_nobody_is_removed_from_a_rated_race() -> None:
    """A host who is about to lose could otherwise remove the winner."""
    room = Race(RaceSettings("beginner", rated=True), 7)
    join(room, "ann", "bob", "cy")
    room.join(0, "eve", "Eve", watch=True)
    room.start(0, "ann")
    for remove in (lambda: room.kick(1, "ann", 1), lambda: room.vote(1, "cy", 1)):
        with pytest.raises(IllegalAction, match="rated game"):
            remove()
    assert of_type(room.kick(1, "ann", 3), "removed")


def flags_over(*, bot: bool = False) -> Flags:
    """Return a game of Flags that Ann has won, because the other side left or missed its turns."""
    room = Flags(FlagsSettings(turn_ms=1_000, missed=1), 4)
    join(room, "ann")
    if bot:
        room.add_bot(0, "ann", "bot", "Bot", STRENGTHS["master"])
    else:
        join(room, "bob")
    room.start(0, "ann")
    room.tick(400_000)
    assert room.is_over
    return room


def asking(room: Room) -> list[str]:
    """Return the names of the members who have asked for a rematch, as everyone sees them."""
    members = room.view(next(iter(room.members)).id)["members"]
    return [one["name"] for one in members if one["rematch"]]


def test_a_rematch_starts_once_everyone_has_asked() -> None:
    """Either player can ask first; the other is told, and server restarts keep the request."""
    room = flags_over()
    [asked] = of_type(room.ask_for_rematch(400_001, "bob"), "members")
    assert asking(room) == ["Bob"]
    assert set(asked.to) == {"ann", "bob"}
    assert room.ask_for_rematch(400_002, "bob") == []
    room = load_room(room.to_json())
    assert asking(room) == ["Bob"]
    sent = room.ask_for_rematch(400_003, "ann")
    assert [one.body["type"] for one in sent] == ["game", "members"]
    assert asking(room) == []
    with pytest.raises(IllegalAction, match="after a game"):
        room.ask_for_rematch(400_004, "ann")


def test_a_rematch_waits_for_nobody_who_has_gone() -> None:
    """Disconnecting withdraws a request, bots need not ask, and the host can start at any time."""
    room = flags_over()
    room.ask_for_rematch(400_001, "bob")
    room.disconnect(400_002, "bob")
    room.ask_for_rematch(400_003, "ann")
    assert room.is_over
    room.reconnect(400_004, "bob")
    assert asking(room) == ["Ann"]
    room.start(400_005, "ann")
    assert asking(room) == []
    alone = flags_over(bot=True)
    assert of_type(alone.ask_for_rematch(400_001, "ann"), "game")


def test_watchers_do_not_ask_for_a_rematch() -> None:
    """Only players decide."""
    room = flags_over()
    room.join(400_001, "eve", "Eve", watch=True)
    with pytest.raises(IllegalAction, match="after a game"):
        room.ask_for_rematch(400_002, "eve")
