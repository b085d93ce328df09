"""The WebSocket protocol: parsing of messages, and the JSON form of errors."""

from __future__ import annotations

import json
from typing import Any, Final

from sapper._util.arguments import quoted
from sapper.errors import SapperError
from sapper.server import limits
from sapper.server.cell_names import with_cell_names
from sapper.topology import Cell

__all__ = [
    "KINDS",
    "BadMessage",
    "Json",
    "cell_of",
    "error_body",
    "read_message",
    "text_of",
    "whole_of",
]

Json = dict[str, Any]

KINDS: Final = frozenset(
    {
        "again",
        "analyze",
        "assist",
        "automatic",
        "chord",
        "daily",
        "drawn",
        "hint",
        "mark",
        "new",
        "open",
        "position",
    }
    | {"settings", "sync", "undo"}
)


class BadMessage(SapperError, ValueError):
    """A message that the server does not understand."""

    code = "bad_message"


def error_body(code: str, message: str, re: str | None = None) -> Json:
    """The JSON form of errors, over HTTP and WebSocket.

    Args:
        code: The code of the error.
        message: A text for players, with cells named as on the page.
        re: The message that it answers.
    """
    body: Json = {"error": {"code": code, "message": with_cell_names(message)}}
    return body if re is None else {**body, "re": re}


def read_message(text: str | bytes | None) -> Json:
    """Parse a browser's message, and check the common fields.

    Raises:
        BadMessage: If it is not a JSON object of a known type.
    """
    if not isinstance(text, str):
        raise BadMessage("a message must be text, got binary data")
    if len(text) > limits.MESSAGE_CHARACTERS:
        raise BadMessage(
            f"a message must have at most {limits.MESSAGE_CHARACTERS} characters, got {len(text)}"
        )
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage(f"a message must be one JSON object, got {text[:40]!r}") from None
    if not isinstance(message, dict):
        raise BadMessage(f"a message must be one JSON object, got {text[:40]!r}")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        known = ", ".join(sorted(KINDS))
        raise BadMessage(f"unknown message type {quoted(kind):.40}; choose from: {known}")
    return message


def reply_id(message: object) -> str | None:
    """Return the id to answer under, if the message has a valid one."""
    given = message.get("id") if isinstance(message, dict) else None
    return given if isinstance(given, str) and len(given) <= 40 else None


def cell_of(message: Json) -> Cell:
    """Return the cell in a message.

    Raises:
        BadMessage: If it names none.
    """
    given = message.get("cell")
    if not isinstance(given, list) or len(given) != 2 or not all(type(n) is int for n in given):
        raise BadMessage(f"'cell' must be [row, column], got {quoted(given):.40}")
    return Cell(*given)


def whole_of(message: Json, key: str) -> int:
    """Return a non-negative integer from a message.

    Raises:
        BadMessage: If it gives something else.
    """
    given = message.get(key)
    if type(given) is not int or given < 0:
        raise BadMessage(f"{key!r} must be a whole number from 0, got {quoted(given):.40}")
    return given


def text_of(message: Json, key: str, legal: tuple[str, ...]) -> str:
    """Return one of the allowed words from a message.

    Raises:
        BadMessage: If it gives something else.
    """
    given = message.get(key)
    if given not in legal:
        raise BadMessage(f"{key!r} must be one of {', '.join(legal)}, got {quoted(given):.40}")
    return str(given)
