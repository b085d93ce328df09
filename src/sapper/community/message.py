"""A message from a room to some of its members."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Json", "Message", "field_values"]

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    Attributes:
        to: Ids of the members who get it; nobody else may see it.
        body: A JSON object with a ``type``.
    """

    to: tuple[str, ...]
    body: Json


def field_values(value: DataclassInstance) -> Json:
    """Return the fields of a dataclass by name, without copying them as `asdict` does."""
    return {one.name: getattr(value, one.name) for one in fields(value)}
