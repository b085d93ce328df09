from __future__ import annotations

import subprocess
import sys


def test_without_a_terminal_it_is_refused() -> None:
    """Where input or output is no terminal, one line says so, and the exit status is 2."""
    command = [sys.executable, "-c", "from sapper.cli import main; main()", "tui"]
    ended = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "sapper tui needs a terminal" in ended.stderr
    assert ended.stderr.count("\n") == 1
