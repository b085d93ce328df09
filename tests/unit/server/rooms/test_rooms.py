"""Rooms through a real server: windows, codes, recordings and limits."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
import segno
from websockets.exceptions import ConnectionClosed

from sapper.community import Flags, Race, SharedBoard
from sapper.community.nicknames import free_nickname
from sapper.generation import parse_id
from sapper.replay import from_json
from sapper.server import limits
from sapper.server.rooms.hosted_room import HostedRoom
from sapper.server.storage.announcements import Announcements
from sapper.server.storage.rooms import RoomStore, delete_room
from sapper.server.storage.store import Store
from support.waiting import until

ANN, BOB, CY = "a" * 24, "b" * 24, "c" * 24
GUESTS = [free_nickname(one, ()) for one in (ANN, BOB)]


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run these tests on both database engines."""
    return any_store


def made(site: Any, kind: str = "race", session: str = ANN, **body: Any) -> str:
    """Create a room; return its code."""
    fast = {"level": "6x6:6", "countdown_ms": 0, "break_ms": 0} if kind == "race" else {}
    settings = {**fast, **body.pop("settings", {})}
    answer = site.post("/api/rooms", {"kind": kind, "settings": settings, **body}, session)
    return str(answer["code"])


def secrets_of(site: Any, code: str) -> HostedRoom:
    """Return a copy of a room as it was last saved, with its mines."""
    saved = RoomStore(site.store.database).load(code)
    assert saved is not None
    return HostedRoom.load(saved)


def clear_cells(site: Any, code: str) -> list[list[int]]:
    """Return the cells without a mine of the board that a room is playing."""
    saved = secrets_of(site, code).room.to_json()
    text = saved["board"] if "board" in saved else saved["round"]["board"]
    board = parse_id(text).board
    return [list(board.topology.cell(i)) for i, mine in enumerate(board.mined) if not mine]


@contextmanager
def members(site: Any, code: str, *sessions: str) -> Iterator[list[Any]]:
    """Open a window for each session, and let all of them play."""
    with ExitStack() as stack:
        windows = [stack.enter_context(site.member(code, one)) for one in sessions]
        for window in windows:
            assert window.send("join")["view"]["you"] is not None
        yield windows


def test_two_people_race_and_a_third_watches(site: Any) -> None:
    """The winner opens all clear cells, everyone gets the results, and the recording is kept."""
    code = made(site, public=True)
    with members(site, code, ANN, BOB) as (ann, bob), site.member(code.lower(), CY) as cy:
        assert cy.welcome["view"]["you"] is None
        assert [one["name"] for one in cy.welcome["view"]["members"]] == GUESTS
        [listed] = site.post("/api/rooms")["rooms"]
        assert (listed["code"], listed["players"], listed["host"]) == (code, 2, GUESTS[0])
        assert cy.send("join", watch=True)["view"]["you"] == 2
        assert bob.send("start")["error"]["code"] == "not_the_host"
        assert ann.send("start")["type"] == "countdown"
        for window in (ann, bob):
            assert window.until("board")["board"]["rows"]
        assert cy.send("open", cell=[0, 0])["type"] == "done"
        for cell in clear_cells(site, code):
            ann.send("open", cell=cell)
        bob.send("leave")
        over = cy.until("round_over")
        assert [(one["number"], one["status"]) for one in over["results"]] == [
            (0, "finished"),
            (1, "left"),
        ]
    found = site.post(f"/api/rooms/{code}/recording")
    assert (found["game"], found["games"], found["kind"]) == (1, 1, "race")
    assert [one["name"] for one in found["members"]] == GUESTS
    assert found["mines"] == over["mines"]
    assert from_json(site.post(f"/api/rooms/{code}/games/0")).info.won
    assert site.post(f"/api/rooms/{code}/games/9")["error"]["code"] == "bad_setting"
    assert site.post(f"/api/rooms/{code}/games/all")["error"]["code"] == "no_room"


