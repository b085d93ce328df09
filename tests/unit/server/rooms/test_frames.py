"""No frame or answer reveals a mine or number that its visitor may not know."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from sapper.actions import Action
from sapper.board import Board
from sapper.community.flags_game import bombed
from sapper.community.live_board import LiveBoard
from sapper.community.race_round import RaceRound
from sapper.generation import parse_id
from sapper.position import Position
from sapper.rules import Level
from sapper.server import limits
from sapper.server.http import rooms
from sapper.server.messages.checking import wrong_in
from sapper.server.messages.room_outgoing import ROOM_OUTGOING
from support.rated_times import allow_any_times
from support.waiting import awaited_async

OVER = ("break", "over", "won", "lost")
AFTER_THE_END = {"mines", "results", "won", "winner"}
OF_THE_GAME = {"rows", "cells", "board", "racers", "progress", "scores", "shares"}
# SAPPER_ROOM_GAMES=1200 takes several minutes.
_GAMES = int(os.environ.get("SAPPER_ROOM_GAMES", "80"))
LEVELS = ("beginner", "5x4:5", "7x7:8/torus", "6x6:7/hexagon")


class Spy:
    """A visitor who keeps everything that the server sends.

    Args:
        site: The server.
        session: The session id of the visitor.
    """

    def __init__(self, site: Any, session: str) -> None:
        self.site, self.session = site, session
        self.texts: list[str] = []
        self.numbers: set[int] = set()
        self.cells: set[tuple[int, int, str]] = set()
        self.is_over = False
        self.plays = False
        self.joined = asyncio.Event()
        self.early: set[str] = set()

    def see(self, text: str) -> dict[str, Any]:
        """Check a frame by itself, and keep what it shows."""
        message: dict[str, Any] = json.loads(text)
        assert wrong_in(message, ROOM_OUTGOING[message.get("type", "")]) == [], text
        body = message.get("view", message)
        over = body.get("phase") in OVER or message.get("type") in ("round_over", "game_over")
        self.is_over = self.is_over or over
        assert over or not AFTER_THE_END & set(body), text
        if body.get("you") is not None:
            self.numbers.add(body["you"])
            self.joined.set()
        if not over:
            self.texts.append(text)
            if message.get("now_ms", 0) < 0:
                # For watchers of rated games, this clock is late, and starts with the room.
                self.early |= OF_THE_GAME & set(body)
        rows = body.get("rows", body.get("board", {}).get("rows", ()))
        shown = [(r, c, char) for r, row in enumerate(rows) for c, char in enumerate(row)]
        shown += [tuple(cell) for cell in body.get("cells", ())]
        self.cells |= {cell for cell in shown if cell[2] not in ".F"}
        return message

    async def answer(self, path: str) -> None:
        """Make a request, and keep the answer unless the game is over."""
        answer = await asyncio.to_thread(self.site.post, path)
        # Late watchers do not know yet that a game with a recording is over.
        if "recording" not in answer:
            self.texts.append(json.dumps(answer))


async def until_answered(line: ClientConnection, spy: Spy, **message: Any) -> dict[str, Any]:
    """Send a message; return its answer."""
    await line.send(json.dumps({**message, "id": "x"}))

    async def receive() -> dict[str, Any]:
        return spy.see(str(await line.recv()))

    return await awaited_async(receive, lambda told: told.get("re") == "x", f"{message}")


def settings(kind: str, rng: random.Random) -> dict[str, Any]:
    """Return random settings for a room whose game ends soon."""
    if kind == "flags":
        level = rng.choice(("5x5:5", "6x6:9/torus", "8x8:13"))
        return {"level": level, "rated": rng.random() < 0.3}
    board = {"level": rng.choice(LEVELS), "rules": rng.choice(("no-guess", "classic"))}
    if kind == "shared":
        return {**board, "lives": rng.choice((1, 3))}
    ends = {"countdown_ms": rng.choice((0, 50)), "limit_ms": 1_000, "freeze_ms": 100}
    modes = {"mine": rng.choice(("freeze", "out")), "boards": rng.choice(("same", "different"))}
    return {**board, **ends, **modes, "rated": rng.random() < 0.3}


def action(kind: str, shape: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a random message."""
    cell = [rng.randrange(shape["height"]), rng.randrange(shape["width"])]
    do = rng.choices(("open", "flag", "chord", "bomb", "other"), (12, 2, 2, 1, 1))[0]
    if do == "other":
        return rng.choice(
            [
                {"type": "sync"},
                {"type": "say", "phrase": "wow"},
                {"type": "take_part"},
                {"type": "add_bot", "strength": "master"},
                {"type": "pointer", "x": 1, "y": 1},
            ]
        )
    return {"type": do if kind == "flags" or do != "bomb" else "open", "cell": cell}


async def play(spy: Spy, code: str, kind: str, starts: bool, rng: random.Random) -> None:
    """Take part in a game, or watch it, until it is over."""
    url = f"ws://127.0.0.1:{spy.site.port}/ws/rooms/{code}"
    headers = {"Cookie": f"sapper={spy.site.ids.sign(spy.session)}"}
    patient: Any = {"open_timeout": 300, "close_timeout": 300, "ping_interval": None}
    actions = 0
    # Races end by themselves, and shared boards once enough mines are hit.
    until_over = spy.plays and kind != "flags"
    while not spy.is_over and (until_over or actions < 200):
        async with connect(url, additional_headers=headers, proxy=None, **patient) as line:
            shape = spy.see(str(await line.recv()))["view"]["board_shape"]
            with suppress(ConnectionClosed):
                if not spy.numbers:
                    await until_answered(line, spy, type="join", watch=not spy.plays)
                if starts and not actions:
                    await until_answered(line, spy, type="start")
                for _ in range(rng.randrange(5, 60)):
                    if spy.is_over:
                        return
                    actions += 1
                    message = action(kind, shape, rng)
                    spy.plays = spy.plays or message["type"] == "take_part"
                    if message["type"] == "pointer":
                        await line.send(json.dumps(message))
                    else:
                        await until_answered(line, spy, **message)
                    if rng.random() < 0.03:
                        path = rng.choice(("", f"/{code}/recording", "/menu"))
                        await spy.answer(f"/api/rooms{path}")
    if not spy.is_over and starts:
        async with connect(url, additional_headers=headers, proxy=None, **patient) as line:
            await until_answered(line, spy, type="leave")


