"""A room is restored from its last complete state and the events after it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from sapper.community import (
    STRENGTHS,
    Flags,
    FlagsSettings,
    Race,
    RaceSettings,
    Room,
    SharedBoard,
    SharedBoardSettings,
    members,
)
from sapper.community.errors import RoomFull
from sapper.community.nicknames import free_nickname
from sapper.errors import BadCell, BadSave, IllegalAction, SapperError
from sapper.rules import Level
from sapper.server import limits
from sapper.server.rooms.hosted_room import HostedRoom, RoomInfo
from sapper.server.rooms.requests import Request, RoomWindow, handle
from sapper.server.storage import rooms
from sapper.server.storage.database import Database, compact
from sapper.server.storage.feature_tables import alias_of
from sapper.server.storage.rooms import Ended, RoomChange, RoomStore, SavedRoom, Whole

PEOPLE = ("ann", "bob", "cy")
INFO = RoomInfo("ABCDEF", "ABCDEF-1", "ann", 5, True)
ROOMS: dict[str, Callable[[], Room]] = {
    "race": lambda: Race(
        RaceSettings(Level.parse("6x6:6"), best_of=3, limit_ms=9_000, break_ms=500), 7
    ),
    "shared": lambda: SharedBoard(SharedBoardSettings(Level.parse("7x7:8/torus"), lives=5), 7),
    "flags": lambda: Flags(FlagsSettings(Level.parse("6x6:9"), turn_ms=2_000), 7),
}


def happen(hosted: HostedRoom, now_ms: int, rng: random.Random) -> None:
    """Trigger a random event, if it is possible."""
    who, cell = rng.choice(PEOPLE), [rng.randrange(6), rng.randrange(6)]
    kind = rng.choices(("open", "flag", "chord"), (6, 2, 1))[0]
    bot = STRENGTHS["master"]
    events: list[list[Any]] = [
        ["join", who, who.title(), rng.random() < 0.2],
        ["start", None],
        ["rematch", who],
        [rng.choice(("away", "back", "part", "leave")), who],
        ["bot", None, f"bot:{now_ms}", "Bot", bot.bot, bot.pace_ms, 0.1],
        ["bomb", who, *cell],
        ["say", who, "hello"],
        ["act", who, kind, *cell],
    ]
    try:
        hosted.happen(now_ms, rng.choices(events, (3, 3, 3, 1, 1, 1, 1, 30))[0])
    except SapperError:
        hosted.tick(now_ms)


@pytest.mark.parametrize("kind", ROOMS)
def test_a_room_continues_after_a_crash(
    kind: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No saved state or event is lost, and bots continue to play as before."""
    monkeypatch.setattr(limits, "ROOM_EVENTS", 20)
    monkeypatch.setattr(limits, "ROOM_SAVED_S", 3)
    store, rng, now_ms = RoomStore(database), random.Random(3), 0
    hosted = HostedRoom(ROOMS[kind](), INFO)
    ended = 0
    for _ in range(200):
        now_ms += rng.choice((10, 60, 300, 900))
        happen(hosted, now_ms, rng)
        ended += hosted.note_ended(now_ms)
        if (change := hosted.change()) is not None:
            store.commit([change])
        if rng.random() < 0.1:
            saved = store.load("ABCDEF")
            assert saved is not None
            loaded, expected = HostedRoom.load(saved), hosted.room.to_json()
            for member in expected["members"]["members"]:
                member["connected"] = member["bot"] is not None
            loaded.tick(now_ms)
            assert loaded.room.to_json() == {**expected, "time_ms": loaded.room.time_ms}
            hosted = loaded
    assert ended > 0
    found = store.recording("ABCDEF")
    assert found is not None
    assert (found[0], found[1].game) == (ended, ended)


