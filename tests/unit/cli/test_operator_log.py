"""Every command of an operator that changes something is in the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from sapper.cli.admin import app
from sapper.community import ArenaSettings, RaceSettings
from sapper.paths import state_dir
from sapper.server.storage.database import Database
from sapper.server.storage.feature_tables import Erased
from sapper.server.storage.operator_log import OperatorLog
from sapper.server.storage.postgresql_database import PostgresqlDatabase
from sapper.server.storage.schema import SCHEMA
from sapper.server.storage.sqlite_database import SqliteDatabase
from sapper.server.storage.tournaments import Tournaments
from support.filled_store import Someone, fill_every_table
from support.postgresql import clean_database
from support.program import sapper

ANN = Someone("annA_-" * 4, "acc-ann-1", "Ann", "ann-look")
BOB = Someone("bobB_-" * 4, "acc-bob-2", "Bob", "bob-look")
READING = {"announcements", "backup", "check", "drill", "fair-play", "list", "log", "show"}
"""Commands that change nothing; a backup and a drill only read."""
ELSEWHERE = {"copy", "migrate", "recompute", "restore"}
"""Commands for whole databases, which other tests run."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Database]:
    """A database with two people, on each engine in turn, found by the commands."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SUDO_USER", "olga")
    if request.param == "sqlite":
        made: Database = SqliteDatabase(state_dir())
    else:
        monkeypatch.setenv("SAPPER_DATABASE", clean_database())
        made = PostgresqlDatabase(clean_database())
    with made.writing() as db:
        fill_every_table(db, ANN, BOB)
        fill_every_table(db, BOB, ANN)
        db.execute("DELETE FROM operator_actions")
        db.execute("DELETE FROM announcements")
    yield made
    made.close()


def log(*arguments: str) -> list[dict[str, Any]]:
    """Return the log, latest first."""
    found = sapper("admin", "log", "--json", *arguments)
    return [json.loads(line) for line in found.out.splitlines()]


def _commands(group: click.Group) -> Iterator[str]:
    """Yield the names of the commands of a group and of the groups in it."""
    for name, one in group.commands.items():
        if isinstance(one, click.Group):
            yield from _commands(one)
        else:
            yield name


def test_every_change_is_in_the_log(database: Database, tmp_path: Path) -> None:
    """With the operator, the account and the reason; a change that fails is not."""
    assert sapper("admin", "log").code == 1
    target = tmp_path / "ann.zip"
    tournaments = Tournaments(database)
    cup = tournaments.create(ANN.session, ArenaSettings("Rude", RaceSettings("beginner")))
    for one in (ANN, BOB):
        tournaments.join(cup, one.session)
    with database.writing() as db:
        db.execute("INSERT INTO rooms VALUES ('K7MPQ2', 'me', 1, 0, '{}', '{}')")
    commands = [
        ("people", "ban", "Ann", "--reason", "Offensive name"),
        ("people", "unban", "Ann"),
        ("people", "rename", "Ann", "Anna"),
        ("people", "export", "Anna", str(target)),
        ("entries", "withdraw", "link-50", "--reason", "a bot"),
        ("entries", "restore", "link-50"),
        ("announce", "Hello"),
        ("withdraw",),
        ("networks", "ban", "203.0.113.9/24", "--reason", "Spam"),
        ("networks", "unban", "203.0.113.0/24"),
        ("tournaments", "rename", cup.lower(), "  Friday  cup"),
        ("tournaments", "release", cup, "Bob"),
        ("tournaments", "remove", cup, "Bob", "--reason", "Cheating"),
        ("tournaments", "end", cup, "--reason", "Broken"),
        ("rooms", "delete", "k7mpq2", "--reason", "Abuse"),
        ("people", "delete", "Bob", "--yes"),
    ]
    seen = []
    for command in commands:
        done = sapper("admin", *command)
        assert (done.code, done.err) == (0, ""), command
        seen.append(log("--limit", "1")[0])
    assert [one["operator"] for one in seen] == ["olga"] * len(commands)
    assert [(one["action"], one["name"]) for one in seen] == [
        ("people ban", "Ann"),
        ("people unban", "Ann"),
        ("people rename", "Anna"),
        ("people export", "Anna"),
        ("entries withdraw", "Anna"),
        ("entries restore", "Anna"),
        ("announce", ""),
        ("withdraw", ""),
        ("networks ban", ""),
        ("networks unban", ""),
        ("tournaments rename", ""),
        ("tournaments release", "Bob"),
        ("tournaments remove", "Bob"),
        ("tournaments end", ""),
        ("rooms delete", ""),
        ("people delete", "deleted player"),
    ]
    assert seen[0]["detail"] == "until it is unbanned: Offensive name"
    assert seen[2]["detail"] == "from Ann"
    assert seen[4]["detail"] == "link-50: a bot"
    assert seen[6]["detail"].endswith("Hello")
    assert seen[8]["detail"] == "203.0.113.0/24 until it is unbanned: Spam"
    assert seen[9]["detail"] == "203.0.113.0/24"
    assert seen[10]["detail"] == f"{cup}: Friday cup"
    assert seen[14]["detail"] == "K7MPQ2: Abuse"
    found = tournaments.get(cup)
    assert found is not None
    assert (found.arena.settings.name, found.arena.is_over) == ("Friday cup", True)
    assert [one.player for one in found.arena.table()] == [ANN.session]
    for command in (
        ("people", "unban", "Anna"),
        ("entries", "restore", "no"),
        ("networks", "unban", "203.0.113.0/24"),
    ):
        assert sapper("admin", *command).code == 1
    assert len(log()) == len(commands)
    for command in (
        ("tournaments", "end", cup, "--reason", "again"),
        ("tournaments", "rename", "NOSUCH", "Cup"),
        ("tournaments", "rename", cup, ""),
        ("rooms", "delete", "K7MPQ2", "--reason", "again"),
        ("rooms", "delete", "?", "--reason", "no code"),
    ):
        assert sapper("admin", *command).code == 2, command
    assert len(log()) == len(commands)
    lines = sapper("admin", "log", "--limit", "2").out.splitlines()
    assert len(lines) == 2
    names = {name for command in commands for name in command[:2]}
    known = names | READING | ELSEWHERE
    assert set(_commands(app)) <= known


def test_an_erased_player_leaves_only_that_something_happened(database: Database) -> None:
    """The name and the reason are gone, the action is not."""
    OperatorLog(database).add("people ban", "Ann is rude", account=ANN.account, name=ANN.name)
    with database.writing() as db:
        SCHEMA.erase(db, Erased(ANN.session, ANN.account, ANN.name, 5))
    [action] = OperatorLog(database).latest(5)
    assert (action.action, action.name, action.detail) == ("people ban", "deleted player", "")


def test_a_restore_is_in_the_restored_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of the backup comes back with it."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    assert sapper("admin", "migrate").code == 0
    assert sapper("admin", "announce", "Hello").code == 0
    file = str(tmp_path / "backup")
    assert sapper("admin", "backup", file).code == 0
    assert sapper("admin", "restore", file, "--force").code == 0
    assert [one["action"] for one in log()] == ["restore", "announce"]
    assert log()[0]["detail"] == f"from {file}"
