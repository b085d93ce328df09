"""What the benchmarks of the web pages share: a server, and a Chromium to open it in."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

__all__ = ["served"]

_CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser")
_START = "from sapper.cli.play import play; import sys; play('127.0.0.1', int(sys.argv[1]), False)"


def _chromium() -> str:
    names = (os.environ.get("SAPPER_CHROMIUM", ""), *_CHROMIUMS)
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        sys.exit("no Chromium: install Debian's chromium, or name one in SAPPER_CHROMIUM")
    return found


@contextmanager
def served() -> Iterator[tuple[str, Browser, Path]]:
    """Start the web app and a browser; gives its address, with a final slash, and its folder."""
    chromium = _chromium()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as home, sync_playwright() as running:
        server = subprocess.Popen(
            [sys.executable, "-c", _START, str(port)], env={**os.environ, "SAPPER_HOME": home}
        )
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            browser = running.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
            )
            yield f"http://127.0.0.1:{port}/", browser, Path(home)
        finally:
            server.terminate()
            server.wait(10)
