"""The declarations of tables, and what follows from them: erasing, exporting, claiming, pruning."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sapper.database.connection import Connection
from sapper.paths import GAMES_FILE
from sapper.server import limits
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.rooms.hosted_room import HostedRoom
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.feature_tables import (
    Erased,
    FeatureTables,
    Schema,
    alias_of,
    anonymized,
)
from sapper.server.storage.people import People
from sapper.server.storage.player_data import PlayerExport, account_json
from sapper.server.storage.rooms import RoomStore
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.schema import SCHEMA, version
from sapper.server.storage.store import Store
from sapper.server.storage.table_rows import content_of, tables
from sapper.server.storage.tournaments import Tournaments
from support.filled_store import Someone, fill_every_table, may_hold_player, traces

# Ids as long as real ones, with the characters that have a meaning in SQL patterns.
ANN = Someone("annA_-" * 4, "acc-ann-1", "Añn", "ann-look")
BOB = Someone("bobB_-" * 4, "acc-bob-2", "Bobñ", "bob-look")
SCHEMA_10 = Path(__file__).parents[3] / "data" / "saved_games_schema_10.sql"


def fill(database: Database) -> None:
    """Fill every table with rows of two people."""
    with database.writing() as db:
        fill_every_table(db, ANN, BOB)
        fill_every_table(db, BOB, ANN)


def all_rows(db: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    return {
        table: sorted(map(tuple, db.execute(f"SELECT * FROM {table}").fetchall()), key=repr)
        for table in tables()
    }


def test_every_table_is_declared_once() -> None:
    """The declared tables are those that the statements create, and their columns exist."""
    names = [table.name for feature in SCHEMA.features for table in feature.tables]
    assert Counter(names) == Counter(tables().keys())
    for table in SCHEMA.tables.values():
        columns = {column.name for column in tables()[table.name]}
        declared = {*table.player, *table.account, *table.mentions}
        assert declared | ({table.game} if table.game else set()) <= columns


def test_every_column_that_holds_a_player_is_declared(tmp_path: Path) -> None:
    """Columns are found by their name, and by the ids in them in a filled database."""
    with Store(tmp_path) as store:
        fill(store.database)
        with store.database.reading() as db:
            found = {
                place.split(":")[0]
                for one in (ANN, BOB)
                for place in traces(db, one)
                if place.endswith(("session id", "account id"))
            }
    named = {
        f"{table}.{column.name}"
        for table, columns in tables().items()
        for column in columns
        if may_hold_player(table, column.name)
    }
    declared = {
        f"{table.name}.{column}"
        for table in SCHEMA.tables.values()
        for column in (*table.player, *table.account, *table.mentions)
    }
    assert len(found) >= 38
    assert found | named <= declared


def test_every_table_of_players_is_exported_or_says_why_not() -> None:
    """A table with a player's rows has an export, or a reason for having none."""
    for table in SCHEMA.tables.values():
        holds = bool(table.player or table.account or table.mentions)
        assert holds == (table.export is not None or bool(table.not_exported)), table.name


def test_nothing_of_an_erased_player_is_left(database: Database) -> None:
    """No column of any row has an id or name of the player; rows of others stay as they are."""
    fill(database)
    people = People(database)
    with database.reading() as db:
        assert len(traces(db, ANN)) > 50
        before = all_rows(db)
    people.delete(people.find(ANN.account))
    with database.reading() as db:
        assert traces(db, ANN) == []
        after = all_rows(db)
    for table, declared in SCHEMA.tables.items():
        if declared.mentions or table == "removed_players":
            continue
        kept = [row for row in before[table] if not {ANN.session, ANN.account} & set(row)]
        kept = [row for row in kept if f"{ANN.session}-unreadable-0011aabb" not in row]
        assert after[table] == kept
    assert [alias for alias, _ in after["removed_players"]] == [alias_of(ANN.session)]


