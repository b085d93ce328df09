"""Put load on the web app: kills, many players, and many assisted games on a busy machine.

    python benchmarks/server.py kills --rounds 100 --players 6 --pause 0
    python benchmarks/server.py kills --rounds 100 --players 20 --pause 0.2
    python benchmarks/server.py players --players 520 --seconds 600
    python benchmarks/server.py assisted --players 500 --seconds 60 --busy 1

Each starts a server of its own, in a process of its own, on a free port of 127.0.0.1 and with a
directory of its own. ``kills`` ends it by SIGKILL while players are at work; it and ``players``
then look for every acknowledged action in the file of saved games. ``assisted`` measures the time
from a click to its answer and to its overlay, first without and then with a heavy game beside.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

_START = "import sys; from sapper.cli.play import play; play('127.0.0.1', int(sys.argv[1]), False)"
_BUSY = "while True: pass"
# Imports everything once, and forks a server for each line ``PORT HOME``: a start takes no time.
_FORKS = """
import os, signal, sys
from sapper.cli.play import play
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while line := sys.stdin.readline():
    port, home = line.rstrip().split(" ", 1)
    pid = os.fork()
    if not pid:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.environ["SAPPER_HOME"] = home
        sys.stdout = open(os.devnull, "w")
        play("127.0.0.1", int(port), False)
        os._exit(0)
    print(pid, flush=True)
"""


class Starter:
    """Starts servers, each in a process of its own."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _FORKS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, port: int, home: Path) -> int:
        """Start one; gives its process id."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(port, home, file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def __enter__(self) -> Starter:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


class Server:
    """A running server."""

    def __init__(self, starter: Starter, home: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.home = home
        self.pid = starter.start(self.port, home)
        deadline = time.monotonic() + 60
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                break
            if time.monotonic() > deadline:
                raise SystemExit("the server did not start")
            time.sleep(0.01)

    def cookie(self) -> str:
        """A cookie for a new session."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/") as page:
            return str(page.headers["Set-Cookie"]).partition(";")[0]

    def megabytes(self) -> float:
        """Its resident memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it."""
        os.kill(self.pid, how)
        with suppress(ProcessLookupError):
            while True:
                os.kill(self.pid, 0)
                time.sleep(0.005)


