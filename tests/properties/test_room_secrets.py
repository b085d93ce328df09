"""Rooms never tell members more than they may know: random walks check messages and views."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from sapper import Action, Position
from sapper.community import (
    BotSettings,
    Flags,
    FlagsPhase,
    FlagsSettings,
    Message,
    Race,
    RacePhase,
    RaceSettings,
    Room,
    SharedBoard,
    SharedBoardSettings,
    SharedPhase,
    load_room,
)
from sapper.community.live_board import LiveBoard
from sapper.community.race_round import Racer, RaceRound
from sapper.errors import SapperError
from support.rated_times import allow_any_times

# SAPPER_ROOM_GAMES=2000 takes several minutes.
_GAMES = int(os.environ.get("SAPPER_ROOM_GAMES", "200"))
_ROOMS = [range(15), pytest.param(range(15, _GAMES), marks=pytest.mark.slow)]
PEOPLE = ("ann", "bob", "cy", "dee")
LEVELS = ("beginner", "5x4:5", "7x7:8/torus", "6x6:7/hexagon")
KEYS = {
    "type", "view", "you", "kind", "phase", "time_ms", "settings", "members", "host", "round",
    "wins", "phase_ends_ms", "start_ms", "starts_ms", "progress", "racers", "number", "status",
    "opened", "map", "frozen_until_ms", "hits", "silent", "board", "rows", "log", "cells", "colour",
    "name", "plays", "connected", "rematch", "bot", "strength", "board_shape", "waits", "votes",
    "locked",
}  # fmt: skip
"""Every key of messages and views during a round; those of settings are public anyway."""
PROGRESS_KEYS = {
    "number", "status", "opened", "map", "frozen_until_ms", "hits", "silent", "time_ms",
}  # fmt: skip
AFTER_THE_END = {"results", "mines", "over", "place"}


@pytest.fixture(autouse=True)
def other_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten rated games."""
    allow_any_times(monkeypatch)


Check = Callable[[Any, str, dict[str, Any], dict[str, Any]], None]
"""Checks what one member gets, given the room and its saved form, which has all secrets."""


def make_race(rng: random.Random) -> Race:
    """Return a race with random settings."""
    rules = rng.choice(("no-guess", "classic", "windows-xp"))
    settings = RaceSettings(
        rng.choice(LEVELS),
        rules,
        best_of=rng.choice((1, 3)),
        mine=rng.choice(("freeze", "out")),
        boards=rng.choice(("same", "different")),
        rated=rules != "windows-xp" and rng.random() < 0.3,
        countdown_ms=1_000,
        break_ms=1_000,
        silence_ms=20_000,
    )
    return Race(settings, rng.getrandbits(60))


def happen(room: Room, now_ms: int, rng: random.Random) -> list[Message]:
    """Trigger a random event in a room."""
    who = rng.choice(PEOPLE)
    events: list[Callable[[], list[Message]]] = [
        lambda: room.join(now_ms, who, who, watch=rng.random() < 0.3),
        lambda: room.start(now_ms, who),
        lambda: room.tick(now_ms),
        lambda: rng.choice((room.disconnect, room.reconnect, room.take_part))(now_ms, who),
        lambda: room.add_bot(now_ms, who, f"bot{now_ms}", "Bot", BotSettings("exact", 400, 0.2)),
        lambda: room.leave(now_ms, who),
        lambda: rng.choice((room.kick, room.vote, room.admit))(now_ms, who, rng.randrange(9)),
        lambda: room.lock(now_ms, who, locked=rng.random() < 0.1),
    ]
    weights = [3, 4, 4, 2, 0.5, 0.5, 0.05, 0.2, 40]
    events.append(lambda: play(room, now_ms, who, rng))
    try:
        return rng.choices(events, weights)[0]()
    except SapperError:
        return room.tick(now_ms)


