"""The saved-games file is moved, deleted or replaced while the server is running."""

from __future__ import annotations

import json
import logging
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from sapper.history import History
from sapper.server.storage.folder_lock import FolderLock
from sapper.server.storage.store import Store
from support.histories import played
from support.marks import sampled, slow
from support.waiting import awaited

ME = "a" * 24


def _remove_file(folder: Path) -> None:
    (folder / "play.sqlite3").unlink()


def _remove_all_files(folder: Path) -> None:
    for part in folder.glob("play.sqlite3*"):
        part.unlink()


def _remove_log(folder: Path) -> None:
    (folder / "play.sqlite3-wal").unlink()


def _move_file(folder: Path) -> None:
    (folder / "play.sqlite3").rename(folder.parent / "moved.sqlite3")


def _restore_backup(folder: Path) -> None:
    """Restore a backup that was made before the last moves."""
    shutil.copy(folder.parent / "backup.sqlite3", folder / "new")
    (folder / "new").replace(folder / "play.sqlite3")


def _empty_file(folder: Path) -> None:
    (folder / "new").touch()
    (folder / "new").replace(folder / "play.sqlite3")


def _remove_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def _move_folder(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))


def _other_server(folder: Path) -> None:
    _move_folder(folder)
    with Store(folder) as other:
        other.secret()


def _garbage(folder: Path) -> None:
    (folder / "new").write_bytes(b"something else" * 100)
    (folder / "new").replace(folder / "play.sqlite3")


def _create_folder(folder: Path) -> None:
    folder.mkdir()


def _move_folder_back(folder: Path) -> None:
    folder.with_name("elsewhere").rename(folder)


def _clear_folder(folder: Path) -> None:
    _remove_all_files(folder)


_AT_ONCE = [
    _remove_file,
    _remove_all_files,
    _remove_log,
    _move_file,
    _restore_backup,
    _empty_file,
]
"""Failures while the folder exists, so that nothing is only in memory."""

_LATER: list[tuple[Callable[[Path], None], Callable[[Path], None], str]] = [
    (_remove_folder, _create_folder, "the saved games folder was moved or removed"),
    (_move_folder, _create_folder, "the saved games folder was moved or removed"),
    (_move_folder, _move_folder_back, "the saved games folder was moved or removed"),
    (_other_server, _clear_folder, "another file has replaced the saved games file"),
    (_garbage, _clear_folder, "another file has replaced the saved games file"),
]
"""Failures of saving, each with its repair and the message on the page in between."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which a server may write."""
    return tmp_path / "state"


def _begin(store: Store, player: Any, folder: Path) -> None:
    """Play a few moves, with a game in the history and a backup of the file."""
    store.history.of(ME).add(played(1))
    player.send("new", settings={"level": "beginner", "rules": "classic"}, seed=1)
    player.send("mark", cell=[0, 0])
    with closing(sqlite3.connect(folder / "play.sqlite3")) as db, db:
        backup = sqlite3.connect(folder.parent / "backup.sqlite3")
        db.backup(backup)
        backup.close()
    player.send("mark", cell=[0, 1])


def _statuses(site: Any, folder: Path) -> list[int]:
    """Request pages that read and write the file; return their statuses."""
    cookie = {"Cookie": f"sapper={site.ids.sign(ME)}"}
    line = json.dumps(played(2).to_json())
    with httpx.Client(
        base_url=site.url, trust_env=False, verify=False, timeout=300, headers=cookie
    ) as client:
        return [
            client.get("/").status_code,
            client.get("/api/history/statistics").status_code,
            client.get("/api/history/games").status_code,
            client.get("/api/history/export").status_code,
            client.get(f"/api/history/games/{played(1).key}").status_code,
            client.get("/api/learn").status_code,
            client.post("/api/learn/puzzle", content="{}").status_code,
            client.get("/api/runs").status_code,
            client.post("/api/history/import", content=line).status_code,
        ]


def _check(folder: Path, actions: int) -> None:
    """Check that the next server finds all moves in the file."""
    with Store(folder) as store:
        saved = store.load(ME)
        assert saved is not None
        assert len(json.loads(saved.actions)) == actions
        assert store.history.of(ME).get(played(1).key) is not None


def _no_tracebacks(caplog: pytest.LogCaptureFixture) -> bool:
    return not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("happens", sampled(_AT_ONCE, 2))
