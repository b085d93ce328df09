"""``sapper play`` as a program: output, exit, and a port that is in use."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from starlette.applications import Starlette

from sapper.server.run import _Server, configure

_SAPPER = [sys.executable, "-c", "from sapper.cli import main; main()", "play", "--no-browser"]


def test_prints_its_address_and_stops_on_ctrl_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line gives the URL; after Ctrl-C, the exit status is 0 without a traceback."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    with subprocess.Popen(
        [*_SAPPER, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        found = re.search(r"http://localhost:\d+/", program.stdout.readline())
        assert found is not None
        with urllib.request.urlopen(found[0], timeout=300) as page:
            assert b"Sapper" in page.read()
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=300)
        assert program.returncode == 0
        assert "Traceback" not in errors


def test_taken_port_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error has one line, and the exit status is 2."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*_SAPPER, "--port", port], capture_output=True, text=True, timeout=300, check=False
        )
    assert done.returncode == 2
    assert port in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_second_ctrl_c_does_not_interrupt_saving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It printed a traceback, and running games could not be saved."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    server = _Server(configure(Starlette()), lambda: None)
    for _ in range(3):
        server.handle_exit(signal.SIGINT, None)
    assert (server.should_exit, server.force_exit) == (True, False)
    with subprocess.Popen(
        [*_SAPPER, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        found = re.search(r"http://localhost:\d+/", program.stdout.readline())
        assert found is not None
        urllib.request.urlopen(found[0], timeout=300).close()
        for _ in range(2):
            program.send_signal(signal.SIGINT)
        output, errors = program.communicate(timeout=300)
        assert program.returncode == 0
        assert "Running games are saved." in output + errors
        assert "Traceback" not in errors
