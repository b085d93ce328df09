"""Runs the web app in a separate process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from sapper.server import bind
from support.waiting import until

# The seeds of new games are derived from the test's name, which is passed in a file.
_START = """
import os, random, secrets, sys, time
from datetime import date
from pathlib import Path
from types import SimpleNamespace

from sapper.cli.play import play
from sapper.cli.serving_options import ServerOptions
from sapper.coach.practice.practice import Practice
from sapper.server import limits
from sapper.server.jobs import process_pool
from sapper.server.session import bot_play, daily
from sapper.server.sso.settings import SsoSettings
from sapper.server.storage import daily_secret

# On a busy machine an answer may take long, but it is not refused, and it gets its share.
process_pool.lower_priority = lambda pid, idle=False: None
bot_play.TIME_LIMIT_S = 300.0
given = [name for name in vars(limits) if name.endswith(("_BUDGET_S", "_TIMEOUT_S"))]
assert len(given) > 9
for name in given:
    setattr(limits, name, 300.0)
port, test = int(sys.argv[1]), Path(sys.argv[2])
drawn = {}


def randbits(bits):
    name = test.read_text("utf-8")
    return drawn.setdefault(name, random.Random(name)).getrandbits(bits)


secrets.randbits = randbits
# Daily games are the same in every run as well.
daily.today = lambda: date.fromisoformat(test.with_name("day.txt").read_text("utf-8"))
daily_secret.secrets = SimpleNamespace(randbits=lambda bits: 0)
# Practice starts at noon, so that no test runs past midnight.
until_noon = 43_200 - time.time() % 86_400
Practice.__init__.__defaults__ = (lambda: time.time() + until_noon,)
sso = SsoSettings(*sys.argv[3:]) if sys.argv[3:] else None
database = os.environ.get("SAPPER_DATABASE")
play(ServerOptions(port=port, database=database, sso=sso), browser=False)
"""


class Server:
    """The web app as ``sapper play`` runs it, which tests can stop and restart.

    Args:
        home: The folder for its files.
        sso: The values of `SsoSettings`, to sign in with a provider.
        env: More environment variables.
    """

    def __init__(self, home: Path, *, sso: Sequence[str] = (), **env: str) -> None:
        self.port, self._reserved = _free_port()
        self.url = f"http://localhost:{self.port}/"
        self.home = str(home)
        home.mkdir(exist_ok=True)
        self._test = home / "test.txt"
        self.seed_from("")
        self.set_day("2026-11-22")
        self.env = {**os.environ, "SAPPER_HOME": self.home, **env}
        self._sso = sso
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._reserved.close()

    def start(self, **env: str) -> None:
        """Start the server with extra environment variables."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(self.port), str(self._test), *self._sso],
            env=self.env | env,
            stdout=subprocess.DEVNULL,
        )
        until(self._answers, "the server")

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "the server ended by itself"
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def seed_from(self, test: str) -> None:
        """Derive the seeds of all later games from the name of a test."""
        _replace(self._test, test)

    def set_day(self, day: str) -> None:
        """Set the current date, as YYYY-MM-DD."""
        _replace(self._test.with_name("day.txt"), day)

    def stop(self, *, kill: bool = False) -> None:
        if self._process is not None:
            self._process.kill() if kill else self._process.terminate()
            self._process.wait(300)
            self._process = None


def _replace(file: Path, text: str) -> None:
    """Replace a file while the server may be reading it."""
    part = file.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(file)


def _free_port() -> tuple[int, socket.socket]:
    """Return a port that the system does not assign, so that a restarted server gets it again.

    The UDP port of the same number stays reserved, so that no other test process takes the port
    while the server is stopped.
    """
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        reserved = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with suppress(OSError):
            reserved.bind(("127.0.0.1", port))
            with bind("localhost", port) as listening:
                is_whole = bool(listening.localhost)
            if is_whole:
                return port, reserved
        reserved.close()
    raise OSError("no free port below 32000")
