"""`sapper admin` and `sapper play --database`: output, exit statuses and messages."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sapper.server.storage.schema import version
from sapper.server.storage.store import Change, Store
from support.histories import made_up
from support.postgresql import clean_database
from support.program import sapper


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of saved games with one session and one game."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    with Store(tmp_path / "home") as store:
        store.commit([Change("a" * 24, "{}", "{}", 0, (), (made_up(1),))])
    return tmp_path / "home"


def test_games_move_from_sqlite_to_postgresql_and_back(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands print each table's row count; an environment variable names the database."""
    address, file = clean_database(), str(tmp_path / "backup.sqlite3")
    assert sapper("admin", "migrate").out == f"Schema version {version()}: nothing to do.\n"
    copied = sapper("admin", "copy", str(home / "play.sqlite3"), address)
    assert copied.code == 0
    lines = dict(line.split() for line in copied.out.splitlines())
    assert (lines["sessions"], lines["games"], lines["moves"]) == ("1", "1", "1")
    monkeypatch.setenv("SAPPER_DATABASE", address)
    # The copy itself is in the log of operators.
    lines["operator_actions"] = "1"
    backup = sapper("admin", "backup", file).out
    assert dict(line.split() for line in backup.splitlines()) == lines
    assert sapper("admin", "check").out == f"{backup}No problems found.\n"
    monkeypatch.delenv("SAPPER_DATABASE")
    refused = sapper("admin", "restore", file)
    said = "sapper: the database has saved games; --force replaces them\n"
    assert (refused.code, refused.out, refused.err) == (2, "", said)
    assert sapper("admin", "restore", file, "--force").out == backup


def test_problems_give_exit_status_1(home: Path) -> None:
    """After the counts, each problem is printed on its own line."""
    with closing(sqlite3.connect(home / "play.sqlite3")) as db:
        db.execute("DELETE FROM moves")
        db.commit()
    found = sapper("admin", "check")
    assert (found.code, found.out.splitlines()[-1]) == (1, "1 games without moves")


@pytest.mark.parametrize("command", [["play", "--no-browser"], ["admin", "check"]])
def test_no_message_contains_the_password(command: list[str]) -> None:
    """Invalid addresses and unreachable servers are reported without the password."""
    pytest.importorskip("psycopg")
    for url, said in [
        ("mysql://ann:secret@host/db", "the address of the database must begin with postgresql://"),
        ("postgresql://ann:sec%zzret@host/db", "the address of the database cannot be read; it"),
        ("postgresql://ann:secret", "the address of the database cannot be read; it"),
        ("postgresql://ann:secret@host/\udcff", "the address of the database cannot be read; it"),
        (
            "postgresql://ann:secret@127.0.0.1:1/games",
            "cannot use the PostgreSQL database games on 127.0.0.1:1: connection failed",
        ),
    ]:
        found = sapper(*command, "--database", url)
        assert (found.code, found.out) == (2, "")
        assert found.err.startswith(f"sapper: {said}")
        assert found.err.count("\n") == 1
        assert "ret" not in found.err.replace("cannot be read", "")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message includes the command that installs the library."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    found = sapper("admin", "check", "--database", "postgresql:///games")
    said = "sapper: PostgreSQL needs psycopg: pip install '.[postgresql]'\n"
    assert (found.code, found.err) == (2, said)


def test_a_missing_file_is_named(home: Path, tmp_path: Path) -> None:
    """A missing database file is reported and not created."""
    (home / "play.sqlite3").unlink()
    for command in (["check"], ["backup", str(tmp_path / "file")]):
        found = sapper("admin", *command)
        assert (found.code, found.out) == (2, "")
        assert found.err.endswith("': no such file or directory\n")
    assert not (home / "play.sqlite3").exists()
    assert not (tmp_path / "file").exists()
