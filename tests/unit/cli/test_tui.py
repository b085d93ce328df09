from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from support.marks import slow
from support.program import PROGRAM


def test_missing_terminal_is_rejected() -> None:
    """Without a terminal for input or output, one line is printed, and the exit status is 2."""
    command = [sys.executable, "-c", "from sapper.cli import main; main()", "tui"]
    ended = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "sapper tui needs a terminal" in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("number", [signal.SIGTERM, slow(signal.SIGINT)])
def test_signal_exits_and_restores_the_terminal(number: signal.Signals) -> None:
    """SIGTERM left the terminal on the alternate screen, and SIGINT could hang the program."""
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    running = subprocess.Popen(
        [PROGRAM, "tui"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"},
    )
    os.close(theirs)
    shown = b""
    try:
        for what in (b"Ready", b"\x1b[?1049l"):
            while what not in shown:
                part = os.read(ours, 65536)
                assert part, f"ended before {what!r}"
                shown += part
            if what == b"Ready":
                running.send_signal(number)
        assert running.wait(300) == 128 + number
    finally:
        running.kill()
        running.wait()
        os.close(ours)
