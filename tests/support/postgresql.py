"""A PostgreSQL server for tests, in a separate folder, started when it is first used.

All processes of a test run share one server. The first process that needs it starts it; the process
that began the run stops it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from support.not_installed import not_installed

__all__ = [
    "Server",
    "brief_lock_wait",
    "clean_database",
    "private_server",
    "shared_folder",
    "stop_shared",
]

_VARIABLE: Final = "SAPPER_TEST_POSTGRESQL"
_DEBIAN: Final = Path("/usr/lib/postgresql")
_OPTIONS: Final = {
    "listen_addresses": "",
    "unix_socket_permissions": "0777",
    # Do not sync to disk: tests stop the server, but the machine keeps running.
    "fsync": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "autovacuum": "off",
}


def _programs() -> Path:
    """Return the folder of the newest installed PostgreSQL, or skip the test."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    folders = sorted(_DEBIAN.glob("*/bin"), key=lambda path: float(path.parent.name))
    if not folders:
        pytest.skip(not_installed("initdb"))
    return folders[-1]


class Server:
    """A PostgreSQL server that listens on a socket in its folder.

    Args:
        folder: Its folder, which is created.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # PostgreSQL refuses to run as root.
        self._user = "postgres" if sys.platform != "win32" and os.geteuid() == 0 else None

    def start(self) -> None:
        """Start the server, creating its files first if there are none."""
        if not (self.folder / "data").exists():
            self.folder.mkdir(exist_ok=True)
            self.folder.chmod(0o755)
            if self._user is not None:
                shutil.chown(self.folder, self._user)
            self._run("initdb", "--auth=trust", "--username=tests", "--no-sync", "--encoding=UTF8")
        options = [f"-c {name}={value}" for name, value in _OPTIONS.items()]
        socket = f"-k {self.folder}"
        self._run("pg_ctl", "start", "-w", "-l", "log", "-o", " ".join([socket, *options]))

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server as if it had crashed."""
        if (self.folder / "data" / "postmaster.pid").exists():
            self._run("pg_ctl", "stop", "-w", "-m", mode)

    def address(self, name: str = "postgres") -> str:
        """Return the address of one of its databases."""
        return f"postgresql://tests@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(_programs() / program), "-D", "data", *arguments]
        # The server inherits pg_ctl's output, which would keep a pipe open.
        with (self.folder / "output").open("ab") as output:
            result = subprocess.run(
                command, cwd=self.folder, user=self._user, stdout=output, stderr=output
            )
        if result.returncode:
            text = (self.folder / "output").read_text("utf-8", "replace")
            raise RuntimeError(f"{program} failed: {text}")


def shared_folder() -> None:
    """Choose the shared server's folder before the processes of the run start."""
    # Use a short path: a socket's path has at most 107 characters.
    os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="sapper-pg-")


def stop_shared() -> None:
    """Stop the shared server if it was started."""
    folder = os.environ.pop(_VARIABLE)
    Server(Path(folder) / "server").stop()
    shutil.rmtree(folder)


def _shared() -> Server:
    import fcntl

    folder = Path(os.environ[_VARIABLE])
    folder.chmod(0o755)
    server = Server(folder / "server")
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (server.folder / "data" / "postmaster.pid").exists():
            server.start()
    return server


def clean_database() -> str:
    """Return the address of this process's database on the shared server, with empty tables."""
    pytest.importorskip("psycopg")
    from sapper.database.postgresql import connect
    from sapper.server.storage.postgresql_database import migrate

    _programs()
    server = _shared()
    name = f"tests_{os.getpid()}"
    with connect(server.address()) as db:
        found = db.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone()
        if found is None:
            db.execute(f"CREATE DATABASE {name}".encode())
    address = server.address(name)
    migrate(address)
    with connect(address) as db:
        tables = db.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' "
            "AND tablename <> 'schema_version'"
        ).fetchall()
        for (table,) in tables:
            db.execute(f"DELETE FROM {table}".encode())
    return address


@contextmanager
def brief_lock_wait() -> Iterator[None]:
    """Wait only a moment for a database's lock that a test expects to be taken."""
    from sapper.server.storage import postgresql_database

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgresql_database, "_LOCK_WAIT", "10ms")
        yield


@contextmanager
def private_server() -> Iterator[Server]:
    """Start a server that a test may stop."""
    pytest.importorskip("psycopg")
    _programs()
    with tempfile.TemporaryDirectory(prefix="sapper-pg-") as folder:
        Path(folder).chmod(0o755)
        server = Server(Path(folder) / "server")
        server.start()
        try:
            yield server
        finally:
            server.stop()
