"""EVF files of Metasweeper, versions 0 to 4; see docs/formats.md."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from sapper._core import __version__
from sapper._util.shortening import shown
from sapper.board import Board
from sapper.errors import BadReplay
from sapper.replay.byte_reader import ByteReader, decoded
from sapper.replay.countries import country_code
from sapper.replay.damage import (
    cut_short,
    no_cells,
    no_pixels,
    unknown_event,
    wrong_total,
    wrong_version,
)
from sapper.replay.events import KINDS, EventKind, Events
from sapper.replay.recording import MODES, Info, Replay
from sapper.topology import topology
from sapper.translation import t

__all__ = ["looks_like", "read", "write"]

_LAST: Final = 4
_COMPLETED, _OFFICIAL, _FAIR, _MARKS = 0x80, 0x40, 0x20, 0x80
_END, _END_UNCHECKED, _PAUSE = 0, 255, 255
_KINDS_OF = {0: 9, 1: 9, 2: 9, 3: 12, 4: 12}
"""Last kind of mouse event in each version."""
_TEXT_VALUE: Final = 201
_LENGTHS: Final = [0] * 256
_LENGTHS[1:13] = [1 + 1 + 2 + 2] * 12
for _code in (81, 82, 83, 99):
    _LENGTHS[_code] = 1 + 1
_LENGTHS[200] = 1 + 1 + 2 + 8
_LENGTHS[_PAUSE] = 1 + 2
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_PROGRAM = re.compile(r"(.*\S) (\d\S*)", re.S)


def looks_like(data: bytes) -> bool:
    """Return whether data may be an EVF file."""
    return len(data) > 16 and data[0] <= _LAST


def read(data: bytes) -> Replay:
    """Read an EVF file.

    Raises:
        BadReplay: If the file is invalid.
    """
    reader = ByteReader(data)
    version = reader.number(1)
    if version > _LAST:
        raise wrong_version(0, _LAST, version)
    flags = reader.number(1)
    settings = reader.number(1) if version >= 3 else None
    height, width, mines = reader.number(1), reader.number(1), reader.number(2)
    cell_px, mode, bbbv = reader.number(1), reader.number(2), reader.number(2)
    if not cell_px:
        raise no_pixels()
    time_ms = reader.number(4 if version == 4 else 3)
    if version == 4:
        software, player, identity, country, started_at = _texts(reader, flags)
    else:
        software, player, _, identity, start, _, country = (
            decoded(reader.until(0)) for _ in range(7)
        )
        if version >= 2:
            reader.until(0)
        started_at = _moment(int(start)) if re.fullmatch("[0-9]{15,17}", start) else start
    board = _board(reader, width, height, mines)
    events = _events_4(reader) if version == 4 else _events(reader, version)
    split = _PROGRAM.fullmatch(software)
    info = Info(
        program=software if split is None else split[1],
        version="" if split is None else split[2],
        player=player,
        identity=identity,
        country=country,
        started_at=started_at,
        mode=MODES[mode] if mode < len(MODES) else f"mode {mode}",
        question_marks=None if settings is None else bool(settings & _MARKS),
        time_ms=time_ms,
        bbbv=bbbv or None,
        won=bool(flags & _COMPLETED),
        official=bool(flags & _OFFICIAL),
        fair=bool(flags & _FAIR),
    )
    return Replay(board, events, cell_px, info, "evf")


def _texts(reader: ByteReader, flags: int) -> tuple[str, str, str, str, str]:
    """Read the strings of version 4: program, player, identity, country and start time."""
    country = reader.take(2)
    start = reader.number(8)
    reader.take(8)
    software = _utf8(reader.until(0))
    if flags & 0x08:
        reader.until(0)
        reader.until(0)
    player, _, identity = (_utf8(reader.until(0)) for _ in range(3))
    reader.take(reader.number(2))
    return software, player, identity, _utf8(country).strip("\0 "), _moment(start)


def _utf8(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        raise BadReplay(f"a text of the EVF file is not UTF-8: {shown(text)}") from None


def _moment(micros: int) -> str:
    """Return a time in microseconds since 1970 as ISO 8601; empty for 0."""
    try:
        moment = _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return ""
    return moment.replace(tzinfo=None).isoformat() + "Z" if micros else ""


def _board(reader: ByteReader, width: int, height: int, mines: int) -> Board:
    if not width or not height:
        raise no_cells(width, height)
    size = width * height
    bits = np.unpackbits(np.frombuffer(reader.take((size + 7) // 8), dtype=np.uint8))[:size]
    if bits.sum() != mines:
        raise wrong_total(mines, int(bits.sum()))
    return Board(topology("rectangle", width, height), bits.tobytes())


def _events(reader: ByteReader, version: int) -> Events:
    """Read the events of versions 0 to 3, which have a fixed length."""
    whole = (len(reader.data) - reader.at) // 8
    rows = np.frombuffer(reader.data, dtype=np.uint8, count=8 * whole, offset=reader.at)
    rows = rows.reshape(whole, 8)
    other = (rows[:, 0] == 0) | (rows[:, 0] > _KINDS_OF[version])
    count = int(np.argmax(other)) if other.any() else whole
    reader.at += 8 * count
    end = reader.number(1)
    if end not in (_END, _END_UNCHECKED):
        raise unknown_event(count, end)
    wide = rows[:count].astype(np.int64)
    ms = wide[:, 1] << 16 | wide[:, 2] << 8 | wide[:, 3]
    return Events.of(ms, wide[:, 0], wide[:, 4] << 8 | wide[:, 5], wide[:, 6] << 8 | wide[:, 7])


def _events_4(reader: ByteReader) -> Events:
    """Read the events of version 4, each relative to the previous one."""
    for _ in range(reader.number(2)):
        reader.until(0)
    data, at = reader.data, reader.at
    starts: list[int] = []
    note = starts.append
    try:
        while True:
            # The length of a record depends on its kind, so they must be read in sequence.
            while length := _LENGTHS[data[at]]:
                note(at)
                at += length
            if data[at] != _TEXT_VALUE:
                break
            note(at)
            end = data.find(b"\0", at + 4)
            at = len(data) if end < 0 else end + 1
    except IndexError:
        raise cut_short() from None
    if 100 <= data[at] <= 121:
        raise BadReplay("board events in EVF files are not supported")
    if data[at] != _END:
        raise unknown_event(len(starts), data[at])
    rows = np.frombuffer(data, dtype=np.uint8)
    offsets = np.asarray(starts, dtype=np.int64)
    code = rows[offsets]
    after = rows[offsets + 1].astype(np.int64)
    paused = code == _PAUSE
    after[paused] = after[paused] << 8 | rows[offsets[paused] + 2]
    mouse = code <= 12
    at_mouse = offsets[mouse]
    x, y = (
        np.cumsum(
            _signed(rows[at_mouse + place].astype(np.int64) << 8 | rows[at_mouse + place + 1])
        )
        for place in (2, 4)
    )
    return Events.of(np.cumsum(after)[mouse], code[mouse], _signed(x), _signed(y))


def _signed(
    value: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the low 16 bits as a signed number."""
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000


