"""Commands never replace a file that they should not."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sapper._util.whole_file import Existing, check_target, written_whole
from sapper.errors import BadSetting
from sapper.paths import state_dir
from sapper.server.storage.store import Store
from support.program import sapper

CONTENT = {
    "svg": b"<svg/>",
    "png": b"\x89PNG\r\n",
    "pdf": b"%PDF-1.7",
    "html": b"<!doctype html>",
    "parquet": b"PAR1",
    "zip": b"PK\x03\x04",
}


def refusal(*arguments: str) -> str:
    """Run a command that must be refused, and return its message."""
    result = sapper(*arguments)
    assert (result.code, result.out) == (2, "")
    message: str = result.err
    return message


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a store that no server uses."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    with Store(state_dir()) as made:
        made.secret()
    return state_dir() / "play.sqlite3"


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("how", ["store", "log", "lock", "link", "hidden"])
def test_a_backup_never_replaces_the_store(
    store: Path, tmp_path: Path, how: str, *, force: bool
) -> None:
    """Neither the file of saved games, its log and its lock, nor a link to one of them."""
    with closing(sqlite3.connect(store)) as db:
        # Another connection keeps the log.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("INSERT INTO meta VALUES ('kept', x'00')")
        db.commit()
        targets = {
            "store": store,
            "log": store.with_name("play.sqlite3-wal"),
            "lock": store.with_name("play.lock"),
            "link": tmp_path / "link.sqlite3",
            "hidden": store.parent / ".." / "home" / "play.sqlite3",
        }
        if how == "link":
            if sys.platform == "win32":
                pytest.skip("links need a privilege")
            targets["link"].symlink_to(store)
        before = targets[how].read_bytes()
        assert before or how == "lock"
        flags = ["--force"] if force else []
        message = refusal("admin", "backup", str(targets[how]), *flags)
        assert "is a file of saved games, which is never overwritten" in message
        assert targets[how].read_bytes() == before


def test_a_backup_replaces_a_file_only_with_force(store: Path, tmp_path: Path) -> None:
    """A text file, an older backup and the target of a link are kept."""
    assert store.exists()
    text, backup, link = (tmp_path / name for name in ("notes.txt", "old.sqlite3", "link"))
    text.write_text("notes")
    assert sapper("admin", "backup", str(backup)).code == 0
    old = backup.read_bytes()
    targets = [text, backup]
    if sys.platform != "win32":
        link.symlink_to(text)
        targets.append(link)
    for target in targets:
        said = f"sapper: {str(target)!r} exists; use --force to overwrite it\n"
        assert refusal("admin", "backup", str(target)) == said
    assert (text.read_text(), backup.read_bytes()) == ("notes", old)
    assert sapper("admin", "backup", str(text), "--force").code == 0
    assert text.read_bytes().startswith(b"SQLite format 3")
    assert not list(tmp_path.glob(".*"))


def test_another_servers_store_is_never_replaced(store: Path, tmp_path: Path) -> None:
    """A folder with a lock belongs to a server, even if this process does not know it."""
    other = tmp_path / "other"
    with Store(other) as made:
        made.secret()
    assert store.exists()
    message = refusal("admin", "backup", str(other / "play.sqlite3"), "--force")
    assert "never overwritten" in message


@pytest.mark.parametrize("old", CONTENT)
@pytest.mark.parametrize("new", CONTENT)
def test_a_picture_replaces_only_one_of_its_kind(tmp_path: Path, old: str, new: str) -> None:
    """A plot can be drawn again, but does not replace anything else."""
    target = tmp_path / "file"
    target.write_bytes(CONTENT[old])
    if old == new:
        with written_whole(target) as made:
            made.write_bytes(CONTENT[new] + b" again")
        assert target.read_bytes() == CONTENT[new] + b" again"
        return
    with pytest.raises(BadSetting, match="exists and is no"), written_whole(target) as made:
        made.write_bytes(CONTENT[new])
    assert target.read_bytes() == CONTENT[old]
    assert os.listdir(tmp_path) == ["file"]


def test_a_file_that_appears_in_the_meantime_is_kept(tmp_path: Path) -> None:
    """The check is repeated before the file takes its place."""
    target = tmp_path / "file"

    def write() -> None:
        with written_whole(target, Existing.REFUSE) as made:
            made.write_text("new")
            target.write_text("other")

    with pytest.raises(BadSetting, match="exists; use --force"):
        write()
    assert target.read_text() == "other"


@pytest.mark.parametrize(
    "command",
    [
        ("analyze", "-", "--svg"),
        ("lab", "run", "--bot", "exact", "-n", "1", "--plot"),
        ("history", "export"),
        ("admin", "backup"),
        ("admin", "fair-play", "--html"),
    ],
)
def test_no_command_replaces_a_text_file(
    command: tuple[str, ...], store: Path, tmp_path: Path
) -> None:
    """Every command that writes a file named by the user keeps what is there."""
    assert store.exists()
    target = tmp_path / "thesis.png"
    target.write_text("important")
    result = sapper(*command, str(target), stdin="...\n121\n")
    assert result.code != 0 or command[1] == "fair-play"
    assert "exists" in result.err
    assert target.read_text() == "important"


def test_kinds_are_checked_before_the_work(tmp_path: Path) -> None:
    """A plot that cannot be written is refused before any game is played."""
    target = tmp_path / "plot.png"
    target.write_text("important")
    with pytest.raises(BadSetting, match="is no PNG file"):
        check_target(target, kind="PNG")
