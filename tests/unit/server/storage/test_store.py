"""The saved-games file: its content, and the failures that it survives."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import BadSave
from sapper.history import History, Record
from sapper.server import limits
from sapper.server.run import open_store
from sapper.server.session import saving
from sapper.server.storage import maintenance
from sapper.server.storage.database import Database
from sapper.server.storage.folder_lock import FolderInUse
from sapper.server.storage.schema import FIRST_VERSION, statements
from sapper.server.storage.sqlite_database import SqliteDatabase
from sapper.server.storage.store import Change, Store
from support.histories import made_up
from support.marks import sampled

ME = "a" * 24
EXPERT = ("expert", "classic", "", "safe")


@pytest.fixture
def store(database: Database) -> Iterator[Store]:
    """A store on each database engine in turn."""
    with Store(database) as made:
        yield made


def _columns_of_schema(until: int | None = None) -> dict[str, list[str]]:
    """Return the columns of every table that the server creates, up to a version."""
    with closing(sqlite3.connect(":memory:")) as db:
        for script in statements(until=until).values():
            db.executescript(script)
        return _columns_in(db)


def _columns_in(db: sqlite3.Connection) -> dict[str, list[str]]:
    names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {
        name: [column[1] for column in db.execute(f"PRAGMA table_info({name})")]
        for (name,) in names
    }


def change(session: str = ME, state: str = "{}", **more: object) -> Change:
    """A change to a session; by default, it has no actions."""
    whole: dict[str, object] = {"game": None, "first": 0, "actions": (), **more}
    return Change(session, state, **whole)  # type: ignore[arg-type]


def won(seconds: float, bbbv: int, **about: str) -> Record:
    """A won Expert game; by default, it is one without help."""
    usual = {"level": "expert", "rules": "classic", "bot": "", "helped": "", "player": ""}
    time_ms = round(1000 * seconds)
    made = replace(made_up(time_ms), won=True, time_ms=time_ms, bbbv=bbbv)
    settings: dict[str, Any] = {**usual, **about}
    return replace(made, **settings)


def test_actions_are_appended(store: Store) -> None:
    """A commit only adds new actions; a new game removes those of the previous game."""
    store.commit([change(game="{1}", actions=(["open", 0, 0, 0.5],))])
    store.commit([change(state="{2}", first=1, actions=(["flag", 1, 1, 1.0], ["undo", 1.5]))])
    saved = store.load(ME)
    assert saved is not None
    assert saved[:3] == ("{2}", "{1}", '[["open",0,0,0.5],["flag",1,1,1.0],["undo",1.5]]')
    store.commit([change(game="{3}")])
    saved = store.load(ME)
    assert saved is not None
    assert (saved.game, saved.actions) == ("{3}", "[]")


def test_merged_changes_are_equivalent(tmp_path: Path) -> None:
    """However changes are grouped, the file is the same."""
    changes = [
        change(game="{1}", actions=(["open", 0, 0, 0.5],)),
        change(state="{2}", first=1, actions=(["undo", 1.5],), games=(won(3.0, 9),)),
        change(state="{3}", game="{4}", actions=(["open", 2, 2, 0.25],)),
        change(state="{5}", first=1, actions=(["flag", 0, 1, 0.5],)),
    ]
    found = []
    for cut in range(1, 5):
        with Store(tmp_path / str(cut)) as store:
            for part in (changes[:cut], changes[cut:]):
                merged = None
                for one in part:
                    merged = one if merged is None else merged.then(one)
                store.commit([] if merged is None else [merged])
            found.append(store.load(ME))
    assert found == [found[0]] * 4
    assert found[0] is not None
    assert [win[:2] for win in found[0].bests.wins(EXPERT)] == [(3000, 9)]


def test_best_is_the_fastest_of_its_kind(store: Store) -> None:
    """Players, levels and variants are kept apart, and helped games do not count."""
    for seconds in (80.0, 70.5, 90.0):
        store.commit([change(game="{}", games=(won(seconds, 150),))])
    for what, value in (("level", "beginner"), ("helped", "undo"), ("bot", "exact")):
        store.commit([change(games=(won(1.0, 2, **{what: value}),))])
    store.commit([change("b" * 24, games=(won(2.0, 2),))])
    saved = store.load(ME)
    assert saved is not None
    assert [win[:2] for win in saved.bests.wins(EXPERT)] == [
        (70500, 150),
        (80000, 150),
        (90000, 150),
    ]


def test_existing_history_is_kept(tmp_path: Path) -> None:
    """If the command line created the file before the first server, both share it."""
    with History(tmp_path / "play.sqlite3", ME) as history, Store(tmp_path) as store:
        history.add(won(3.0, 9))
        assert [win[:2] for win in store.bests(ME).wins(EXPERT)] == [(3000, 9)]
        store.commit([change(games=(won(4.0, 9),))])
        assert history.count() == 2


def test_oldest_games_are_deleted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bot games are deleted first; other visitors keep theirs."""
    monkeypatch.setattr(limits, "GAMES_PER_VISITOR", 3)
    bots = tuple(won(seconds, 9, bot="exact") for seconds in (1.0, 2.0))
    own = tuple(won(seconds, 9) for seconds in (3.0, 4.0))
    store._until_pruning = 1
    store.commit([change(games=own + bots), change("b" * 24, games=bots)])
    kept = store.history.of(ME).records()
    assert sorted((game.time_ms, game.bot) for game in kept) == [
        (2000, "exact"),
        (3000, ""),
        (4000, ""),
    ]
    assert store.history.of("b" * 24).count() == 2


