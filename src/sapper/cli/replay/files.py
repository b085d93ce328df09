"""Replays from files and folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from sapper.cli.input import BadInput, opened
from sapper.cli.output import complain
from sapper.cli.signatures import Argument
from sapper.replay import Replay, parse
from sapper.replay.byte_reader import MOST_BYTES
from sapper.replay.registry import is_expected

__all__ = ["Files", "find", "read_found", "read_one"]

Files = Annotated[
    list[str],
    Argument(metavar="FILE...", help="Replays, or folders of them; - reads standard input."),
]


def find(paths: Iterable[str]) -> tuple[list[tuple[str, bool]], bool]:
    """Return the files, each with a flag for "named explicitly", and whether to expect many."""
    files: list[tuple[str, bool]] = []
    many = False
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            files.append((path, True))
            continue
        many = True
        for folder, folders, names in os.walk(path):
            folders.sort()
            files += [(os.path.join(folder, name), False) for name in sorted(names)]
    return files, many or len(files) > 1


def read_found(path: str, named: bool) -> Replay | None:
    """Read a replay; return None for other files in a folder.

    Raises:
        SapperError: If the file cannot be read.
    """
    data = _data(path)
    return parse(data) if named or is_expected(path, data) else None


def read_one(path: str) -> Replay:
    """Read one replay.

    Raises:
        SapperError: If the file cannot be read.
    """
    return parse(_data(path))


def _data(path: str) -> bytes:
    if path == "-" and sys.stdin is not None and sys.stdin.isatty():
        complain("reading a replay from the terminal; press Ctrl-D to end it")
    # Reading a pipe or device could block forever.
    if path != "-" and os.path.exists(path) and not Path(path).is_file():
        raise BadInput(f"cannot read {path!r}: not a regular file")
    with opened(path) as source:
        try:
            return source.read(MOST_BYTES + 1)
        except OSError as problem:
            raise BadInput(f"cannot read {path!r}: {(problem.strerror or '').lower()}") from None
