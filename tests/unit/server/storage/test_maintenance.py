"""Backup, restore, copy, check and migration of whole databases, on both engines."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from sapper.coach.practice import Practice
from sapper.coach.trainer import Answer, Mistake, MistakeSet, Question, Training
from sapper.errors import BadSave, BadSetting, SapperError
from sapper.history import PatternCount
from sapper.history.pattern_figures import save_pattern_counts
from sapper.history.tables import row_of
from sapper.paths import state_dir
from sapper.position import Position
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Identity, NewPasskey
from sapper.server.storage import schema
from sapper.server.storage.announcements import Announcements
from sapper.server.storage.database import Database
from sapper.server.storage.day_results import DayResult
from sapper.server.storage.maintenance import backup, check, copy, drill, migrate, restore
from sapper.server.storage.network_bans import NetworkBans
from sapper.server.storage.opening import open_postgresql
from sapper.server.storage.operator_log import OperatorLog
from sapper.server.storage.people import People
from sapper.server.storage.rooms import Ended, RoomChange, RoomStore, Whole
from sapper.server.storage.schema import version
from sapper.server.storage.sqlite_database import SqliteDatabase
from sapper.server.storage.store import Change, Store
from sapper.server.storage.table_rows import Content, content_of, tables
from sapper.topology import Cell
from support.histories import made_up
from support.later_schema import later_schema
from support.postgresql import brief_lock_wait, clean_database
from support.program import sapper
from support.standings import fill_standings

ME = "m" * 24
OLD = Path(__file__).parents[3] / "data" / "saved_games_1.0.0.sqlite3"
ENGINES = ["sqlite", "postgresql"]


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give the test its own folder."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))


@contextmanager
def refused() -> Iterator[None]:
    """Expect a refusal because a server is running."""
    with brief_lock_wait(), pytest.raises(SapperError, match="another Sapper server"):
        yield


def place(engine: str) -> str | None:
    """Return the URL of an engine's empty database; None stands for the SQLite file."""
    return None if engine == "sqlite" else clean_database()


@contextmanager
def opened(address: str | None) -> Iterator[Database]:
    """Open a database as a server does."""
    made: Database = SqliteDatabase(state_dir()) if address is None else open_postgresql(address)
    try:
        yield made
    finally:
        made.close()


def content(address: str | None) -> dict[str, Content]:
    """Return the whole content of a database."""
    with opened(address) as database, database.reading() as db:
        return content_of(db)


def fill(address: str | None) -> dict[str, Content]:
    """Add rows to every table, and return the content."""
    with opened(address) as database, Store(database) as store:
        store.secret()
        records = [made_up(number) for number in range(40)]
        records[3] = replace(records[3], player="Zoë % ?", risk=1 / 3)
        result = DayResult("2026-11-25", True, 61.25, 100, 120, None)
        actions = tuple(["open", 0, col, col / 3] for col in range(1200))
        store.commit([Change(ME, "{}", "{1}", 0, actions, tuple(records))])
        starts = (("n" * 24, "2026-11-24"),)
        store.commit([Change("n" * 24, "{}", None, 0, (), (), ((result, "{}"),), starts)])
        store.history.of(ME).add_replays([(b"\x00\xff", row_of(made_up(41)))])
        training = Training(store.transaction)
        training.answer(ME, training.puzzle(ME).puzzle.id, Answer())
        position = Position.parse("mines: 2\n....\n1221\n")
        MistakeSet(store.transaction).add(ME, Mistake(Question.SAFE, position, Cell(0, 1), 3), "g")
        practice = Practice(store.transaction)
        for _ in range(2):
            served = practice.next(ME)
            assert served is not None
            practice.answer(ME, served.exercise.id, Answer(), nothing=True)
        practice.next(ME)
        with store.transaction() as db:
            save_pattern_counts(db, ME, "key", [PatternCount("1-1", 2, 1, 900)])
            db.execute("INSERT INTO lessons_done (player, board) VALUES (?, ?)", (ME, "one"))
            db.execute("INSERT INTO owners VALUES (?, ?, ?)", (ME, "worker", 7))
        passkey = NewPasskey(b"\x00\xff", b"key", 0, ("usb", "nfc"))
        name = Name("Zoë", frozenset(("zoë",)))
        answered = ("challenge", 2**40)
        store.accounts.claim("id", ME, name, passkey, ("code",), "login", "Safari, iOS", answered)
        store.accounts.connect("id", Identity("https://provider.example", "Zoë"))
        people = People(database)
        people.ban(people.find("id"), "spam", 2**41)
        with store.transaction() as db:
            db.execute("INSERT INTO removed_players VALUES (?, ?)", ("x" * 24, 1))
        fill_standings(database)
        Announcements(database).add("Hello", 2**40, event_in_ms=5, restart=True)
        OperatorLog(database).add("announce", "Hello")
        NetworkBans(database).ban("203.0.113.0/24", "Spam", None)
        whole, ended = Whole(ME, 5, "{}"), (Ended(1, 2**42, "{}", ((ME, 0),)),)
        RoomStore(database).commit([RoomChange("ABCDEF", 0, True, "{}", whole, ended=ended)])
        RoomStore(database).commit([RoomChange("ABCDEF", 0, events=("[]",))])
        with store.transaction() as db:
            db.execute("INSERT INTO closed_rooms VALUES (?, ?)", ("GHJKLM", 2**41))
    found = content(address)
    assert [table for table in found if not found[table].rows] in ([], ["history_version"])
    return found


