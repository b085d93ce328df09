"""A server in a separate process, and players, for the load tests in ``benchmarks/server.py``."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from sapper import Position, analyze
from sapper.database.connection import Connection
from sapper.history import History

__all__ = [
    "BotGames",
    "HeavyGame",
    "OtherWork",
    "Player",
    "Server",
    "Starter",
    "busy_cores",
    "figures",
    "megabytes_of_children",
    "open_window",
    "quantile",
    "sent_actions",
    "session_of",
]

_BUSY = "while True: pass"
_OPENS_S = 300.0
"""How long a connection may take: on a busy machine longer than the ten seconds of the library."""
# Imports everything once, then forks a server for each ``PORT HOME`` line, so starts are instant.
_FORKS = """
import os, signal, sys
from sapper.cli.play import play
try:
    from sapper.cli.serving_options import ServerOptions
except ImportError:
    # Older versions take the options as separate arguments.
    ServerOptions = None
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while line := sys.stdin.readline():
    port, home = line.rstrip().split(" ", 1)
    pid = os.fork()
    if not pid:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.environ["SAPPER_HOME"] = home
        sys.stdout = open(os.devnull, "w")
        url = os.environ.get("SAPPER_DATABASE")
        if ServerOptions is None:
            play("127.0.0.1", int(port), False, **({"database": url} if url else {}))
        else:
            play(ServerOptions(port=int(port), database=url), browser=False)
        os._exit(0)
    print(pid, flush=True)
"""


class Starter:
    """Starts servers, each in a separate process.

    Args:
        errors: A file for the servers' stderr (default: show it).
        python: The interpreter of the environment in which the servers' version is installed.
    """

    def __init__(self, errors: Path | None = None, python: str = sys.executable) -> None:
        self._errors = errors
        # A path given for this version does not apply to another one.
        own = python == sys.executable
        environ = {name: x for name, x in os.environ.items() if own or name != "PYTHONPATH"}
        with errors.open("wb") if errors else nullcontext() as stderr:
            self._process = subprocess.Popen(
                [python, "-c", _FORKS],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                env=environ,
            )

    def errors(self) -> str:
        """Return the servers' stderr, if it is kept."""
        return self._errors.read_text() if self._errors else ""

    def start(self, port: int, home: Path) -> int:
        """Start a server; return its process id."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(port, home, file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def __enter__(self) -> Starter:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


def _private_kilobytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def megabytes_of_children(pid: int, levels: int = 100) -> float:
    """Return the resident memory of a process's descendants, without shared pages.

    Args:
        pid: The process.
        levels: Number of generations to count.
    """
    kb, level = 0.0, {pid: 0}
    for child in sorted(int(path.name) for path in Path("/proc").glob("[0-9]*")):
        with suppress(OSError):
            text = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[1]
            if (parent := int(text)) in level and level[parent] < levels:
                level[child] = level[parent] + 1
                kb += _private_kilobytes(child)
    return kb / 1024


class Server:
    """A running server."""

    def __init__(self, starter: Starter, home: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.home = home
        self.pid = starter.start(self.port, home)
        deadline = time.monotonic() + 300
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                break
            if time.monotonic() > deadline:
                raise SystemExit("the server did not start")
            time.sleep(0.01)

    def cookie(self) -> str:
        """Return a cookie for a new session."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/") as page:
            return str(page.headers["Set-Cookie"]).partition(";")[0]

    def megabytes(self) -> float:
        """Return the resident memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def megabytes_of_workers(self) -> float:
        """Return the resident memory of the server's processes, without shared pages."""
        return megabytes_of_children(self.pid)

    def used(self) -> tuple[float, float, float]:
        """Return the seconds its threads ran, its event loop ran, and its event loop waited.

        Worker processes do not count. Waiting means waiting for a processor, not for messages.
        """
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        ran, waited, _ = map(int, Path(f"/proc/{self.pid}/schedstat").read_text().split())
        everything = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
        return everything, ran / 1e9, waited / 1e9

    def used_by_all(self) -> float:
        """Return the seconds that its process and all child processes have run."""
        ticks, found = 0, {self.pid}
        for pid in sorted(int(path.name) for path in Path("/proc").glob("[0-9]*")):
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                if pid in found or int(fields[1]) in found:
                    found.add(pid)
                    # These times include those of child processes that have exited.
                    ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server."""
        os.kill(self.pid, how)
        with suppress(ProcessLookupError):
            while True:
                os.kill(self.pid, 0)
                time.sleep(0.005)


def session_of(cookie: str) -> str:
    """Return the session id in a cookie."""
    return cookie.partition("=")[2].partition(".")[0]


def open_window(port: int, cookie: str) -> connect:
    """Connect as a session's window does."""
    return connect(
        f"ws://127.0.0.1:{port}/ws",
        additional_headers={"Cookie": cookie},
        compression=None,
        proxy=None,
        open_timeout=_OPENS_S,
        max_size=2**23,
    )


