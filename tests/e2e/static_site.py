"""The game as static files, on a web host that tests can stop; and tests that run on it as well."""

from __future__ import annotations

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from sapper.server.session.game_settings import local_menu
from sapper.web.site import write_site
from support.marks import slow

__all__ = ["PLACES", "Host", "address", "on_both", "on_both_slowly", "seeded", "write"]

PLACES = ("server", "site")
"""The fixtures of what serves the Play page."""

on_both = pytest.mark.parametrize("visit", PLACES, indirect=True)
"""Runs a test of the Play page on the server and on the static site."""
on_both_slowly = pytest.mark.parametrize("visit", ["server", slow("site")], indirect=True)
"""The same, but the plain run has only the server: the site repeats a detail of the page."""

# Without a server, games take their seeds from Math.random (this is mulberry32).
_SEEDED = """{
    let state = SEED;
    Math.random = () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


class Host:
    """A static web host, which can be stopped."""

    def __init__(self, folder: Path) -> None:
        serve = functools.partial(_Quiet, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), serve)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/games/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Refuse connections from now on."""
        self._server.shutdown()
        self._server.server_close()


def write(root: Path) -> None:
    """Write the site below a path of its host."""
    write_site(root / "games", local_menu())


def address(fragment: str) -> str:
    """Return the file and fragment of a page of the app, such as `analyze#size=3x2:1`."""
    page, mark, rest = fragment.partition("#")
    return f"{page or 'index'}.html{mark}{rest}"


def seeded(seed: int) -> str:
    """Return a script that gives the games of a page their seeds."""
    return _SEEDED.replace("SEED", str(seed))
