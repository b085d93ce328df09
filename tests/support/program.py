"""The installed program, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["PROGRAM", "Result", "sapper"]

PROGRAM = Path(sysconfig.get_path("scripts")) / (
    "sapper.exe" if sys.platform == "win32" else "sapper"
)


@dataclass(frozen=True)
class Result:
    """How a run of the program went."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        """Each line of standard output as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


def sapper(*arguments: str, stdin: str | bytes = b"", timeout_s: float = 60) -> Result:
    """Run ``sapper ARGUMENTS`` on the given standard input."""
    data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [PROGRAM, *arguments], input=data, capture_output=True, timeout=timeout_s, check=False
    )
    return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
