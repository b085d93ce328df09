"""`sapper serve` with several workers, as real processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.sync.client import connect

from sapper.server.http.visitors import SessionIds
from sapper.server.storage.opening import open_postgresql
from sapper.server.storage.postgresql_database import migrate
from sapper.server.storage.store import Store
from support.postgresql import Server, private_server
from support.program import PROGRAM, run_program
from support.redis_server import RedisServer, redis_server
from support.waiting import awaited, until

pytestmark = pytest.mark.slow


class Window:
    """A browser window that reconnects, and counts the answered moves of its game.

    Args:
        url: The server's URL.
        cookie: Its cookie.
    """

    def __init__(self, url: str, cookie: str) -> None:
        self._url, self._cookie = url, cookie
        self._stack = ExitStack()
        self.rows, self._sent = "", 0
        self.connect()

    def connect(self) -> None:
        """Connect, retrying until it succeeds."""
        until(self._try, "a window")

    def _try(self) -> bool:
        self._stack.close()
        with suppress(ConnectionClosed, InvalidHandshake, InvalidMessage, OSError):
            waits: Any = {"open_timeout": 300, "close_timeout": 300, "ping_interval": None}
            headers = {"Cookie": self._cookie}
            opening = connect(self._url, additional_headers=headers, proxy=None, **waits)
            self._line = self._stack.enter_context(opening)
            return self._welcomed(awaited(self._receive, lambda _: True, "a message"))
        return False

    def _welcomed(self, welcome: Any) -> bool:
        if welcome.get("type") != "welcome":
            return False
        self.rows = "".join(welcome["game"]["rows"])
        return True

    def ask(self, kind: str, **fields: Any) -> Any:
        """Send a message and return its answer, or None if the connection is lost."""
        try:
            self._sent += 1
            sign = f"{id(self)}-{self._sent}"
            self._line.send(json.dumps({"type": kind, "id": sign, **fields}))
            return awaited(
                self._receive, lambda told: told.get("re") == sign, f"the answer to {kind!r}"
            )
        except ConnectionClosed:
            return None

    def _receive(self, seconds: float) -> Any:
        return json.loads(self._line.recv(timeout=seconds))

    def wait_until_closed(self) -> None:
        """Read messages until the server closes the connection."""
        with suppress(ConnectionClosed):
            awaited(self._receive, lambda _: False, "the end of the connection")

    def close(self) -> None:
        """Close the window."""
        self._stack.close()


class Member(Window):
    """A room window that reconnects."""

    view: Any

    def _welcomed(self, welcome: Any) -> bool:
        self.view = welcome.get("view")
        return self.view is not None


class Site:
    """A site of two workers.

    Args:
        postgresql: Its database.
        redis: Its Redis server.
        folder: For its log.
    """

    def __init__(self, postgresql: Server, redis: RedisServer, folder: Path) -> None:
        self.postgresql, self.redis = postgresql, redis
        migrate(postgresql.address())
        self._log = folder / "log"
        options = ["--database", postgresql.address(), "--redis", redis.address]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", *options, "--workers", "2", "--port", "0"],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        found = re.search(r":(\d+)/", self.process.stdout.readline())
        assert found is not None, self._log.read_text()
        self._url = f"ws://127.0.0.1:{found[1]}/ws"
        self.web = f"http://127.0.0.1:{found[1]}"
        self._store = Store(open_postgresql(postgresql.address(), lock=False))
        self._ids = SessionIds(self._store.secret())

    def log(self) -> str:
        """Return the site's log so far."""
        return self._log.read_text()

    def workers(self) -> set[int]:
        """Return the process ids of the site's workers."""
        found = set()
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parent = (path / "stat").read_text().rpartition(")")[2].split()[1]
                if int(parent) == self.process.pid:
                    found.add(int(path.name))
        return found

    def window(self, number: int) -> Window:
        """Open a session window."""
        return Window(self._url, self.cookie(number))

    def cookie(self, number: int) -> str:
        """Return a session's cookie."""
        return f"sapper={self._ids.sign(f'{number:024d}')}"

    def member(self, code: str, number: int) -> Member:
        """Open a room window."""
        return Member(f"{self._url}/rooms/{code}", self.cookie(number))

    def owners(self) -> dict[str, str]:
        """Return the owner of each session."""
        with self._store.database.reading() as db:
            return dict(db.execute("SELECT session, worker FROM owners").fetchall())

    def saved(self, number: int) -> int:
        """Return the number of saved actions of a session."""
        saved = self._store.load(f"{number:024d}")
        return 0 if saved is None else len(json.loads(saved.actions))

    def end(self) -> None:
        """Stop the site."""
        self._store.close()
        self.process.terminate()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def running(folder: Path) -> Iterator[Site]:
    """Run a site until the end of the block."""
    with private_server() as postgresql, redis_server() as redis:
        site = Site(postgresql, redis, folder)
        try:
            yield site
        finally:
            site.end()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site of two workers."""
    with running(tmp_path) as made:
        yield made


class Games:
    """Several sessions, each with one window, whose marks are counted.

    Args:
        site: The site.
        count: The number of sessions.
    """

    def __init__(self, site: Site, count: int = 12) -> None:
        self._site = site
        self.windows = [site.window(number) for number in range(count)]
        self._marks = [0] * count
        for window in self.windows:
            window.ask("new", settings={"level": "beginner"}, seed=1)
        self.play()

    def play(self) -> None:
        """Mark or unmark a cell in each game, after reconnecting closed windows."""
        for number, window in enumerate(self.windows):
            while window.ask("mark", cell=[0, self._marks[number] % 9]) is None:
                window.connect()
                # The last mark may have been saved even if it was not answered.
                self._marks[number] = self._site.saved(number)
            self._marks[number] += 1

    def check(self) -> None:
        """Check that each answered mark was saved exactly once."""
        saved = [self._site.saved(number) for number in range(len(self.windows))]
        assert saved == self._marks


def test_players_of_a_killed_worker_continue_at_another_one(site: Site) -> None:
    """Nothing is lost, and the killed worker is replaced."""
    games = Games(site)
    before, owners = site.workers(), set(site.owners().values())
    assert len(before) == 2
    # The system chooses the worker of each connection, so one may have all games.
    assert owners
    for victim in sorted(before):
        os.kill(victim, signal.SIGKILL)
        games.play()
        games.check()
        until(lambda victim=victim: len(site.workers() - {victim}) == 2, "a new worker")  # type: ignore[misc]
    assert not before & site.workers()
    games.play()
    games.check()
    assert not owners & set(site.owners().values())


def test_a_race_continues_when_its_worker_is_killed(site: Site) -> None:
    """Every acknowledged move is kept, and the race clock stops in the meantime."""
    settings = {"level": "9x9:10", "countdown_ms": 0}
    body = {"kind": "race", "settings": settings, "bots": ["novice"]}
    headers = {"Cookie": site.cookie(0)}
    with httpx.Client(trust_env=False, verify=False, timeout=300, headers=headers) as client:
        code = client.post(f"{site.web}/api/rooms", json=body).json()["code"]
    with closing(site.member(code, 0)) as ann, closing(site.member(code, 1)) as bob:
        ann.ask("join")
        bob.ask("join")
        ann.ask("start")
        rows = ann.ask("sync")["view"]["board"]["rows"]
        one, two = [(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "."][:2]
        owner = site.owners()[f"room:{code}"]
        for victim, cell in zip(sorted(site.workers()), (one, two), strict=True):
            assert ann.ask("flag", cell=cell)["cells"] == [[*cell, "F"]]
            last_ms = ann.ask("sync")["now_ms"]
            os.kill(victim, signal.SIGKILL)
            for member in (ann, bob):
                while (answer := member.ask("sync")) is None:
                    member.connect()
                assert answer["view"]["phase"] == "racing"
                assert answer["now_ms"] < last_ms + 60_000
            rows = ann.ask("sync")["view"]["board"]["rows"]
            assert rows[cell[0]][cell[1]] == "F"
            assert bob.ask("flag", cell=cell)["cells"] == [[*cell, "F"]]
            until(lambda victim=victim: len(site.workers() - {victim}) == 2, "a new worker")  # type: ignore[misc]
        assert site.owners()[f"room:{code}"] != owner


def test_a_second_window_follows_the_first_to_another_worker(site: Site) -> None:
    """Whichever workers they are connected to, each window sees the other's moves."""
    for number in range(8):
        with closing(site.window(number)) as first, closing(site.window(number)) as second:
            assert first.ask("mark", cell=[0, 0])["cells"] == [[0, "F"]]
            assert second.ask("mark", cell=[0, 1])["cells"] == [[1, "F"]]
            rows = first.ask("sync")["game"]["rows"]
            assert rows[0].startswith("FF")
            assert second.ask("sync")["game"]["rows"] == rows


