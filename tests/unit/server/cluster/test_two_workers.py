"""Two workers of a site, run as two servers in this process, with PostgreSQL and Redis."""

from __future__ import annotations

import asyncio
import http.client
import json
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed

from sapper.server.cluster.bus import LocalBus
from sapper.server.cluster.membership import join
from sapper.server.http.windows import OpenWindows
from sapper.server.rooms import hub
from sapper.server.storage.postgresql_database import PostgresqlDatabase
from sapper.server.storage.rooms import claim_of
from sapper.server.storage.store import Store
from support.postgresql import clean_database
from support.redis_server import RedisServer, redis_server
from support.requests import REQUESTS
from support.waiting import until

ME = "m" * 24


class Workers(NamedTuple):
    """The workers."""

    a: Any
    b: Any


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    """A Redis server for the tests in this module."""
    with redis_server() as server:
        yield server


@contextmanager
def two_workers(run: Any, redis: RedisServer) -> Iterator[Workers]:
    """Run two workers until the end of the block."""
    address = clean_database()
    with ExitStack() as stack:
        sites = []
        for name in ("a", "b"):
            database = PostgresqlDatabase(address, shared=True)
            store = stack.enter_context(Store(database, worker=name))
            sites.append(stack.enter_context(run(store, cluster=join(store, redis.address))))
        yield Workers(*sites)


@pytest.fixture
def workers(run: Any, redis: RedisServer) -> Iterator[Workers]:
    """Two workers."""
    with two_workers(run, redis) as made:
        yield made


def owner(site: Any, session: str = ME) -> str | None:
    """Return the worker that owns a session."""
    with site.store.transaction() as db:
        row = db.execute("SELECT worker FROM owners WHERE session = ?", (session,)).fetchone()
    return None if row is None else row[0]


