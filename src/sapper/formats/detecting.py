"""Detect the format of a file from its content and read the position."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final, Literal

from sapper._util.shortening import first_line
from sapper.board import Board
from sapper.errors import BadPosition
from sapper.formats.board_file import is_board_file, read_board_file
from sapper.formats.mbf import is_mbf, read_mbf
from sapper.position import Position

__all__ = ["Loaded", "is_binary", "load"]

_NO_TEXT: Final = re.compile(rb"[\0-\x08\x0e-\x1f]")
"""Bytes that never occur in text but occur in nearly every ``.mbf`` header."""

Form = Literal["text", "json", "board", "mbf"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A position from a file.

    Attributes:
        position: The position; unopened if the file contains only a board.
        form: The form of the file.
        board: The mines, if the file contains them.
    """

    position: Position
    form: Form
    board: Board | None = None


def load(data: bytes) -> Loaded:
    """Read a position in text or JSON form, or from an ``.mbf`` or ``.board`` file.

    >>> load(bytes([3, 2, 0, 1, 2, 0])).form
    'mbf'

    Raises:
        BadBoard: If the data is a damaged ``.mbf`` file.
        BadPosition: If the data has none of these forms.
    """
    if is_mbf(data) or is_binary(data):
        board = read_mbf(data)
        return Loaded(Position.unopened(board.topology, board.mines), "mbf", board)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadPosition("this is no position: neither text nor a complete .mbf file") from None
    if is_board_file(text):
        return Loaded(read_board_file(text), "board")
    if text.lstrip()[:1] == "{":
        return Loaded(Position.from_json(_json(text)), "json")
    return Loaded(Position.parse(text), "text")


def is_binary(data: bytes) -> bool:
    """Return whether data has bytes that do not occur in text."""
    return bool(_NO_TEXT.search(data))


def _json(text: str) -> object:
    try:
        # If there are several objects, one per line, take the first.
        return json.JSONDecoder().raw_decode(text.lstrip())[0]
    except (ValueError, RecursionError) as problem:
        raise BadPosition(f"not JSON: {first_line(problem)}") from None