@pytest.mark.parametrize(
    "state",
    ["", "[]", "{}", "nonsense", '{"settings": {"level": "huge"}}', '{"settings": 3}'],
)
def test_unreadable_session_is_reported(store: Store, state: str) -> None:
    """The session is kept under another name, where nothing overwrites it."""
    store.commit([change(state=state, game="{}")])
    saved = store.load(ME)
    assert saved is not None
    with pytest.raises(BadSave, match="cannot be read"):
        saving.load(ME, saved)
    name = store.set_aside(ME)
    assert store.load(ME) is None
    kept = store.load(name)
    assert kept is not None
    assert kept.state == state


@pytest.mark.parametrize(
    "damage", [b"not a database" * 100, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_damaged_file_is_set_aside(
    tmp_path: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """The file is kept byte for byte under a name that is logged, and a new one is started."""
    (tmp_path / "play.sqlite3").write_bytes(damage)
    with Store(tmp_path) as store:
        store.commit([change(game="{}")])
        assert store.load(ME) is not None
    [aside] = tmp_path.glob("play.sqlite3.damaged-*[0-9x]")
    assert aside.read_bytes() == damage
    assert str(aside) in caplog.text
    with Store(tmp_path) as store:
        assert store.load(ME) is not None


def test_damaged_page_is_detected(tmp_path: Path) -> None:
    """Damage is found at startup, not when a player needs the page."""
    with Store(tmp_path) as store:
        for i in range(200):
            store.commit([change(f"{i:024}", game="x" * 500)])
    path = tmp_path / "play.sqlite3"
    whole = bytearray(path.read_bytes())
    whole[8192:12288] = b"\xa5" * 4096
    path.write_bytes(whole)
    with Store(tmp_path) as store:
        assert store.load(f"{5:024}") is None
    assert list(tmp_path.glob("play.sqlite3.damaged-*"))


def _store_with_data(folder: Path) -> Path:
    """Create a file with data in most tables; return its path."""
    with Store(folder) as store:
        store.secret()
        store.commit([change(game="{}", actions=(["open", 0, 0, 0.5],), games=(won(3.0, 9),))])
    return folder / "play.sqlite3"


def _columns(path: Path) -> dict[str, list[str]]:
    with closing(sqlite3.connect(path)) as db:
        return _columns_in(db)


def _change_file(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


_TABLES = sorted(_columns_of_schema())


@pytest.mark.parametrize("table", sampled(_TABLES, 8))
def test_a_file_without_a_column_is_set_aside(
    tmp_path: Path, table: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The message names the table and the column, and the key is kept."""
    whole = _store_with_data(tmp_path / "whole")
    columns = _columns(whole)[table]
    with Store(tmp_path / "whole") as store:
        key = store.secret()
    for column in columns:
        folder = tmp_path / column
        folder.mkdir()
        path = Path(shutil.copy(whole, folder))
        others = ", ".join(name for name in columns if name != column) or "1 AS other"
        _change_file(
            path,
            f"CREATE TABLE changed AS SELECT {others} FROM {table}",
            f"DROP TABLE {table}",
            f"ALTER TABLE changed RENAME TO {table}",
        )
        before = path.read_bytes()
        caplog.clear()
        with Store(folder) as store:
            store.commit([change(game="{}")])
            assert store.load(ME) is not None
            assert (store.secret() == key) is (table != "meta")
        [aside] = folder.glob("play.sqlite3.damaged-*[0-9x]")
        assert aside.read_bytes() == before
        assert f"the table {table} has no column {column}" in caplog.text
        assert str(aside) in caplog.text
    assert columns


@pytest.mark.parametrize("table", sorted(_columns_of_schema(FIRST_VERSION)))
def test_a_missing_table_is_created(tmp_path: Path, table: str) -> None:
    """Other tables stay the same, and everything can be saved."""
    path = _store_with_data(tmp_path)
    _change_file(path, f"DROP TABLE {table}")
    with Store(tmp_path) as store:
        assert (store.load(ME) is None) is (table == "sessions")
        assert store.history.of(ME).count() == (table != "games")
        store.secret()
        store.commit([change("b" * 24, game="{}", games=(won(4.0, 9),))])
    assert not list(tmp_path.glob("*.damaged-*"))
    assert _columns(path).keys() == _columns_of_schema().keys()


def test_missing_indexes_are_created(tmp_path: Path) -> None:
    """Indexes contain no data that is not in the tables."""
    path = _store_with_data(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        tables = ", ".join(f"'{table}'" for table in _columns_of_schema(FIRST_VERSION))
        sql = (
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL "
            f"AND tbl_name IN ({tables}) ORDER BY 1"
        )
        names = db.execute(sql).fetchall()
        _change_file(path, *(f"DROP INDEX {name}" for (name,) in names))
        with Store(tmp_path) as store:
            assert store.load(ME) is not None
        assert db.execute(sql).fetchall() == names != []


@pytest.mark.parametrize(
    "statements",
    [
        ["ALTER TABLE meta ADD COLUMN more TEXT"],
        [
            "CREATE TABLE other (id, saved, state, game)",
            "DROP TABLE sessions",
            "ALTER TABLE other RENAME TO sessions",
        ],
        ["DROP TABLE sessions", "CREATE VIEW sessions AS SELECT 1 id, 1 saved, 1 state, 1 game"],
    ],
)
def test_a_file_with_other_columns_is_set_aside(tmp_path: Path, statements: list[str]) -> None:
    """An incompatible file is found before the first move."""
    _change_file(_store_with_data(tmp_path), *statements)
    with Store(tmp_path) as store:
        store.secret()
        store.commit([change(game="{}")])
    assert len(list(tmp_path.glob("play.sqlite3.damaged-*[0-9x]"))) == 1


@pytest.mark.parametrize("value", ["'text'", "x''", "x'00ff'", "5", "-5", "1e300", "99999999999"])
def test_a_file_with_a_damaged_key_is_set_aside(
    tmp_path: Path, value: str, caplog: pytest.LogCaptureFixture
) -> None:
    """With an empty or short key, anybody could sign cookies."""
    _change_file(
        _store_with_data(tmp_path), f"UPDATE meta SET value = {value} WHERE name = 'secret'"
    )
    with Store(tmp_path) as store:
        assert len(store.secret()) == 32
    [aside] = tmp_path.glob("play.sqlite3.damaged-*[0-9x]")
    assert "the key that signs cookies is damaged" in caplog.text
    assert str(aside) in caplog.text


def test_a_missing_key_is_replaced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A message says that browsers lose access to their games, which stay in the file."""
    _change_file(_store_with_data(tmp_path), "DELETE FROM meta")
    with Store(tmp_path) as store:
        assert len(store.secret()) == 32
        assert "the key that signs cookies is missing" in caplog.text
        assert store.load(ME) is not None


def test_truncated_file_is_set_aside(tmp_path: Path) -> None:
    """All data that is left in the file is kept, whichever page it ends at."""
    whole = _store_with_data(tmp_path / "whole").read_bytes()
    for cut in range(1, 10):
        folder = tmp_path / str(cut)
        folder.mkdir()
        left = whole[: len(whole) * cut // 10]
        (folder / "play.sqlite3").write_bytes(left)
        with Store(folder) as store:
            store.commit([change(game="{}")])
        [aside] = folder.glob("play.sqlite3.damaged-*[0-9x]")
        assert aside.read_bytes() == left


@pytest.mark.parametrize("value", ["'x'", "x'ff00'", "-7", "9e300"])
def test_wrong_values_do_not_affect_other_sessions(tmp_path: Path, value: str) -> None:
    """A damaged session is set aside, and damaged days are ignored."""
    path = _store_with_data(tmp_path)
    _change_file(
        path,
        "INSERT INTO dailies VALUES ('a', '2026-11-20', 1, 5.0, 3, 4, NULL, '{}')",
        "INSERT INTO dailies SELECT session, '2026-11-21', won, seconds, bbbv, clicks, helped, game"
        " FROM dailies",
        "INSERT INTO daily_starts (session, day) VALUES ('a', '2026-11-20'), ('a', '2026-11-21')",
        f"UPDATE daily_starts SET day = {value} WHERE day = '2026-11-21'",
        f"UPDATE dailies SET day = {value} WHERE day = '2026-11-21'",
        f"UPDATE sessions SET saved = {value}",
        f"UPDATE actions SET action = {value}",
    )
    with Store(tmp_path) as store:
        assert set(store.dailies("a")) == store.starts("a") == {"2026-11-20"}
        saved = store.load(ME)
        assert saved is not None
        with pytest.raises(BadSave, match="cannot be read"):
            saving.load(ME, saved)
        store.set_aside(ME)
        store.commit([change("b" * 24, game="{}")])
        assert store.load("b" * 24) is not None


def test_an_intact_file_that_was_set_aside_is_noticed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 1.0.0 renames a newer file and begins an empty one; the advice brings it back."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    with Store(tmp_path) as store:
        secret = store.secret()
        store.commit([Change(ME, "{}", "{}", 0, ())])
    aside = tmp_path / "play.sqlite3.damaged-20300131-120000"
    (tmp_path / "play.sqlite3").rename(aside)
    (tmp_path / "play.sqlite3.damaged-20300131-130000").write_bytes(b"really damaged")
    caplog.clear()
    Store(tmp_path).close()
    [line] = caplog.messages
    assert f"has no games, but {aside.name} beside it can be read and has some" in line
    advice = f"sapper admin restore '{aside}' --force"
    assert line.endswith(advice)
    maintenance.restore(aside, None, force=True)
    caplog.clear()
    with Store(tmp_path) as store:
        assert store.load(ME) is not None
        assert store.secret() == secret
    assert caplog.messages == []


def test_second_server_is_rejected(tmp_path: Path) -> None:
    """While the first server runs, a second one names its process and directory in one line."""
    with (
        Store(tmp_path),
        pytest.raises(FolderInUse, match=rf"process \d+.*{re.escape(str(tmp_path))}"),
    ):
        Store(tmp_path)
    Store(tmp_path).close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not delete a locked file")
@pytest.mark.parametrize("again", [False, True])
def test_a_second_server_is_rejected_without_the_lock_file(tmp_path: Path, *, again: bool) -> None:
    """Deleting the lock file, or replacing it with a new one, does not let a second server in."""
    with Store(tmp_path) as store:
        (tmp_path / "play.lock").unlink()
        if again:
            (tmp_path / "play.lock").touch()
        with pytest.raises(FolderInUse, match="process unknown"):
            Store(tmp_path)
        # The first server continues.
        store.commit([Change(ME, "{}", "{}", 0, ())])
        assert store.settle()
    with Store(tmp_path) as later:
        assert later.load(ME) is not None
        assert (tmp_path / "play.lock").read_text() == f"{os.getpid()}\n"


def test_a_killed_server_leaves_no_lock(tmp_path: Path) -> None:
    """The lock is released however its process ends."""
    code = (
        "import os, pathlib, sys; from sapper.server.storage.store import Store; "
        "s = Store(pathlib.Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(FolderInUse, match=f"process {holder.pid}"):
            Store(tmp_path)
        holder.kill()
        holder.wait(300)
        Store(tmp_path).close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")
def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    """Existing files and the log also get mode 600."""
    path = tmp_path / "play.sqlite3"
    path.touch(mode=0o644)
    with Store(tmp_path) as store:
        store.commit([change(game="{}")])
        for part in tmp_path.iterdir():
            assert stat.S_IMODE(part.stat().st_mode) == 0o600, part


def test_clock_jump_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game survives when the clock jumps forty years ahead and back."""
    with Store(tmp_path) as store:
        store.commit([change(game="{}")])
    now = time.time()
    for jump in (40 * 365 * 86_400, -10 * 365 * 86_400):
        monkeypatch.setattr(time, "time", lambda jump=jump: now + jump)
        with Store(tmp_path) as store:
            assert store.load(ME) is not None


def test_oldest_sessions_are_deleted_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions above the limit are deleted with their actions; one that is saved again stays."""
    monkeypatch.setattr(limits, "SESSIONS_STORED", 3)
    monkeypatch.setattr(limits, "SESSIONS_STORED_ON_A_SERVER", 3)
    ids = [f"{i:024}" for i in range(5)]
    for session in (*ids, ids[0]):
        store.commit([change(session, game="{}", actions=(["open", 0, 0, 0.0],))])
    store._until_pruning = 0
    store.commit([])
    assert [store.load(session) is not None for session in ids] == [1, 0, 0, 1, 1]


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    """A batch is saved completely or not at all, and can be retried when there is room."""
    database = SqliteDatabase(tmp_path)
    with Store(database) as store:
        store.commit([change(game="{}", state="before")])
        batch = [change(state="after"), change("b" * 24, game="x" * 100_000)]
        [pages] = database.db.execute("PRAGMA page_count").fetchone()
        database.db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            store.commit(batch)
        assert _state(store) == "before"
        database.db.execute("PRAGMA max_page_count = 100000")
        store.commit(batch)
        assert _state(store) == "after"


def test_a_commit_that_fails_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch is saved completely or not at all, whatever fails in it."""
    store.commit([change(game="{}", state="before")])
    batch = [change(state="after", games=(won(3.0, 9),)), change("b" * 24, game="{}")]
    with monkeypatch.context() as patch:
        patch.setattr(limits, "SESSIONS_STORED", "x")
        patch.setattr(limits, "SESSIONS_STORED_ON_A_SERVER", "x")
        store._until_pruning = 0
        with pytest.raises(TypeError):
            store.commit(batch)
    assert (_state(store), store.load("b" * 24), store.history.count()) == ("before", None, 0)
    store.commit(batch)
    assert (_state(store), store.history.count()) == ("after", 1)


def _state(store: Store) -> str:
    saved = store.load(ME)
    assert saved is not None
    return saved.state


def test_any_text_and_number_is_stored(store: Store) -> None:
    """One player's odd name never prevents others' games from being saved."""
    records = [won(3.0, 9, player=player) for player in ("Ada\0", "% ? %s", "\N{GRINNING FACE}")]
    records.append(replace(won(4.0, 9), bbbv=2**53 - 1, clicks=2**53 - 1, risk=1e15))
    store.commit([change(state="{\0}", game="{}", games=tuple(records))])
    assert store.history.count() == 4
    assert store.history.get(records[1].key) == records[1]
    assert store.history.get(records[3].key) == records[3]


def test_store_without_a_folder_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The warning gives the path and the reason, without a system error number."""
    taken = tmp_path / "taken"
    taken.write_text("not a folder")
    monkeypatch.setenv("SAPPER_HOME", str(taken))
    open_store().close()
    assert f"games are not kept after the end: cannot use '{taken}': file exists" in caplog.text
