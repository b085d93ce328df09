"""Read the JSON form of an analysis."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper._util.arguments import number
from sapper._util.shortening import shortened, shown
from sapper.errors import BadSave
from sapper.position import Position, check_position

__all__ = ["analysis_from_json"]

_Rows = npt.NDArray[np.float64]


def analysis_from_json(
    obj: Any, position: Position, counted_again: Callable[[Position], int | None]
) -> dict[str, Any]:
    """Return the arguments of `Analysis` from a JSON form.

    Args:
        obj: The JSON form.
        position: The position analysed.
        counted_again: Function that counts the arrangements, if the count is too long for Python to
            read.

    Raises:
        BadSave: If the object is not the JSON form of an analysis of a board of this size.
        WrongType: If `position` is not a position.
    """
    check_position(position)
    try:
        exact, elapsed, errors = obj["exact"], number(obj["elapsed_s"]), obj.get("p_mine_error")
        if type(exact) is not bool or elapsed is None:
            raise ValueError("'exact' must be a boolean and 'elapsed_s' a number")
        return {
            "p_mine": _chances(obj["p_mine"], position, "p_mine"),
            "safe_indices": position.topology.indices(map(tuple, obj["safe"])),
            "mined_indices": position.topology.indices(map(tuple, obj["mined"])),
            "_count": _counter(obj["solutions"], position, counted_again),
            "exact": exact,
            "log_weight": nan,
            "p_mine_error": None if errors is None else _chances(errors, position, "p_mine_error"),
            "elapsed_s": elapsed,
        }
    except KeyError as missing:
        raise BadSave(f"an analysis needs {missing}") from None
    except (AttributeError, TypeError, ValueError) as problem:
        raise BadSave(f"not an analysis: {shortened(str(problem), 120)}") from None


def _chances(rows: Any, position: Position, name: str) -> _Rows:
    found = np.array([[nan if cell is None else number(cell) for cell in row] for row in rows])
    if found.shape != (position.height, position.width) or found.dtype != np.float64:
        raise ValueError(f"{name!r} must have {position.height} rows of {position.width} numbers")
    known = found[~np.isnan(found)]
    if not (np.isfinite(known).all() and ((known >= 0) & (known <= 1)).all()):
        raise ValueError(f"{name!r} must be from 0 to 1")
    return found


def _counter(
    text: Any, position: Position, counted_again: Callable[[Position], int | None]
) -> Callable[[], int | None]:
    if text is None:
        return lambda: None
    if not (isinstance(text, str) and text.isascii() and text.isdigit()):
        raise ValueError(f"'solutions' must be digits, got {shown(text)}")
    longest = sys.get_int_max_str_digits()
    if longest and len(text) > longest:
        return partial(counted_again, position)
    return lambda: int(text)
