"""MVF files of Minesweeper Clone, up to 0.97, 2006 and 2007; see docs/formats.md."""

from __future__ import annotations

from datetime import datetime
from math import cos, sin, sqrt
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from sapper.board import Board
from sapper.errors import BadReplay
from sapper.replay.byte_reader import ByteReader, board_of, decoded
from sapper.replay.damage import cut_short, no_events
from sapper.replay.events import KINDS, EventKind, Events
from sapper.replay.recording import Info, Replay

__all__ = ["looks_like", "read"]

_MAGIC: Final = b"\x11\x4d"
_HACK: Final = b"\x00\x00"
_YEAR_AT: Final = 27
"""Offset of the year's last digit, which identifies the version."""
_OLD_SIZES: Final = {(8, 8), (16, 16), (30, 16)}
_MODES: Final = {1: "standard", 2: "density", 3: "upk", 4: "cheat"}
_PROGRAM: Final = "Minesweeper Clone"
_MARGIN_PX: Final = 32
"""Offset that 2006 and 2007 add to coordinates to keep them positive."""

# The order of events within a record.
_ORDER: Final = (
    EventKind.MOVE,
    EventKind.LEFT_DOWN,
    EventKind.RIGHT_DOWN,
    EventKind.MIDDLE_DOWN,
    EventKind.LEFT_UP,
    EventKind.RIGHT_UP,
    EventKind.MIDDLE_UP,
)
_CODES = np.array([KINDS.index(kind) for kind in _ORDER], dtype=np.uint8)


class _States(NamedTuple):
    """States of the mouse, one per record."""

    ms: npt.NDArray[np.int64]
    left: npt.NDArray[np.bool_]
    middle: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]
    x: npt.NDArray[np.int64]
    y: npt.NDArray[np.int64]


def looks_like(data: bytes) -> bool:
    """Return whether data may be an MVF file."""
    return data[:2] in (_MAGIC, _HACK) or tuple(data[:2]) in _OLD_SIZES


def read(data: bytes) -> Replay:
    """Read an MVF file.

    Raises:
        BadReplay: If the file is invalid.
    """
    if data[:2] == _HACK:
        return _read_new(ByteReader(data, 7), "0.97 unknown hack", wide=False)
    if data[:2] != _MAGIC:
        return _read_old(data)
    year = ByteReader(data, _YEAR_AT).take(1)
    if year == b"5":
        return _read_new(ByteReader(data, 74), "0.97 beta", wide=False)
    if year in (b"6", b"7"):
        reader = ByteReader(data, 53)
        version = decoded(reader.take(reader.number(1)))
        return _read_new(ByteReader(data, 71), version, wide=True)
    if year == b"8":
        return _read_new(ByteReader(data, 74), "0.97 Funny Mode hack", wide=False)
    raise BadReplay(f"unknown version of Minesweeper Clone: byte {_YEAR_AT} is {year!r}")


def _read_new(reader: ByteReader, version: str, *, wide: bool) -> Replay:
    """Read the records of 0.97 or the wider ones of 2006 and 2007."""
    date = reader.take(7)
    reader.take(1)
    mode = reader.number(1)
    bbbv: int | None = None
    won: bool | None = None
    if wide:
        time_ms = reader.number(3)
    else:
        time_ms = 1000 * reader.number(2) + 10 * reader.number(1)
        bbbv, solved = reader.number(2), reader.number(2)
        won = bbbv == solved
        reader.take(3 * 2)
    marks = reader.number(1)
    board = _board(reader, 1)
    player = decoded(reader.take(reader.number(1)))
    places = _permutation(reader.number(2), wide=wide)
    count = reader.number(3)
    size = 6 if wide else 5
    if not count:
        raise no_events()
    rows = np.frombuffer(reader.take(count * size), dtype=np.uint8).reshape(count, size)
    bits = np.unpackbits(rows, axis=1, bitorder="little")[:, places]
    states = _wide_states(bits) if wide else _states(bits)
    info = Info(
        program=_PROGRAM,
        version=version,
        player=player,
        started_at=_started_at(date),
        mode="upk" if "Funny" in version else _MODES.get(mode, f"mode {mode}"),
        question_marks=marks != 0,
        time_ms=time_ms,
        bbbv=bbbv,
        won=won,
    )
    return Replay(board, _events(states), 16, info, "mvf")


