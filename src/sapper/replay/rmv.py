"""RMV files of Viennasweeper, versions 1 and 2; see docs/formats.md."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

import numpy as np
import numpy.typing as npt

from sapper.errors import BadReplay
from sapper.replay.byte_reader import ByteReader, board_of, decoded
from sapper.replay.damage import cut_short, no_pixels, unknown_event, wrong_version
from sapper.replay.events import KINDS, EventKind, Events
from sapper.replay.recording import MODES, Info, Replay

__all__ = ["looks_like", "read"]

_MAGIC: Final = b"*rmv"
_CELL_PX: Final = 16
"""Size of a cell in version 1, in pixels."""
_LEFT, _TOP = 12, 56
"""Origin of the board in the window of version 1, which stores window coordinates."""

_CLOCK, _BLAST, _WIN, _OTHER, _STEP = 0, 15, 16, 17, 28
_PROGRAMS: Final = {
    1: "Viennasweeper", 2: "Arbiter", 3: "Minesweeper X", 4: "Minesweeper Clone",
    5: "Metasweeper", 6: "FreeSweeper", 7: "MySweeper",
}  # fmt: skip

_PRE_FLAG, _LEFT_DOWN = KINDS.index(EventKind.PRE_FLAG), KINDS.index(EventKind.LEFT_DOWN)
_LEFT_UP = KINDS.index(EventKind.LEFT_UP)
_MOVE = KINDS.index(EventKind.MOVE)


def _lengths(version: int) -> list[int]:
    """Return the length of each kind of record; 0 for unknown kinds and those ending the events."""
    lengths = [0] * 256
    lengths[1:8] = [1 + 3 + 1 + 2 + 2] * 7
    lengths[9:15] = [3] * 6
    lengths[18:28] = [3] * 10
    if version == 1:
        lengths[_CLOCK] = 5
    else:
        lengths[_STEP] = 3
    return lengths


_LENGTHS: Final = {version: _lengths(version) for version in (1, 2)}


def looks_like(data: bytes) -> bool:
    """Return whether data may be an RMV file."""
    return data.startswith(_MAGIC)


def read(data: bytes) -> Replay:
    """Read an RMV file.

    Raises:
        BadReplay: If the file is invalid.
    """
    reader = ByteReader(data, len(_MAGIC))
    version = reader.number(2)
    if version not in _LENGTHS:
        raise wrong_version(1, 2, version)
    clone = reader.take(2)[0] if version == 2 else 1
    reader.take(4)
    result_size = reader.number(2) if version == 1 else 0
    version_size = reader.number(2)
    reader.take(2 + 2)
    pre_flags_size, properties_size = reader.number(2), reader.number(2)
    reader.take((2 if version == 2 else 0) + 4 + 2)
    result = reader.take(result_size)
    program = reader.take(version_size)
    fields = [reader.take(reader.number(1)) for _ in range(reader.number(2))]
    started = reader.number(4)
    width, height, mines = reader.number(1), reader.number(1), reader.number(2)
    places = reader.take(2 * mines)
    board = board_of(width, height, zip(places[1::2], places[::2], strict=True))
    flags = reader.take(2 * reader.number(2)) if pre_flags_size else b""
    properties = reader.take(properties_size)
    if len(properties) < (7 if version == 2 else 4):
        raise BadReplay(f"an RMV file has 4 properties or more, got {len(properties)}")
    utf8 = version == 2 or (len(properties) > 4 and properties[4] == 1)
    name = _extension_name(reader) if version == 2 else ""
    cell_px = properties[6] if version == 2 else _CELL_PX
    if not cell_px:
        raise no_pixels()
    events, outcome, time_ms = _events(reader, version)
    if flags:
        events = _with_flags(flags, events, cell_px)
    texts = [_text(field, utf8) for field in [*fields[:3], b"", b"", b""][:3]]
    info = Info(
        program=name or _PROGRAMS.get(clone, ""),
        version=_text(program, utf8),
        player=texts[0],
        identity=texts[1],
        country=texts[2],
        started_at=datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        mode=MODES[properties[2]] if properties[2] < len(MODES) else f"mode {properties[2]}",
        question_marks=properties[0] == 1,
        time_ms=time_ms,
        bbbv=properties[4] + 256 * properties[5] if version == 2 else _result_bbbv(result),
        won=outcome == _WIN,
    )
    return Replay(board, events, cell_px, info, "rmv")


def _text(field: bytes, utf8: bool) -> str:
    if not utf8:
        return decoded(field)
    try:
        return field.decode("utf-8").rstrip("\0")
    except UnicodeDecodeError as problem:
        raise BadReplay(f"a text of the RMV file is not UTF-8: byte {problem.start}") from None


def _result_bbbv(result: bytes) -> int | None:
    """Return the 3BV in the result line of version 1, which only won games have."""
    match = re.search(rb"#3BV:([0-9]{1,5})#", result)
    return None if match is None else int(match[1]) or None


def _extension_name(reader: ByteReader) -> str:
    """Skip the extension properties, and return the program name among them."""
    name = ""
    for _ in range(reader.number(2)):
        key = reader.take(reader.number(1))
        value = reader.take(reader.number(1))
        if key == b"clone_name":
            name = _text(value, utf8=True)
    return name


def _events(reader: ByteReader, version: int) -> tuple[Events, int, int]:
    """Return the events, the result and the time in milliseconds."""
    data, at, lengths = reader.data, reader.at, _LENGTHS[version]
    starts: list[int] = []
    note = starts.append
    try:
        # The length of a record depends on its kind, so they must be read in sequence.
        while length := lengths[data[at]]:
            note(at)
            at += length
    except IndexError:
        raise cut_short() from None
    outcome = data[at]
    if not _BLAST <= outcome <= _OTHER:
        raise unknown_event(len(starts), outcome)
    reader.at = at + 1
    time_ms = reader.number(3)
    rows = np.frombuffer(data, dtype=np.uint8)
    offsets = np.asarray(starts, dtype=np.int64)
    code = rows[offsets]
    is_event = ((code >= 1) & (code <= 7)) | (code == _STEP)
    offsets, code = offsets[is_event], code[is_event]
    if not len(offsets):
        raise BadReplay("the RMV file has no mouse events")
    if code[0] == _STEP:
        raise BadReplay("the first event of the RMV file is relative to none")
    events = _columns(rows, offsets, code, version)
    if code[0] == _LEFT_UP:
        # The file omits the left press that starts the game.
        events = _before(events, events.ms[:1], [_LEFT_DOWN], events.x[:1], events.y[:1])
    return events, outcome, time_ms


def _columns(
    rows: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    code: npt.NDArray[np.uint8],
    version: int,
) -> Events:
    """Return the mouse events at these offsets."""
    whole = code != _STEP
    at = offsets[whole]

    def number(offset: int, count: int) -> npt.NDArray[np.int64]:
        value = np.zeros(len(at), dtype=np.int64)
        for place in range(offset, offset + count):
            value = value << 8 | rows[at + place]
        return value

    if version == 1:
        ms, x, y = number(1, 3), number(5, 2) - _LEFT, number(7, 2) - _TOP
        return Events.of(ms, code, x, y)
    columns = []
    # A step is relative to the previous full event.
    last = np.cumsum(whole) - 1
    steps = offsets[~whole]
    moved = rows[steps + 2].astype(np.int64) if len(steps) else np.zeros(0, dtype=np.int64)
    changes = (
        rows[steps + 1].astype(np.int64) if len(steps) else moved,
        ((moved >> 4) ^ 8) - 8,
        ((moved & 15) ^ 8) - 8,
    )
    values = (number(1, 3), _signed(number(5, 2)), _signed(number(7, 2)))
    for value, change in zip(values, changes, strict=True):
        step = np.zeros(len(code), dtype=np.int64)
        step[~whole] = change
        total = np.cumsum(step)
        columns.append(value[last] + total - total[whole][last])
    ms, x, y = columns
    return Events.of(ms, np.where(whole, code, _MOVE), x, y)


def _signed(value: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return (value ^ 0x8000) - 0x8000


def _with_flags(flags: bytes, events: Events, cell_px: int) -> Events:
    """Return the events, preceded by the flags set before the game."""
    cols, rows = (np.frombuffer(flags[start::2], dtype=np.uint8).astype(int) for start in (0, 1))
    none = np.zeros(len(cols), dtype=int)
    middle = cell_px // 2
    return _before(events, none, none + _PRE_FLAG, cols * cell_px + middle, rows * cell_px + middle)


def _before(events: Events, ms: object, kind: object, x: object, y: object) -> Events:
    """Return the events with others prepended."""
    first = Events.of(ms, kind, x, y)
    pairs = ((getattr(first, name), getattr(events, name)) for name in ("ms", "kind", "x", "y"))
    return Events(*(np.concatenate(pair) for pair in pairs))
