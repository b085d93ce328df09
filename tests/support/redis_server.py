"""A Redis server for tests, which listens on a socket in a separate folder."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.not_installed import not_installed
from support.waiting import until

__all__ = ["RedisServer", "redis_server"]


class RedisServer:
    """A Redis server.

    Args:
        folder: Its folder, whose path is short.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Its address."""
        return f"unix://{self._folder}/redis.sock"

    def start(self) -> None:
        """Start the server without data."""
        socket = self._folder / "redis.sock"
        socket.unlink(missing_ok=True)
        options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            ["redis-server", *options, "--dir", str(self._folder)], stdout=subprocess.DEVNULL
        )
        until(socket.exists, "Redis")

    def kill(self) -> None:
        """Kill the server, which loses all data."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """Start a server, or skip the test if Redis is not installed."""
    pytest.importorskip("redis")
    if shutil.which("redis-server") is None:
        pytest.skip(not_installed("redis-server"))
    with tempfile.TemporaryDirectory(prefix="sapper-redis-") as folder:
        server = RedisServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()
