"""The progress of a run in ``status.json``. A run can be read and resumed without it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Final

__all__ = ["read_status"]

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "state": (str,),
    "error": (str,),
    "updated": (int, float),
    "seconds": (int, float),
    "games_per_second": (int, float, type(None)),
    "digest": (str, type(None)),
    "bot": (str,),
    "level": (str,),
    "rules": (str,),
    "win_rate": (int, float, type(None)),
    "interval": (list,),
    "by": (dict,),
    "lost_by": (dict,),
    "risk": (int, float),
    "think_s": (int, float),
    **dict.fromkeys(
        ("games", "wins", "lost", "stuck", "actions", "guesses", "games_wanted"), (int,)
    ),
}


def read_status(folder: Path) -> dict[str, Any] | None:
    """Return the status of the run in a directory; None if it is missing, truncated or invalid."""
    try:
        status = json.loads(
            (folder / "status.json").read_bytes(), parse_constant=_refuse, parse_float=_finite
        )
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(status, dict) or not {"state", "seconds"} <= status.keys():
        return None
    for name, types in _TYPES.items():
        if name in status and type(status[name]) not in types:
            return None
    if not 0 <= status["seconds"] < 1e12:
        return None
    return status


def _refuse(text: str) -> float:
    raise ValueError(f"{text} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)
