"""AVF files of Minesweeper Arbiter; see docs/formats.md."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from typing import Final

import numpy as np

from sapper.board import Board
from sapper.errors import BadReplay
from sapper.replay.byte_reader import ByteReader, board_of, decoded
from sapper.replay.damage import cut_short, no_events, unknown_event
from sapper.replay.events import KINDS, EventKind, Events
from sapper.replay.recording import Info, Replay

__all__ = ["looks_like", "read"]

_LEVELS: Final = {3: (8, 8, 10), 4: (16, 16, 40), 5: (30, 16, 99)}
_CUSTOM: Final = 6
_LEVEL_AT: Final = 5

_BUTTONS: Final = {
    1: EventKind.MOVE,
    3: EventKind.LEFT_DOWN,
    5: EventKind.LEFT_UP,
    9: EventKind.RIGHT_DOWN,
    11: EventKind.SHIFT_LEFT_DOWN,
    17: EventKind.RIGHT_UP,
    21: EventKind.LEFT_UP,
    33: EventKind.MIDDLE_DOWN,
    65: EventKind.MIDDLE_UP,
    145: EventKind.RIGHT_UP,
    193: EventKind.MIDDLE_UP,
}
_KINDS = np.zeros(256, dtype=np.uint8)
for _button, _kind in _BUTTONS.items():
    _KINDS[_button] = KINDS.index(_kind)

# The block before the text may happen to contain a bracket, so match the bytes around it: 17 means
# that question marks are on, 127 that they are off.
_TEXT = re.compile(
    rb"([\x11\x7f])[\s\S]\[[0-3]\|([ -~]{8,120}?)B(\d{1,5})T(\d{1,7})[.,](\d{1,3})\]"
)
_STARTED = re.compile(rb"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{1,2}):(\d{1,2}):(\d{3,4})\|")
_FIRST = re.compile(b"[" + re.escape(bytes(_BUTTONS)) + rb"][\x00\x01]\x01")
_PLAYER = re.compile(rb"Skin:[^\r]{0,100}\r([^\r]{0,300})\r")
_VERSION = re.compile(rb"Minesweeper Arbiter ([0-9][ -~]{0,15}?)\.? Copyright")
_EVENT: Final = 8
_COUNTRIES: Final = {
    8: "CN", 10: "GB", 12: "FR", 13: "DE", 23: "KR", 29: "PL", 31: "RU", 37: "CN",
    41: "US", 69: "JP",
}  # fmt: skip


def looks_like(data: bytes) -> bool:
    """Return whether data may be an AVF file, possibly a truncated one."""
    if not data or data[0] < 0x20:
        return False
    reader = ByteReader(data, _LEVEL_AT)
    try:
        width, height, mines = _size(reader)
    except BadReplay:
        return False
    # The level byte alone is not enough, because Parquet files have the same byte there.
    places = data[reader.at : reader.at + 2 * mines]
    rows, cols = places[::2], places[1::2]
    return all(1 <= row <= height for row in rows) and all(1 <= col <= width for col in cols)


def read(data: bytes) -> Replay:
    """Read an AVF file.

    Raises:
        BadReplay: If the file is invalid.
    """
    reader = ByteReader(data, _LEVEL_AT)
    width, height, mines = _size(reader)
    places = reader.take(2 * mines)
    board = board_of(
        width, height, ((r - 1, c - 1) for r, c in zip(places[::2], places[1::2], strict=True))
    )
    reader.take(_block_length(board))
    country = _COUNTRIES.get(reader.number(1), "")
    text = _TEXT.search(data, reader.at)
    if text is None:
        raise cut_short()
    events, end = _events(data, text.end())
    player = _PLAYER.search(data, end)
    version = _VERSION.search(data, end)
    seconds, fraction = int(text[4]), text[5].decode().ljust(3, "0")
    info = Info(
        program="Arbiter",
        version="" if version is None else version[1].decode(),
        player="" if player is None else decoded(player[1]),
        country=country,
        started_at=_started_at(text[2]),
        question_marks=text[1] == b"\x11",
        # The file contains the displayed time, which starts at 1.
        time_ms=max(0, 1000 * (seconds - 1) + int(fraction)),
        bbbv=int(text[3]),
    )
    return Replay(board, events, 16, info, "avf")


def _size(reader: ByteReader) -> tuple[int, int, int]:
    """Return width, height and mine total."""
    level = reader.number(1)
    if level in _LEVELS:
        return _LEVELS[level]
    if level != _CUSTOM:
        raise BadReplay(f"an AVF level must be 3, 4, 5 or 6, got {level}")
    return reader.number(1) + 1, reader.number(1) + 1, reader.number(2)


def _block_length(board: Board) -> int:
    """Return the length of the obfuscated block before the country; it contains a decimal sum."""
    shape = board.topology
    numbers = np.frombuffer(board.numbers, dtype=np.uint8)
    values = np.where(np.frombuffer(board.mined, dtype=np.uint8), np.uint8(10), numbers + 1)
    # Each value is weighted by its column index times its row number (from 1).
    by_row = values.reshape(shape.height, shape.width) @ np.arange(shape.width)
    return len(str(int(np.arange(1, shape.height + 1) @ by_row))) + 4


def _events(data: bytes, start: int) -> tuple[Events, int]:
    """Return the events and the offset after them."""
    first = _FIRST.search(data, start)
    if first is None:
        raise no_events()
    at = first.start()
    whole = (len(data) - at) // _EVENT
    rows = np.frombuffer(data, dtype=np.uint8, count=whole * _EVENT, offset=at)
    rows = rows.reshape(whole, _EVENT)
    ends = np.flatnonzero((rows[:, 2] == 0) & (rows[:, 6] == 0))
    if not len(ends):
        raise cut_short()
    end = int(ends[0])
    wide = rows[:end].astype(np.int32)
    kind = _KINDS[rows[:end, 0]]
    if not kind.all():
        place = int(np.flatnonzero(kind == 0)[0])
        raise unknown_event(place, int(rows[place, 0]))
    seconds = (wide[:, 6] << 8 | wide[:, 2]) - 1
    ms = 1000 * seconds + 10 * wide[:, 4]
    x = wide[:, 1] << 8 | wide[:, 3]
    y = wide[:, 5] << 8 | wide[:, 7]
    return Events.of(ms, kind, x, y), at + end * _EVENT


def _started_at(text: bytes) -> str:
    """Return the start time as ISO 8601; empty if it is missing or not a time."""
    match = _STARTED.search(text)
    if match is None:
        return ""
    day, month, year, hour, minute, second = (int(match[group]) for group in range(1, 7))
    # The fraction has four digits; the first is not part of the time.
    micro = 1000 * int(match[7][-3:])
    with suppress(ValueError):
        return datetime(year, month, day, hour, minute, second, micro).isoformat(
            timespec="milliseconds"
        )
    return ""
