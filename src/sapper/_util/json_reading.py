"""Helpers for reading values from their JSON forms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sapper._util.arguments import listed, number
from sapper._util.shortening import shortened, shown
from sapper.errors import BadSave
from sapper.topology import Cell, Topology

__all__ = ["cell", "cells", "fraction", "reading", "text"]


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Convert errors from reading an invalid JSON form to `BadSave`.

    >>> with reading("a chance"):
    ...     {}["win_chance"]
    Traceback (most recent call last):
        ...
    sapper.errors.BadSave: a chance needs 'win_chance'
    """
    try:
        yield
    except KeyError as missing:
        raise BadSave(f"{what} needs {missing}") from None
    except (AttributeError, RecursionError, TypeError, ValueError) as problem:
        raise BadSave(f"not {what}: {shortened(str(problem), 120)}") from None


def fraction(value: Any, name: str) -> float:
    """Return a number from 0 to 1.

    Raises:
        ValueError: If the value is not a number from 0 to 1.
    """
    found = number(value)
    if found is None or not 0 <= found <= 1:
        raise ValueError(f"{name} must be from 0 to 1, got {shown(value)}")
    return found


def text(value: Any, name: str) -> str:
    """Return a string.

    Raises:
        ValueError: If the value is not a string.
    """
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, got {shown(value)}")
    return value


def cell(pair: Any, topology: Topology) -> Cell:
    """Return the cell of a pair ``[row, col]``.

    Raises:
        BadCell: If the pair is not a cell of the board.
    """
    return topology.cell(topology.index(pair))


def cells(pairs: Any, topology: Topology) -> tuple[Cell, ...]:
    """Return the cells of a list of pairs ``[row, col]``.

    Raises:
        BadCell: If one of them is not a cell of the board.
        WrongType: If the value is not a list.
    """
    return tuple(cell(pair, topology) for pair in listed(pairs, "cells [row, col]"))
