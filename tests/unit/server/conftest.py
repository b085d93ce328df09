"""A test server in a thread of this process, and clients that behave like browsers."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from sapper.server import app as server_app
from sapper.server import bind, create_app, limits
from sapper.server.http import site_changes
from sapper.server.http.host_names import LOCAL_HOSTS
from sapper.server.http.networks import NO_NETWORKS, Networks
from sapper.server.http.visitors import SessionIds
from sapper.server.jobs import process_pool
from sapper.server.messages.checking import wrong_in
from sapper.server.messages.outgoing import OUTGOING
from sapper.server.messages.room_outgoing import ROOM_OUTGOING
from sapper.server.run import configure
from sapper.server.session import bot_play
from sapper.server.storage.postgresql_database import PostgresqlDatabase
from sapper.server.storage.store import Store
from sapper.web.assets import Assets
from support.postgresql import clean_database
from support.waiting import BriefAsyncio, awaited


class Player:
    """One browser window, which sends messages and waits for answers."""

    def __init__(self, connection: ClientConnection, kinds: dict[str, Any] = OUTGOING) -> None:
        self._connection, self._kinds = connection, kinds
        self._sent = 0
        self.frames: list[str] = []
        self.welcome = self.next()

    def next(self) -> dict[str, Any]:
        """Return the server's next message."""
        return awaited(self._receive, lambda _: True, "a message")

    def _receive(self, seconds: float) -> dict[str, Any]:
        text = self._connection.recv(timeout=seconds)
        assert isinstance(text, str)
        self.frames.append(text)
        message: dict[str, Any] = json.loads(text)
        assert wrong_in(message, self._kinds[message.get("type", "")]) == []
        return message

    def until(
        self, kind: str, where: Callable[[dict[str, Any]], bool] = lambda _: True
    ) -> dict[str, Any]:
        """Return the next message of a kind, or error, that meets a condition."""
        return awaited(
            self._receive,
            lambda told: told.get("type", "error") == kind and where(told),
            f"{kind!r}",
        )

    def until_closed(self) -> None:
        """Skip all messages until the server closes the window."""
        with suppress(ConnectionClosed):
            awaited(self._receive, lambda _: False, "the end of the connection")

    def send(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message and return its answer."""
        self._sent += 1
        given = f"t-{self._sent}"
        self.raw(json.dumps({"type": kind, "id": given, **fields}))
        return awaited(
            self._receive, lambda told: told.get("re") == given, f"the answer to {kind!r}"
        )

    def raw(self, text: str | bytes) -> None:
        """Send a string unchanged."""
        self._connection.send(text)


class Site:
    """A running server."""

    def __init__(self, port: int, store: Store) -> None:
        self.port, self.store = port, store
        self.ids = SessionIds(store.secret())
        self.url = f"http://127.0.0.1:{port}"

    @contextmanager
    def player(self, session: str = "", **headers: str) -> Iterator[Player]:
        """Return a browser window for this session."""
        with self._window("/ws", session, headers) as connection:
            yield Player(connection)

    @contextmanager
    def member(self, code: str, session: str, **headers: str) -> Iterator[Player]:
        """Return a room window for this session."""
        with self._window(f"/ws/rooms/{code}", session, headers) as connection:
            yield Player(connection, ROOM_OUTGOING)

    @contextmanager
    def _window(
        self, path: str, session: str, headers: dict[str, str]
    ) -> Iterator[ClientConnection]:
        if session:
            headers["Cookie"] = f"sapper={self.ids.sign(session)}"
        url = f"ws://127.0.0.1:{self.port}{path}"
        patient: Any = {"open_timeout": 300, "close_timeout": 300, "ping_interval": None}
        with connect(url, additional_headers=headers, proxy=None, **patient) as connection:
            yield connection

    def post(self, path: str, body: object = None, session: str = "") -> Any:
        """Return the JSON answer to a request; without a body, it is a GET request."""
        cookies = {"sapper": self.ids.sign(session)} if session else {}
        with httpx.Client(trust_env=False, verify=False, timeout=300, cookies=cookies) as client:
            url = f"{self.url}{path}"
            answer = client.get(url) if body is None else client.post(url, json=body)
            return answer.json()


class Uvicorn(uvicorn.Server):
    """A server that starts and stops immediately, whereas the original checks every 0.1 s."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def main_loop(self) -> None:
        self._end = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.ready.set()
        await self.on_tick(0)
        await self._end.wait()

    def end(self) -> None:
        """Stop the server from another thread."""
        self.should_exit = True
        self._loop.call_soon_threadsafe(self._end.set)


@contextmanager
def running(
    store: Store,
    hosts: Iterable[str] | None = LOCAL_HOSTS,
    proxies: Networks = NO_NETWORKS,
    **options: Any,
) -> Iterator[Site]:
    """Run the server until the end of the block."""
    with bind("127.0.0.1", 0) as listening:
        app = create_app(store, hosts, proxies=proxies, **options)
        config = configure(app, proxies)
        # A busy machine may delay a client's next request or ping reply.
        config.timeout_keep_alive, config.ws_ping_timeout = 600, 600.0
        server = Uvicorn(config)
        app.state.connections = server.server_state.connections
        thread = threading.Thread(target=server.run, kwargs={"sockets": list(listening.sockets)})
        thread.start()
        assert server.ready.wait(300)
        try:
            yield Site(listening.port, store)
        finally:
            server.end()
            thread.join()


@pytest.fixture(autouse=True)
def same_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give worker processes normal priority, so that tests need not wait for them."""
    monkeypatch.setattr(process_pool, "lower_priority", lambda pid, idle=False: None)


@pytest.fixture(autouse=True)
def forked_workers(forking: BaseContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the worker processes."""
    monkeypatch.setattr(process_pool, "_SPAWN", forking)


@pytest.fixture(autouse=True)
def no_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the time limits, so that a busy machine rejects no request."""
    given = [name for name in vars(limits) if name.endswith(("_BUDGET_S", "_TIMEOUT_S"))]
    assert len(given) > 9
    for name in given:
        monkeypatch.setattr(limits, name, 600.0)
    monkeypatch.setattr(bot_play, "TIME_LIMIT_S", 600.0)


@pytest.fixture(autouse=True)
def short_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for announcements more often, and shorten the 0.1 s of each shutdown of uvicorn."""
    monkeypatch.setattr(uvicorn.server, "asyncio", BriefAsyncio())
    monkeypatch.setattr(site_changes, "_INTERVAL_S", 0.02)


_ASSETS = cache(Assets)


@pytest.fixture(autouse=True)
def same_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundle the page's scripts once instead of once per server."""
    monkeypatch.setattr(server_app, "Assets", _ASSETS)


@pytest.fixture
def run() -> Callable[..., Any]:
    """Run a server that uses this store."""
    return running


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store in a new folder."""
    with Store(tmp_path) as made:
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store on each database engine in turn, for modules that replace `store` with it."""
    where = PostgresqlDatabase(clean_database()) if request.param == "postgresql" else tmp_path
    with Store(where) as made:
        yield made


@pytest.fixture
def site(store: Store) -> Iterator[Site]:
    """A server that uses that store."""
    with running(store) as made:
        yield made