def _read_old(data: bytes) -> Replay:
    """Read the files of 0.96 and earlier versions, which have no header."""
    if tuple(data[:2]) not in _OLD_SIZES:
        raise BadReplay("an MVF file without a header must have a board of 8x8, 16x16 or 30x16")
    reader = ByteReader(data)
    board = _board(reader, 0)
    marks = reader.take(2)[0]
    size, digits = len(data), b"0123456789"
    player = ""
    if data[-1] not in digits and data[-22:-21] not in [bytes([d]) for d in digits]:
        version, time_at = "0.96 beta (or earlier)", size - 125
        player = decoded(data[size - 122 : size - 22]).strip()
    elif data[-13:-10] == b"   ":
        version, time_at = "0.76 beta", size - 113
        player = decoded(data[size - 110 : size - 10]).strip()
    else:
        version, time_at = "0.75 beta (or earlier)", size - 13
    if time_at <= reader.at:
        raise cut_short()
    end = ByteReader(data, time_at)
    time_ms = 1000 * end.number(2) + 10 * end.number(1)
    whole = (time_at - reader.at) // 8
    rows = np.frombuffer(data, dtype=np.uint8, count=8 * whole, offset=reader.at)
    rows = rows.reshape(whole, 8).astype(np.int64)
    ms = 1000 * rows[:, 0] + 10 * rows[:, 1]
    wrong = ms > time_ms
    wrong[1:] |= ms[1:] < ms[:-1]
    if wrong.any():
        rows, ms = rows[: int(np.argmax(wrong))], ms[: int(np.argmax(wrong))]
    if not len(rows):
        raise no_events()
    # The file omits the last release.
    rows = np.concatenate([rows, rows[-1:]])
    rows[-1, 2] = 0
    states = _States(
        np.concatenate([ms, ms[-1:]]),
        (rows[:, 2] & 1) > 0,
        (rows[:, 2] & 2) > 0,
        (rows[:, 2] & 4) > 0,
        rows[:, 3] << 8 | rows[:, 4],
        rows[:, 5] << 8 | rows[:, 6],
    )
    info = Info(_PROGRAM, version, player, question_marks=marks != 0, time_ms=time_ms)
    return Replay(board, _events(states), 16, info, "mvf")


def _board(reader: ByteReader, first: int) -> Board:
    """Read the board, whose mines are stored as (x, y), counted from `first`."""
    width, height, mines = reader.number(1), reader.number(1), reader.number(2)
    places = reader.take(2 * mines)
    pairs = zip(places[1::2], places[::2], strict=True)
    return board_of(width, height, ((row - first, col - first) for row, col in pairs))


def _permutation(seed: int, *, wide: bool) -> list[int]:
    """Return each bit's stored position, from sorting the digits of certain roots and sines."""
    one, two = sqrt(seed), sqrt(seed + 1000.0)
    three, four = sqrt(one + 1000.0), sqrt(two + 1000.0)
    waves = [cos(three + 1000.0), sin(sqrt(two)), cos(three), sin(sqrt(one) + 1000.0), cos(four)]
    if wide:
        waves.append(sin(four))
    digits = "".join(f"{round(abs(wave) * 1e8):08d}"[:8] for wave in waves)
    return sorted(range(len(digits)), key=lambda place: digits[place])


def _number(bits: npt.NDArray[np.uint8], first: int, count: int) -> npt.NDArray[np.int64]:
    """Return the numbers in columns of bits, lowest bit first."""
    powers = 1 << np.arange(count, dtype=np.int64)
    numbers: npt.NDArray[np.int64] = bits[:, first : first + count].astype(np.int64) @ powers
    return numbers


def _states(bits: npt.NDArray[np.uint8]) -> _States:
    ms = 1000 * _number(bits, 28, 10) + 10 * _number(bits, 21, 7)
    right, middle, left = (bits[:, place] > 0 for place in range(3))
    return _States(ms, left, middle, right, _number(bits, 12, 9), _number(bits, 3, 9))


def _wide_states(bits: npt.NDArray[np.uint8]) -> _States:
    right, middle, left = (bits[:, place] > 0 for place in range(3))
    x, y = _number(bits, 14, 11) - _MARGIN_PX, _number(bits, 3, 11) - _MARGIN_PX
    return _States(_number(bits, 25, 22), left, middle, right, x, y)


def _events(states: _States) -> Events:
    """Return the events between states; a record may result in several events."""
    happened = np.zeros((len(states.ms), len(_ORDER)), dtype=bool)
    happened[1:, 0] = (states.x[1:] != states.x[:-1]) | (states.y[1:] != states.y[:-1])
    for place, button in enumerate((states.left, states.right, states.middle)):
        happened[1:, 1 + place] = button[1:] & ~button[:-1]
        happened[1:, 4 + place] = ~button[1:] & button[:-1]
    # The recording starts with the release of the first click and omits its press.
    pressed = (states.middle[0], states.right[0], states.left[0])
    happened[0, (3, 2, 1, 0)[next((i for i, down in enumerate(pressed) if down), 3)]] = True
    at, kind = np.nonzero(happened)
    return Events.of(states.ms[at], _CODES[kind], states.x[at], states.y[at])


def _started_at(date: bytes) -> str:
    """Return the date of the game, or its year and month if version 2007 wrote 0 for the day."""
    month, day, year = date[0], date[1], int.from_bytes(date[2:4], "big")
    try:
        if not day:
            return f"{datetime(year, month, 1):%Y-%m}"
        return datetime(year, month, day, *date[4:7]).isoformat()
    except ValueError:
        return ""
