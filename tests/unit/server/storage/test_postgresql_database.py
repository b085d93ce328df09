"""Saved games in PostgreSQL: one server at a time, interruptions, and addresses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sapper.database.connection import DatabaseFailed
from sapper.database.postgresql import connect, is_address, place_of, translated
from sapper.errors import BadSetting
from sapper.server.storage import save_queue, schema
from sapper.server.storage.postgresql_database import (
    DatabaseInUse,
    PostgresqlDatabase,
    migrate,
)
from sapper.server.storage.save_queue import SaveQueue
from sapper.server.storage.store import Change, Store
from support.later_schema import later_schema
from support.postgresql import Server, brief_lock_wait, clean_database, private_server
from support.waiting import Turn, until

ME, OTHER = "p" * 24, "q" * 24


@pytest.fixture
def address() -> str:
    """The address of a database whose tables are empty."""
    return clean_database()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that the test may stop."""
    with private_server() as made:
        migrate(made.address())
        yield made


@pytest.fixture
def store(server: Server) -> Iterator[Store]:
    """A store on that server, shared by a whole site."""
    with Store(PostgresqlDatabase(server.address())) as made:
        yield made


def change(number: int) -> Change:
    """Return the change that one action makes."""
    return Change(ME, str(number), "{}" if number == 0 else None, number, (["open", 0, number, 0],))


def test_a_game_is_played_and_continued(site: Any, store: Store) -> None:
    """A browser plays, sees its history and trainer, and finds its running game again."""
    with site.player(ME) as player:
        player.send("new", settings={"level": "9x9:0", "rules": "classic"})
        won = player.send("open", cell=[4, 4])["event"]
        player.send("new", settings={"level": "expert", "rules": "classic"})
        player.send("open", cell=[8, 15])
    saved = store.load(ME)
    assert saved is not None
    assert '["open",8,15,' in saved.actions
    cookies = {"sapper": site.ids.sign(ME)}
    with httpx.Client(
        base_url=site.url, cookies=cookies, trust_env=False, verify=False, timeout=300
    ) as client:
        games = client.get("/api/history/games").json()
        assert [game["id"] for game in games["games"]] == [won["game"]]
        assert client.get("/api/history/statistics").status_code == 200
        assert client.post("/api/learn/puzzle", json={}).status_code == 200
        assert client.get("/readyz").status_code == 200


