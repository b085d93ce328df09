"""Fixtures for all tests."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from pathlib import Path

import pytest

from sapper.position import Position
from sapper.server.storage import postgresql_database
from sapper.server.storage.database import Database
from sapper.server.storage.postgresql_database import PostgresqlDatabase
from sapper.server.storage.sqlite_database import SqliteDatabase
from sapper.solver import Analysis, exact, reference
from support.postgresql import clean_database

ANALYZERS: dict[str, Callable[[Position], Analysis]] = {
    "reference": reference.analyze,
    "native": exact.analyze,
}


@pytest.fixture(params=ANALYZERS, scope="session")
def analyze(request: pytest.FixtureRequest) -> Callable[[Position], Analysis]:
    """Each exact engine in turn, so that every analysis test covers both."""
    return ANALYZERS[request.param]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty saved games database, on each database engine in turn."""
    if request.param == "sqlite":
        made: Database = SqliteDatabase(tmp_path)
    else:
        made = PostgresqlDatabase(clean_database())
    yield made
    made.close()


@pytest.fixture(autouse=True, scope="session")
def _patient_locks() -> Iterator[None]:
    """Give a busy machine enough time to get a database's lock.

    PostgreSQL releases the lock a moment after its connection is closed.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgresql_database, "_LOCK_WAIT", "300s")
        yield


@pytest.fixture(scope="session")
def forking() -> BaseContext:
    """A context that forks worker processes with all modules, which saves half a second each.

    If the system cannot fork, the processes are started as usual.
    """
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["support.forkable"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()
    return context
