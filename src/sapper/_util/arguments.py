"""Check arguments, with one rule and one error message for each type."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from numbers import Integral, Real
from types import UnionType
from typing import Any, Final, TypeVar

from sapper._util.shortening import shown
from sapper.errors import BadSetting, SapperError, WrongType

__all__ = [
    "SEEDS",
    "check_callable",
    "expect",
    "integer",
    "listed",
    "number",
    "seed_of",
    "seed_or_new",
    "switch",
    "whole",
]

SEEDS: Final = 2**64
"""Seeds are below this number."""

_Thing = TypeVar("_Thing")


def whole(
    value: object,
    name: str,
    *,
    least: int = 0,
    most: int | None = None,
    error: type[SapperError] = BadSetting,
) -> int:
    """Return a whole number as an `int`; numpy integers are accepted, True and False are not.

    Args:
        value: The number.
        name: Name of the argument in the message.
        least: The minimum.
        most: The maximum (default: none).
        error: Class of the error.

    >>> whole(3, "samples")
    3
    >>> whole(-1, "samples")
    Traceback (most recent call last):
        ...
    sapper.errors.BadSetting: samples must be a whole number of 0 or more, got -1

    Raises:
        BadSetting: Or `error`, if the value is not a whole number or is out of range.
    """
    result = integer(value)
    if result is not None and result >= least and (most is None or result <= most):
        return result
    allowed = f"of {least} or more" if most is None else f"from {least} to {_written(most)}"
    raise error(f"{name} must be a whole number {allowed}, got {shown(value)}")


def _written(most: int) -> str:
    bits = most.bit_length()
    return f"2**{bits} - 1" if bits > 32 and most == 2**bits - 1 else str(most)


def seed_of(value: object) -> int:
    """Return a seed as an `int`.

    Raises:
        BadSetting: If the seed is not an integer from 0 to 2**64 - 1.
    """
    result = integer(value)
    if result is not None and 0 <= result < SEEDS:
        return result
    raise BadSetting(f"seed must be an integer from 0 to 2**64 - 1, got {shown(value)}")


def seed_or_new(value: object) -> int:
    """Return a seed as an `int`; for None, draw a new seed from the system.

    New seeds are below 2**53, so that JavaScript reads them exactly.

    Raises:
        BadSetting: If the seed is neither None nor an integer from 0 to 2**64 - 1.
    """
    return secrets.randbits(53) if value is None else seed_of(value)


def integer(value: object) -> int | None:
    """Return an integer, including numpy's, as an `int`; None for True, False and other values.

    >>> integer(1), integer(True), integer(1.0)
    (1, None, None)
    """
    # Checking for plain `int` first is much faster.
    if type(value) is int:
        return value
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def number(value: object) -> float | None:
    """Return a real number as a `float`, infinity if it is too large; None for other values.

    >>> number(1), number(10**400), number(True), number("1")
    (1.0, inf, None, None)
    """
    if type(value) is float:
        return value
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:
        return float("-inf") if value < 0 else float("inf")


def switch(value: object, name: str) -> bool:
    """Return a boolean argument.

    Raises:
        BadSetting: If the value is neither True nor False.
    """
    if not isinstance(value, bool):
        raise BadSetting(f"{name} must be True or False, got {shown(value)}")
    return value


def expect(value: object, kind: type[Any] | UnionType, what: str) -> None:
    """Reject a value that is not of this type.

    >>> expect("...", bytes, "bytes")
    Traceback (most recent call last):
        ...
    sapper.errors.WrongType: expected bytes, got '...'

    Raises:
        WrongType: If the value has another type.
    """
    if not isinstance(value, kind):
        raise WrongType(f"expected {what}, got {shown(value)}")


def listed(values: Iterable[_Thing], what: str) -> list[_Thing]:
    """Return the values as a list.

    Raises:
        WrongType: If the values cannot be iterated over.
    """
    try:
        iterator = iter(values)
    except TypeError:
        raise WrongType(f"expected {what}, got {shown(values)}") from None
    return list(iterator)


def check_callable(value: object, name: str) -> None:
    """Reject values that cannot be called.

    Raises:
        WrongType: If the value cannot be called.
    """
    if not callable(value):
        raise WrongType(f"{name} must be a function, got {shown(value)}")