def test_a_public_room_is_listed_while_people_are_in_it(site: Any) -> None:
    """A room is not listed until its creator opens the page."""
    code, private = made(site, public=True), made(site)
    assert site.post("/api/rooms")["rooms"] == []
    with site.member(code, ANN) as ann, site.member(private, ANN) as second:
        assert ann.send("sync")["view"]["you"] == 0
        assert second.send("say", phrase="hello")["type"] == "phrase"
        until(lambda: listed_codes(site) == [code], "the list")
    until(lambda: listed_codes(site) == [], "the list")


def listed_codes(site: Any) -> list[str]:
    """Return the codes of the listed rooms."""
    return [one["code"] for one in site.post("/api/rooms")["rooms"]]


def test_announcements_reach_the_windows_of_rooms(site: Any) -> None:
    """A window opened later gets the announcements right after its view."""
    code = made(site)
    with members(site, code, ANN) as [ann]:
        Announcements(site.store.database).add("Maintenance tonight", 60_000)
        [told] = ann.until("announcements")["announcements"]
        with site.member(code, BOB) as bob:
            assert bob.next()["announcements"][0]["id"] == told["id"]


def test_a_shared_board_shows_everything_to_everyone(site: Any) -> None:
    """A second click on the same cell is not an error, and pointer messages get no answer."""
    code = made(site, "shared", settings={"level": "6x6:6"})
    with members(site, code, ANN, BOB) as (ann, bob):
        assert ann.send("start")["type"] == "game"
        bob.until("game")
        ann.raw(json.dumps({"type": "pointer", "x": 5, "y": 6}))
        assert bob.until("pointer")["x"] == 5
        cells = clear_cells(site, code)
        answers = [ann.send("open", cell=cell)["type"] for cell in cells]
        assert set(answers) == {"cells", "done"}
        assert bob.until("game_over")["won"]
        assert bob.send("open", cell=cells[0])["type"] == "done"
        assert bob.send("say", phrase="nice")["phrase"] == "nice"
        assert ann.until("phrase")["number"] == 1
    assert from_json(site.post(f"/api/rooms/{code}/games/all")).info.won


def test_flags_against_a_bot_has_a_review(site: Any) -> None:
    """The bot moves on its own, and leaving forfeits the game."""
    code = made(site, "flags", settings={"level": "6x6:9"}, bots=["master"])
    with members(site, code, ANN) as [ann]:
        assert ann.send("bomb", cell=[0, 0])["error"]["code"] == "illegal_action"
        game = ann.send("start")
        assert game["type"] == "game"
        if game["turn"] == 0:
            ann.send("open", cell=clear_cells(site, code)[0])
        ann.until("move", lambda told: told["side"] == 1)
        assert ann.send("leave")["type"] == "left"
    found = site.post(f"/api/rooms/{code}/recording")
    assert found["recording"]["winner"] == 1
    moves = found["recording"]["moves"]
    decisions = site.post(f"/api/rooms/{code}/review")["decisions"]
    assert [one["move"] for one in decisions] == moves
    assert site.post(f"/api/rooms/{code}/games/all")["error"]["code"] == "no_room"


def test_a_member_keeps_the_place_after_reconnecting(site: Any) -> None:
    """All windows of a visitor are one member, connected while any of them is open."""
    code = made(site)
    with members(site, code, BOB) as [bob]:
        with members(site, code, ANN) as [ann], site.member(code, ANN) as second:
            assert second.welcome["view"]["you"] == 0
            ann.send("start")
            board = second.until("board")["board"]["rows"]
            clear = next(
                [row, col] for row, col in clear_cells(site, code) if board[row][col] == "."
            )
            assert ann.send("open", cell=clear)["type"] == "cells"
            second.until("cells")
        bob.until("progress")
        bob.until("members", lambda told: not told["members"][0]["connected"])
        with site.member(code, ANN) as again:
            rows = again.welcome["view"]["board"]["rows"]
            assert rows[clear[0]][clear[1]] != "."
            assert bob.until("members")["members"][0]["connected"]