def play(room: Room, now_ms: int, who: str, rng: random.Random) -> list[Message]:
    """Let a member act on a random cell of the room's board."""
    shape = room.settings.level.shape()  # type: ignore[attr-defined]
    kind = rng.choices(("open", "flag", "chord"), (6, 2, 2))[0]
    cell = shape.cell(rng.randrange(shape.size))
    if isinstance(room, Flags) and rng.random() < 0.1:
        return room.bomb(now_ms, who, cell)
    if isinstance(room, SharedBoard) and rng.random() < 0.1:
        return room.point(now_ms, who, cell.col, cell.row)
    return room.act(now_ms, who, Action(kind, cell))


def keys(value: Any) -> set[str]:
    """Return every key in a JSON value, except for those in settings, which are public."""
    if isinstance(value, dict):
        public = ("settings", "board_shape")
        inner = (keys(v) for k, v in value.items() if k not in public)
        return set(value).union(*inner)
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


def check_race(room: Race, who: str, body: dict[str, Any], saved: dict[str, Any]) -> None:
    """Check a message or view for one member; `saved` contains all secrets."""
    text = json.dumps(body)
    assert str(room.seed) not in text
    if body.get("type") == "round_over" or body.get("phase") in ("break", "over"):
        assert keys(body) <= KEYS | AFTER_THE_END
        return
    shown = body.get("view", body)
    if shown.get("phase") in ("break", "over"):
        return
    assert keys(body) <= KEYS
    racers = [r for r in (saved["round"] or {"racers": []})["racers"] if r["id"] == who]
    own = racers[-1]["cells"] if racers else ""
    width = room.settings.level.width
    if "board" in shown:
        rows = "".join(shown["board"]["rows"])
        # A message may be older than the saved form, when fewer cells were open.
        assert all(
            char in (".F", mine)[char not in ".F"] for char, mine in zip(rows, own, strict=True)
        )
    for row, col, char in shown.get("cells", ()):
        assert char in ".F" or own[row * width + col] == char
    for racer in shown.get("racers", shown.get("progress", ())):
        assert set(racer) == PROGRESS_KEYS
        assert set("".join(racer["map"])) <= set(".o")
    if saved.get("round"):
        dealt = saved["round"].get("boards", [saved["round"]["board"]])
        assert not any(board in text for board in dealt)


def walk(room: Room, rng: random.Random, check: Check) -> set[str]:
    """Check every message and view of a room for a while; return the phases that occurred."""
    now_ms, phases = 0, set[str]()
    for member in PEOPLE[: min(rng.randint(2, 4), room.members.most)]:
        room.join(0, member, member)
    for _ in range(120):
        now_ms += rng.choice((10, 60, 300, 900))
        messages = happen(room, now_ms, rng)
        saved = json.loads(json.dumps(room.to_json()))
        for message in messages:
            for who in message.to:
                check(room, who, message.body, saved)
        for member in room.members:
            check(room, member.id, room.view(member.id), saved)
        if rng.random() < 0.02:
            room = load_room(saved)
            assert room.to_json() == saved
        phases.add(saved["phase"])
    return phases


@pytest.mark.parametrize("rooms", _ROOMS)
def test_no_message_or_view_of_a_race_has_a_secret(rooms: range) -> None:
    """Races are random, and are saved and loaded at random."""
    phases = set[str]()
    for seed in rooms:
        rng = random.Random(seed)
        phases |= walk(make_race(rng), rng, check_race)
    assert phases == set(RacePhase)


FLAGS_KEYS = {
    "type", "view", "you", "kind", "phase", "time_ms", "settings", "members", "host", "rows",
    "sides", "turn", "turn_ends_ms", "scores", "bombs", "side", "cell", "bomb", "found", "cells",
    "owners", "number", "colour", "name", "plays", "connected", "rematch", "bot", "strength",
    "board_shape", "waits", "votes", "locked",
}  # fmt: skip


def check_flags(room: Flags, who: str, body: dict[str, Any], saved: dict[str, Any]) -> None:
    """Check that, until the end, a message or view contains only mines that were found."""
    shown, text = body.get("view", body), json.dumps(body)
    assert str(room.seed) not in text
    if shown.get("phase") == "over" or shown.get("type") == "game_over":
        assert keys(body) <= FLAGS_KEYS | {"winner", "mines"}
        return
    assert keys(body) <= FLAGS_KEYS
    assert saved["board"] is None or saved["board"] not in text
    if "rows" in shown:
        found = "".join(shown["rows"]).count("*")
        assert found == sum(shown["scores"])
    assert [char for *_, char in shown.get("cells", ())].count("*") == shown.get("found", 0)


