"""Game ids: a board and its first click as one word.

Sapper's own form is ``WIDTHxHEIGHT:ROW,COL,sBITS``, with ``/TOPOLOGY`` after the size if it is not
a rectangle; BITS has one bit per cell in row order, 1 for a mine, in URL-safe base 64 (RFC 4648).
The form of Simon Tatham's Mines, ``WIDTHxHEIGHT:X,Y,mHEX``, is read as well; its bits are masked so
that nobody reads them by accident (his source describes the masking), or plain after a ``u``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import NamedTuple

from sapper._util.arguments import expect
from sapper._util.shortening import shown
from sapper.board import Board, check_board
from sapper.errors import BadBoard, BadSetting
from sapper.topology import Cell, topology

__all__ = ["GameId", "format_id", "parse_id"]

_ID = re.compile(
    r"(?P<width>[0-9]{1,7})x(?P<height>[0-9]{1,7})(/(?P<shape>[a-z]+))?"
    r":(?P<a>[0-9]{1,7}),(?P<b>[0-9]{1,7}),(?P<form>[smu])(?P<bits>[0-9A-Za-z_-]*)"
)


class GameId(NamedTuple):
    """The contents of a game id."""

    board: Board
    start: Cell


def format_id(board: Board, start: tuple[int, int]) -> str:
    r"""Return Sapper's id of a board and its first click.

    >>> format_id(Board.parse("*10\n110"), (1, 2))
    '3x2:1,2,sgA'
    """
    check_board(board)
    shape = board.topology
    row, col = shape.cell(shape.index(start))
    name = "" if shape.name == "rectangle" else f"/{shape.name}"
    bits = base64.urlsafe_b64encode(_packed(board.mined)).rstrip(b"=").decode("ascii")
    return f"{shape.width}x{shape.height}{name}:{row},{col},s{bits}"


def parse_id(text: str) -> GameId:
    """Return the board and first click of an id, Sapper's own or Simon Tatham's.

    >>> parse_id("3x2:1,2,sgA").board.rows
    ['*10', '110']

    Raises:
        BadBoard: If the text is not such an id, or its bits do not match the board.
    """
    expect(text, str, "a game id as text")
    match = _ID.fullmatch(text.strip())
    if match is None:
        raise BadBoard(
            f"a game id must look like 30x16:8,15,sBITS or 30x16:15,8,mHEX, got {shown(text)}"
        )
    a, b, form, bits = int(match["a"]), int(match["b"]), match["form"], match["bits"]
    try:
        shape = topology(match["shape"] or "rectangle", int(match["width"]), int(match["height"]))
        # Tatham's ids give the column first.
        start = shape.cell(shape.index((a, b) if form == "s" else (b, a)))
    except BadSetting as problem:
        raise BadBoard(f"{problem}, in game id {shown(text)}") from None
    data = _decoded(bits, form, shape.size)
    if data is None:
        raise BadBoard(f"the bits of game id {shown(text)} do not match its {shape.size} cells")
    return GameId(Board(shape, _unpacked(data, shape.size)), start)


def _decoded(bits: str, form: str, size: int) -> bytes | None:
    """Return the packed bits, or None if their number is wrong."""
    length = (size + 7) // 8
    try:
        if form == "s":
            data = base64.b64decode(bits + "=" * (-len(bits) % 4), altchars=b"-_", validate=True)
        else:
            if len(bits) != (size + 3) // 4:
                return None
            data = bytes.fromhex(bits + "0" * (len(bits) % 2))
    except (ValueError, binascii.Error):
        return None
    if len(data) != length:
        return None
    data = _unmasked(data, size) if form == "m" else data
    # Bits past the last cell must be 0, as they are in the ids that programs write.
    spare = length * 8 - size
    return None if data and data[-1] & ((1 << spare) - 1) else data


def _unmasked(data: bytes, size: int) -> bytes:
    """Undo Tatham's masking: each half is masked with a stream derived from the other."""
    half = len(data) // 2
    first, second = data[:half], data[half:]
    second = _xor(second, _stream(first, len(second)))
    spare = len(data) * 8 - size
    second = second[:-1] + bytes([second[-1] & (0xFF << spare) & 0xFF])
    return _xor(first, _stream(second, len(first))) + second


def _stream(seed: bytes, length: int) -> bytes:
    blocks = (
        hashlib.sha1(seed + str(number).encode("ascii"), usedforsecurity=False).digest()
        for number in range(length // 20 + 1)
    )
    return b"".join(blocks)[:length]


def _xor(data: bytes, mask: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, mask, strict=True))


def _packed(mined: bytes) -> bytes:
    spare = -len(mined) % 8
    text = "".join(map(str, mined)) + "0" * spare
    return int(text, 2).to_bytes(len(text) // 8, "big")


def _unpacked(data: bytes, size: int) -> bytes:
    text = bin(int.from_bytes(b"\1" + data, "big"))[3:]
    return bytes(map(int, text[:size]))
