from __future__ import annotations

import json

import pytest

from sapper import Action
from sapper.community import (
    STRENGTHS,
    BotSettings,
    Flags,
    FlagsMove,
    FlagsPhase,
    FlagsSettings,
    RoomFull,
    load_room,
    review_flags,
)
from sapper.errors import BadSetting, IllegalAction
from sapper.generation import parse_id
from sapper.rules import Level
from sapper.topology import Cell

PLAYERS = ("ann", "bob")


def started(**settings: object) -> tuple[Flags, list[str]]:
    """Return a running game, and its players in the order of their first turns."""
    room = Flags(FlagsSettings(**settings), 4)
    for name in PLAYERS:
        room.join(0, name, name)
    room.start(1_000, "ann")
    first = room.view("ann")["turn"]
    return room, [PLAYERS[first], PLAYERS[1 - first]]


def cells(room: Flags, *, mined: bool) -> list[Cell]:
    """Return the unopened cells with or without a mine."""
    board = parse_id(room.to_json()["board"]).board
    shown = "".join(room.view("ann")["rows"])
    return [
        board.topology.cell(i)
        for i, mine in enumerate(board.mined)
        if bool(mine) == mined and shown[i] == "."
    ]


def test_players_take_turns_and_watchers_see_all_of_it() -> None:
    """Everyone is sent every move; acting out of turn is an error."""
    room, (one, two) = started()
    room.join(1_000, "eve", "Eve", watch=True)
    with pytest.raises(IllegalAction, match="not your turn"):
        room.act(2_000, two, Action("open", (0, 0)))
    [move] = room.act(2_000, one, Action("open", cells(room, mined=True)[0]))[:1]
    assert move.body["found"] == 1
    assert room.view("eve")["scores"] == room.view(one)["scores"]
    sent = room.act(3_000, one, Action("open", cells(room, mined=False)[0]))
    assert {who for message in sent for who in message.to} == {"ann", "bob", "eve"}
    room.act(4_000, two, Action("open", cells(room, mined=True)[0]))
    with pytest.raises(IllegalAction, match="open cells, not flag"):
        room.act(4_000, two, Action("flag", (0, 0)))


def test_the_bomb_is_an_event_of_its_own() -> None:
    """Only the player whose turn it is can use the bomb, and only when behind."""
    room, (one, two) = started()
    room.act(2_000, one, Action("open", cells(room, mined=True)[0]))
    room.act(2_000, one, Action("open", cells(room, mined=False)[0]))
    with pytest.raises(IllegalAction, match="not your turn"):
        room.bomb(2_500, one, Cell(8, 8))
    sent = room.bomb(3_000, two, Cell(8, 8))
    assert sent[0].body["bomb"]
    side = sent[0].body["side"]
    assert not room.view("ann")["bombs"][side]


def test_a_turn_passes_after_its_time_and_the_third_loses() -> None:
    """A closed laptop does not hold up the other player."""
    room, (one, two) = started()
    room.tick(60_999)
    assert room.view("ann")["turn"] == PLAYERS.index(one)
    room.tick(61_000)
    assert room.view("ann")["turn"] == PLAYERS.index(two)
    for minute in range(2, 6):
        room.act(60_000 * minute, two, Action("open", cells(room, mined=False)[0]))
        room.tick(60_000 * minute + 60_000)
        if room.phase is FlagsPhase.OVER:
            break
    assert room.view("ann")["winner"] == PLAYERS.index(two)


def test_leaving_gives_the_game_to_the_other_side() -> None:
    """Leaving loses the game, but a lost connection does not."""
    room, (one, two) = started()
    room.disconnect(2_000, one)
    assert room.phase is FlagsPhase.PLAYING
    room.leave(3_000, one)
    assert room.view(two)["winner"] == PLAYERS.index(two)


def test_sides_alternate_in_a_rematch() -> None:
    """The rematch is on a new board."""
    room, (one, two) = started()
    board = room.to_json()["board"]
    with pytest.raises(IllegalAction, match="secret"):
        room.recording()
    while room.phase is FlagsPhase.PLAYING:
        room.act(2_000, one, Action("open", cells(room, mined=True)[0]))
    assert room.recording()["winner"] == PLAYERS.index(one)
    room.start(3_000, "ann")
    assert room.view("ann")["turn"] == PLAYERS.index(two)
    assert room.to_json()["board"] != board


def test_a_bot_plays_a_whole_game_that_can_be_reviewed() -> None:
    """The review finds the bot's moves exact, except for deliberate errors."""
    room = Flags(FlagsSettings("8x8:13"), 5)
    room.join(0, "ann", "Ann")
    room.add_bot(0, "ann", "bot", "Bot", STRENGTHS["master"])
    with pytest.raises(RoomFull):
        room.join(0, "bob", "Bob")
    room.start(0, "ann")
    now = 0
    while room.phase is FlagsPhase.PLAYING:
        now += 1_000
        room.tick(now)
        if room.phase is FlagsPhase.PLAYING and room.view("ann")["turn"] == 0:
            room.act(now, "ann", Action("open", cells(room, mined=False)[0]))
    recording = room.recording()
    moves = [
        FlagsMove(side, Cell(row, col), bomb, found, at)
        for side, row, col, bomb, found, at in recording["moves"]
    ]
    review = review_flags(parse_id(recording["board"]).board, Level.parse("8x8:13"), moves)
    assert {round(one.lost, 9) for one in review if one.move.side == 1} == {0.0}
    assert recording["winner"] == 1
    json.dumps([one.to_json() for one in review])


def test_a_saved_game_continues_with_the_same_bot() -> None:
    """Saving and loading the game once per second changes nothing."""

    def played(*, reload: bool) -> object:
        room = Flags(FlagsSettings("8x8:13"), 5)
        room.join(0, "ann", "Ann")
        room.add_bot(0, "ann", "bot", "Bot", BotSettings("exact", 300, 0.3))
        room.start(0, "ann")
        for now in range(0, 600_000, 1_000):
            room.tick(now)
            if reload:
                room = Flags.from_json(json.loads(json.dumps(room.to_json())))
                room.tick(now)
        return room.recording()

    assert played(reload=True) == played(reload=False)


def test_settings_are_checked_and_kept() -> None:
    """With an even mine total, there might be no majority."""
    with pytest.raises(BadSetting, match="odd"):
        FlagsSettings("16x16:50")
    assert FlagsSettings.from_json(FlagsSettings().to_json()) == FlagsSettings()
    assert isinstance(load_room(Flags(FlagsSettings(), 1).to_json()), Flags)