def post(site: Any, path: str, message: Any, session: str = ME) -> Any:
    """Return the JSON answer to a browser's request."""
    request = urllib.request.Request(
        f"{site.url}{path}",
        None if message is None else json.dumps(message).encode(),
        {"Cookie": f"sapper={site.ids.sign(session)}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=300) as answer:
        return answer.read().decode()


def test_a_window_at_another_worker_sees_the_moves_of_the_first(workers: Workers) -> None:
    """The window is forwarded to the session's owner and can also make moves."""
    with workers.a.player(ME) as first, workers.b.player(ME) as second:
        assert owner(workers.a) == "a"
        turn = first.send("open", cell=[0, 0])["turn"]
        assert second.until("delta")["turn"] == turn
        moved = second.send("mark", cell=[8, 8])
        seen = first.until("delta")
        assert (seen["turn"], seen["cells"]) == (moved["turn"], moved["cells"])
        # Large messages and messages of other kinds are forwarded as well.
        second.send("new", settings={"level": "100x100:1000"})
        assert len("".join(first.until("state")["game"]["rows"])) == 10_000


def test_a_session_follows_its_window(workers: Workers) -> None:
    """If a session has no window at its worker, the worker saves and releases it."""
    with workers.a.player(ME) as player:
        player.send("new", settings={"level": "9x9:60"}, seed=1)
        player.send("mark", cell=[0, 0])
        assert owner(workers.a) == "a"
    until(lambda: moved_to_b(workers), "the closed window")
    assert owner(workers.b) == "b"
    with workers.a.player(ME) as player:
        rows = "".join(player.welcome["game"]["rows"])
        assert (rows[0], rows[80]) == ("F", "F")


def moved_to_b(workers: Workers) -> bool:
    """Mark a cell at the second worker; return whether the session then belongs to it."""
    with workers.b.player(ME) as player:
        rows = "".join(player.welcome["game"]["rows"])
        if rows[80] != "F":
            player.send("mark", cell=[8, 8])
        return owner(workers.b) == "b"


def test_windows_of_a_lost_session_reconnect_and_nothing_is_acknowledged(
    workers: Workers,
) -> None:
    """A worker that lost a session unnoticed can neither save it nor answer."""
    with workers.a.player(ME) as player:
        player.send("open", cell=[0, 0])
        ownership = workers.b.store.ownership
        assert ownership.take(ME, ownership.claim(ME)) is not None
        saved = workers.b.store.load(ME).actions
        with pytest.raises(ConnectionClosed):
            player.send("mark", cell=[8, 8])
        assert workers.b.store.load(ME).actions == saved
    with workers.b.player(ME) as player:
        assert player.send("mark", cell=[8, 8])["turn"] > 0


@pytest.mark.slow
def test_a_request_about_the_game_reaches_its_owner(workers: Workers) -> None:
    """Reviews, replays and takeovers work at either worker."""
    with workers.a.player(ME) as player:
        player.send("new", settings={"level": "9x9:60"}, seed=1)
        moved = (player.send("open", cell=list(divmod(at, 9))) for at in range(81))
        assert any(one.get("status") == "lost" for one in moved)
        lines = post(workers.b, "/api/review", None).splitlines()
        assert len(lines) >= 2
        assert all("error" not in json.loads(line) for line in lines)
        replay = json.loads(post(workers.b, "/api/replay", None))
        assert json.loads(post(workers.b, "/api/replay/take-over?steps=0", replay))["steps"] == 0
        assert player.until("state")["game"]["status"] != "won"
    # If no window is open, the other worker takes over the session itself.
    assert post(workers.b, "/api/replay/take-over?steps=0", replay)
    until(lambda: owner(workers.b) == "b", "the session")


def test_either_worker_reports_the_metrics_of_both(workers: Workers) -> None:
    """Each sample is labelled with the worker's name."""
    parser = pytest.importorskip("prometheus_client.parser")
    with workers.a.player(ME) as player:
        player.send("open", cell=[0, 0])
        for site in workers:
            with urllib.request.urlopen(f"{site.url}/metrics", timeout=300) as answer:
                families = list(parser.text_string_to_metric_families(answer.read().decode()))
            samples = [sample for family in families for sample in family.samples]
            found = {
                sample.labels["worker"]: sample.value
                for sample in samples
                if sample.name == "sapper_moves_total"
            }
            assert found == {"a": 1, "b": 0}
            assert all("worker" in sample.labels for sample in samples)
            assert len({family.name for family in families}) == len(families)


def started(window: Any) -> list[list[int]]:
    """Join a race and start it; return its unopened cells."""
    window.send("join")
    window.send("start")
    rows = window.until("board")["board"]["rows"]
    return [[r, c] for r, row in enumerate(rows) for c, char in enumerate(row) if char == "."]


def made_race(site: Any, **more: int) -> str:
    """Create a race with a bot that starts immediately; return its code."""
    settings = {"level": "9x9:10", "countdown_ms": 0, **more}
    body = {"kind": "race", "settings": settings, "bots": ["novice"]}
    return str(site.post("/api/rooms", body, ME)["code"])


def test_a_room_stays_at_its_owner(workers: Workers) -> None:
    """Windows at another worker are forwarded, even after all windows at the owner have closed."""
    code = made_race(workers.a)
    with workers.b.member(code, "n" * 24) as second:
        with workers.a.member(code, ME) as first:
            cell = started(first)[0]
            second.send("join")
            assert second.send("flag", cell=cell)["cells"] == [[*cell, "F"]]
            first.until("progress")
        assert second.send("flag", cell=cell)["cells"] == [[*cell, "."]]
        assert owner(workers.b, claim_of(code)) == "a"
    assert workers.b.post("/api/rooms")["rooms"] == []


def test_a_room_whose_worker_has_ended_is_adopted(
    run: Any, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its race ends even if nobody returns."""
    monkeypatch.setattr(hub, "_SWEEP_S", 0.0)
    address = clean_database()
    with ExitStack() as stack:

        def worker(name: str) -> Any:
            store = Store(PostgresqlDatabase(address, shared=True), worker=name)
            stack.enter_context(store)
            return run(store, cluster=join(store, redis.address))

        b = stack.enter_context(worker("b"))
        with worker("a") as a:
            code = made_race(a, limit_ms=1_000)
            with a.member(code, ME) as window:
                started(window)
        until(lambda: "error" not in b.post(f"/api/rooms/{code}/recording"), "the end")


def test_a_lost_room_continues_at_its_new_owner(workers: Workers) -> None:
    """Only the owner accepts actions, and the race continues from its last saved state."""
    code = made_race(workers.a)
    with workers.a.member(code, ME) as window:
        one, two = started(window)[:2]
        assert window.send("flag", cell=one)["type"] == "cells"
        ownership = workers.b.store.ownership
        assert ownership.take(claim_of(code), ownership.claim(claim_of(code))) is not None
        with pytest.raises(ConnectionClosed):
            window.send("flag", cell=two)
    with workers.b.member(code, ME) as window:
        view = window.welcome["view"]
        rows = view["board"]["rows"]
        assert (view["phase"], rows[one[0]][one[1]], rows[two[0]][two[1]]) == ("racing", "F", ".")
        assert window.send("flag", cell=one)["cells"] == [[*one, "."]]


@pytest.mark.slow
def test_only_forwarded_windows_notice_that_redis_is_gone(run: Any) -> None:
    """The owner's own windows continue; the others reconnect when Redis is back."""
    with redis_server() as redis, ExitStack() as stack:
        a, b = stack.enter_context(two_workers(run, redis))
        first = stack.enter_context(a.player(ME))
        second = stack.enter_context(b.player(ME))
        first.send("open", cell=[0, 0])
        redis.kill()
        with pytest.raises(ConnectionClosed):
            second.until("nothing")
        assert first.send("mark", cell=[8, 8])["turn"] > 0
        # Sessions of this worker and new sessions do not depend on Redis.
        with b.player("n" * 24) as player:
            assert player.send("open", cell=[0, 0])["turn"] > 0
        with b.player(ME) as refused:
            assert refused.welcome["error"]["code"] == "busy"
        redis.start()

        def is_back() -> bool:
            with b.player(ME) as again:
                return bool(again.welcome.get("type") == "welcome")

        until(is_back, "the forwarded window")


def test_windows_of_a_login_close_at_all_workers() -> None:
    """Windows from other logins and players stay open."""

    async def run() -> None:
        bus = LocalBus()
        one, two = OpenWindows(bus), OpenWindows(bus)
        with (
            one.window("me", "x") as a,
            two.window("me", "x") as b,
            two.window("me", "y") as c,
            two.window("other", "x") as d,
        ):
            await one.close("me", login="x")
            assert [a.is_set(), b.is_set(), c.is_set(), d.is_set()] == [True, True, False, False]
            await one.close("me", other_than="y")
            assert not c.is_set()
            await two.close("me")
            assert c.is_set()
            assert not d.is_set()

    asyncio.run(run())


def test_a_token_of_one_worker_moves_a_visitor_at_another_once(workers: Workers) -> None:
    """The guests' windows are at different workers, and both games are saved before they join."""
    here = "h" * 24
    with workers.a.player(ME) as old, workers.b.player(here) as new:
        old.send("mark", cell=[0, 0])
        old.send("mark", cell=[0, 1])
        new.send("mark", cell=[8, 8])
        token = json.loads(post(workers.a, "/api/move", {}))
        assert json.loads(post(workers.b, "/api/move/arrive", token, here)) == {}
    with workers.a.player(ME) as player:
        assert "".join(player.welcome["game"]["rows"])[:2] == "FF"
    for worker in workers:
        with pytest.raises(HTTPError, match="403"):
            post(worker, "/api/move/arrive", token, here)


def test_every_request_is_answered_by_either_worker(workers: Workers) -> None:
    """Requests about the game in memory are forwarded to the worker that has it."""
    filled = {"key": "x", "me": ME, "other": "o" * 24}
    found: list[dict[str, int]] = [{}, {}]
    with workers.a.player(ME) as player:
        player.send("open", cell=[0, 0])
        for (method, _), requests in REQUESTS.items():
            for path, body in requests:
                url, text = path, "" if body is None else json.dumps(body)
                for name, value in filled.items():
                    url, text = (one.replace(f"{{{name}}}", value) for one in (url, text))
                for site, statuses in zip(workers, found, strict=True):
                    statuses[f"{method} {url} {text}"] = _status(site, method, url, text)
    first, second = found
    assert second == first
    assert [request for request, status in second.items() if status >= 500] == []


def _status(site: Any, method: str, path: str, text: str) -> int:
    headers = {"Cookie": f"sapper={site.ids.sign(ME)}"}
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    try:
        connection.request(method, path, text or None, headers)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()
