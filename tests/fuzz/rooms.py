"""Send random, broken and hostile messages and requests about rooms to a server.

    python tests/fuzz/rooms.py --seconds 900

Each case has its own server, with rooms of all kinds and windows of a few visitors. A finding is an
answer with the code ``internal``, an answer that is not in the documented form, a message without
an answer, an error in the server's log, or a room that cannot be loaded afterwards.
"""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import sys
import tempfile
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, get_args, get_origin

import httpx
import uvicorn
from fuzzing import fuzz
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from sapper.community import PHRASES, STRENGTHS
from sapper.dealer import RULES
from sapper.server import app as server_app
from sapper.server import bind, create_app
from sapper.server.http.visitors import SessionIds
from sapper.server.messages.checking import fields_of, wrong_in
from sapper.server.messages.room_incoming import ROOM_INCOMING
from sapper.server.messages.room_outgoing import ROOM_OUTGOING
from sapper.server.rooms.hosted_room import HostedRoom
from sapper.server.rooms.making import SETTINGS
from sapper.server.run import configure
from sapper.server.storage.rooms import RoomStore
from sapper.server.storage.store import Store
from sapper.solver.bots import bots
from sapper.web.assets import Assets

_OFTEN: Final = {"open": 12, "chord": 4, "flag": 4, "leave": 1}
_WEIGHTS: Final = [_OFTEN.get(name, 2) for name in ROOM_INCOMING]
_ODD: Final[list[Any]] = [
    *(None, True, 0, -1, 1.5, 1e308, float("nan"), 2**70),
    *("", "x", "\ud800", "\x00", [], {}, [1], "9" * 500, "é"),
]
_LEVELS: Final = ["beginner", "5x5:5", "4x4:2", "6x6:9/torus", "9x9:10", "3x3:8", "8x8@0.1", "x"]
_ENDINGS: Final = [
    *("recording", "recording?game=1", "recording?game=x", "review", "games/0", "games/all"),
    *("games/x", "games/99999", "menu", ""),
]


class Finding(Exception):
    """A violation."""


class _Errors(logging.Handler):
    """Collects logged errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.setFormatter(logging.Formatter())
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Store a record."""
        self.found.append(self.format(record))


_ERRORS: Final = _Errors()
# Bundle the page's scripts once instead of once per case.
server_app.Assets = cache(Assets)  # type: ignore[assignment, misc]


def _value(name: str, kind: Any, rng: Random) -> Any:
    """Return a valid value of a field."""
    chosen: dict[str, list[Any]] = {"bot": list(bots), "phrase": list(PHRASES)}
    if name in chosen:
        return rng.choice(chosen[name])
    if kind is bool:
        return rng.random() < 0.5
    if get_origin(kind) is Literal:
        return rng.choice(get_args(kind))
    if get_origin(kind) is tuple:
        return [rng.randrange(9) for _ in get_args(kind)]
    return rng.randrange(rng.choice((5, 200)))


def _message(rng: Random) -> str | bytes:
    """Return a message that is valid in most cases and damaged in the others."""
    if rng.random() < 0.02:
        return rng.randbytes(rng.randrange(200))
    [kind] = rng.choices(list(ROOM_INCOMING.values()), _WEIGHTS)
    made: dict[str, Any] = {"type": kind.name, "id": f"f-{rng.randrange(10**9)}"}
    for name, field in fields_of(kind.fields).items():
        if field.required or rng.random() < 0.5:
            made[name] = _value(name, field.type, rng)
    while rng.random() < 0.15:
        _spoil(made, rng)
    text = json.dumps(made)
    if rng.random() < 0.03:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", "\\", '"', "{", "\x00", "é"]) + text[at + 1 :]
    return text


def _spoil(made: dict[str, Any], rng: Random) -> None:
    """Replace one value at any depth with an unusual one, or add one."""
    where: Any = made
    while isinstance(where, dict | list) and where:
        key = rng.choice(list(where) if isinstance(where, dict) else range(len(where)))
        if isinstance(where[key], dict | list) and where[key] and rng.random() < 0.7:
            where = where[key]
            continue
        where[key] = copy.deepcopy(rng.choice(_ODD))
        return


