"""Measure the bytes that a player sends and receives: a first visit, and each kind of move.

The sizes are those of files and WebSocket messages, without headers and encryption. ``visit`` loads
the page and its scripts and styles, compressed as for a browser; ``later`` are the parts of the
script that the page loads when it is idle or needs them. Moves are random, on Expert boards
with a seed for the cells; a pointer path has ten points per move. ``chances`` are the additional
messages after a move if chances are shown.

``python benchmarks/traffic.py [-n 60] [--json]``
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.sync.client import ClientConnection, connect

from report import emit
from server_load import Server, Starter

POINTER = [400, 32, 8, *[40, 1, 0] * 9]


def _get(server: Server, path: str) -> tuple[int, str]:
    """Return the size of a file as sent, in bytes, and its text."""
    url = f"http://127.0.0.1:{server.port}{path}"
    request = urllib.request.Request(url, headers={"accept-encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        body: bytes = answer.read()
        packed = answer.headers.get("content-encoding") == "gzip"
    return len(body), (gzip.decompress(body) if packed else body).decode("utf-8", "replace")


def visit(server: Server) -> Iterator[dict[str, Any]]:
    """Yield the sizes of a first visit and of the parts that the page loads later."""
    waiting, seen, size = ["/"], {"/"}, 0
    later: set[str] = set()
    while waiting:
        bytes_, text = _get(server, waiting.pop())
        size += bytes_
        found = set(re.findall(r'(?:href|src)="(/assets/[^"]+)"', text)) - seen
        seen |= found
        waiting += sorted(found)
        later.update(f"/assets/{name}" for name in re.findall(r'later\("\./([^"]+)"', text))
    yield {"what": "visit", "files": len(seen), "received_bytes": size}
    size = sum(_get(server, path)[0] for path in later)
    yield {"what": "later", "files": len(later), "received_bytes": size}


class _Window:
    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._sent = connection, 0
        self.sizes: dict[str, list[tuple[int, int]]] = {}
        self.sizes["connecting"] = [(0, len(str(connection.recv()).encode()))]

    def ask(self, what: str, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message, and record its size and that of the answers."""
        self._sent += 1
        name = f"t-{self._sent}"
        text = json.dumps({"type": kind, "id": name, **fields}, separators=(",", ":"))
        self._connection.send(text)
        received = 0
        while True:
            answer = str(self._connection.recv())
            received += len(answer.encode())
            message: dict[str, Any] = json.loads(answer)
            if message.get("re") == name:
                break
        if "error" not in message:
            self.sizes.setdefault(what, []).append((len(text), received))
        return message

    def overlay(self, turn: int) -> None:
        """Receive the messages up to the overlay of a turn, and record their size."""
        received = 0
        while True:
            answer = str(self._connection.recv())
            received += len(answer.encode())
            message = json.loads(answer)
            if message.get("type") == "overlay" and message["turn"] >= turn:
                self.sizes.setdefault("chances", []).append((0, received))
                return


def moves(server: Server, games: int) -> dict[str, list[tuple[int, int]]]:
    """Play the first moves of some games, and return the sizes of the messages by kind."""
    rng = random.Random(1)
    url, headers = f"ws://127.0.0.1:{server.port}/ws", {"Cookie": server.cookie()}
    with connect(url, additional_headers=headers, max_size=2**23, proxy=None) as connection:
        window = _Window(connection)
        for _ in range(games):
            window.ask("new game", "new", settings={"level": "expert"})
            for number in range(6):
                cell = [rng.randrange(16), rng.randrange(30)]
                kind, what = ("mark", "flag") if number % 3 == 2 else ("open", "open a cell")
                answer = window.ask(what, kind, cell=cell, pointer=POINTER)
                if "error" in answer:
                    break
        window.ask("assistance", "assist", mode="assisted", overlay="chances")
        for _ in range(games):
            window.ask("new game", "new", settings={"level": "expert"})
            for _ in range(4):
                cell = [rng.randrange(16), rng.randrange(30)]
                answer = window.ask("open a cell", "open", cell=cell, pointer=POINTER)
                if answer.get("status") != "playing":
                    break
                window.overlay(answer["turn"])
    return window.sizes


def rows(games: int) -> Iterator[dict[str, Any]]:
    """Yield the rows."""
    with Starter() as starter, TemporaryDirectory() as home:
        server = Server(starter, Path(home))
        try:
            yield from visit(server)
            for what, sizes in moves(server, games).items():
                sent, received = (sum(each) / len(sizes) for each in zip(*sizes, strict=True))
                yield {
                    "what": what,
                    "n": len(sizes),
                    "sent_bytes": round(sent),
                    "received_bytes": round(received),
                }
        finally:
            server.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-n", type=int, default=60, help="number of games")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    emit(rows(given.n), given.json)
