"""Check JSON values against types: the fields of messages and their values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    TypeVar,
    Union,
    get_type_hints,
    is_typeddict,
)
from typing import get_args as arguments
from typing import get_origin as origin

from sapper._util.shortening import shown
from sapper.server.protocol import BadMessage

__all__ = ["Checked", "Field", "Range", "checked", "describe", "fields_of", "is_a", "wrong_in"]

_Fields = TypeVar("_Fields", bound=Mapping[str, Any])

_NAMES: Final = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


@dataclass(frozen=True)
class Range:
    """An integer range, from `least` to `most` or without an upper limit."""

    least: int = 0
    most: int | None = None

    def __contains__(self, value: int) -> bool:
        return self.least <= value and (self.most is None or value <= self.most)


@dataclass(frozen=True)
class Checked:
    """A value that is checked by its handler, with a specific error.

    Attributes:
        what: A description.
        typescript: Its type in TypeScript.
    """

    what: str
    typescript: str


class Field(NamedTuple):
    """A field of an object.

    Attributes:
        type: Its type.
        required: Whether it is always present.
        fits: Tests whether a JSON value has its type.
    """

    type: Any
    required: bool
    fits: Callable[[Any], bool]


@cache
def fields_of(kind: Any) -> dict[str, Field]:
    """Return the fields of a `TypedDict` by name."""
    found = {}
    for name, given in get_type_hints(kind, include_extras=True).items():
        optional = origin(given) is NotRequired
        value = arguments(given)[0] if optional else given
        found[name] = Field(value, not optional, is_a(value))
    return found


def checked(
    given: Mapping[str, Any], kind: type[_Fields], also: Collection[str] | None = ()
) -> _Fields:
    """Return the fields of a `TypedDict` in an object.

    Args:
        given: The object.
        kind: The `TypedDict`.
        also: Other fields that are allowed but dropped, or None for any.

    Raises:
        BadMessage: If a field is missing, unknown or invalid.
    """
    fields, found = fields_of(kind), {}
    for name, value in given.items():
        if name not in fields:
            if also is None or name in also:
                continue
            known = ", ".join((*fields, *also)) or "none"
            raise BadMessage(f"unknown field {shown(name)}; choose from: {known}")
        if not fields[name].fits(value):
            raise _wrong(name, fields[name].type, value)
        found[name] = value
    for name, field in fields.items():
        if field.required and name not in found:
            raise _wrong(name, field.type, None)
    return found  # type: ignore[return-value]  # it has the fields of the kind


def _wrong(name: str, kind: Any, value: object) -> BadMessage:
    return BadMessage(f"{name!r} must be {describe(kind)}, got {shown(value)}")


def describe(kind: Any) -> str:
    """Describe the values of a type."""
    if origin(kind) is Annotated:
        [note] = kind.__metadata__
        if isinstance(note, Checked):
            return note.what
        upper = "" if note.most is None else f" to {note.most}"
        return f"a whole number from {note.least}{upper}"
    if origin(kind) is Literal:
        return f"one of {', '.join(map(str, arguments(kind)))}"
    if origin(kind) in (Union, UnionType):
        return " or ".join(map(describe, arguments(kind)))
    if kind == tuple[int, int]:
        return "[row, column]"
    if kind is NoneType:
        return "null"
    if origin(kind) in (list, tuple):
        return "a list"
    return _NAMES.get(kind, "an object")


@cache
def is_a(kind: Any) -> Callable[[Any], bool]:
    """Return a function that tests whether a JSON value has a type."""
    parts = arguments(kind)
    if origin(kind) is Annotated:
        [note] = kind.__metadata__
        if isinstance(note, Checked):
            return lambda value: True
        return lambda value: type(value) is int and value in note
    if origin(kind) is Literal:
        return lambda value: isinstance(value, str) and value in parts
    if origin(kind) in (Union, UnionType):
        options = [is_a(part) for part in parts]
        return lambda value: any(option(value) for option in options)
    if origin(kind) is list:
        item = is_a(parts[0])
        return lambda value: isinstance(value, list) and all(map(item, value))
    if origin(kind) is tuple:
        items = [is_a(part) for part in parts]
        return lambda value: (
            isinstance(value, list)
            and len(value) == len(items)
            and all(item(one) for item, one in zip(items, value, strict=True))
        )
    if origin(kind) is dict:
        item = is_a(parts[1])
        return lambda value: isinstance(value, dict) and all(map(item, value.values()))
    if is_typeddict(kind):
        return lambda value: isinstance(value, dict) and not wrong_in(value, kind)
    if kind is float:
        return lambda value: type(value) in (int, float)
    return lambda value: value is None if kind is NoneType else type(value) is kind


def wrong_in(value: Any, kind: Any) -> list[str]:
    """Return the names of an object's fields that do not fit a `TypedDict`."""
    fields = fields_of(kind)
    missing = [name for name, field in fields.items() if field.required and name not in value]
    unknown = [name for name in value if name not in fields]
    unfit = [name for name in value if name in fields and not fields[name].fits(value[name])]
    return missing + unknown + unfit
