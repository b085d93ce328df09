"""Read many event lines of RawVF text at once, with arrays instead of a loop."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from sapper.replay.events import KINDS, EventKind, Events

__all__ = ["KIND_NAMES", "read_event_lines"]

KIND_NAMES: Final = (
    EventKind.MOVE,
    EventKind.LEFT_DOWN,
    EventKind.LEFT_UP,
    EventKind.RIGHT_DOWN,
    EventKind.RIGHT_UP,
    EventKind.MIDDLE_DOWN,
    EventKind.MIDDLE_UP,
    EventKind.SHIFT_LEFT_DOWN,
    EventKind.PRE_FLAG,
    EventKind.MARKS_CHANGE,
)
"""Event kinds in RawVF text, keyed by their two letters."""

_PATTERN: Final = np.frombuffer(b".    ( )\n", dtype=np.uint8)
"""Separators between the numbers of a line such as ``1.250 lc 3 7 (40 104)``."""
_SEPARATOR, _DIGIT, _LETTER, _MINUS, _OTHER = range(5)
_CLASSES = bytearray([_OTHER]) * 256
for _chars, _class in ((b".( )\n", _SEPARATOR), (b"0123456789", _DIGIT), (b"-", _MINUS)):
    for _char in _chars:
        _CLASSES[_char] = _class
for _kind in KIND_NAMES:
    for _char in _kind.encode():
        _CLASSES[_char] = _LETTER
_CODES: Final = np.zeros(2**16, dtype=np.uint8)
for _kind in KIND_NAMES:
    _CODES[int.from_bytes(_kind.encode(), "little")] = KINDS.index(_kind)
_LONGEST: Final = 6
"""Maximum number of digits of a coordinate; seconds may have one more."""

_DIGIT_BITS: Final = 0x0F

_Places = npt.NDArray[np.int32]


def read_event_lines(data: bytes) -> Events | None:
    """Read lines if all of them are events with seconds to two or three decimals.

    Returns:
        The events; None if a line has another form, which may still be an event.
    """
    lines = data.count(b"\n")
    if not lines or not data.endswith(b")\n"):
        return None
    text = np.frombuffer(data, dtype=np.uint8)
    classes = np.frombuffer(data.translate(_CLASSES), dtype=np.uint8)
    separators = np.flatnonzero(classes == _SEPARATOR)
    if len(separators) != lines * len(_PATTERN):
        return None
    if (text[separators].reshape(lines, len(_PATTERN)) != _PATTERN).any():
        return None
    # Transpose: one row for each column of the text. A compact type halves memory and time.
    ends = np.ascontiguousarray(separators.astype(np.int32).reshape(lines, len(_PATTERN)).T)
    begins = np.empty_like(ends)
    begins[1:] = ends[:-1] + 1
    begins[0, 0], begins[0, 1:] = 0, ends[-1, :-1] + 1
    sizes = ends - begins
    places = sizes[1, 0]
    if places not in (2, 3) or (sizes[1] != places).any() or (sizes[2] != 2).any():
        return None
    # There must be nothing between the row and the closing parenthesis, or after the parenthesis.
    if sizes[5].any() or sizes[8].any():
        return None
    kinds = _kinds(text, classes, begins[2])
    numbers = np.array([3, 4, 6, 7])
    signs = classes[begins[numbers]] == _MINUS
    if kinds is None or np.count_nonzero(classes == _MINUS) != np.count_nonzero(signs):
        return None
    if np.count_nonzero(classes == _OTHER):
        return None
    digits = sizes[numbers] - signs
    seconds = sizes[0]
    if digits.min() < 1 or digits.max() > _LONGEST:
        return None
    if seconds.min() < 1 or seconds.max() > _LONGEST + 1:
        return None
    x, y = _whole(text, ends[6:8], digits[2:]) * np.where(signs[2:], -1, 1)
    ms = 1000 * _whole(text, ends[0], seconds).astype(np.int64)
    ms += _whole(text, ends[1], sizes[1]) * (10 if places == 2 else 1)
    return Events.of(ms, kinds, x, y)


def _kinds(
    text: npt.NDArray[np.uint8], classes: npt.NDArray[np.uint8], begins: _Places
) -> npt.NDArray[np.uint8] | None:
    """Return the codes of the kinds; None if one is unknown or there are letters elsewhere."""
    codes: npt.NDArray[np.uint8] = _CODES[text[begins] + 256 * text[begins + 1].astype(np.uint16)]
    if not codes.all() or np.count_nonzero(classes == _LETTER) != 2 * len(begins):
        return None
    return codes


def _whole(text: npt.NDArray[np.uint8], ends: _Places, digits: _Places) -> _Places:
    """Return the integers that end before the given offsets.

    Args:
        text: The text; these numbers consist only of digits.
        ends: The offset after the last digit of each number.
        digits: Number of digits.
    """
    numbers = np.zeros(ends.shape, dtype=np.int32)
    for place in range(int(digits.max())):
        digit = text.take(ends - (1 + place), mode="clip") & _DIGIT_BITS
        numbers += (digit * (digits > place)).astype(np.int32) * 10**place
    return numbers