def test_the_host_adds_and_removes_bots(site: Any) -> None:
    """Bot names are in the host's language."""
    code = made(site, bots=["novice"])
    with members(site, code, ANN) as [ann], site.member(code, BOB) as bob:
        added = ann.send("add_bot", strength="skilled", bot="swift")["members"]
        assert [(one["name"], one["bot"], one["strength"]) for one in added[1:]] == [
            ("Novice bot", "exact", "novice"),
            ("Skilled bot", "swift", "skilled"),
        ]
        assert ann.send("add_bot", strength="master", bot="x")["error"]["code"] == "bad_setting"
        assert len(ann.send("remove_bot", number=1)["members"]) == 2
        assert ann.send("remove_bot", number=0)["error"]["code"] == "bad_setting"
        assert bob.send("add_bot", strength="master")["error"]["code"] == "not_a_member"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "JSON object"),
        ('{"type": "cheat"}', "unknown message type"),
        ('{"type": "open"}', "'cell' must be"),
        ('{"type": "open", "cell": [0, "x"]}', "'cell' must be"),
        ('{"type": "join", "name": "Ann"}', "unknown field"),
        (json.dumps({"type": "say", "phrase": "x" * 2_000}), "at most 1000 characters"),
    ],
)
def test_a_damaged_message_gets_an_error(site: Any, text: str, said: str) -> None:
    """The window stays open."""
    with members(site, made(site), ANN) as [ann]:
        ann.raw(text)
        problem = ann.next()["error"]
        assert problem["code"] == "bad_message"
        assert said in problem["message"]
        assert ann.send("sync")["view"]["you"] == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad_message"),
        ({"kind": "chess"}, "bad_message"),
        ({"kind": "race", "public": 1}, "bad_message"),
        ({"kind": "race", "bots": ["novice"] * 50}, "bad_setting"),
        ({"kind": "race", "bots": ["grandmaster"]}, "bad_setting"),
        ({"kind": "race", "settings": {"speed": 3}}, "bad_setting"),
        ({"kind": "race", "settings": {"level": []}}, "bad_setting"),
        ({"kind": "race", "settings": {"rules": "kaboom"}}, "bad_setting"),
        ({"kind": "flags", "settings": {"level": "6x6:10"}}, "bad_setting"),
        ({"kind": "flags", "bots": ["novice", "novice"]}, "room_full"),
    ],
)
def test_a_room_needs_valid_settings(site: Any, body: Any, code: str) -> None:
    """Each invalid setting gets a clear error, and no room is created."""
    assert site.post("/api/rooms", body, ANN)["error"]["code"] == code