class Player:
    """A window that plays at random and records the acknowledged actions.

    Args:
        cookie: Its session cookie.
        level: The level to play.
        seed: The seed of its choices.
        points: The number of pointer-path points per move.
        thinks: Whether the window computes the chances itself, as the page does.
    """

    def __init__(
        self, cookie: str, level: str, seed: int, points: int, *, thinks: bool = False
    ) -> None:
        self.cookie, self.level, self._points = cookie, level, points
        self._thinks = thinks
        self.random = random.Random(seed)
        self.seed = -1
        self.acknowledged: list[list[Any]] = []
        self.total = 0
        self.finished: dict[str, tuple[bool, str]] = {}
        self.answer_s: list[float] = []
        self.overlay_s: list[float] = []
        self.problems: list[Any] = []
        self._sent = 0
        self._cells: list[str] = []
        self._width, self._mines = 1, None
        self._safe: set[int] = set()

    @property
    def session(self) -> str:
        """The session id."""
        return session_of(self.cookie)

    async def play(self, port: int, pause_s: float, *, assisted: bool = False) -> None:
        """Play until the server goes away or the task is cancelled."""
        while not self.total:
            await self._play(port, pause_s, assisted)
            # A busy server may refuse the connection, or exit before it is established.
            await asyncio.sleep(1.0)

    async def _play(self, port: int, pause_s: float, assisted: bool) -> None:
        with suppress(ConnectionClosed, InvalidHandshake, OSError):
            async with open_window(port, self.cookie) as line:
                if assisted:
                    await self._ask(line, type="assist", mode="assisted", overlay="chances")
                if self._thinks:
                    await line.send(json.dumps({"type": "thinking", "here": True}))
                await self._new(line)
                # Spread the players' starts over time.
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
        while True:
            told = await self._ask(line, type="new", settings={"level": self.level}, seed=seed)
            if told.get("error", {}).get("code") == "too_slow":
                # The server continues with it and sends the board when it is done.
                while "game" not in (told := await self._next(line)):
                    pass
            if "game" in told:
                break
            await self._listen(line, 1.0)
        self.seed, self.acknowledged = seed, []
        self._safe = set()

    async def _move(self, line: ClientConnection, assisted: bool) -> bool:
        """Open or mark a cell; return whether the game is over."""
        width = self._width
        unopened = [i for i, char in enumerate(self._cells) if char == "."]
        safe = [i for i in sorted(self._safe) if self._cells[i] == "."]
        index = self.random.choice(safe or unopened or [0])
        kind = "mark" if not safe and self.random.random() < 0.5 else "open"
        started = time.perf_counter()
        cell = divmod(index, width)
        path = self._path()
        told = await self._ask(line, type=kind, cell=list(cell), **path)
        if "turn" not in told:
            return True
        self.answer_s.append(time.perf_counter() - started)
        self.total += 1
        if told["event"].get("tried") in ("open", "mark"):
            self.acknowledged.append([kind, *cell, *path.values()])
        over = told["status"] in ("won", "lost")
        if over and "game" in told["event"]:
            won = told["status"] == "won"
            # Store this as text, which the garbage collector ignores.
            self.finished[told["event"]["game"]] = won, json.dumps(self.acknowledged)
        if self._thinks and told["status"] == "playing":
            self._safe = self._proved()
        elif assisted and not over and told["status"] == "playing":
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

    def _proved(self) -> set[int]:
        """Return the cells that are proved safe."""
        text, width = "".join(self._cells), self._width
        rows = [text[at : at + width] for at in range(0, len(text), width)]
        position = Position.from_json({"rows": rows, "mines": self._mines}).without_flags()
        return set(analyze(position).safe_indices)

    def _path(self) -> dict[str, list[int]]:
        """Return a path that wanders over the first four cells of the first row."""
        if not self._points:
            return {}
        steps = [n for _ in range(self._points - 1) for n in (40, self.random.choice([-1, 1]), 0)]
        return {"pointer": [40 * self._points, 32, 8, *steps]}

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
        # A refused new game leaves the board that the connection began with.
        if "rows" in (game := message.get("game") or {}):
            self._cells = list("".join(game["rows"]))
            self._width, self._mines = game["width"], game["mines"]
        for index, char in message.get("cells", []):
            self._cells[index] = char
        if message.get("type") == "saving":
            self.problems.append(message)
        return message

    async def _listen(self, line: ClientConnection, seconds: float) -> None:
        """Read the messages that arrive in the background."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                while True:
                    await self._next(line)

    def lost(self, db: Connection) -> int:
        """Return how many acknowledged actions are missing from the database."""
        row = db.execute("SELECT game FROM sessions WHERE id = ?", (self.session,)).fetchone()
        if self.seed < 0:
            return 0
        if row is None or json.loads(row[0])["seed"] != self.seed:
            # The restarted game was not acknowledged, so stop here.
            begun = row is not None and len(self.acknowledged) > 0
            return 0 if begun and self._unanswered_new(db) else len(self.acknowledged)
        rows = db.execute(
            "SELECT action FROM actions WHERE session = ? ORDER BY number", (self.session,)
        )
        saved = sent_actions([json.loads(text) for (text,) in rows])
        return sum(i >= len(saved) or saved[i] != one for i, one in enumerate(self.acknowledged))

    def lost_games(self, history: History) -> int:
        """Count acknowledged games missing or with other moves in the history, and extra games.

        One unacknowledged game is allowed: its last move may have been saved just before the kill.
        """
        saved = {record.key: record for record in history.of(self.session).records()}
        wrong = max(0, len(saved) - len(self.finished) - 1)
        for key, (won, actions) in self.finished.items():
            record = saved.get(key)
            saved_actions = record and json.dumps(sent_actions(record.moves["actions"]))
            whole = record and record.won == won and saved_actions == actions
            wrong += not whole
        return wrong

    def _unanswered_new(self, db: Connection) -> bool:
        count = db.execute(
            "SELECT count(*) FROM actions WHERE session = ?", (self.session,)
        ).fetchone()
        return bool(count[0] == 0)


def sent_actions(actions: list[list[Any]]) -> list[list[Any]]:
    """Return saved actions as they were sent, without their times."""
    kinds = {"open": "open", "flag": "mark"}
    return [[kinds.get(kind, kind), row, col, *path] for kind, row, col, _, *path in actions]


class BotGames:
    """A window in which a bot plays games one after another at full speed.

    Args:
        cookie: Its session cookie.
        bot: The bot's name.
        level: The level to play.
    """

    def __init__(self, cookie: str, bot: str, level: str) -> None:
        self.cookie, self._bot, self._level = cookie, bot, level
        self.ended: dict[str, bool] = {}
        self.actions = 0
        self.problems: list[Any] = []

    @property
    def session(self) -> str:
        """The session id."""
        return session_of(self.cookie)

    async def play(self, port: int) -> None:
        """Watch until cancelled."""
        messages: list[dict[str, Any]] = [
            {"type": "assist", "mode": "automatic"},
            {"type": "new", "settings": {"level": self._level}},
            {"type": "automatic", "bot": self._bot, "delay_ms": 0, "loop": True, "do": "play"},
        ]
        async with open_window(port, self.cookie) as line:
            for message in messages:
                await line.send(json.dumps({**message, "id": "x"}))
            while True:
                told = json.loads(await line.recv())
                event = told.get("event") or {}
                self.actions += "tried" in event
                if told.get("status") in ("won", "lost") and "game" in event:
                    self.ended[event["game"]] = told["status"] == "won"
                if "error" in told or (told.get("automatic") or {}).get("problem"):
                    self.problems.append(told)

    def wrong_games(self, history: History) -> int:
        """Count games missing from the history, with another result there, or recorded too often.

        One unreported game is allowed: it may have ended just before the window was closed.
        """
        saved = {record.key: record.won for record in history.of(self.session).records()}
        wrong = sum(saved.get(key) is not won for key, won in self.ended.items())
        return wrong + max(0, len(saved) - len(self.ended) - 1)


_PAUSE_S = 1.0
"""Between two heavy rounds."""


class HeavyGame:
    """A player who, while switched on, keeps the server busy for seconds with every click.

    Args:
        what: ``deal`` deals large no-guess boards; ``judge`` continues a large shared position
            under kaboom rules. Both request the chances.
    """

    def __init__(self, what: str) -> None:
        rows = ["." * 100 if row % 3 else ".." + ".2" * 49 for row in range(100)]
        chances = {"type": "assist", "mode": "assisted", "overlay": "chances"}
        begin: dict[str, Any] = {
            "deal": {"type": "new", "settings": {"level": "100x100:2200", "rules": "no-guess"}},
            "judge": {
                "type": "position",
                "position": {"rows": rows, "mines": 2500},
                "rules": "kaboom",
            },
        }[what]
        click = {"type": "open", "cell": [50, 50] if what == "deal" else [0, 0]}
        self._messages = [json.dumps({**one, "id": "x"}) for one in (chances, begin, click)]
        self.on, self.off = asyncio.Event(), asyncio.Event()
        self.off.set()
        self.answered = 0
        self.refused: Counter[str] = Counter()

    async def play(self, server: Server) -> None:
        """Play until cancelled; check between rounds whether the player is switched off."""
        cookie = await asyncio.to_thread(server.cookie)
        async with open_window(server.port, cookie) as line:
            while True:
                if not self.on.is_set():
                    self.off.set()
                    await self.on.wait()
                for message in self._messages:
                    await line.send(message)
                    # Do not parse these messages: it would slow down the players, who are timed in
                    # this process.
                    while '"re":"x"' not in (told := str(await line.recv())):
                        pass
                    self.answered += 1
                    if '"error"' in told[:20]:
                        self.refused[json.loads(told)["error"]["code"]] += 1
                await asyncio.sleep(_PAUSE_S)

    def start(self) -> None:
        """Switch it on."""
        self.off.clear()
        self.on.set()

    async def stop(self) -> None:
        """Switch the player off, and wait for the answer to its last message."""
        self.on.clear()
        await self.off.wait()


class OtherWork:
    """Processor time used by other programs on this machine, in seconds per second.

    This process and its child processes do not count.
    """

    def __init__(self) -> None:
        self._before = self._now()

    def take(self) -> float:
        """Return the average since the last call."""
        (at, all_s, own_s), self._before = self._before, self._now()
        now, now_all_s, now_own_s = self._before
        return max(0.0, (now_all_s - all_s) - (now_own_s - own_s)) / (now - at)

    def _now(self) -> tuple[float, float, float]:
        ticks = os.sysconf("SC_CLK_TCK")
        # user, nice, system, then idle and iowait, then irq and softirq
        numbers = list(map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:8]))
        used = sum(numbers[:3]) + sum(numbers[5:])
        parents, times = {}, {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                pid = int(stat.parent.name)
                parents[pid] = int(fields[1])
                # These times include those of child processes that have exited.
                times[pid] = sum(map(int, fields[11:15]))
        own = {os.getpid()}
        while more := {pid for pid, parent in parents.items() if parent in own} - own:
            own |= more
        return time.monotonic(), used / ticks, sum(times[pid] for pid in own) / ticks


@contextmanager
def busy_cores(cores: int) -> Iterator[None]:
    """Keep some cores busy with other processes."""
    burning = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(cores)]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def figures(times: Sequence[float]) -> str:
    """Format the number, quantiles and maximum of some times."""
    if not times:
        return "none"
    middle, p95, p99 = (1000 * quantile(times, share) for share in (0.5, 0.95, 0.99))
    return (
        f"n {len(times)}, median {middle:.1f}, 95 % {p95:.1f}, 99 % {p99:.1f}, "
        f"max {1000 * max(times):.1f} ms"
    )


def quantile(times: Sequence[float], share: float) -> float:
    """Return the quantile of the times at this share."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]