def test_a_rolling_restart_shows_a_reconnect_at_most(site: Site) -> None:
    """SIGHUP replaces all workers; SIGTERM saves everything and releases all sessions."""
    games = Games(site)
    before = site.workers()
    site.process.send_signal(signal.SIGHUP)
    while "all workers have been restarted" not in site.log():
        games.play()
    games.play()
    games.check()
    until(lambda: len(site.workers()) == 2, "the old workers to end")
    assert not before & site.workers()
    site.process.terminate()
    assert site.process.wait() == 0
    games.check()
    assert set(site.owners().values()) == {""}


@pytest.mark.parametrize("sign", ["immediate", "redis"])
def test_moves_continue_after_an_outage(site: Site, sign: str) -> None:
    """PostgreSQL and Redis fail and recover."""
    games = Games(site)
    for _ in range(3):
        if sign == "immediate":
            site.postgresql.stop(sign)
            site.postgresql.start()
        else:
            site.redis.kill()
            site.redis.start()
        games.play()
        until(lambda: settled(games), "the changes to be saved")
    assert len(site.workers()) == 2


def settled(games: Games) -> bool:
    """Return whether everything has been saved."""
    with suppress(AssertionError, OSError):
        games.check()
        return True
    return False


def test_workers_end_with_a_killed_supervisor(site: Site) -> None:
    """Before they end, workers save their games and release them."""
    games = Games(site)
    workers = site.workers()
    site.process.kill()
    site.process.wait()
    until(lambda: not any(is_running(pid) for pid in workers), "the workers to end")
    games.check()
    assert set(site.owners().values()) == {""}


def is_running(pid: int) -> bool:
    """Return whether a process is running."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_missing_services_are_named() -> None:
    """Several workers need PostgreSQL and Redis, and both must respond."""
    result = run_program("serve", "--workers", "2")
    assert result.code == 2
    assert "several workers need --database and --redis; --database is missing" in result.err
    address = ("--database", "postgresql://nobody@/x?host=/nowhere")
    result = run_program("serve", *address, "--redis", "unix:///nowhere/x")
    assert result.code == 2
    assert "cannot use Redis" in result.err
    with redis_server() as redis:
        result = run_program("serve", *address, "--redis", redis.address, "--port", "0")
        assert result.code == 2
        assert "cannot use the PostgreSQL database x" in result.err