def test_answers_are_sent_after_their_moves_are_saved(site: Any, server: Server) -> None:
    """Another connection sees every answered move."""
    with site.player("s" * 24) as player, connect(server.address()) as db:
        for number in range(30):
            player.send("mark", cell=[number % 9, number // 9])
            [count] = db.execute(
                "SELECT count(*) FROM actions WHERE session = %s", ("s" * 24,)
            ).fetchall()
            assert count == (number + 1,)


def test_a_second_server_is_rejected(address: str) -> None:
    """The database is available again once the first server has closed it."""
    with Store(PostgresqlDatabase(address)), brief_lock_wait(), pytest.raises(DatabaseInUse):
        PostgresqlDatabase(address)
    PostgresqlDatabase(address).close()


def test_a_server_that_lost_the_lock_cannot_write(address: str) -> None:
    """If its connection ends and another server takes over, its changes are refused."""
    with Store(PostgresqlDatabase(address)) as store:
        store.commit([change(0)])
        with connect(address) as db:
            db.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        with Store(PostgresqlDatabase(address)) as other:
            taken = "another Sapper server uses this database"
            with brief_lock_wait(), pytest.raises(DatabaseFailed, match=taken):
                store.commit([change(1)])
            saved = other.load(ME)
            assert saved is not None
            assert saved.state == "0"
        store.commit([change(1)])


@pytest.mark.slow
def test_a_restart_loses_nothing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """While PostgreSQL is down, commits are refused with a reason; later, all of them are saved."""
    monkeypatch.setattr(save_queue, "_FIRST_PAUSE_S", 0.0)
    monkeypatch.setattr(save_queue, "_LONGEST_PAUSE_S", 0.0)
    recovered: list[bool] = []

    async def scenario(store: Store) -> None:
        queue = SaveQueue(store, lambda: recovered.append(True))
        task = asyncio.ensure_future(queue.run())
        for number in range(0, 30, 3):
            ticket = queue.add(change(number))
            await ticket.wait()
            assert ticket.problem is None
            server.stop("immediate")
            refused = queue.add(change(number + 1))
            await refused.wait()
            assert refused.problem == "the database is not available"
            late = queue.add(change(number + 2))
            assert late.settled
            server.start()
            while queue.problem is not None:
                await Turn()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert queue.finish()

    with Store(PostgresqlDatabase(server.address())) as store:
        asyncio.run(scenario(store))
        saved = store.load(ME)
    assert saved is not None
    assert saved.actions.count("open") == 30
    assert len(recovered) == 10


def test_readers_recover_at_once(server: Server) -> None:
    """After a restart, the first read and the first commit both work."""
    with Store(PostgresqlDatabase(server.address())) as store:
        store.commit([change(0)])
        assert store.load(ME) is not None
        server.stop("immediate")
        for use in (lambda: store.load(ME), store.probe):
            with pytest.raises(DatabaseFailed) as failed:
                use()
            assert failed.value.why == "the database is not available"
        server.start()
        assert store.load(ME) is not None
        store.commit([change(1)])


def test_windows_show_the_reason(site: Any, store: Store, server: Server) -> None:
    """While PostgreSQL is down, players are notified once, and the server is not ready."""
    with site.player(OTHER) as player:
        player.send("new", settings={"level": "expert", "rules": "classic"})
        server.stop("immediate")
        player.send("open", cell=[8, 15])
        warned = [text for text in player.frames if "the database is not available" in text]
        assert len(warned) == 1
        ready = httpx.get(f"{site.url}/readyz", trust_env=False, verify=False, timeout=300)
        assert ready.status_code == 503
        server.start()
        until(lambda: "open" in _actions(store), "the move to be saved")


def _actions(store: Store) -> str:
    saved = store.load(OTHER)
    return "" if saved is None else saved.actions


def test_a_closed_database_fails(address: str) -> None:
    """After `close`, both reading and writing fail."""
    database = PostgresqlDatabase(address)
    database.close()
    for use in (database.reading, database.writing):
        with pytest.raises(DatabaseFailed, match="closed"), use():
            pass


def test_migrations_run_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version adds its tables; an older program then refuses the database."""
    assert migrate(address) == []
    now, later = schema.version(), schema.version() + 1
    table = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)"
    script = f"{table}; CREATE INDEX notes_by_text ON notes (text)"
    try:
        with monkeypatch.context() as patch:
            patch.setattr(schema, "SCHEMA", later_schema(script))
            said = f"has schema version {now}, not {later}: run sapper admin migrate first"
            with pytest.raises(BadSetting, match=said):
                PostgresqlDatabase(address)
            assert migrate(address) == [later]
            assert migrate(address) == []
            PostgresqlDatabase(address).close()
        for use in (PostgresqlDatabase, migrate):
            with pytest.raises(BadSetting, match="later version of Sapper"):
                use(address)
    finally:
        with connect(address) as db:
            db.execute("DROP TABLE IF EXISTS notes")
            db.execute("DELETE FROM schema_version WHERE version = %s", (later,))


def test_a_database_without_tables_is_rejected(server: Server) -> None:
    """The message gives the command to run."""
    with connect(server.address()) as db:
        db.execute("CREATE DATABASE bare")
    with pytest.raises(BadSetting, match="no tables yet: run sapper admin migrate first"):
        PostgresqlDatabase(server.address("bare"))


def test_messages_contain_no_password() -> None:
    """The password is not shown for a bad address or a failed connection."""
    pytest.importorskip("psycopg")
    for bad in ("postgresql://ann:s%zzcret@host/db", "postgresql://ann:secret@host/db?port"):
        with pytest.raises(BadSetting) as problem:
            connect(bad)
        assert "cret" not in str(problem.value)
    gone = "postgresql://ann:secret@127.0.0.1:1/games"
    with pytest.raises(DatabaseFailed) as failed:
        connect(gone)
    assert "secret" not in str(failed.value)
    assert place_of(gone) == "the PostgreSQL database games on 127.0.0.1:1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("postgresql://x", True), ("postgres://x", True), ("play.sqlite3", False), ("", False)],
)
def test_addresses_are_recognized(text: str, expected: bool) -> None:
    """Only PostgreSQL addresses are recognised."""
    assert is_address(text) is expected


def test_types_are_translated() -> None:
    """Column types become PostgreSQL's; names that contain a type do not change."""
    made = translated("CREATE TABLE a (INTEGERS INTEGER, b REAL, c BLOB, d TEXT) WITHOUT ROWID;")
    assert re.split(r"[(),;]\s*", made)[1:5] == [
        "INTEGERS BIGINT",
        "b DOUBLE PRECISION",
        "c BYTEA",
        'd TEXT COLLATE "C"',
    ]