def _room(rng: Random) -> dict[str, Any]:
    """Return a request for a room, damaged in some cases."""
    kind = rng.choice(list(SETTINGS))
    settings: dict[str, Any] = {"level": rng.choice(_LEVELS)}
    if kind == "race":
        settings |= {"countdown_ms": rng.randrange(30), "break_ms": 0, "limit_ms": 1_000}
        settings |= {"best_of": rng.choice((1, 3)), "mine": rng.choice(("freeze", "out"))}
    if kind == "flags":
        settings |= {"turn_ms": 1_000}
    else:
        settings |= {"rules": rng.choice(list(RULES))}
    made = {
        "kind": kind,
        "settings": settings,
        "public": rng.random() < 0.5,
        "bots": rng.choices(list(STRENGTHS), k=rng.randrange(3)),
    }
    while rng.random() < 0.3:
        _spoil(made, rng)
    return made


def _see(text: str | bytes) -> Any:
    told = json.loads(text)
    if wrong := wrong_in(told, ROOM_OUTGOING.get(told.get("type", ""), {})):
        raise Finding(f"fields that docs/websocket.md does not have: {wrong} in {text!r:.400}")
    if told.get("error", {}).get("code") == "internal":
        raise Finding(f"an internal error: {told}")
    return told


async def _window(url: str, cookie: str, rng: Random) -> None:
    """Send messages to a room from one window after another."""
    for _ in range(3):
        with suppress(ConnectionClosed):
            headers = {"Cookie": cookie}
            async with connect(
                url, additional_headers=headers, proxy=None, open_timeout=120
            ) as line:
                if "error" in _see(await line.recv()):
                    return
                if rng.random() < 0.8:
                    await line.send('{"type": "join"}')
                for _ in range(rng.randrange(1, 80)):
                    await line.send(_message(rng))
                    if rng.random() < 0.2:
                        with suppress(TimeoutError):
                            async with asyncio.timeout(0.001):
                                while True:
                                    _see(await line.recv())
                await _answered(line)


async def _answered(line: Any) -> None:
    try:
        async with asyncio.timeout(120):
            await line.send('{"type": "sync", "id": "alive"}')
            while _see(await line.recv()).get("re") != "alive":
                pass
    except TimeoutError:
        raise Finding("a window gets no answer any more") from None


async def _requests(url: str, codes: list[str], cookie: str, rng: Random) -> None:
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=120) as client:
        for _ in range(30):
            code = rng.choice([*codes, "ABCDEF", "abc", "x" * 300, "%00"])
            path = rng.choice(["/api/rooms", "/api/rooms/menu", f"/api/rooms/{code}/"])
            if path.endswith("/"):
                path += rng.choice(_ENDINGS)
            _check(await client.get(path, headers={"Cookie": cookie}))


def _check(answer: httpx.Response) -> Any:
    value = answer.json()
    problem = value.get("error", {})
    if answer.status_code >= 500 and answer.status_code != 503:
        raise Finding(f"{answer.status_code} for {answer.request.url}: {value}")
    if (answer.status_code >= 400) != bool(problem.get("code")):
        raise Finding(f"an answer in another form: {answer.status_code}, {value}")
    return value


async def _play(port: int, ids: SessionIds, rng: Random) -> None:
    url, cookies = f"http://127.0.0.1:{port}", [f"sapper={ids.sign(f'{n:024}')}" for n in range(4)]
    codes = []
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=120) as client:
        for number in range(12):
            headers = {"Cookie": cookies[number % 4], "Content-Type": "application/json"}
            body = json.dumps(_room(rng))
            made = _check(await client.post("/api/rooms", content=body, headers=headers))
            codes += [made["code"]] if "code" in made else []
    windows = [
        _window(f"ws://127.0.0.1:{port}/ws/rooms/{code}", cookie, Random(f"{rng.random()}"))
        for code in codes
        for cookie in cookies
    ]
    await asyncio.gather(*windows, _requests(url, codes, cookies[0], rng))


def case(rng: Random) -> None:
    """Fuzz a server with a few rooms."""
    _ERRORS.found.clear()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        with bind("127.0.0.1", 0) as listening:
            server = uvicorn.Server(configure(create_app(store)))
            thread = threading.Thread(
                target=server.run, kwargs={"sockets": list(listening.sockets)}
            )
            thread.start()
            try:
                asyncio.run(_play(listening.port, SessionIds(store.secret()), rng))
            finally:
                server.should_exit = True
                thread.join()
        rooms = RoomStore(store.database)
        for code in rooms.owners():
            saved = rooms.load(code)
            assert saved is not None
            HostedRoom.load(saved)
    if _ERRORS.found:
        raise Finding(f"logged: {_ERRORS.found[0]}")


if __name__ == "__main__":
    logging.getLogger().addHandler(_ERRORS)
    sys.exit(fuzz(case, __doc__))
