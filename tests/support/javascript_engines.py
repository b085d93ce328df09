"""The JavaScript engine in Node, Chromium and Firefox, to compare with the Python package."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from sapper.vision.browser.launch import installed_browser
from sapper.web.assets import STATIC
from support.not_installed import not_installed

__all__ = ["BROWSERS", "Ask", "ask_node"]

_HERE = Path(__file__).parent
_PATIENCE_S = 600

Ask = Callable[[Iterable[dict[str, Any]]], list[dict[str, Any]]]
"""Sends requests to an engine, and returns its answers."""


def ask_node(requests: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ask the engine in a new process of Node."""
    node = shutil.which("node")
    assert node is not None
    lines = "\n".join(map(json.dumps, requests))
    run = subprocess.run(
        [node, str(_HERE / "engine_answers.mjs")],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        timeout=_PATIENCE_S,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


class _Host(SimpleHTTPRequestHandler):
    """Serves the engine and a page, which fetches requests and posts its answers."""

    def __init__(
        self, *args: Any, requests: Queue[str], answers: Queue[str], **options: Any
    ) -> None:
        self._requests, self._answers = requests, answers
        super().__init__(*args, directory=str(STATIC), **options)

    def do_GET(self) -> None:
        """Answer with a file, or with the next requests, once there are some."""
        own = {"/": ("engine_page.html", "text/html"), "/answering.mjs": ("", "text/javascript")}
        if self.path == "/requests":
            self._send(self._requests.get().encode(), "text/plain")
        elif self.path in own:
            name, media_type = own[self.path]
            self._send((_HERE / (name or "engine_answering.mjs")).read_bytes(), media_type)
        else:
            super().do_GET()

    def do_POST(self) -> None:
        """Take answers."""
        self._answers.put(self.rfile.read(int(self.headers["content-length"])).decode())
        self._send(b"", "text/plain")

    def _send(self, body: bytes, media_type: str) -> None:
        self.send_response(200)
        self.send_header("content-type", f"{media_type}; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def _in_browser(command: Callable[[str], list[str]]) -> Iterator[Ask]:
    """Run the engine in a browser page, which needs no driver."""
    requests, answers = Queue[str](), Queue[str]()

    def ask(asked: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        requests.put("\n".join(map(json.dumps, asked)))
        lines = answers.get(timeout=_PATIENCE_S)
        assert lines.startswith("{"), lines
        return [json.loads(line) for line in lines.splitlines()]

    handler = partial(_Host, requests=requests, answers=answers)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
    ):
        # A page that a closed browser has left waiting does not keep the tests alive.
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen(
            [*command(folder), f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": folder},
            start_new_session=True,
        )
        try:
            yield ask
        finally:
            requests.put("")
            # Debian's command is a script that starts the browser as a child process.
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
            server.shutdown()


def _found(program: str | os.PathLike[str] | None, name: str) -> str:
    """Return the path of a program, or skip the test."""
    if program is None:
        pytest.skip(not_installed(name))
    return str(program)


@contextmanager
def _in_chromium() -> Iterator[Ask]:
    """Run the engine in a page of Chromium."""
    path = _found(installed_browser(), "chromium")
    options = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"]
    with _in_browser(
        lambda folder: [path, "--headless", f"--user-data-dir={folder}", *options]
    ) as ask:
        yield ask


@contextmanager
def _in_firefox() -> Iterator[Ask]:
    """Run the engine in a page of Firefox."""
    path = _found(shutil.which("firefox-esr") or shutil.which("firefox"), "firefox")
    with _in_browser(
        lambda folder: [path, "--headless", "--no-remote", "--profile", folder]
    ) as ask:
        yield ask


BROWSERS = {"chromium": _in_chromium, "firefox": _in_firefox}
