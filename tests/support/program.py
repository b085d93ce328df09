"""Runs the program in this process, which is fast, or in a separate one, as a user would."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from sapper.cli import main

__all__ = ["PROGRAM", "Result", "run_program", "sapper"]

PROGRAM = Path(sysconfig.get_path("scripts")) / (
    "sapper.exe" if sys.platform == "win32" else "sapper"
)


@dataclass(frozen=True)
class Result:
    """The result of a run."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        """Return the JSON value on each line of standard output."""
        return [json.loads(line) for line in self.out.splitlines()]


@contextlib.contextmanager
def _kept_interrupt() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def sapper(*arguments: str, stdin: str | bytes = b"") -> Result:
    """Run ``sapper ARGUMENTS`` in this process, which saves half a second of startup."""
    data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    streams = {"stdin": io.TextIOWrapper(io.BytesIO(data), "utf-8"), "stdout": out, "stderr": err}
    with (
        mock.patch.multiple(sys, argv=["sapper", *arguments], **streams),
        # The program installs a Ctrl-C handler, which must be removed afterwards.
        _kept_interrupt(),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    written = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]  # type: ignore[attr-defined]
    return Result(int(ended.value.code or 0), *written)


def run_program(*arguments: str, stdin: str | bytes = b"", colour: bool = False) -> Result:
    """Run ``sapper ARGUMENTS`` in a separate process, in colour if requested."""
    data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
    # The environment's colour settings must not affect a test.
    environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
    if colour:
        environment |= {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    done = subprocess.run(
        [PROGRAM, *arguments],
        input=data,
        capture_output=True,
        # The timeout is reached only if a program hangs.
        timeout=300,
        check=False,
        env=environment,
    )
    return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
