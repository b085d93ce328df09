"""Fuzz command lines: any command, any options, any values, closed streams, Ctrl-C at any time.

The program must end in time with a status of its own, without a traceback, and write only short
lines that start with its name on standard error.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from random import Random

from fuzzing import fuzz

PROGRAM = Path(sysconfig.get_path("scripts")) / "sapper"
LONGEST = 300
STATUSES = {0, 1, 2, 130, 141, -signal.SIGINT}

COMMANDS = {
    ("analyze",): ["--mines", "--seconds", "--json"],
    ("hint",): ["--mines", "--seconds", "--json"],
    ("arrange",): ["--mines", "--method", "--seconds", "--likelihood", "--start-rule", "--json"],
    ("generate",): ["--level", "--seed", "-n", "--start", "--first-click", "--no-guess", "--json"],
    ("read",): ["--theme", "--mines", "--json"],
    ("lab", "run"): ["--bot", "--level", "-n", "--seed", "--out", "--plot", "--rules", "--start"],
    ("lab", "sweep"): ["--density", "--size", "-n", "--out", "--plot"],
    ("lab", "calibrate"): ["-n", "--plot", "--level"],
    ("lab", "compare"): ["-n", "--level", "--seed"],
    ("lab", "report"): ["--out"],
    ("play",): ["--host", "--port"],
}
VALUES: list[str | bytes] = [
    "", "-", "0", "1", "-1", "3", "nan", "inf", "1e999", "9" * 30, "x", "9x9:10", "9x9@0.2", "8x8",
    "0.1", "0.1:0.2:0.1", "0.1:nan:1", "1,1", "bot", "exact", "groups", "nothing.py:Bot",
    "/dev/null", "/nonexistent/x", b"\xff", "a" * 3000, "\n", "\u202e", "beginner", "safe",
    "x.exe", "x.png", "sat", "classic", "{}", "--", "--help",
]  # fmt: skip


def run(
    arguments: list[str | bytes],
    data: bytes = b"",
    *,
    closed: int | None = None,
    interrupt: float | None = None,
) -> tuple[int, str, str]:
    """Run the program and check how it ended; gives status, output and messages."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "HOME": folder, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder},
            preexec_fn=None if closed is None else lambda: os.close(closed),
        )
        try:
            try:
                out, err = process.communicate(data, timeout=interrupt)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=60)
        finally:
            process.kill()
            process.wait()
    told = err.decode("utf-8", "replace")
    # Ctrl-C in Python's own start, before any of the program has run, cannot be caught.
    started = "sapper/" in told or "Traceback" not in told
    assert not (started and "Traceback" in told), told
    assert "panicked" not in told, told
    assert process.returncode in STATUSES or not started, (process.returncode, told)
    for text in told.splitlines() if started else ():
        assert len(text) <= LONGEST, text
    return process.returncode, out.decode("utf-8", "replace"), told


def case(rng: Random) -> None:
    """One command line."""
    command, options = rng.choice(list(COMMANDS.items()))
    arguments: list[str | bytes] = list(command)
    for option in rng.sample(options, rng.randint(0, min(4, len(options)))):
        arguments.append(option)
        if option not in ("--json", "--no-guess"):
            arguments.append(rng.choice(VALUES))
    if rng.random() < 0.3:
        arguments.append(rng.choice(VALUES))
    if command[0] == "play":
        arguments += ["--no-browser"]
    if command[0] == "lab" and "-n" not in arguments:
        arguments += ["-n", "5"]
    # No NUL, and no argument that ends the list of options by accident.
    interrupt = rng.uniform(0.3, 3.0) if rng.random() < 0.3 else 20.0
    closed = rng.choice([0, 1, 2]) if rng.random() < 0.2 else None
    run(arguments, b"mines: 2\n....\n.11.\n....\n", closed=closed, interrupt=interrupt)


if __name__ == "__main__":
    fuzz(case, __doc__)
