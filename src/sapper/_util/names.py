"""Parse settings given by name, with one error message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["either", "member"]

_Member = TypeVar("_Member", bound=StrEnum)


def member(
    kind: type[_Member],
    value: object,
    setting: str,
    allowed: Iterable[_Member] | None = None,
    where: str = "",
) -> _Member:
    """Return the member of an enum with this name.

    Args:
        kind: The enum.
        value: The name, or the member itself.
        setting: The name of the setting, for the message.
        allowed: The members to choose from (default: all).
        where: The context that limits the choice, such as ``for rules kind``, for the message.

    >>> class Method(StrEnum):
    ...     EXACT = "exact"
    ...     SAT = "sat"
    >>> member(Method, "sat", "method").value
    'sat'
    >>> member(Method, "luck", "method")
    Traceback (most recent call last):
        ...
    sapper.errors.BadSetting: method must be exact or sat, got 'luck'

    Raises:
        BadSetting: If there is no such member, or it is not allowed.
    """
    choices = tuple(kind if allowed is None else allowed)
    if isinstance(value, str) and value in choices:
        return kind(value)
    limits = f" {where}" if where else ""
    raise BadSetting(f"{setting} must be {either(choices)}{limits}, got {shown(value)}")


def either(names: Sequence[str]) -> str:
    """Format names as a choice: ``any, safe or opening``."""
    *most, last = map(str, names)
    return f"{', '.join(most)} or {last}" if most else last
