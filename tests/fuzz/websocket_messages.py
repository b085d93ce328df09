"""Send random, broken and hostile messages to a server over real WebSockets.

    python tests/fuzz/websocket_messages.py --seconds 900 --seed 1

Windows of a few sessions send at the same time; some read nothing, some disconnect early. A finding
is an answer with the code ``internal``, a message that is not JSON, a mine or a seed before the
end, a window that no longer gets answers, an error in the server's log, or a saved game that cannot
be loaded afterwards. The last line gives the number of messages sent; the exit status is 1 if there
was a finding.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import json
import logging
import math
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from sapper.dealer import RULES
from sapper.overlays import OVERLAYS
from sapper.rules import LEVELS as NAMED_LEVELS
from sapper.server import bind, create_app
from sapper.server.http.visitors import SessionIds
from sapper.server.messages.checking import fields_of, wrong_in
from sapper.server.messages.incoming import INCOMING
from sapper.server.messages.outgoing import OUTGOING
from sapper.server.run import configure
from sapper.server.session import saving
from sapper.server.storage.store import Store
from sapper.solver.bots import bots

OFTEN: Final = {"open": 12, "chord": 4, "mark": 4, "position": 1, "analyze": 1, "daily": 1}
"""How often the kinds of messages are sent, if not twice."""
WEIGHTS: Final = [OFTEN.get(name, 2) for name in INCOMING]
LEVELS: Final = [*NAMED_LEVELS, "8x8:8", "4x4:2", "9x9:10/torus", "40x40:300", "2x2:1"]
ODD: Final = [
    *(None, True, 0, -1, 1.5, 1e308, float("nan"), 2**70),
    *("", "x", "\ud800", "\x00", [], {}, [1], "9" * 500),
]


class Finding(Exception):
    """A violation."""


def _settings(rng: random.Random) -> dict[str, Any]:
    return {"level": rng.choice(LEVELS), "rules": rng.choice(list(RULES))}


def _pointer(rng: random.Random) -> list[int]:
    steps = [rng.randrange(40) for _ in range(3 * rng.randrange(20))]
    return [sum(steps[::3]), *(rng.randrange(70) for _ in "xy"), *steps]


def _position(rng: random.Random) -> dict[str, Any]:
    height, width = rng.randrange(1, 9), rng.randrange(1, 9)
    rows = ["".join(rng.choices(".....00111223F", k=width)) for _ in range(height)]
    return {"rows": rows, "mines": rng.randrange(10)}


VALUES: Final[dict[str, Callable[[random.Random], Any]]] = {
    "pointer": _pointer,
    "settings": _settings,
    "seed": lambda rng: rng.getrandbits(64),
    "bot": lambda rng: rng.choice(list(bots)),
    "overlay": lambda rng: rng.choice(["none", *OVERLAYS]),
    "day": lambda rng: f"20{rng.randrange(20, 26)}-{rng.randrange(1, 13):02}-11",
    "position": _position,
    "rules": lambda rng: rng.choice(list(RULES)),
    "options": lambda rng: {},
}
"""Fields that their handlers check."""


def value(name: str, kind: Any, rng: random.Random) -> Any:
    """A valid value of a field."""
    if name in VALUES:
        return VALUES[name](rng)
    if kind is bool:
        return rng.random() < 0.5
    if get_origin(kind) is Literal:
        return rng.choice(get_args(kind))
    if get_origin(kind) is tuple:
        return [rng.randrange(10) for _ in get_args(kind)]
    [limits] = kind.__metadata__
    return rng.choice([limits.least, limits.least + rng.randrange(50)])


def valid_message(rng: random.Random) -> dict[str, Any]:
    """A valid message, according to the message table."""
    [kind] = rng.choices(list(INCOMING.values()), WEIGHTS)
    made: dict[str, Any] = {"type": kind.name, "id": f"f-{rng.randrange(10**9)}"}
    for name, field in fields_of(kind.fields).items():
        if field.required or rng.random() < 0.5:
            made[name] = value(name, field.type, rng)
    return made


def message(rng: random.Random) -> str | bytes:
    """A message that is valid in most cases and damaged in the others."""
    if rng.random() < 0.02:
        return rng.randbytes(rng.randrange(200))
    made = valid_message(rng)
    if rng.random() < 0.02:
        made["type"] = rng.choice(["cheat", ""])
    while rng.random() < 0.15:
        _spoil(made, rng)
    text = json.dumps(made, ensure_ascii=True)
    if rng.random() < 0.03:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", "\\", '"', "{", "\x00", "é"]) + text[at + 1 :]
    return text


def _spoil(made: dict[str, Any], rng: random.Random) -> None:
    """Replace one value at any depth with an unusual one."""
    where: Any = made
    while isinstance(where, (dict, list)) and where:
        key = rng.choice(list(where) if isinstance(where, dict) else range(len(where)))
        if isinstance(where[key], (dict, list)) and where[key] and rng.random() < 0.7:
            where = where[key]
            continue
        where[key] = copy.deepcopy(rng.choice(ODD))
        return


class Watch:
    """Checks all messages from the server to one window."""

    def __init__(self) -> None:
        self.over = False

    def see(self, text: str | bytes) -> Any:
        """Check a message and return it."""
        told = json.loads(text)
        if wrong := wrong_in(told, OUTGOING[told.get("type", "")]):
            raise Finding(f"fields that docs/websocket.md does not have: {wrong} in {text!r:.400}")
        if told.get("error", {}).get("code") == "internal":
            raise Finding(f"an internal error: {told}")
        game = {**told, **told.get("game", {})}
        if "status" in game:
            self.over = game["status"] in ("won", "lost")
            shown = "".join(char for _, char in told.get("cells", ()))
            shown += "".join(game.get("rows", ()))
            if not self.over and (not set(shown) <= set(".F?012345678") or game.get("seed")):
                raise Finding(f"a secret before the end: {text!r:.400}")
        if told.get("type") == "review" and not self.over:
            raise Finding("a review before the end")
        return told


async def window(url: str, cookie: str, rng: random.Random, until: float, most: float) -> int:
    """Send for a while, or `most` messages; return how many were sent."""
    sent = 0
    while time.monotonic() < until and sent < most:
        with suppress(ConnectionClosed):
            async with connect(
                url,
                additional_headers={"Cookie": cookie},
                compression=None,
                proxy=None,
                open_timeout=120,
            ) as line:
                watch = Watch()
                for _ in range(rng.randrange(1, 300)):
                    if time.monotonic() > until or sent >= most:
                        break
                    await line.send(message(rng))
                    sent += 1
                    if rng.random() < 0.7:
                        with suppress(TimeoutError):
                            async with asyncio.timeout(rng.choice([0.0, 0.001, 0.02])):
                                while True:
                                    watch.see(await line.recv())
                if rng.random() < 0.8:
                    await _answered(line, watch)
                else:
                    line.transport.abort()
    return sent


async def _answered(line: ClientConnection, watch: Watch) -> None:
    """Check that a window still gets answers, whatever was sent."""
    try:
        async with asyncio.timeout(120):
            await line.send('{"type": "sync", "id": "alive"}')
            while watch.see(await line.recv()).get("re") != "alive":
                pass
    except TimeoutError:
        raise Finding("a window gets no answer any more") from None


class Errors(logging.Handler):
    """Collects logged errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Store a record."""
        self.found.append(self.format(record))


async def fuzz(url: str, ids: SessionIds, given: argparse.Namespace) -> int:
    """Run the windows of four sessions; the first two sessions have two windows each."""
    until = time.monotonic() + given.seconds
    most = math.inf if given.messages is None else given.messages
    names = [f"{number:024}" for number in (0, 0, 1, 1, 2, 3)]
    windows = [
        window(url, f"sapper={ids.sign(name)}", random.Random(f"{given.seed}/{at}"), until, most)
        for at, name in enumerate(names)
    ]
    return sum(await asyncio.gather(*windows))


def check_saves(store: Store) -> None:
    """Check that every saved game can be loaded."""
    for number in range(4):
        saved = store.load(f"{number:024}")
        if saved is not None:
            saving.load(f"{number:024}", saved)


def main() -> int:
    """Fuzz a server for a while."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--messages", type=int, help="send only so many from each window")
    given = parser.parse_args()
    errors = Errors()
    errors.setFormatter(logging.Formatter())
    logging.getLogger().addHandler(errors)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        with bind("127.0.0.1", 0) as listening:
            server = uvicorn.Server(configure(create_app(store)))
            thread = threading.Thread(
                target=server.run, kwargs={"sockets": list(listening.sockets)}
            )
            thread.start()
            url = f"ws://127.0.0.1:{listening.port}/ws"
            try:
                ids = SessionIds(store.secret())
                sent = asyncio.run(fuzz(url, ids, given))
            except Finding as finding:
                print(f"seed {given.seed}: {finding}")
                print("\n".join(errors.found[:1]))
                return 1
            finally:
                server.should_exit = True
                thread.join()
        check_saves(store)
    if errors.found:
        print(f"seed {given.seed}: logged {errors.found[0]}")
        return 1
    print(f"{sent} messages, seed {given.seed}: no finding")
    return 0


if __name__ == "__main__":
    sys.exit(main())
