"""A server and a Chromium to open it in, shared by the web page benchmarks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from sapper.vision.browser.launch import installed_browser

__all__ = ["served"]

_START = """
import sys
from sapper.cli.play import play
from sapper.cli.serving_options import ServerOptions
options = ServerOptions(port=int(sys.argv[1]), server_engine=sys.argv[2] == "server")
play(options, browser=False)
"""


@contextmanager
def served(*, server_engine: bool = False) -> Iterator[tuple[str, Browser, Path]]:
    """Start the web app and a browser; yield its URL, with a final slash, and its folder.

    The URL has the name localhost, because pages at 127.0.0.1 move there.

    Args:
        server_engine: Whether the server computes all chances.
    """
    chromium = installed_browser()
    if chromium is None:
        sys.exit("no Chromium: install Debian's chromium, or name one in SAPPER_CHROMIUM")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as home, sync_playwright() as running:
        server = subprocess.Popen(
            [sys.executable, "-c", _START, str(port), "server" if server_engine else "page"],
            env={**os.environ, "SAPPER_HOME": home},
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
            yield f"http://localhost:{port}/", browser, Path(home)
        finally:
            server.terminate()
            server.wait(10)