def without_versions(found: dict[str, Content]) -> dict[str, Content]:
    """Remove the table that only SQLite files fill."""
    return {table: one for table, one in found.items() if table != "history_version"}


@pytest.mark.parametrize("target", ENGINES)
@pytest.mark.parametrize("source", ENGINES)
def test_a_backup_can_be_restored_to_either_engine(
    source: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All tables have equal counts and content; a server may run during the backup."""
    file = tmp_path / "backup.sqlite3"
    address = place(source)
    before = fill(address)
    with opened(address):
        written = backup(address, file)
    assert written == before
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.glob("backup*")) == ["backup.sqlite3"]
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "other home"))
    to = place(target)
    assert restore(file, to) == written
    assert without_versions(content(to)) == without_versions(before)
    assert check(to).problems == []


@pytest.mark.parametrize("engine", ENGINES)
def test_games_are_replaced_only_with_force(engine: str, tmp_path: Path) -> None:
    """The SQLite file that is replaced is kept next to the new one."""
    address, file = place(engine), tmp_path / "backup.sqlite3"
    before = fill(address)
    backup(address, file)
    with opened(address) as database, Store(database) as store:
        store.history.add(made_up(99))
    with pytest.raises(BadSetting, match="has saved games; --force replaces them"):
        restore(file, address)
    assert content(address) != before
    restore(file, address, force=True)
    assert content(address) == before
    kept = list((tmp_path / "home").glob("play.sqlite3.before-*"))
    assert len(kept) == (engine == "sqlite")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_running_server_is_not_disturbed(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Restoring and migrating need a stopped server; checks and backups do not."""
    address, file = place(engine), tmp_path / "backup.sqlite3"
    fill(address)
    backup(address, file)
    with opened(address) as database, Store(database) as store:
        with refused():
            restore(file, address, force=True)
        assert migrate(address) == (False, version())
        with monkeypatch.context() as patch:
            patch.setattr(schema, "SCHEMA", later_schema("SELECT 1"))
            with refused():
                migrate(address)
        assert check(address).problems == []
        store.commit([Change(ME, "later", None, 1200, (["undo", 1.0],))])
        assert backup(address, file, force=True)["actions"].rows == 1201


def test_a_store_of_version_1_0_0_opens_without_loss(tmp_path: Path) -> None:
    """The old sessions, games, daily board and trainer are complete on both engines."""
    with closing(sqlite3.connect(OLD)) as db:
        names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    assert all(rows[name] for name in ("sessions", "actions", "games", "moves", "dailies"))
    assert all(rows[name] for name in ("trainees", "puzzle_answers", "puzzle_ratings"))
    (tmp_path / "home").mkdir()
    shutil.copy(OLD, tmp_path / "home" / "play.sqlite3")
    with opened(None) as database, Store(database) as store, store.transaction() as db:
        for name in names:
            assert sorted(db.execute(f"SELECT * FROM {name}").fetchall()) == sorted(rows[name])
        key = database.read_key(db)
    sqlite = content(None)
    address = clean_database()
    copied = copy(OLD, address)
    assert without_versions(copied) == without_versions(sqlite)
    assert content(address) == copied
    with opened(address) as database, Store(database) as store:
        assert store.secret() == key
        assert store.history.count() == len(rows["games"])
        for record in store.history.records():
            record.check()


def test_a_copy_needs_stopped_servers(tmp_path: Path) -> None:
    """Games saved after the copy would be lost."""
    fill(None)
    address = clean_database()
    path = tmp_path / "home" / "play.sqlite3"
    with opened(None), refused():
        copy(path, address)
    with opened(address), refused():
        copy(path, address)
    assert copy(path, address)["games"].rows == 41


def test_damaged_values_are_found_and_not_copied(tmp_path: Path) -> None:
    """The message names the table, key and column; the target is unchanged."""
    fill(None)
    path = tmp_path / "home" / "play.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE sessions SET state = x'00' WHERE id = ?", (ME,))
        db.execute("UPDATE games SET bbbv = 'x' WHERE key = ?", (made_up(5).key,))
        db.commit()
    said = f"sessions ('{ME}'): state must be TEXT, got b'\\x00'"
    problems = check(None).problems
    assert problems[0] == said
    assert "bbbv must be INTEGER, got 'x'" in problems[1]
    address = clean_database()
    for use in (lambda: copy(path, address), lambda: backup(None, tmp_path / "backup.sqlite3")):
        with pytest.raises(BadSave) as failed:
            use()
        assert str(failed.value) == said
    assert not (tmp_path / "backup.sqlite3").exists()
    with opened(address) as database, database.reading() as db:
        assert {table: one.rows for table, one in content_of(db).items()} == dict.fromkeys(
            tables(), 0
        )


