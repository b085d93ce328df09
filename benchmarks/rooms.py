r"""Load-test rooms: many races of bots and people at once, and many watchers of one of them.

    python benchmarks/rooms.py
    python benchmarks/rooms.py --rooms 50 --bots 10 --watchers 200 --seconds 60 --busy 1 \
        --workers 2 --database URL --redis URL

Each race has bots, one person and one watcher; one race has many more watchers. The person acts at
a steady pace. `moves` are the times from an action to its answer, after it was saved. `progress` is
the age of the others' view: the time from a person's first action that was not yet shown to the
arrival of the message that shows it. The server sends progress at most every 200 milliseconds.
With ``--redis``, the server is `sapper serve`; otherwise, it is one process with SQLite.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from server_load import Server, Starter, busy_cores, figures
from server_workers import Site

_LEVEL = "expert"


class Race:
    """The windows of one race.

    Args:
        port: The port of the server.
        code: The room's code.
        cookie: Its maker's cookie.
    """

    def __init__(self, port: int, code: str, cookie: str) -> None:
        self.url, self.cookie = f"ws://127.0.0.1:{port}/ws/rooms/{code}", cookie
        self.move_s: list[float] = []
        self.progress_s: list[float] = []
        self.frames = 0
        self.lost = 0
        self._sent: dict[str, float] = {}
        self._unseen: tuple[str, float] | None = None
        self._racing = asyncio.Event()

    def window(self, cookie: str) -> connect:
        """Open a window."""
        headers = {"Cookie": cookie}
        return connect(
            self.url, additional_headers=headers, compression=None, proxy=None, open_timeout=300
        )

    async def person(self, pause_s: float, rng: random.Random) -> None:
        """Start the race, and set and remove flags until cancelled."""
        async with self.window(self.cookie) as line:
            await line.send('{"type": "join"}')
            await line.send('{"type": "start"}')
            board: list[str] = []
            while not board:
                message = json.loads(await line.recv())
                board = message.get("board", {}).get("rows", [])
            self._racing.set()
            cells = [(r, c) for r, row in enumerate(board) for c, x in enumerate(row) if x == "."]
            reading = asyncio.create_task(self._answers(line))
            try:
                number = 0
                while not reading.done():
                    await asyncio.sleep(pause_s * rng.uniform(0.5, 1.5))
                    number += 1
                    id, now_s = str(number), time.monotonic()
                    self._sent[id] = now_s
                    self._unseen = self._unseen or (id, now_s)
                    move = {"type": "flag", "id": id, "cell": rng.choice(cells)}
                    await line.send(json.dumps(move))
            finally:
                reading.cancel()
        self.lost += 1

    async def _answers(self, line: Any) -> None:
        while True:
            message = json.loads(await line.recv())
            self.frames += 1
            if (sent_s := self._sent.pop(message.get("re", ""), None)) is not None:
                self.move_s.append(time.monotonic() - sent_s)
                is_shown = message.get("type") == "cells"
                if not is_shown and self._unseen is not None and self._unseen[0] == message["re"]:
                    self._unseen = None

    async def watcher(self, cookie: str, *, measures: bool) -> None:
        """Watch the race until cancelled."""
        async with self.window(cookie) as line:
            await line.send('{"type": "join", "watch": true}')
            with suppress(ConnectionClosed):
                while True:
                    text = await line.recv()
                    self.frames += 1
                    if measures and self._unseen is not None and '"progress"' in text[:20]:
                        self._note(json.loads(text)["racers"])
        self.lost += 1

    def _note(self, racers: list[dict[str, Any]]) -> None:
        if self._unseen is not None and any(racer["number"] == 0 for racer in racers):
            self.progress_s.append(time.monotonic() - self._unseen[1])
            self._unseen = None

    async def until_racing(self) -> None:
        """Wait for the start of the race."""
        await self._racing.wait()


async def _made(client: httpx.AsyncClient, bots: int, cookie: str) -> str:
    body = {
        "kind": "race",
        "settings": {"level": _LEVEL, "countdown_ms": 0, "best_of": 15, "break_ms": 0},
        "bots": ["skilled"] * bots,
    }
    answer = await client.post("/api/rooms", json=body, headers={"Cookie": cookie})
    return str(answer.json()["code"])


def _processor_s(pids: list[int]) -> float:
    """Return the processor time of some processes so far."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def measure(server: Server | Site, given: argparse.Namespace) -> None:
    """Run the races for a while, and print the figures."""
    cookies = [await asyncio.to_thread(server.cookie) for _ in range(given.rooms + 1)]
    url = f"http://127.0.0.1:{server.port}"
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=300) as client:
        makers = cookies[: given.rooms]
        codes = [await _made(client, given.bots, cookie) for cookie in makers]
    races = [Race(server.port, *one) for one in zip(codes, makers, strict=True)]
    tasks = [
        asyncio.ensure_future(race.person(given.pause, random.Random(at)))
        for at, race in enumerate(races)
    ]
    for race in races:
        await race.until_racing()
    watchers = [await asyncio.to_thread(server.cookie) for _ in range(given.watchers)]
    tasks += [asyncio.ensure_future(r.watcher(cookies[-1], measures=True)) for r in races]
    tasks += [asyncio.ensure_future(races[0].watcher(one, measures=False)) for one in watchers]
    await asyncio.sleep(given.settle)
    for race in races:
        race.move_s.clear()
        race.progress_s.clear()
        race.frames = 0
    pids = server.workers() if isinstance(server, Site) else [server.pid]
    before_s = _processor_s(pids)
    await asyncio.sleep(given.seconds)
    used = (_processor_s(pids) - before_s) / given.seconds
    memory = server.megabytes()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    people = f"{given.rooms} races of {given.bots} bots, {given.watchers} watchers of one"
    frames = sum(race.frames for race in races)
    print(
        f"{people}: {frames / given.seconds:.0f} frames/s; server {used:.2f} cores, {memory:.0f} MB"
    )
    print(f"moves: {figures([s for race in races for s in race.move_s])}")
    print(f"moves in the watched race: {figures(races[0].move_s)}")
    print(f"progress: {figures([s for race in races for s in race.progress_s])}")
    print(f"progress in the watched race: {figures(races[0].progress_s)}")
    print(f"windows lost: {sum(race.lost for race in races)}")


def main() -> None:
    """Run the load test."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rooms", type=int, default=50)
    parser.add_argument("--bots", type=int, default=10, help="in each race")
    parser.add_argument("--watchers", type=int, default=200, help="of the first race")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--settle", type=float, default=5.0, help="seconds before the measurement")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two actions")
    parser.add_argument("--busy", type=int, default=0, help="cores kept busy")
    parser.add_argument("--database", metavar="URL", help="PostgreSQL (default: an SQLite file)")
    parser.add_argument("--redis", metavar="URL", help="sapper serve, with messages in Redis")
    parser.add_argument("--workers", type=int, default=2, help="with --redis: worker processes")
    given = parser.parse_args()
    if bool(given.redis) != bool(given.database):
        parser.error("--redis and --database belong together")
    with tempfile.TemporaryDirectory() as folder, busy_cores(given.busy):
        home = Path(folder)
        if given.redis:
            site = Site(home, given.workers, given.database, given.redis)
            try:
                asyncio.run(measure(site, given))
            finally:
                site.stop()
            return
        with Starter(home / "errors") as starter:
            server = Server(starter, home)
            try:
                asyncio.run(measure(server, given))
            finally:
                server.stop()
            print(f"written to stderr: {starter.errors()!r:.500}")


if __name__ == "__main__":
    main()
