"""A message from a room to some of its members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Json", "Message"]

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    Attributes:
        to: Ids of the members who get it; nobody else may.
        body: A JSON object, whose ``type`` says what it is.
    """

    to: tuple[str, ...]
    body: Json
