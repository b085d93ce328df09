"""Read positions from a file or standard input one at a time, in bounded memory."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from sapper._grid import Known
from sapper.errors import BadPosition, SapperError
from sapper.formats import load
from sapper.formats.board_file import is_board_file
from sapper.formats.detecting import is_binary
from sapper.formats.mbf import is_mbf
from sapper.position import Position, json_part

__all__ = ["LONGEST", "BadInput", "InputItem", "opened", "read_positions"]

LONGEST = 16 * 1024 * 1024
"""Maximum size of text input or a line of JSON in bytes, sufficient for the largest board."""


class BadInput(SapperError):
    """Unreadable input."""

    code = "bad_input"


@dataclass(frozen=True, slots=True)
class InputItem:
    """One position from the input, or an error in its place.

    Attributes:
        position: The position, or the error.
        where: Prefix for the error message: empty or the line number.
    """

    position: Position | SapperError
    where: str = ""


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for ``-``, as bytes.

    Raises:
        BadInput: If the file does not exist or cannot be read.
    """
    if path == "-":
        if sys.stdin is None:
            raise BadInput("cannot read standard input: it is closed")
        yield sys.stdin.buffer
        return
    try:
        file = Path(path).open("rb")  # noqa: SIM115 (closed below; only opening may fail here)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise BadInput(f"cannot read {path!r}: {reason}") from None
    except ValueError as problem:
        # For example, the path contains a NUL character.
        raise BadInput(f"cannot read {path!r}: {problem}") from None
    with file:
        yield file


_NOTHING: Final = Known()


def read_positions(source: BinaryIO, overrides: Known = _NOTHING) -> Iterator[InputItem]:
    """Yield every position in the input: one in text form, or JSON with one object per line.

    The first line that is neither blank nor a ``//`` comment determines the form: JSON starts
    with ``{`` or ``[``, and a ``.board`` file with its size. An ``.mbf`` file is binary. A
    single JSON object may span several lines. ``overrides`` replaces the totals and
    densities in the input. A malformed position is yielded as an error, and reading continues.
    """
    head = b""
    for number, line in _lines(source):
        if line is None:
            yield InputItem(_too_long(), f"line {number}: ")
            return
        if number == 1 and is_binary(line):
            yield InputItem(_read_binary(line + source.read(LONGEST), overrides))
            return
        if number == 1 and is_board_file(_decoded(line)):
            yield InputItem(_read_file(line + source.read(LONGEST), overrides))
            return
        content = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
        if content[:1] in (b"{", b"["):
            yield from _read_json(number, content, source, overrides)
            return
        head += line
        if content and not content.startswith(b"//"):
            yield InputItem(_read_text(head, source, overrides))
            return
        if len(head) > LONGEST:
            yield InputItem(_too_long())
            return
    yield InputItem(BadPosition("the input is empty"))


def _lines(source: BinaryIO, start: int = 1) -> Iterator[tuple[int, bytes | None]]:
    """Yield numbered lines, with None for a line that is too long."""
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
    return BadPosition(f"longer than {LONGEST} bytes, the size of the largest board")


def _decoded(line: bytes) -> str:
    return line.decode("utf-8-sig", "replace")


def _read_file(data: bytes, overrides: Known) -> Position | SapperError:
    """Read an ``.mbf`` or ``.board`` file."""
    try:
        position = load(data).position
        mines, density, _ = overrides.over(Known(position.mines, position.density))
        return replace(position, mines=mines, density=density)
    except SapperError as problem:
        return problem


def _read_binary(data: bytes, overrides: Known) -> Position | SapperError:
    """Read an ``.mbf`` file; if its length does not match, read the data as text."""
    if is_mbf(data):
        return _read_file(data, overrides)
    position = _read_text(data, BytesIO(), overrides)
    if isinstance(position, Position):
        return position
    return BadPosition(f"{position}; nor is this a complete .mbf file")


def _read_text(head: bytes, source: BinaryIO, overrides: Known) -> Position | SapperError:
    data = head + source.read(LONGEST + 1 - len(head))
    if len(data) > LONGEST:
        return BadPosition(f"the input is {_too_long()}")
    try:
        return Position.parse(data.decode("utf-8-sig"), overrides.mines, density=overrides.density)
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        return BadPosition(f"line {line} is not UTF-8: byte 0x{data[problem.start]:02x}")
    except SapperError as problem:
        return problem


def _read_json(
    number: int, first: bytes, source: BinaryIO, overrides: Known
) -> Iterator[InputItem]:
    """Yield objects line by line; the first one may span several lines."""
    lines = _lines(source, number + 1)
    where, text = f"line {number}: ", first
    while (position := _parse_json(text, overrides)) is None:
        _, line = next(lines, (0, b""))
        if not line:
            position = BadPosition("the JSON ends before it is complete")
        elif len(text) + len(line) > LONGEST:
            position = _too_long()
        else:
            text += b"\n" + line
            continue
        break
    yield InputItem(position, where)
    for number, line in lines:
        if line is None:
            yield InputItem(_too_long(), f"line {number}: ")
        elif content := line.strip():
            position = _parse_json(content, overrides)
            if position is None:
                position = BadPosition("the JSON ends before it is complete")
            yield InputItem(position, f"line {number}: ")


def _parse_json(data: bytes, overrides: Known) -> Position | SapperError | None:
    """Parse a position from one JSON value; return None if the JSON is incomplete."""
    try:
        text = data.decode("utf-8").rstrip()
        return Position.from_json(
            json_part(json.loads(text, parse_int=_small_int)),
            overrides.mines,
            density=overrides.density,
        )
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
    """Parse an integer; reject long ones, whose conversion takes quadratic time."""
    if len(digits) > 20:
        raise BadPosition(f"a number in a position has at most 20 digits, got {len(digits)} digits")
    return int(digits)