def test_old_recordings_are_deleted(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recordings are kept for a limited time and up to a limited number."""
    monkeypatch.setattr(rooms, "_PRUNE_EVERY", 1)
    for name in ("RECORDINGS", "RECORDINGS_ON_A_SERVER"):
        monkeypatch.setattr(limits, name, 3)
    monkeypatch.setattr(limits, "RECORDING_KEPT_S", 100.0)
    store = RoomStore(database, clock=lambda: 1_000.0)
    for game, finished_s in enumerate((899, 901, 902, 903, 904), 1):
        ended = Ended(game, finished_s * 1000, "{}")
        store.commit([RoomChange("ABCDEF", 0, ended=(ended,))])
    kept = [game for game in range(1, 6) if store.recording("ABCDEF", game) is not None]
    assert kept == [3, 4, 5]
    assert store.is_used("ABCDEF")


def test_changes_of_a_room_are_merged(database: Database) -> None:
    """Events are saved after their room, and a removed room leaves no rows."""
    store, whole = RoomStore(database), Whole("ann", 5, "{}")
    first = RoomChange("ABCDEF", 0, True, "{}", whole, 0, ("[1]",))
    store.commit([first.then(RoomChange("ABCDEF", 0, first=1, events=("[2]",)))])
    assert store.load("ABCDEF") == SavedRoom("{}", ["[1]", "[2]"])
    assert (store.listed(9), store.made_by("ann")) == (["{}"], 1)
    summary = RoomChange("ABCDEF", 0, False, "{1}", first=2, events=("[3]",))
    store.commit([RoomChange("ABCDEF", 0).then(summary)])
    assert store.listed(9) == []
    claimed = RoomChange("ABCDEF", 7, first=3, events=("[4]",))
    assert first.then(claimed) == claimed
    ended = (Ended(1, 2**42, "{}"),)
    last = RoomChange("ABCDEF", 0, ended=ended).then(RoomChange("ABCDEF", 0, removed=True))
    store.commit([last])
    assert store.load("ABCDEF") is None
    assert store.recording("ABCDEF") == (1, ended[0])


def test_a_race_of_a_tournament_that_cannot_start_is_not_tried_again() -> None:
    """A single player cannot race."""
    info = replace(INFO, tournament="CUP", starts_by_ms=15_000)
    hosted = HostedRoom(ROOMS["race"](), info)
    hosted.happen(0, ["join", "ann", "Ann", False])
    hosted.happen(0, ["away", "ann"])
    assert hosted.start_if_due(0) == []
    assert hosted.due_ms() == 15_000
    hosted.tick(15_000)
    with pytest.raises(IllegalAction, match="at least 2 players"):
        hosted.start_if_due(15_000)
    assert hosted.due_ms() is None
    assert hosted.start_if_due(16_000) == []


def with_people(kind: str, **watches: bool) -> HostedRoom:
    """Return a room with some people, by name: each plays or watches."""
    hosted = HostedRoom(ROOMS[kind](), INFO)
    for who, watch in watches.items():
        hosted.happen(0, ["join", who, who.title(), watch])
    return hosted


def test_actions_of_a_player_in_a_game_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each player has a limit in each game, and the others continue."""
    monkeypatch.setattr(limits, "ROOM_ACTIONS", 2)
    hosted = with_people("shared", ann=False, bob=False)
    hosted.happen(0, ["start", "ann"])
    for at in range(2):
        hosted.happen(at, ["act", "ann", "flag", 0, 0])
    with pytest.raises(IllegalAction, match="at most 2 actions"):
        hosted.happen(5, ["act", "ann", "flag", 0, 0])
    assert hosted.happen(5, ["act", "bob", "flag", 0, 0])
    # A refused start gives nobody more actions, nor does a refused action take one.
    with pytest.raises(IllegalAction, match="started already"):
        hosted.happen(6, ["start", "ann"])
    with pytest.raises(IllegalAction, match="at most 2 actions"):
        hosted.happen(6, ["act", "ann", "flag", 0, 0])
    with pytest.raises(BadCell):
        hosted.happen(7, ["act", "bob", "flag", 99, 99])
    hosted = HostedRoom.load(SavedRoom(compact(hosted._to_json()), []))
    assert hosted.happen(8, ["act", "bob", "flag", 0, 0])
    with pytest.raises(IllegalAction, match="at most 2 actions"):
        hosted.happen(9, ["act", "bob", "flag", 0, 0])


@pytest.mark.parametrize("kind", ROOMS)
def test_a_watcher_cannot_use_up_the_actions_of_players(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages from a watcher are neither counted nor saved."""
    monkeypatch.setattr(limits, "ROOM_ACTIONS", 5)
    hosted = with_people(kind, ann=False, bob=False, eve=True)
    hosted.happen(0, ["start", "ann"])
    hosted.tick(hosted.room.next_tick_ms() or 0)
    saved = len(hosted._events)
    for _ in range(2_000):
        assert hosted.happen(hosted.room.time_ms, ["act", "eve", "open", 0, 0]) == []
    assert len(hosted._events) == saved
    refused = set()
    for who, col in product(("ann", "bob"), range(3)):
        try:
            hosted.happen(hosted.room.time_ms, ["act", who, "open", 0, col])
        except IllegalAction as problem:
            refused.add(str(problem))
    assert refused <= {"it is not your turn", *(f"(0, {col}) is open already" for col in range(3))}


def test_visitors_who_come_and_go_do_not_push_out_racers() -> None:
    """The result of a race includes racers who left it."""
    hosted = with_people("race", ann=False, bob=False)
    hosted.happen(0, ["start", "ann"])
    at_ms = hosted.room.next_tick_ms() or 0
    hosted.tick(at_ms)
    hosted.happen(at_ms, ["leave", "bob"])
    for number in range(limits.ROOM_PLAYERS + 10):
        hosted.happen(at_ms, ["join", f"guest {number}", "Guest", False])
        hosted.happen(at_ms, ["leave", f"guest {number}"])
        hosted.note_ended(0)
    hosted.tick(at_ms + 9_000)
    assert hosted.note_ended(5) == 1
    [result] = hosted._results
    assert {"ann", "bob"} <= set(result.places)
    assert len(result.places) <= 100
    hosted.note_ended(6)
    assert len(hosted._players) <= limits.ROOM_PLAYERS + 101


def test_a_watcher_who_has_gone_makes_room_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise, visitors who never come back would fill a room for good."""
    monkeypatch.setattr(members, "MOST_WATCHERS", 2)
    hosted = with_people("race", ann=False, bob=True, cy=True)
    with pytest.raises(RoomFull):
        hosted.happen(1, ["join", "dan", "Dan", True])
    hosted.happen(2, ["away", "bob"])
    hosted.happen(3, ["join", "dan", "Dan", True])
    assert [member.id for member in hosted.room.members] == ["ann", "cy", "dan"]


@pytest.mark.parametrize("state", ["", "[]", "{}", '{"room": {"kind": "race"}, "info": {}}'])
def test_a_damaged_room_is_refused(state: str) -> None:
    """The server removes such a room."""
    with pytest.raises(BadSave):
        HostedRoom.load(SavedRoom(state, []))


@pytest.mark.parametrize("kind", ROOMS)
def test_an_erased_player_is_forgotten(kind: str) -> None:
    """A game that runs continues without the player, and nothing saved later names the player."""
    hosted = HostedRoom(ROOMS[kind](), INFO)
    for who in PEOPLE:
        hosted.happen(0, ["join", who, f"{who} the player", who == "cy"])
    rng = random.Random(5)
    for step in range(200):
        happen(hosted, step * 100, rng)
    hosted.happen(hosted.room.time_ms, ["join", "ann", "ann the player", True])
    alias = alias_of("ann")
    assert alias not in str(hosted.change())
    assert hosted.forget(hosted.room.time_ms, alias)
    assert hosted.forget(hosted.room.time_ms, alias) == []
    for step in range(200, 300):
        try:
            hosted.tick(step * 100)
            hosted.happen(step * 100, ["act", "bob", "open", [step % 6, step // 7 % 6]])
        except (SapperError, ValueError):
            pass
    hosted.note_ended(5)
    change = hosted.change()
    assert change is not None
    assert change.whole is not None
    text = str(change)
    assert alias in text
    assert "'ann'" not in text
    assert '"ann"' not in text
    assert "ann the player" not in text
    assert HostedRoom.load(SavedRoom(change.whole.state, [])).info.maker == alias


def test_what_is_due_does_not_answer_a_request() -> None:
    """A bot's progress that is due when a player acts comes before the answer to the player."""
    race = Race(RaceSettings(Level.parse("9x9:10"), countdown_ms=0), 7)
    hosted = HostedRoom(race, INFO)
    hosted.happen(0, ["join", "ann", "Ann", False])
    master = STRENGTHS["master"]
    hosted.happen(0, ["bot", "ann", "bot:1", "Bot", master.bot, master.pace_ms, 0.0])
    hosted.happen(0, ["start", "ann"])
    hosted.tick(0)
    due_ms = hosted.due_ms()
    assert due_ms is not None
    rows = hosted.room.view("ann")["board"]["rows"]
    cell = next((r, c) for r, row in enumerate(rows) for c, char in enumerate(row) if char == ".")
    window = RoomWindow("ann", None, "en")
    request = Request(due_ms + 5_000, "flag", {"cell": cell}, window, "7")
    deliveries, problem = handle(hosted, request)
    assert problem is None
    answers = [json.loads(one.for_window(window)) for one in deliveries]
    assert len(answers) > 1
    assert [told["type"] for told in answers if told.get("re") == "7"] == ["cells"]


def test_a_guest_keeps_the_nickname_and_nobody_else_gets_it() -> None:
    """Not even after the guest has left: results and recordings still show it."""
    hosted = HostedRoom(ROOMS["race"](), INFO)

    def join(visitor: str) -> str:
        window = RoomWindow(visitor, None, "de")
        deliveries, problem = handle(hosted, Request(0, "join", {}, window))
        assert problem is None
        assert deliveries
        return hosted.room.members[visitor].name

    name = join("ann")
    assert name == free_nickname("ann", ())
    same = next(f"v{n}" for n in range(10_000) if free_nickname(f"v{n}", ()) == name)
    hosted.happen(0, ["leave", "ann"])
    assert join(same) == free_nickname(same, [name]) != name
    assert join("ann") == name
