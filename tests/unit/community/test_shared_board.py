from __future__ import annotations

import json

import pytest

from sapper import Action
from sapper.community import (
    BotSettings,
    SharedBoard,
    SharedBoardSettings,
    SharedPhase,
    load_room,
)
from sapper.errors import BadSetting, IllegalAction
from sapper.generation import parse_id
from sapper.topology import Cell


def started(**settings: object) -> SharedBoard:
    """Return a running game of two players and a watcher."""
    room = SharedBoard(SharedBoardSettings(**{"level": "beginner", **settings}), 7)
    for name in ("ann", "bob"):
        room.join(0, name, name)
    room.join(0, "eve", "Eve", watch=True)
    room.start(1_000, "ann")
    return room


def cells(room: SharedBoard, *, mined: bool) -> list[Cell]:
    """Return the unopened cells with or without a mine."""
    board = parse_id(room.to_json()["board"]).board
    shown = "".join(room.view("ann")["rows"])
    return [
        board.topology.cell(i)
        for i, mine in enumerate(board.mined)
        if bool(mine) == mined and shown[i] == "."
    ]


def test_everyone_sees_who_opened_what() -> None:
    """Players and watchers are sent the same message."""
    room = started()
    cell = cells(room, mined=False)[0]
    [message] = room.act(2_000, "bob", Action("open", cell))
    assert set(message.to) == {"ann", "bob", "eve"}
    assert message.body["number"] == 1
    index = room.settings.level.shape().index(cell)
    assert [index, 1] in room.view("eve")["owners"]
    assert room.view("eve")["shares"][0]["opened"] == len(message.body["cells"])


def test_the_second_of_two_simultaneous_clicks_is_no_error() -> None:
    """Only the first click counts."""
    room = started()
    action = Action("open", cells(room, mined=False)[0])
    assert room.act(2_000, "ann", action)
    assert room.act(2_000, "bob", action) == []
    assert [share["number"] for share in room.view("ann")["shares"]] == [0]


def test_flags_are_shared() -> None:
    """Anyone can remove a flag, and each flag has an owner."""
    room = started()
    cell = cells(room, mined=True)[0]
    room.act(2_000, "ann", Action("flag", cell))
    assert [number for _, number in room.view("bob")["owners"]] == [0]
    room.act(2_000, "bob", Action("flag", cell))
    assert room.view("bob")["owners"] == []


def test_each_mine_costs_a_life_and_the_last_loses() -> None:
    """After the loss, everyone sees the mines."""
    room = started(lives=2)
    first, second = cells(room, mined=True)[:2]
    room.act(2_000, "ann", Action("open", first))
    assert room.phase is SharedPhase.PLAYING
    with pytest.raises(IllegalAction, match="secret"):
        room.recording()
    sent = room.act(3_000, "bob", Action("open", second))
    assert [m.body["type"] for m in sent] == ["cells", "game_over"]
    assert room.phase is SharedPhase.LOST
    assert room.recording()["time_ms"] == 2_000
    assert room.act(4_000, "bob", Action("open", (0, 0))) == []


def test_a_game_is_won_together_and_played_again() -> None:
    """The second game is on another board."""
    room = started()
    board = room.to_json()["board"]
    for turn, cell in enumerate(cells(room, mined=False)):
        room.act(2_000 + turn, ("ann", "bob")[turn % 2], Action("open", cell))
    assert room.phase is SharedPhase.WON
    assert room.recording()["won"]
    room.start(90_000, "ann")
    assert room.to_json()["board"] != board
    assert room.view("ann")["shares"] == []


def test_pointers_are_sent_ten_times_a_second() -> None:
    """Pointers are sent to everyone else; an option turns them off."""
    room = started()
    sent = [m for at in range(100) for m in room.point(2_000 + 10 * at, "ann", at, 3)]
    assert len(sent) == 10 + 2
    assert {m.to for m in sent} == {("bob", "eve")}
    assert room.point(9_000, "eve", 1, 1) == []
    with pytest.raises(BadSetting, match="x must be"):
        room.point(9_000, "ann", 9 * 16, 0)
    assert started(pointers=False).point(2_000, "ann", 1, 1) == []


def test_positions_that_arrive_together_are_all_sent() -> None:
    """A pointer does not stop a step short when the connection delays positions."""
    room = started()
    times = (2_000, 2_190, 2_200, 2_300, 2_490, 2_490, 2_500)
    sent = [m.body["x"] for x, at in enumerate(times) for m in room.point(at, "ann", x, 3)]
    assert sent == list(range(len(times)))


def test_bots_help_and_a_saved_game_continues() -> None:
    """Saving and loading the game once per second changes nothing."""

    def played(*, reload: bool) -> object:
        room = started(lives=100, level="intermediate")
        for number in range(3):
            room.add_bot(1_000, "ann", f"b{number}", "Bot", BotSettings("exact", 500, 0.1))
        for now in range(1_000, 300_000, 1_000):
            room.tick(now)
            if reload:
                loaded = load_room(json.loads(json.dumps(room.to_json())))
                assert isinstance(loaded, SharedBoard)
                room = loaded
                room.tick(now)
        return room.recording()

    assert played(reload=True) == played(reload=False)
