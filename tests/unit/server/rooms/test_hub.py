"""Tournament rooms, and how their results are reported."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from sapper.community import RaceSettings
from sapper.community.nicknames import free_nickname
from sapper.database.connection import Connection
from sapper.generation import parse_id
from sapper.rules import Level
from sapper.server import limits
from sapper.server.jobs.errors import Busy
from sapper.server.rooms.hub import RoomHub
from sapper.server.rooms.live_room import LiveRoom
from sapper.server.rooms.requests import RoomWindow
from sapper.server.storage.feature_tables import Schema
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.store import Store
from support.rated_times import allow_any_times
from support.waiting import awaited_async

ANN, BOB, CY = "a" * 24, "b" * 24, "c" * 24


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start rated races without a countdown."""
    allow_any_times(monkeypatch)


def settings() -> RaceSettings:
    """Return the settings of the races."""
    return RaceSettings(Level.parse("6x6:6"), countdown_ms=0, rated=True)


def enter(room: LiveRoom, visitor: str, name: str | None = None) -> RoomWindow:
    """Open a window."""
    return room.enter(RoomWindow(visitor, name, "en"))


async def _next(window: RoomWindow) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(await window.outbox.get())
    return message


async def received(window: RoomWindow, *kinds: str) -> dict[str, Any]:
    """Return the next message of one of these kinds."""
    return await awaited_async(
        lambda: _next(window), lambda told: told.get("type", "error") in kinds, f"{kinds}"
    )


async def ask(room: LiveRoom, window: RoomWindow, **message: Any) -> dict[str, Any]:
    """Send a message; return its answer."""
    room.receive(json.dumps({**message, "id": "x"}), window)
    return await awaited_async(
        lambda: _next(window), lambda told: told.get("re") == "x", f"the answer to {message}"
    )


async def finish(room: LiveRoom, window: RoomWindow) -> None:
    """Open all clear cells."""
    board = parse_id(room.hosted.room.to_json()["round"]["board"]).board
    for index, mine in enumerate(board.mined):
        if not mine:
            await ask(room, window, type="open", cell=list(board.topology.cell(index)))


async def play_race(hub: RoomHub) -> str:
    """Play a tournament race to its end; return its room code."""
    code = await hub.create_for(settings(), 5, {ANN: "Ann", BOB: "Bob"}, "CUP", 3)
    room = await hub.open(code)
    ann, eve = enter(room, ANN, "Ann"), enter(room, CY)
    assert (await ask(room, ann, type="start"))["error"]["code"] == "illegal_action"
    assert (await ask(room, eve, type="join"))["error"]["code"] == "illegal_action"
    [*_, guest] = (await ask(room, eve, type="join", watch=True))["view"]["members"]
    assert guest["name"] == free_nickname(CY, ())
    assert (await ask(room, ann, type="sync"))["view"]["phase"] == "waiting"
    bob = enter(room, BOB, "Bob")
    for window in (ann, bob):
        await received(window, "board")
    assert (await ask(room, ann, type="leave"))["error"]["code"] == "illegal_action"
    await finish(room, ann)
    await finish(room, bob)
    assert (await ask(room, bob, type="sync"))["view"]["phase"] == "over"
    return code


def test_lists_of_members_are_not_sent_for_everyone_who_joins(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers include the list immediately; other windows get it after a pause."""
    monkeypatch.setattr(limits, "ROOM_MEMBERS_S", 600.0)

    async def run() -> None:
        hub = RoomHub(store)
        await hub.start()
        code = await hub.create_for(settings(), 5, {ANN: "Ann", BOB: "Bob"}, "", 0)
        room = await hub.open(code)
        ann, bob = enter(room, ANN, "Ann"), enter(room, BOB, "Bob")
        watchers = [enter(room, f"{number:024}") for number in range(20)]
        for window in watchers:
            await ask(room, window, type="join", watch=True)
        added = await ask(room, ann, type="add_bot", strength="master")
        assert len(added["members"]) == 23
        await ask(room, bob, type="say", phrase="hello")
        assert (await received(ann, "members", "phrase"))["type"] == "phrase"
        room._members_s = 0.0
        room._list_members()
        assert len((await received(bob, "members"))["members"]) == 23
        assert await hub.stop()

    asyncio.run(run())


def test_the_result_of_a_race_is_recorded_with_the_room(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ratings and tournaments change in the transaction that saves the end of the race."""
    results: list[RoundEnded] = []

    def record(schema: Schema, db: Connection, ended: RoundEnded) -> None:
        results.append(ended)
        saved = db.execute("SELECT count(*) FROM recordings").fetchone()
        assert tuple(saved) == (1,)

    monkeypatch.setattr(Schema, "round_ended", record)

    async def run() -> None:
        hub = RoomHub(store)
        await hub.start()
        await play_race(hub)
        assert await hub.stop()

    asyncio.run(run())
    [one] = results
    assert one.id.endswith(":1")
    assert (one.kind, one.level, one.rated) == ("race", str(settings().level), True)
    assert one.places == {ANN: 1, BOB: 2}
    assert 0 < one.times_ms[ANN] <= one.times_ms[BOB]
    assert (one.tournament, one.race) == ("CUP", 3)


def test_visitors_never_keep_players_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room with too many windows still admits its players, but nobody with many windows."""
    monkeypatch.setattr(limits, "ROOM_WINDOWS", 4)

    async def run() -> None:
        hub = RoomHub(store)
        await hub.start()
        code = await hub.create_for(settings(), 5, {ANN: "Ann", BOB: "Bob"}, "", 0)
        room = await hub.open(code)
        for number in range(4):
            room.check_room(f"{number:024}")
            enter(room, f"{number:024}")
        with pytest.raises(Busy, match="too many people"):
            room.check_room(CY)
        for _ in range(limits.ROOM_WINDOWS_PER_VISITOR):
            room.check_room(ANN)
            enter(room, ANN, "Ann")
        with pytest.raises(Busy, match="too many windows"):
            room.check_room(ANN)
        room.check_room(BOB)
        assert await hub.stop()

    asyncio.run(run())