@pytest.mark.parametrize("rooms", _ROOMS)
def test_no_message_or_view_of_flags_has_a_secret(rooms: range) -> None:
    """Games are random; some are rated, and some have a bot."""
    phases = set[str]()
    for seed in rooms:
        rng = random.Random(seed)
        settings = FlagsSettings(
            rng.choice(("5x5:5", "6x6:9/torus", "8x8:13")), rng.random() < 0.3, turn_ms=5_000
        )
        phases |= walk(Flags(settings, rng.getrandbits(60)), rng, check_flags)
    assert phases == set(FlagsPhase)


SHARED_KEYS = {
    "type", "view", "you", "kind", "phase", "time_ms", "settings", "members", "host", "rows",
    "owners", "shares", "lives", "start_ms", "cells", "opened", "flags", "hits", "x", "y",
    "number", "colour", "name", "plays", "connected", "rematch", "bot", "strength", "board_shape",
    "waits", "votes", "locked",
}  # fmt: skip


def check_shared(room: SharedBoard, who: str, body: dict[str, Any], saved: dict[str, Any]) -> None:
    """Check that, until the end, a message or view contains only mines that were hit."""
    shown, text = body.get("view", body), json.dumps(body)
    assert str(room.seed) not in text
    if shown.get("phase") in ("won", "lost") or shown.get("type") == "game_over":
        assert keys(body) <= SHARED_KEYS | {"won", "mines"}
        return
    assert keys(body) <= SHARED_KEYS
    assert saved["board"] is None or saved["board"] not in text
    if "rows" in shown:
        hits = sum(share["hits"] for share in shown["shares"])
        assert "".join(shown["rows"]).count("*") == hits == room.settings.lives - shown["lives"]


@pytest.mark.parametrize("rooms", _ROOMS)
def test_no_message_or_view_of_a_shared_board_has_a_secret(rooms: range) -> None:
    """Games are random and include bots and pointers."""
    phases = set[str]()
    for seed in rooms:
        rng = random.Random(seed)
        settings = SharedBoardSettings(rng.choice(LEVELS), "classic", lives=rng.choice((1, 3, 50)))
        phases |= walk(SharedBoard(settings, rng.getrandbits(60)), rng, check_shared)
    assert phases == set(SharedPhase)


def leaky_progress(self: RaceRound, racers: Iterable[Racer]) -> list[dict[str, Any]]:
    """Return progress that includes the cells of other players."""
    return [{**one, "cells": "0"} for one in PROGRESS(self, racers)]


def leaky_rows(self: LiveBoard) -> Position:
    """Return a position that shows a mine that nobody has opened."""
    shown = POSITION.__get__(self)
    mine = next(i for i, mined in enumerate(self._board.mined) if mined)
    cells = bytearray(shown.cells)
    cells[mine] = ord("*")
    return shown.showing(bytes(cells))


PROGRESS, POSITION = RaceRound.progress, LiveBoard.position


@pytest.mark.parametrize("kind", ["race", "race board", "flags", "shared"])
def test_the_walk_finds_a_leak(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk that misses a known leak would be worthless."""
    if kind == "race":
        monkeypatch.setattr(RaceRound, "progress", leaky_progress)
    else:
        monkeypatch.setattr(LiveBoard, "position", property(leaky_rows))
    rng = random.Random(3)
    rooms: dict[str, tuple[Room, Check]] = {
        "flags": (Flags(FlagsSettings("8x8:13"), 3), check_flags),
        "shared": (SharedBoard(SharedBoardSettings("beginner"), 3), check_shared),
    }
    room, check = rooms.get(kind, (Race(RaceSettings("beginner"), 3), check_race))
    with pytest.raises(AssertionError):
        walk(room, rng, check)
