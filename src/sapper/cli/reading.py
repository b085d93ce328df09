"""Positions from a file or standard input, as they come in and never more than is bounded."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sapper.errors import BadPosition, SapperError
from sapper.position import Position

__all__ = ["LONGEST", "BadInput", "Record", "opened", "read"]

LONGEST = 16 * 1024 * 1024
"""The longest text, or line of JSON, that is read, in bytes: room for the largest board."""


class BadInput(SapperError):
    """Input that could not be read at all."""

    code = "bad_input"


@dataclass(frozen=True, slots=True)
class Record:
    """One position of the input, or why it is none.

    Attributes:
        found: The position, or what is wrong with it.
        where: What precedes a complaint: empty, or which line it is about.
    """

    found: Position | SapperError
    where: str = ""


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input for ``-``.

    Raises:
        BadInput: If there is no such file, or it cannot be read.
    """
    if path == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(path).open("rb")  # noqa: SIM115 (closed below; only opening may fail here)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise BadInput(f"cannot read {path!r}: {reason}") from None
    except ValueError as problem:
        # A path with a NUL in it.
        raise BadInput(f"cannot read {path!r}: {problem}") from None
    with file:
        yield file


def read(source: BinaryIO, mines: int | None = None) -> Iterator[Record]:
    """Every position of the input: the text form of one, or JSON, one object a line.

    The first line that is neither blank nor a ``//`` comment decides: JSON starts with ``{``
    or ``[``. One JSON object may also stretch over several lines. ``mines``, where given, wins
    over the totals in the input. Bad positions are handed on as errors, and reading goes on.
    """
    head = b""
    for number, line in _lines(source):
        if line is None:
            yield Record(_too_long(), f"line {number}: ")
            return
        content = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
        if content[:1] in (b"{", b"["):
            yield from _read_json(number, content, source, mines)
            return
        head += line
        if content and not content.startswith(b"//"):
            yield Record(_read_text(head, source, mines))
            return
        if len(head) > LONGEST:
            yield Record(_too_long())
            return
    yield Record(BadPosition("the input is empty: there is no position"))


def _lines(source: BinaryIO, start: int = 1) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines; None for one that is too long, whose rest is skipped."""
    number = start
    while line := source.readline(LONGEST + 1):
        if len(line) > LONGEST:
            yield number, None
            while line and not line.endswith(b"\n"):
                line = source.readline(LONGEST)
        else:
            yield number, line
        number += 1


def _too_long() -> BadPosition:
    return BadPosition(f"longer than the {LONGEST} bytes that the largest board takes")


def _read_text(head: bytes, source: BinaryIO, mines: int | None) -> Position | SapperError:
    data = head + source.read(LONGEST + 1 - len(head))
    if len(data) > LONGEST:
        return BadPosition(f"the input is {_too_long()}")
    try:
        return Position.parse(data.decode("utf-8-sig"), mines)
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        return BadPosition(f"line {line} is not UTF-8: byte 0x{data[problem.start]:02x}")
    except SapperError as problem:
        return problem


def _read_json(number: int, first: bytes, source: BinaryIO, mines: int | None) -> Iterator[Record]:
    """Objects line by line; the first may go on until it is complete."""
    lines = _lines(source, number + 1)
    where, text = f"line {number}: ", first
    while (found := _parse_json(text, mines)) is None:
        _, line = next(lines, (0, b""))
        if not line:
            found = BadPosition("the JSON ends before it is complete")
        elif len(text) + len(line) > LONGEST:
            found = _too_long()
        else:
            text += b"\n" + line
            continue
        break
    yield Record(found, where)
    for number, line in lines:
        if line is None:
            yield Record(_too_long(), f"line {number}: ")
        elif content := line.strip():
            found = _parse_json(content, mines)
            if found is None:
                found = BadPosition("the JSON ends before it is complete")
            yield Record(found, f"line {number}: ")


def _parse_json(data: bytes, mines: int | None) -> Position | SapperError | None:
    """A position from one JSON value; None where the JSON is good but ends too early."""
    try:
        text = data.decode("utf-8").rstrip()
        return Position.from_json(json.loads(text, parse_int=_small_int), mines)
    except UnicodeDecodeError as problem:
        return BadPosition(f"not UTF-8: byte 0x{data[problem.start]:02x}")
    except json.JSONDecodeError as problem:
        if problem.pos >= len(text):
            return None
        return BadPosition(f"not JSON at column {problem.colno}: {problem.msg}")
    except RecursionError:
        return BadPosition("not a position: the JSON is nested too deeply")
    except SapperError as problem:
        return problem


def _small_int(digits: str) -> Any:
    """No figure of a position needs more digits, and long ones cost time out of proportion."""
    if len(digits) > 20:
        raise BadPosition(f"a number of {len(digits)} digits has no place in a position")
    return int(digits)