def test_missing_file_is_rewritten(
    folder: Path,
    run: Callable[[Store], Any],
    happens: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The next move or request writes all content again, and no player sees an error."""
    with Store(folder) as store:
        with run(store) as site, site.player(ME) as player:
            _begin(store, player, folder)
            happens(folder)
            player.frames.clear()
            player.send("mark", cell=[0, 2])
            assert [json.loads(text)["type"] for text in player.frames] == ["delta"]
            with closing(sqlite3.connect(folder / "play.sqlite3")) as db, db:
                assert db.execute("SELECT count(*) FROM actions").fetchone() == (3,)
            assert set(_statuses(site, folder)) == {200}
        assert store.settle()
    assert _no_tracebacks(caplog)
    _check(folder, 3)


@pytest.mark.parametrize(("happens", "repair", "said"), _LATER)
def test_server_without_its_folder_continues_in_memory(
    folder: Path,
    run: Callable[[Store], Any],
    happens: Callable[[Path], None],
    repair: Callable[[Path], None],
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Every page, even in a new window, reports the missing folder until saving works again."""
    with Store(folder) as store:
        with run(store) as site, site.player(ME) as player:
            _begin(store, player, folder)
            happens(folder)
            player.frames.clear()
            player.send("mark", cell=[0, 2])
            told = [json.loads(text) for text in player.frames]
            assert [message["type"] for message in told] == ["saving", "delta"]
            assert told[0]["problem"] == said
            with site.player(ME) as late:
                assert late.until("saving")["problem"] == said
            assert set(_statuses(site, folder)) == {200}
            repair(folder)
            assert player.until("saving")["problem"] is None
            player.send("mark", cell=[0, 3])
        assert store.settle()
    assert _no_tracebacks(caplog)
    _check(folder, 4)


def test_moved_file_is_complete(folder: Path) -> None:
    """The moved file contains everything saved before, even without the log that stayed behind."""
    with Store(folder) as store:
        store.history.of(ME).add(played(1))
        _move_file(folder)
        store.history.of(ME).add(played(2))
    with History(folder.parent / "moved.sqlite3", ME) as history:
        assert history.count() == 1


def test_recreated_folder_may_belong_to_another_server(folder: Path) -> None:
    """The first server does not write into a folder that another one uses, and says why."""
    with Store(folder) as store:
        _move_folder(folder)
        folder.mkdir()
        other = FolderLock(folder)
        assert not store.settle()
        assert store.problem == "another Sapper server is using the saved games folder"
        other.release()
        assert store.settle()


def test_erased_games_stay_erased_after_a_rewrite(folder: Path) -> None:
    """Games may be erased before or after the file is lost."""
    with Store(folder) as store:
        history = store.history.of(ME)
        history.add_all([played(1), played(2)])
        _move_folder(folder)
        assert history.erase() == 2
        _create_folder(folder)
        assert store.settle()
    with Store(folder) as store:
        assert store.history.count() == 0


_SAPPER = [sys.executable, "-c", "from sapper.cli import main; main()", "play", "--no-browser"]


@pytest.mark.parametrize(
    "happens", [_remove_file, slow(_remove_folder), slow(_move_folder), slow(_garbage)]
)
def test_shutdown_report_is_correct(
    folder: Path, happens: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing folder is created at shutdown; another server's file is left alone."""
    monkeypatch.setenv("SAPPER_HOME", str(folder))
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*_SAPPER, "--port", "0"], **pipes) as program:
        assert program.stdout is not None
        found = re.search(r"http://localhost:\d+/", program.stdout.readline())
        assert found is not None
        url = f"{found[0].replace('http', 'ws')}ws"
        with connect(url, proxy=None, open_timeout=300) as window:
            window.recv(timeout=300)
            for cell in ([0, 0], [0, 1]):
                window.send(json.dumps({"type": "mark", "cell": cell}))
                awaited(
                    lambda seconds: json.loads(window.recv(timeout=seconds)),
                    lambda told: told["type"] == "delta",
                    "the changed cell",
                )
                if cell == [0, 0]:
                    happens(folder)
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=300)
    assert "Traceback" not in errors
    if happens is _garbage:
        assert "Running games could not be saved." in errors
        return
    assert "Running games are saved." in errors
    with closing(sqlite3.connect(folder / "play.sqlite3")) as db, db:
        assert db.execute("SELECT count(*) FROM actions").fetchone() == (2,)


def test_a_disk_error_is_logged_in_one_line(
    folder: Path, run: Callable[[Store], Any], caplog: pytest.LogCaptureFixture
) -> None:
    """URLs that need the file report the disk error rather than an internal one."""
    caplog.set_level(logging.INFO)
    with (
        Store(folder) as store,
        run(store) as site,
        closing(sqlite3.connect(folder / "play.sqlite3")) as other,
    ):
        store._database.db.execute("PRAGMA busy_timeout = 1")
        other.execute("BEGIN IMMEDIATE")
        cookie = {"Cookie": f"sapper={site.ids.sign(ME)}"}
        answer = httpx.get(
            f"{site.url}/api/learn", headers=cookie, trust_env=False, verify=False, timeout=300
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store_failed")
        other.rollback()
    assert _no_tracebacks(caplog)