def test_others_see_a_deleted_player(database: Database) -> None:
    """Rooms, recordings and tournaments keep the others, and can still be loaded."""
    fill(database)
    People(database).delete(People(database).find(ANN.account))
    with database.reading() as db:
        codes = [code for (code,) in db.execute("SELECT code FROM rooms ORDER BY code").fetchall()]
        recordings = [
            json.loads(text)
            for (text,) in db.execute("SELECT recording FROM recordings").fetchall()
        ]
    assert len(codes) == len(recordings) == 2
    for code in codes:
        saved = RoomStore(database).load(code)
        assert saved is not None
        room = HostedRoom.load(saved)
        names = {member.id: member.name for member in room.room.members}
        assert names.pop(BOB.session) == BOB.name
        assert names[alias_of(ANN.session)] == "deleted player"
        arena = Tournaments(database).get(code)
        assert arena is not None
        players = {one.player for one in arena.arena.table()}
        assert players == {BOB.session, alias_of(ANN.session)}
    for recording in recordings:
        names_shown = sorted(member["name"] for member in recording["members"])
        assert names_shown == [BOB.name, "deleted player"]


def test_erasing_a_guest_leaves_nothing(database: Database) -> None:
    """The server erases a player's rows again if it has saved some after the account was erased."""
    with database.writing() as db:
        fill_every_table(db, ANN, BOB)
        for table in SCHEMA.tables.values():
            for column in table.account:
                db.execute(f"DELETE FROM {table.name} WHERE {column} = ?", (ANN.account,))
    Accounts(database).delete_player(ANN.session)
    with database.reading() as db:
        found = [place for place in traces(db, ANN) if "session id" in place]
    assert found == []


def test_damaged_texts_do_not_prevent_erasing(database: Database) -> None:
    """A room, a recording or a tournament that cannot be read is deleted."""
    fill(database)
    with database.writing() as db:
        db.execute("UPDATE rooms SET state = ? WHERE maker = ?", (f"? {ANN.session}", ANN.session))
        db.execute("UPDATE tournaments SET state = ?", (f"? {ANN.session}",))
        db.execute("UPDATE recordings SET recording = ?", (f'"{json.dumps(ANN.name)}',))
    person = People(database).find(ANN.account)
    PlayerExport(database, ANN.session, ANN.account, {}).discard()
    People(database).delete(person)
    with database.reading() as db:
        assert traces(db, ANN) == []


def test_an_export_has_rows_of_every_table(database: Database) -> None:
    """Each exported table is in its file, with all columns but those that name the player."""
    fill(database)
    people = People(database)
    person = people.find(ANN.account)
    account = account_json(person.account, people.details(person))
    export = PlayerExport(database, ANN.session, ANN.account, {"account.json": account})
    while games := export.next_games(10):
        export.add(games, [None] * len(games))
    export.finish()
    with zipfile.ZipFile(export.path) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    export.path.unlink()
    checked = 0
    for table in SCHEMA.tables.values():
        if table.export is None:
            continue
        text = files[table.export.file]
        assert text.strip() not in ("", "{}"), table.name
        if not table.export.own_form:
            rows = json.loads(text)[table.name]
            assert rows, table.name
            checked += 1
            if table.export.rows is None:
                hidden = {*table.player, *table.account}
                columns = [one.name for one in tables()[table.name] if one.name not in hidden]
                assert [list(row) for row in rows] == [columns] * len(rows)
    assert checked > 18
    everything = "".join(files.values())
    assert ANN.session not in everything
    assert BOB.session not in everything


def test_claiming_keeps_every_row(database: Database) -> None:
    """A guest's rows belong to the account, and count for leaderboards from then on."""
    with database.writing() as db:
        fill_every_table(db, ANN, BOB)
        for table in SCHEMA.tables.values():
            for column in table.account:
                db.execute(f"DELETE FROM {table.name} WHERE {column} = ?", (ANN.account,))
        db.execute("DELETE FROM bests")
        before = all_rows(db)
    passkey = NewPasskey(b"\x01", b"key", 0, ())
    name = Name(ANN.name, frozenset({ANN.look}))
    accounts = Accounts(database)
    answered = ("an answer", 2**40)
    account = accounts.claim("new", ANN.session, name, passkey, ("code",), "login", "", answered)
    assert account.player == ANN.session
    with database.reading() as db:
        after = all_rows(db)
    assert after["bests"]
    of_accounts = {table.name for table in SCHEMA.tables.values() if table.account}
    for table_name in tables():
        if table_name not in of_accounts | {"bests", "used_challenges"}:
            assert after[table_name] == before[table_name], table_name