def write(replay: Replay) -> bytes:
    """Return a replay as EVF, version 4.

    Raises:
        BadReplay: If the board or a number is too large for the format, or the format does not
            support an event of the replay.
    """
    shape, info, events = replay.board.topology, replay.info, replay.events
    if shape.name != "rectangle" or max(shape.width, shape.height) > 255:
        raise BadReplay(t("an EVF file needs a rectangular board of at most 255x255"))
    if max(shape.width, shape.height) * replay.cell_px > 32767:
        raise BadReplay("an EVF file needs a board of at most 32767 pixels")
    if not len(events) or events.kind.max() > 12:
        raise BadReplay("an EVF file needs events, and those of a mouse: see Replay.as_mouse")
    if KINDS[events.kind[0]] not in (
        EventKind.MOVE, EventKind.LEFT_DOWN, EventKind.RIGHT_DOWN, EventKind.PRE_FLAG
    ):  # fmt: skip
        raise BadReplay("the first event of an EVF file must be a move, a press or an early flag")
    software = f"{info.program} {info.version}" if info.version else info.program
    mode = MODES.index(info.mode) if info.mode in MODES else _mode_number(info.mode)
    start = info.started_micros
    claims = ((info.won, _COMPLETED), (info.official, _OFFICIAL), (info.fair, _FAIR))
    flags = sum(bit for value, bit in claims if value)
    head = [
        bytes([_LAST, flags | 0x08, _MARKS if info.question_marks else 0]),
        bytes([shape.height, shape.width]),
        _number(replay.board.mines, 2),
        bytes([replay.cell_px]),
        _number(mode, 2),
        _number(info.bbbv or 0, 2),
        _number(info.time_ms or 0, 4),
        country_code(info.country).encode("ascii").ljust(2, b"\0"),
        _number(start, 8),
        _number(start + 1000 * (info.time_ms or 0) if start else 0, 8),
    ]
    for text in (software, f"Sapper {__version__}", "utf-8", info.player, "", info.identity):
        head.append(text.replace("\0", "").encode("utf-8", "replace") + b"\0")
    bits = np.packbits(np.frombuffer(replay.board.mined, dtype=np.uint8)).tobytes()
    return b"".join([*head, _number(0, 2), bits, _number(0, 2), _event_bytes(events), b"\0\0\0"])


def _number(value: int, count: int) -> bytes:
    if not 0 <= value < 256**count:
        raise BadReplay(f"{value} does not fit into {count} bytes of an EVF file")
    return value.to_bytes(count, "big")


def _mode_number(mode: str) -> int:
    match = re.fullmatch("mode ([0-9]{1,5})", mode)
    return 65535 if match is None else int(match[1])


def _event_bytes(events: Events) -> bytes:
    """Return the events as in version 4, each relative to the previous one."""
    after = np.diff(events.ms, prepend=0)
    if after.min() < 0:
        raise BadReplay("the times of the events must not go back in an EVF file")
    moves = []
    for column in (events.x, events.y):
        wide = column.astype(np.int64)
        change = np.diff(wide, prepend=0)
        if np.abs(change).max() > 32767:
            raise BadReplay("a position is too far off for an EVF file")
        moves.append(change & 0xFFFF)
    data = bytearray()
    for kind, ms, x, y in zip(
        events.kind.tolist(), after.tolist(), *(move.tolist() for move in moves), strict=True
    ):
        left = ms
        while left > 255:
            pause = min(left - 255 if left < 65536 else 65535, 65535)
            data += bytes((_PAUSE, pause >> 8, pause & 255))
            left -= pause
        data += bytes((kind, left, x >> 8, x & 255, y >> 8, y & 255))
    return bytes(data)