def test_a_visitor_has_a_limited_number_of_rooms(
    site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other visitors can still create rooms, up to the limit of the server."""
    monkeypatch.setattr(limits, "ROOMS_PER_VISITOR", 2)
    for _ in range(2):
        made(site)
    body = {"kind": "race"}
    assert site.post("/api/rooms", body, ANN)["error"]["code"] == "too_many"
    assert "code" in site.post("/api/rooms", body, BOB)
    monkeypatch.setattr(limits, "ROOMS", 3)
    assert site.post("/api/rooms", body, CY)["error"]["code"] == "too_many"


def test_a_board_that_takes_too_long_is_not_dealt(
    site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room remains usable."""
    code = made(site, settings={"level": "40x40:400"}, bots=["novice"])
    with members(site, code, ANN) as [ann]:
        monkeypatch.setattr(limits, "ROOM_BUDGET_S", 0.0)
        assert ann.send("start")["error"]["code"] == "too_slow"
        assert ann.send("sync")["view"]["phase"] == "waiting"


def test_a_room_that_fails_continues_as_it_was_saved(
    site: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its windows reconnect to the saved state."""
    code = made(site, "shared", settings={"level": "6x6:6", "rules": "classic"})
    with members(site, code, ANN) as [ann]:
        ann.send("start")
        cell = clear_cells(site, code)[0]
        with monkeypatch.context() as patch:
            patch.setattr(HostedRoom, "tick", lambda *_: 1 / 0)
            with pytest.raises(ConnectionClosed):
                ann.send("flag", cell=cell)
    assert "a room cannot continue" in caplog.text
    with site.member(code, ANN) as ann:
        assert ann.welcome["view"]["phase"] == "playing"
        assert ann.send("flag", cell=[0, 0])["type"] in ("cells", "done")


def test_unknown_codes_are_refused(site: Any) -> None:
    """A window receives the reason before it is closed."""
    for code in ("ABCDEF", "ABC", "ABCDE0", "%F0%9F%98%80"):
        with site.member(code, ANN) as window:
            assert window.welcome["error"]["code"] == "no_room"
            with pytest.raises(ConnectionClosed):
                window.next()
        assert site.post(f"/api/rooms/{code}/recording")["error"]["code"] == "no_room"


def test_a_room_that_nobody_uses_is_removed(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A removed room's code is unknown."""
    code = made(site)
    with members(site, code, ANN):
        monkeypatch.setattr(limits, "ROOM_IDLE_S", 0.0)
    until(lambda: not RoomStore(site.store.database).exists(code), "the end of the room")
    with site.member(code, ANN) as window:
        assert window.welcome["error"]["code"] == "no_room"


def test_the_menu_has_the_defaults_of_each_kind(site: Any) -> None:
    """Only rule sets whose mines stay in place are offered."""
    menu = site.post("/api/rooms/menu")
    assert [one["name"] for one in menu["kinds"]] == [Race.kind, SharedBoard.kind, Flags.kind]
    assert "no-guess" in {one["name"] for one in menu["rules"]}
    assert "kaboom" not in {one["name"] for one in menu["rules"]}
    assert len(menu["phrases"]) == 12


def test_rooms_continue_after_a_restart_of_the_server(store: Store, run: Any) -> None:
    """The race clock stops while the server is down."""
    with run(store) as site:
        code = made(site, settings={"countdown_ms": 3_000_000})
        with members(site, code, ANN, BOB) as (ann, _):
            starts_ms = ann.send("start")["starts_ms"]
            before = ann.send("sync")["now_ms"]
    with run(store) as site, site.member(code, ANN) as ann:
        view = ann.welcome["view"]
        assert (view["phase"], view["phase_ends_ms"]) == ("countdown", starts_ms)
        assert before <= ann.welcome["now_ms"] < starts_ms
        assert [one["connected"] for one in view["members"]] == [True, False]


def test_a_watcher_with_twelve_windows_cannot_silence_a_race(
    site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only some of the windows open, and the racers' moves still count."""
    monkeypatch.setattr(limits, "ROOM_ACTIONS", 40)
    monkeypatch.setattr(limits, "ROOM_MESSAGE_BURST", 1_000)
    code = made(site)
    with members(site, code, ANN, BOB) as (ann, bob), ExitStack() as stack:
        windows = [stack.enter_context(site.member(code, CY)) for _ in range(12)]
        opened = [one for one in windows if "error" not in one.welcome]
        assert len(opened) == limits.ROOM_WINDOWS_PER_VISITOR
        assert windows[-1].welcome["error"]["code"] == "busy"
        opened[0].send("join", watch=True)
        ann.send("start")
        bob.until("board")
        for window in opened:
            for _ in range(10):
                assert window.send("open", cell=[0, 0])["type"] == "done"
        assert "error" not in ann.send("flag", cell=clear_cells(site, code)[0])


def test_joins_are_limited_per_visitor(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor who joins and leaves all the time is refused; others still join."""
    monkeypatch.setattr(limits, "ROOM_CHANGES_PER_S", 1e-9)
    with run_with_few_joins(site) as (code, first):
        assert first["error"]["code"] == "busy"
        assert "too often" in first["error"]["message"]
        with members(site, code, BOB):
            pass


@contextmanager
def run_with_few_joins(site: Any) -> Iterator[tuple[str, Any]]:
    """Let a visitor join and leave until that is refused; return the room and the refusal."""
    code = made(site)
    with site.member(code, CY) as cy:
        for _ in range(limits.ROOM_CHANGES_BURST):
            assert cy.send("join")["view"]["you"] is not None
            assert cy.send("leave")["type"] == "left"
        yield code, cy.send("join")


def test_a_removed_visitor_cannot_come_back(site: Any) -> None:
    """The visitor is told, and sees the room as a stranger does."""
    code = made(site, "shared", settings={"level": "6x6:6"})
    with members(site, code, ANN, CY) as (ann, cy):
        assert cy.send("kick", number=0)["error"]["code"] == "not_the_host"
        assert len(ann.send("kick", number=1)["members"]) == 1
        cy.until("removed")
        assert cy.send("sync")["view"]["you"] is None
        assert cy.send("join")["error"]["code"] == "illegal_action"
        assert ann.send("lock", locked=True)["locked"]
        with site.member(code, BOB) as bob:
            assert bob.welcome["view"]["locked"]
            assert "locked" in bob.send("join")["error"]["message"]
            ann.send("lock", locked=False)
            ann.send("start")
            assert bob.send("join")["view"]["you"] == 2
            told = ann.until("members", lambda told: len(told["members"]) == 2)
            assert told["members"][1]["waits"]
            ann.send("admit", number=2)
            bob.until("view", lambda told: told["view"]["members"][1]["plays"])


def test_a_room_that_the_operator_deletes_is_closed(site: Any) -> None:
    """Its windows are told, and it is not saved again."""
    code, other = made(site), made(site)
    with members(site, code, ANN) as [ann], members(site, other, ANN) as [second]:
        with site.store.database.writing() as db:
            assert delete_room(db, code, int(time.time() * 1000))
            assert not delete_room(db, "ABCDEF", 0)
        ann.until("closed")
        until(lambda: not RoomStore(site.store.database).exists(code), "the end of the room")
        assert second.send("sync")["view"]["you"] == 0
    with site.member(code, ANN) as window:
        assert window.welcome["error"]["code"] == "no_room"


def test_a_link_has_a_qr_code(site: Any) -> None:
    """It is dark on light with a quiet zone, and links to the host of the request."""
    answer = httpx.get(f"{site.url}/api/rooms/k7qm3x/qr.svg", timeout=300)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    code = segno.make(f"{site.url}/r/K7QM3X", error="m", micro=False)
    side = code.symbol_size(border=4)[0]
    assert f'viewBox="0 0 {side} {side}"' in answer.text
    assert f'fill="#fff" d="M0 0h{side}v{side}h-{side}z"' in answer.text
    assert answer.text.count("<path") == 2
    assert not re.search("script|style|onload", answer.text)
    assert _dark(answer.text, side) == {
        (row + 4, col + 4)
        for row, cells in enumerate(code.matrix)
        for col, dark in enumerate(cells)
        if dark
    }
    assert httpx.get(f"{site.url}/api/rooms/nothing/qr.svg", timeout=300).status_code == 404


def _dark(svg: str, side: int) -> set[tuple[int, int]]:
    """Return the dark modules of a QR code that is drawn with lines of width 1."""
    path = re.search('stroke="#000" d="([^"]*)"', svg)
    assert path is not None
    row, col, dark = 0.0, 0, set()
    for kind, values in re.findall(r"([Mmh])([^Mmhz]*)", path[1]):
        numbers = [float(one) for one in re.findall(r"-?[0-9.]+", values)]
        if kind == "h":
            dark |= {(int(row), at) for at in range(col, col + int(numbers[0]))}
            col += int(numbers[0])
        else:
            start = (0, 0.0) if kind == "M" else (col, row)
            col, row = int(start[0] + numbers[0]), start[1] + numbers[1]
    assert all(0 <= one < side for each in dark for one in each)
    return dark