async def game(site: Any, number: int) -> None:
    """Play a random game with spies, and check what they have seen."""
    rng = random.Random(number)
    kind = ("race", "shared", "flags")[number % 3]
    people = [Spy(site, f"{number:016}{name:>08}") for name in ("ann", "bob", "eve", "dan")]
    for spy in people[:2]:
        spy.plays = True
    chosen = settings(kind, rng)
    bots = ["master"] if kind != "flags" and rng.random() < 0.5 else []
    body = {"kind": kind, "settings": chosen, "public": True, "bots": bots}
    made = await asyncio.to_thread(site.post, "/api/rooms", body, people[0].session)
    code = made["code"]
    seconds = people[1:]
    joining = [
        play(spy, code, kind, False, random.Random(f"{number} {at}"))
        for at, spy in enumerate(seconds)
    ]
    tasks = [asyncio.ensure_future(one) for one in joining]
    all_in = asyncio.gather(*(spy.joined.wait() for spy in seconds))
    await asyncio.wait([all_in, *tasks], return_when=asyncio.FIRST_COMPLETED)
    await play(people[0], code, kind, True, rng)
    await asyncio.gather(*tasks)
    found = await asyncio.to_thread(site.post, f"/api/rooms/{code}/recording")
    check(people, found, rated=chosen.get("rated", False))


def check(people: list[Spy], found: dict[str, Any], *, rated: bool) -> None:
    """Check what the spies have seen against the recording of their game."""
    recording = found["recording"]
    boards, level = recording.get("boards", {}), Level.parse(recording["level"])
    for spy in people:
        for board in (recording["board"], *boards.values()):
            assert not any(board in text for text in spy.texts)
        others = [one.session for one in people]
        assert not any(session in text for session in others for text in spy.texts)
        known: set[tuple[int, int, str]] = set()
        for number in spy.numbers:
            dealt = parse_id(boards.get(str(number), recording["board"]))
            known |= open_cells(recording, dealt, level, number)
        assert spy.cells <= known, spy.cells - known
        if rated and not spy.plays:
            assert not spy.early


def open_cells(
    recording: dict[str, Any], dealt: Any, level: Level, number: int
) -> set[tuple[int, int, str]]:
    """Return the cells that a member could see at the end, before the mines were shown."""
    board: Board = dealt.board
    live, shape = LiveBoard(board, level), board.topology
    if recording["kind"] == "flags":
        for _, row, col, bomb, _, _ in recording["moves"]:
            index = shape.index((row, col))
            for one in bombed(shape, index) if bomb else [index]:
                live.open([one])
    else:
        log = recording["log"] if "log" in recording else recording["logs"].get(str(number))
        if log is None:
            return set()
        live.open([shape.index(dealt.start)])
        for entry in log:
            live.act(Action(entry[-3], entry[-2:]))
    opened = ((index, char) for index, char in enumerate(live.cells) if char not in ".F")
    return {(*shape.cell(index), char) for index, char in opened}


async def games(site: Any, numbers: range) -> None:
    """Play games, a few at once."""
    at_once = asyncio.Semaphore(12)

    async def one(number: int) -> None:
        async with at_once:
            await game(site, number)

    await asyncio.gather(*map(one, numbers))


@pytest.fixture(autouse=True)
def many_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server keep the rooms of all games."""
    monkeypatch.setattr(limits, "ROOMS", 10_000)
    monkeypatch.setattr(limits, "ROOM_CHANGES_BURST", 10_000)
    allow_any_times(monkeypatch)
    # Only players with a name play rated games.
    monkeypatch.setattr(rooms, "_name", lambda visitors, connection: "Somebody")


@pytest.mark.parametrize(
    "numbers", [range(6), pytest.param(range(6, _GAMES), marks=pytest.mark.slow)]
)
def test_no_frame_or_answer_has_a_secret(site: Any, numbers: range) -> None:
    """Players, watchers and strangers play, reconnect and make requests at random."""
    asyncio.run(games(site, numbers))


def leaky_rows(self: LiveBoard) -> Position:
    """Return a position that shows a mine that nobody has opened."""
    shown: Position = POSITION.__get__(self)
    mine = next(i for i, mined in enumerate(self._board.mined) if mined)
    cells = bytearray(shown.cells)
    cells[mine] = ord("*")
    return shown.showing(bytes(cells))


def leaky_progress(self: RaceRound, racers: Any) -> list[dict[str, Any]]:
    """Return progress that includes the cells of other players."""
    return [{**one, "cells": "0"} for one in PROGRESS(self, racers)]


PROGRESS, POSITION = RaceRound.progress, LiveBoard.position
LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a mine": lambda patch: patch.setattr(LiveBoard, "position", property(leaky_rows)),
    "progress": lambda patch: patch.setattr(RaceRound, "progress", leaky_progress),
}


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(site: Any, leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that misses a known leak would be worthless."""
    LEAKS[leak](monkeypatch)
    with pytest.raises(AssertionError):
        asyncio.run(games(site, range(6)))