class Player:
    """One window that plays at random and remembers what was acknowledged."""

    def __init__(self, cookie: str, level: str, seed: int) -> None:
        self.cookie, self.level = cookie, level
        self.random = random.Random(seed)
        self.seed = -1
        self.acknowledged: list[list[Any]] = []
        self.total = 0
        self.answer_s: list[float] = []
        self.overlay_s: list[float] = []
        self.problems: list[Any] = []
        self._sent = 0
        self._cells: list[str] = []
        self._width = 1
        self._safe: set[int] = set()

    @property
    def session(self) -> str:
        """The session id."""
        return self.cookie.partition("=")[2].partition(".")[0]

    async def play(self, port: int, pause_s: float, *, assisted: bool = False) -> None:
        """Play until the server goes away or the task is cancelled."""
        url = f"ws://127.0.0.1:{port}/ws"
        headers = {"Cookie": self.cookie}
        with suppress(ConnectionClosed, OSError):
            async with connect(
                url, additional_headers=headers, compression=None, proxy=None, max_size=2**22
            ) as line:
                if assisted:
                    await self._ask(line, type="assist", mode="assisted", overlay="chances")
                await self._new(line)
                # Not all at the same moment.
                await asyncio.sleep(pause_s * self.random.random())
                while True:
                    started = time.perf_counter()
                    over = await self._move(line, assisted)
                    rest = 2 * pause_s * self.random.random() - (time.perf_counter() - started)
                    await self._listen(line, rest)
                    if over:
                        await self._new(line)

    async def _new(self, line: ClientConnection) -> None:
        seed = self.random.getrandbits(32)
        told = await self._ask(line, type="new", settings={"level": self.level}, seed=seed)
        if "game" in told:
            self.seed, self.acknowledged = seed, []
            self._cells = list("".join(told["game"]["rows"]))
            self._width = told["game"]["width"]
            self._safe = set()

    async def _move(self, line: ClientConnection, assisted: bool) -> bool:
        """Open or mark a cell; gives whether the game is over."""
        width = self._width
        unopened = [i for i, char in enumerate(self._cells) if char == "."]
        safe = [i for i in sorted(self._safe) if self._cells[i] == "."]
        index = self.random.choice(safe or unopened or [0])
        kind = "mark" if not safe and self.random.random() < 0.5 else "open"
        started = time.perf_counter()
        cell = divmod(index, width)
        told = await self._ask(line, type=kind, cell=list(cell))
        if "turn" not in told:
            return True
        self.answer_s.append(time.perf_counter() - started)
        self.total += 1
        if told["event"].get("tried") in ("open", "mark"):
            self.acknowledged.append([kind, *cell])
        over = told["status"] in ("won", "lost")
        if assisted and not over and told["status"] == "playing":
            while True:
                message = await self._next(line)
                if message.get("type") == "overlay" and message["turn"] >= told["turn"]:
                    self.overlay_s.append(time.perf_counter() - started)
                    if message["whole"]:
                        self._safe = set()
                    for index, chance in message["chances"]:
                        (self._safe.add if chance == "safe" else self._safe.discard)(index)
                    break
        return over

    async def _ask(self, line: ClientConnection, **message: Any) -> dict[str, Any]:
        self._sent += 1
        name = str(self._sent)
        await line.send(json.dumps({**message, "id": name}))
        while (told := await self._next(line)).get("re") != name:
            pass
        if "error" in told:
            self.problems.append(told["error"])
        return told

    async def _next(self, line: ClientConnection) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await line.recv())
        for index, char in message.get("cells", []):
            self._cells[index] = char
        if message.get("type") == "saving":
            self.problems.append(message)
        return message

    async def _listen(self, line: ClientConnection, seconds: float) -> None:
        """Read what comes meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                while True:
                    await self._next(line)

    def lost(self, db: sqlite3.Connection) -> int:
        """How many acknowledged actions are not in the file."""
        row = db.execute("SELECT game FROM sessions WHERE id = ?", (self.session,)).fetchone()
        if self.seed < 0:
            return 0
        if row is None or json.loads(row[0])["seed"] != self.seed:
            # The game was begun anew but that was not acknowledged any more: look no further.
            begun = row is not None and len(self.acknowledged) > 0
            return 0 if begun and self._unanswered_new(db) else len(self.acknowledged)
        rows = db.execute(
            "SELECT action FROM actions WHERE session = ? ORDER BY number", (self.session,)
        )
        saved = [json.loads(text)[:3] for (text,) in rows]
        kinds = {"open": "open", "flag": "mark"}
        saved = [[kinds.get(kind, kind), *cell] for kind, *cell in saved]
        return sum(i >= len(saved) or saved[i] != one for i, one in enumerate(self.acknowledged))

    def _unanswered_new(self, db: sqlite3.Connection) -> bool:
        count = db.execute(
            "SELECT count(*) FROM actions WHERE session = ?", (self.session,)
        ).fetchone()
        return bool(count[0] == 0)


def check(home: Path, players: list[Player]) -> tuple[int, int]:
    """How many sessions lost something, and how many acknowledged actions."""
    with sqlite3.connect(home / "play.sqlite3") as db:
        lost = [player.lost(db) for player in players]
    return sum(map(bool, lost)), sum(lost)


async def _for_a_while(
    server: Server, players: list[Player], seconds: float, pause_s: float, **how: Any
) -> list[asyncio.Task[None]]:
    tasks = [asyncio.ensure_future(p.play(server.port, pause_s, **how)) for p in players]
    await asyncio.sleep(seconds)
    return tasks


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


async def kills(rounds: int, count: int, pause_s: float) -> None:
    """Kill the server again and again while players are at work."""
    rng, sessions, moves, total, lost = random.Random(1), 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder, Starter() as starter:
        home = Path(folder)
        for number in range(rounds):
            server = Server(starter, home)
            players = [Player(server.cookie(), "expert", 1000 * number + i) for i in range(count)]
            tasks = await _for_a_while(server, players, rng.uniform(0.3, 1.2), pause_s)
            server.stop(signal.SIGKILL)
            await _end(tasks)
            bad, actions = check(home, players)
            sessions, lost = sessions + bad, lost + actions
            moves += sum(player.total for player in players)
            total += count
    print(
        f"{rounds} kills, {total} sessions, {moves} acknowledged moves: "
        f"{lost} lost, in {sessions} sessions"
    )


async def many(count: int, seconds: float, pause_s: float) -> None:
    """Many players for a while; then every acknowledged action has to be in the file."""
    with tempfile.TemporaryDirectory() as folder, Starter() as starter:
        server = Server(starter, Path(folder))
        players = [Player(server.cookie(), "expert", i) for i in range(count)]
        started = time.monotonic()
        tasks = await _for_a_while(server, players, min(30.0, seconds / 4), pause_s)
        memory = []
        while (passed := time.monotonic() - started) < seconds:
            memory.append((passed, server.megabytes()))
            await asyncio.sleep(min(10.0, seconds - passed))
        await _end(tasks)
        bad, lost = check(Path(folder), players)
        memory.append((time.monotonic() - started, server.megabytes()))
        server.stop()
        after_bad, after_lost = check(Path(folder), players)
        answers = sorted(s for player in players for s in player.answer_s)
        problems = [one for player in players for one in player.problems]
        print(
            f"{count} players, {seconds:g} s, {sum(p.total for p in players)} acknowledged moves: "
            f"{lost} lost in {bad} sessions while running, {after_lost} in {after_bad} after the "
            f"end; {len(problems)} problems {problems[:3]}"
        )
        print(f"answers: {_figures(answers)}")
        print("memory (MB): " + ", ".join(f"{m:.0f} at {at:.0f} s" for at, m in memory[::6]))


@contextmanager
def _busy(cores: int) -> Iterator[None]:
    """Keep some cores busy."""
    burning = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(cores)]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


async def assisted(count: int, seconds: float, pause_s: float, busy: int) -> None:
    """Assisted games on a busy machine, without and with a heavy game beside them."""
    with tempfile.TemporaryDirectory() as folder, Starter() as starter, _busy(busy):
        server = Server(starter, Path(folder))
        players = [Player(server.cookie(), "expert", i) for i in range(count)]
        tasks = await _for_a_while(server, players, min(20.0, seconds), pause_s, assisted=True)
        p95 = []
        heavy: list[asyncio.Task[None]] = []
        for what in ("alone", "with a heavy game"):
            if what != "alone":
                heavy = [asyncio.ensure_future(_heavy(server, which)) for which in range(2)]
                await asyncio.sleep(2)
            for player in players:
                player.answer_s.clear()
                player.overlay_s.clear()
            await asyncio.sleep(seconds)
            answers = sorted(s for player in players for s in player.answer_s)
            overlays = sorted(s for player in players for s in player.overlay_s)
            print(f"{what}: answers {_figures(answers)}; overlays {_figures(overlays)}", flush=True)
            p95.append(answers[int(0.95 * len(answers))])
        print(
            f"95th percentile of answers with the heavy game: {100 * (p95[1] / p95[0] - 1):+.0f} %"
        )
        await _end(heavy + tasks)
        print(f"problems: {[one for player in players for one in player.problems][:3]}")
        server.stop()


async def _heavy(server: Server, which: int) -> None:
    """A game that takes seconds to deal, or to judge and to analyse, again and again."""
    url, cookie = f"ws://127.0.0.1:{server.port}/ws", await asyncio.to_thread(server.cookie)
    async with connect(
        url, additional_headers={"Cookie": cookie}, compression=None, proxy=None, max_size=2**23
    ) as line:
        messages: list[dict[str, Any]] = [
            {"type": "assist", "mode": "assisted", "overlay": "chances"},
            {"type": "new", "settings": {"level": "100x100:2200", "rules": "no-guess"}},
            {"type": "open", "cell": [50, 50]},
        ]
        if which == 1:
            rows = ["." * 100 if row % 3 else ".." + ".2" * 49 for row in range(100)]
            shared = {"rows": rows, "mines": 2500}
            messages[1:] = [
                {"type": "position", "position": shared, "rules": "kaboom"},
                {"type": "open", "cell": [0, 0]},
            ]
        while True:
            for message in messages:
                await line.send(json.dumps({**message, "id": "x"}))
                while json.loads(await line.recv()).get("re") != "x":
                    pass
            await asyncio.sleep(1)


def _figures(times: list[float]) -> str:
    if not times:
        return "none"
    at = [times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99)]
    middle, p95, p99 = (1000 * one for one in at)
    return (
        f"n {len(times)}, median {middle:.1f}, 95 % {p95:.1f}, 99 % {p99:.1f}, "
        f"max {1000 * times[-1]:.1f} ms"
    )


def main() -> None:
    """Run one of the loads."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("load", choices=["kills", "players", "assisted"])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=3.0, help="seconds from click to click")
    parser.add_argument("--busy", type=int, default=0, help="cores kept busy")
    given = parser.parse_args()
    if given.load == "kills":
        asyncio.run(kills(given.rounds, given.players, given.pause))
    elif given.load == "players":
        asyncio.run(many(given.players, given.seconds, given.pause))
    else:
        asyncio.run(assisted(given.players, given.seconds, given.pause, given.busy))


if __name__ == "__main__":
    main()
