"""Fuzz command lines: commands, options, values, closed streams, and Ctrl-C at any time.

The program must end in time with one of its own exit statuses and without a traceback; on standard
error, it may only write short lines that start with its name.

Most cases call its main function in this process, which saves startup time; the others test closed
streams, servers and Ctrl-C during startup.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from unittest import mock

import matplotlib.backends.backend_agg
import matplotlib.backends.backend_svg
import matplotlib.figure
from ending import run_program
from fuzzing import fuzz

from sapper import lab, vision
from sapper.cli import main

# Load the libraries before the first case: if Ctrl-C interrupts an import, the library cannot be
# imported again in this process.
LOADED = (lab, vision, matplotlib)

LONGEST = 300
STATUSES = {0, 1, 2, 130, 141, -signal.SIGINT}

COMMANDS = {
    ("analyze",): ["--mines", "--seconds", "--json"],
    ("hint",): ["--mines", "--seconds", "--steps", "--json"],
    ("arrange",): ["--mines", "--method", "--seconds", "--likelihood", "--start-rule", "--json"],
    ("generate",): ["--level", "--seed", "-n", "--start", "--first-click", "--no-guess", "--json"],
    ("review",): ["--all", "--svg", "--json"],
    ("replay", "info"): ["--json", "--parquet"],
    ("replay", "analyze"): ["--json", "--parquet"],
    ("replay", "show"): ["--speed", "--at", "--json"],
    ("replay", "convert"): ["--to", "--out", "--no-pointer", "--force"],
    ("read",): ["--theme", "--mines", "--json"],
    ("lab", "run"): ["--bot", "--level", "-n", "--seed", "--out", "--plot", "--rules", "--start"],
    ("lab", "sweep"): ["--density", "--size", "-n", "--out", "--plot"],
    ("lab", "calibrate"): ["-n", "--plot", "--level"],
    ("lab", "compare"): ["-n", "--level", "--seed"],
    ("lab", "report"): ["--out"],
    ("serve",): ["--config", "--database", "--database-file", "--workers"],
    ("admin", "migrate"): ["--database"],
    ("admin", "people", "list"): ["--search", "--sort", "--banned", "--limit", "--json"],
    ("admin", "people", "show"): ["--json", "--database"],
    ("admin", "people", "rename"): ["--database"],
    ("admin", "people", "ban"): ["--reason", "--until"],
    ("admin", "people", "unban"): ["--database"],
    ("admin", "people", "delete"): ["--yes"],
    ("admin", "people", "export"): ["--database", "--force"],
    ("admin", "announce"): ["--in", "--for", "--restart"],
    ("admin", "announcements"): ["--json"],
    ("admin", "withdraw"): ["--database"],
    ("admin", "check"): ["--database"],
    ("admin", "backup"): ["--database", "--force"],
    ("admin", "drill"): ["--database"],
    ("admin", "log"): ["--json", "--limit"],
    ("admin", "restore"): ["--database", "--force"],
    ("admin", "copy"): ["--force"],
    ("play",): ["--host", "--port", "--database"],
}
FLAGS = {
    *("--banned", "--force", "--json", "--no-guess", "--no-pointer", "--restart", "--yes"),
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
    """Run the program and check how it ended; return its exit status, output and messages."""
    with tempfile.TemporaryDirectory() as folder:
        env = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), folder)
        ended = run_program(arguments, folder, env, data=data, closed=closed, interrupt_s=interrupt)
    told = ended.err
    assert ended.after_s is None or ended.after_s < 300, told
    # Ctrl-C cannot be caught while Python starts, before the program runs.
    started = "sapper/" in told or "Traceback" not in told
    assert not (started and "Traceback" in told), told
    assert "panicked" not in told, told
    assert ended.status in STATUSES or not started, (ended.status, told)
    for text in told.splitlines() if started else ():
        assert len(text) <= LONGEST, text
    return ended.status, ended.out, told


@contextlib.contextmanager
def elsewhere() -> Iterator[None]:
    """Run in a separate directory, away from the data of earlier cases."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        own = dict.fromkeys(("HOME", "SAPPER_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), folder)
        os.chdir(folder)
        try:
            with mock.patch.dict(os.environ, own):
                yield
        finally:
            os.chdir(before)


def call(
    arguments: list[str | bytes], data: bytes = b"", *, interrupt: float = 20.0
) -> tuple[int, str, str]:
    """Run the program in this process, pressing Ctrl-C after a while; check and return as `run`."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    # Python uses this error handler for standard error.
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True)
    streams = {"stdin": io.TextIOWrapper(io.BytesIO(data), "utf-8"), "stdout": out, "stderr": err}
    me, over, code = threading.get_ident(), threading.Event(), 0

    def press() -> None:
        if not over.wait(interrupt):
            signal.pthread_kill(me, signal.SIGINT)

    # Ctrl-C between two commands does not reach the program.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    ours = signal.getsignal(signal.SIGINT)
    presser = threading.Thread(target=press, daemon=True)
    # The timeout only catches endless runs; it is long, because the process may be paused.
    faulthandler.dump_traceback_later(600, exit=True)
    try:
        with elsewhere(), mock.patch.multiple(sys, argv=["sapper"], **streams):
            sys.argv += [os.fsdecode(argument) for argument in arguments]
            presser.start()
            # On exit, the program leaves Ctrl-C to the system, which ends the process anyway.
            with mock.patch.object(signal, "SIG_DFL", ours):
                try:
                    main()
                except SystemExit as ended:
                    code = int(ended.code or 0)
    finally:
        over.set()
        presser.join()
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGINT, before)
        # If Ctrl-C ever interrupts an `exec`, such as a dataclass's, Python exits with SIGINT, even
        # if the exception was caught, until the next `exec` has run.
        exec("")
    written, told = (stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err))
    assert code in STATUSES, (code, told)
    for text in told.splitlines():
        assert len(text) <= LONGEST, text
    return code, written, told


def case(rng: Random) -> None:
    """Run one command line."""
    # Each server is a process and takes a second to start.
    kinds = list(COMMANDS.items())
    command, options = rng.choice(kinds if rng.random() < 0.1 else kinds[:-1])
    arguments: list[str | bytes] = list(command)
    for option in rng.sample(options, rng.randint(0, min(4, len(options)))):
        arguments.append(option)
        if option not in FLAGS:
            arguments.append(rng.choice(VALUES))
    if rng.random() < 0.3:
        arguments.append(rng.choice(VALUES))
    if command[0] == "play":
        arguments += ["--no-browser"]
    if command[0] == "serve":
        arguments += ["--show-config"]
    if command[0] == "lab" and "-n" not in arguments:
        arguments += ["-n", "5"]
    # Exclude NUL and any argument that would end the options by accident.
    data = b"mines: 2\n....\n.11.\n....\n"
    if command[0] == "play" or rng.random() < 0.02:
        interrupt = rng.uniform(0.3, 3.0) if rng.random() < 0.5 else 20.0
        closed = rng.choice([0, 1, 2]) if rng.random() < 0.5 else None
        run(arguments, data, closed=closed, interrupt=interrupt)
        return
    if command[0] == "lab" and command[1] != "report":
        arguments += ["--workers", "1"]
    call(arguments, data, interrupt=rng.uniform(0.01, 1.0) if rng.random() < 0.2 else 2.0)


if __name__ == "__main__":
    fuzz(case, __doc__)
