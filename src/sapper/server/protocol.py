"""Shared by HTTP and WebSocket: JSON in the visitor's language, errors, and checks of fields."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from sapper._util.shortening import shown
from sapper.errors import SapperError
from sapper.topology import Cell, cell_name
from sapper.translation import Text
from sapper.web.language import translated

__all__ = [
    "BadMessage",
    "Json",
    "cell_of",
    "encode",
    "error_body",
    "text_of",
    "whole_of",
    "with_cell_names",
]

# A cell in the library's messages, which count from 0.
_WRITTEN: Final = re.compile(r"\((-?\d+), (-?\d+)\)")

Json = dict[str, Any]

_compact: Final = json.JSONEncoder(separators=(",", ":")).encode


def with_cell_names(text: str) -> str:
    """Return a message from the library, with cells named as on the page.

    >>> with_cell_names("cannot open (0, 3): the game is won")
    'cannot open row 1, column 4: the game is won'
    """
    if not isinstance(text, Text):
        whole = _WRITTEN.fullmatch(text)
        return _named(whole) if whole else _WRITTEN.sub(_named, text)
    values = {name: _with_named_cells(value) for name, value in text.values.items()}
    return Text(text.source, values, text.plural, text.counted, text.capital)


def _with_named_cells(value: Any) -> Any:
    if isinstance(value, Cell):
        return cell_name(value)
    if isinstance(value, str):
        return with_cell_names(value)
    return [_with_named_cells(part) for part in value] if isinstance(value, list) else value


def _named(written: re.Match[str]) -> str:
    return cell_name(Cell(int(written[1]), int(written[2])))


class BadMessage(SapperError, ValueError):
    """A message with an unknown type or invalid fields."""

    code = "bad_message"


def error_body(code: str, message: str, re: str | None = None) -> Json:
    """Return the JSON form of an error, for HTTP and WebSocket.

    Args:
        code: Code of the error.
        message: Text for players, with cells named as on the page.
        re: Id of the message that it answers.
    """
    body: Json = {"error": {"code": code, "message": with_cell_names(message)}}
    return body if re is None else {**body, "re": re}


def cell_of(message: Json) -> Cell:
    """Return the cell in a message.

    Raises:
        BadMessage: If there is no cell in it.
    """
    value = message.get("cell")
    if not isinstance(value, list) or len(value) != 2 or not all(type(n) is int for n in value):
        raise BadMessage(f"'cell' must be [row, column], got {shown(value)}")
    return Cell(*value)


def whole_of(message: Json, key: str) -> int:
    """Return a non-negative integer from a message.

    Raises:
        BadMessage: If the field has any other value.
    """
    value = message.get(key)
    if type(value) is not int or value < 0:
        raise BadMessage(f"{key!r} must be a whole number from 0, got {shown(value)}")
    return value


def text_of(message: Mapping[str, Any], key: str, legal: tuple[str, ...]) -> str:
    """Return one of the allowed words from a message.

    Raises:
        BadMessage: If the field has any other value.
    """
    value = message.get(key)
    if value not in legal:
        raise BadMessage(f"{key!r} must be one of {', '.join(legal)}, got {shown(value)}")
    return str(value)


def encode(message: object) -> str:
    """Return the JSON text of a message, in the language of the request.

    ASCII only, because UTF-8 cannot encode a lone surrogate, which an id may contain.
    """
    return _compact(translated(message))