@pytest.mark.parametrize("engine", ENGINES)
def test_games_without_moves_are_found(engine: str) -> None:
    """A game needs its moves, and moves need their game."""
    address = place(engine)
    fill(address)
    with opened(address) as database, database.writing() as db:
        db.execute("DELETE FROM moves WHERE key = ?", (made_up(1).key,))
        db.execute("DELETE FROM games WHERE key = ?", (made_up(41).key,))
    report = check(address)
    assert report.problems == [
        "1 games without moves",
        "1 moves without a game",
        "1 imported files without a game",
    ]
    assert report.rows["games"] == 40


def test_other_files_are_rejected(tmp_path: Path) -> None:
    """Missing files, files of other kinds, foreign databases and later versions are refused."""
    fill(None)
    before, file = content(None), tmp_path / "file"
    with pytest.raises(FileNotFoundError):
        restore(file, None, force=True)
    file.write_bytes(b"not a database" * 99)
    with pytest.raises(BadSave, match="damaged: file is not a database"):
        restore(file, None, force=True)
    file.unlink()
    sqlite3.connect(file).close()
    with pytest.raises(BadSave, match="has no saved games"):
        restore(file, None, force=True)
    backup(None, file, force=True)
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(BadSetting, match="later version of Sapper"):
        restore(file, None, force=True)
    assert content(None) == before


def test_migrate_reports_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is upgraded only once; opening it creates the tables added in later versions."""
    now = version()
    assert migrate(None) == (True, now)
    assert migrate(None) == (False, now)
    assert migrate(clean_database()) == (False, now)
    script = "CREATE TABLE notes (id TEXT PRIMARY KEY); CREATE INDEX notes_by_id ON notes (id)"
    monkeypatch.setattr(schema, "SCHEMA", later_schema(script, "notes"))
    with pytest.raises(BadSetting, match="of another version: run sapper admin migrate first"):
        check(None)
    assert migrate(None) == (True, now + 1)
    assert check(None).rows["notes"] == 0
    with opened(None) as database, database.writing() as db:
        db.execute("INSERT INTO notes VALUES ('kept')")
    assert content(None)["notes"].rows == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_drill_restores_the_newest_backup(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing changes, and a server may run; damage and the key of another site are noticed."""
    address, folder = place(engine), tmp_path / "backups"
    folder.mkdir()
    with pytest.raises(BadSetting, match="has no backup"):
        drill(folder, address)
    before = fill(address)
    for name in ("2030-01-01", "2030-01-02"):
        backup(address, folder / f"{name}.sqlite3")
    os.utime(folder / "2030-01-01.sqlite3", (5, 5))
    (folder / "notes.txt").write_text("not a backup")
    with opened(address) as database, Store(database) as store:
        store.history.add(made_up(99))
        found = drill(folder, address)
    assert found.file == folder / "2030-01-02.sqlite3"
    assert found.problems == []
    assert found.rows == {table: one.rows for table, one in before.items()}
    assert found.now["games"] == found.rows["games"] + 1
    assert content(address)["games"].rows == found.now["games"]
    newest = folder / "2030-01-02.sqlite3"
    with closing(sqlite3.connect(newest)) as db:
        db.execute("UPDATE meta SET value = ? WHERE name = 'secret'", (bytes(32),))
        db.execute("DELETE FROM moves WHERE owner = ?", (ME,))
        db.commit()
    problems = drill(newest, address).problems
    assert problems[-1] == "the key that signs cookies is another one than today"
    assert problems[0].endswith("games without moves")
    newest.write_bytes(newest.read_bytes()[:5000])
    with pytest.raises(BadSave, match="damaged"):
        drill(folder, address)
    if engine == "sqlite":
        monkeypatch.setenv("SAPPER_DATABASE", "")
        done = sapper("admin", "drill", str(folder / "2030-01-01.sqlite3"))
        assert (done.code, done.err) == (0, "")
        assert "can be restored" in done.out
        assert done.out.endswith("No problems found.\n")
