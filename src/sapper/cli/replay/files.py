"""Replays from files and folders, each read once, with a message for those that cannot be read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sapper.cli.output import complain
from sapper.cli.reading import BadInput, opened
from sapper.errors import SapperError
from sapper.replay import Replay, candidates, parse
from sapper.replay.byte_reader import MOST_BYTES

__all__ = ["Files", "Found", "bar", "find", "read_all", "read_one"]

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Replays, or folders of them; - reads standard input."),
]


@dataclass(frozen=True, slots=True)
class Found:
    """A replay, or the error in its place.

    Attributes:
        name: Its path.
        replay: The replay, or the error.
    """

    name: str
    replay: Replay | SapperError


def find(paths: Iterable[str]) -> tuple[list[tuple[str, bool]], bool]:
    """Return every file with whether it was named, and whether there may be many."""
    found: list[tuple[str, bool]] = []
    many = False
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            found.append((path, True))
            continue
        many = True
        for folder, folders, names in os.walk(path):
            folders.sort()
            found += [(os.path.join(folder, name), False) for name in sorted(names)]
    return found, many or len(found) > 1


def read_all(files: Iterable[tuple[str, bool]]) -> Iterator[Found]:
    """Read files; in folders, those that are no replays are skipped.

    An error is printed in one line as well.
    """
    for name, named in files:
        try:
            data = _data(name)
            if not named and not candidates(data):
                continue
            yield Found(name, parse(data))
        except SapperError as problem:
            complain(f"{name}: {problem}")
            yield Found(name, problem)


def read_one(path: str) -> Replay:
    """Read one replay.

    Raises:
        SapperError: If it cannot be read.
    """
    return parse(_data(path))


def _data(path: str) -> bytes:
    if path == "-" and sys.stdin is not None and sys.stdin.isatty():
        complain("reading a replay from the terminal; press Ctrl-D to end it")
    # A pipe or a device in a folder could block forever.
    if path != "-" and os.path.exists(path) and not Path(path).is_file():
        raise BadInput(f"cannot read {path!r}: not a regular file")
    with opened(path) as source:
        try:
            return source.read(MOST_BYTES + 1)
        except OSError as problem:
            raise BadInput(f"cannot read {path!r}: {(problem.strerror or '').lower()}") from None


@contextmanager
def bar(files: list[tuple[str, bool]]) -> Iterator[Iterator[tuple[str, bool]]]:
    """Yield the files one by one, with a progress bar on standard error if it is a terminal."""
    if not sys.stderr.isatty() or len(files) < 2:
        yield iter(files)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        yield iter(progress.track(files, description="replays"))