def test_pruning_deletes_all_of_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The running game of the oldest session goes, and what has expired; results stay."""
    monkeypatch.setattr(limits, "SESSIONS_STORED", 1)
    with Store(tmp_path) as store:
        with store.transaction() as db:
            fill_every_table(db, ANN, BOB)
            db.execute("DELETE FROM sessions WHERE id <> ?", (ANN.session,))
            db.execute("INSERT INTO sessions VALUES ('newer', 9, '{}', NULL)")
            db.execute("INSERT INTO removed_players VALUES ('deleted-1', 5)")
            db.execute("UPDATE account_names SET until_ms = 7 WHERE look <> ?", (ANN.look,))
        store.commit([])
        with store.database.reading() as db:
            rows = all_rows(db)
    pruned = [table for table in SCHEMA.tables.values() if table.is_pruned]
    assert len(pruned) == 3
    for table in pruned:
        [column] = table.player
        at = [one.name for one in tables()[table.name]].index(column)
        assert ANN.session not in [row[at] for row in rows[table.name]]
    assert rows["removed_players"] == []
    assert rows["account_names"] == [(ANN.look, ANN.account, None)]
    assert rows["games"]
    assert rows["dailies"]


def test_a_file_of_schema_10_opens_with_nothing_lost(tmp_path: Path) -> None:
    """A store of an earlier version keeps all rows of all tables."""
    with closing(sqlite3.connect(tmp_path / GAMES_FILE)) as old:
        old.executescript(SCHEMA_10.read_text("utf-8"))
        names = old.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        before = {
            name: sorted(old.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
            for (name,) in names
        }
    assert len(before) > 35
    assert all(before.values())
    with Store(tmp_path) as store, store.database.reading() as db:
        after = all_rows(db)
        assert store.secret() == bytes(range(32))
        [found] = db.execute("PRAGMA user_version").fetchone()
    assert found == version() > 10
    # The ids of erased players were not needed after the restart.
    assert after.pop("removed_players") == []
    del before["removed_players"]
    # Later versions add columns at the end.
    width = {name: len(rows[0]) for name, rows in before.items()}
    kept = {name: [row[: width[name]] for row in after[name]] for name in before}
    assert {name: sorted(rows, key=repr) for name, rows in kept.items()} == before


def test_names_in_a_room_are_only_replaced_where_they_are_names() -> None:
    """A player who is called like a kind of room does not damage the room."""
    room = {
        "kind": "race",
        "members": [{"id": "me", "name": "race"}, {"id": "you", "name": "flags"}],
        "host": "race",
        "places": {"me": 1, "you": 2},
        "events": [[0, "join", "me", "race", False], [1, "start", "me"]],
    }
    alias = alias_of("me")
    assert anonymized(room, Erased("me", name="race")) == {
        "kind": "race",
        "members": [{"id": alias, "name": "deleted player"}, {"id": "you", "name": "flags"}],
        "host": "deleted player",
        "places": {alias: 1, "you": 2},
        "events": [[0, "join", alias, "deleted player", False], [1, "start", alias]],
    }


def test_the_content_of_a_database_covers_every_table(database: Database) -> None:
    """Backups and copies to another database take all tables that are declared."""
    with database.reading() as db:
        assert set(content_of(db)) == set(SCHEMA.tables)


def test_a_result_that_cannot_be_recorded_does_not_stop_the_room(database: Database) -> None:
    """The other features still record it, and writes before the error are undone."""
    ended = RoundEnded("r", "race", "expert", True, 5, {"ann": 1}, {})

    def broken(db: Connection, ended: RoundEnded) -> None:
        db.execute("INSERT INTO rated_rounds (id, finished_ms) VALUES ('broken', 1)")
        raise ValueError("a damaged tournament")

    def works(db: Connection, ended: RoundEnded) -> None:
        db.execute("INSERT INTO rated_rounds (id, finished_ms) VALUES (?, 1)", (ended.id,))

    schema = Schema(FeatureTables({}, (), on_round=each) for each in (broken, works))
    with database.writing() as db:
        schema.round_ended(db, ended)
    with database.reading() as db:
        assert [tuple(row) for row in db.execute("SELECT id FROM rated_rounds").fetchall()] == [
            ("r",)
        ]
