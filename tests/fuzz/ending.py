"""Runs the program in a separate process, presses Ctrl-C after a while, and reports the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

__all__ = ["PROGRAM", "Ended", "run_program"]

PROGRAM = Path(sysconfig.get_path("scripts")) / "sapper"


class Ended(NamedTuple):
    """The end of a run.

    Attributes:
        status: The exit status, or minus the number of the signal that ended it.
        out: Standard output, unless it was discarded.
        err: Standard error.
        after_s: Seconds from Ctrl-C to the end; None if the program ended before Ctrl-C.
    """

    status: int
    out: str
    err: str
    after_s: float | None


def run_program(
    arguments: Sequence[str | bytes],
    folder: str,
    env: Mapping[str, str],
    *,
    data: bytes = b"",
    closed: int | None = None,
    interrupt_s: float | None = None,
    longest_s: float = 300.0,
    discard_output: bool = False,
) -> Ended:
    """Run ``sapper ARGUMENTS`` in a folder.

    Args:
        arguments: The command-line arguments.
        folder: The working directory.
        env: Extra environment variables.
        data: Standard input.
        closed: A standard stream that is closed from the start.
        interrupt_s: When to press Ctrl-C, in seconds; None for never.
        longest_s: Seconds after Ctrl-C at which the program is killed.
        discard_output: Whether to discard standard output, which is faster.
    """

    def before() -> None:
        # Handle Ctrl-C as a shell's foreground job does, even if this process ignores it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if closed is not None:
            os.close(closed)

    pressed: float | None = None
    with subprocess.Popen(
        [PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL if discard_output else subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, **env},
        preexec_fn=before,
    ) as process:
        try:
            try:
                out, err = process.communicate(data, timeout=interrupt_s)
            except subprocess.TimeoutExpired:
                pressed = monotonic()
                process.send_signal(signal.SIGINT)
                try:
                    out, err = process.communicate(timeout=longest_s)
                except subprocess.TimeoutExpired:
                    process.kill()
                    out, err = process.communicate()
            seconds = None if pressed is None else monotonic() - pressed
        finally:
            process.kill()
    return Ended(process.returncode, _text(out or b""), _text(err), seconds)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
