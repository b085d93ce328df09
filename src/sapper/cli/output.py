"""What commands write: JSON on standard output, complaints on standard error."""

from __future__ import annotations

import json
import sys
from typing import Any

__all__ = ["complain", "emit"]


def emit(obj: Any) -> None:
    """Write one JSON value on a line of its own, at once, so that a pipe can be followed."""
    sys.stdout.write(json.dumps(obj, allow_nan=False) + "\n")
    sys.stdout.flush()


def complain(message: str) -> None:
    """Write one line on standard error, whatever the message holds."""
    print(f"sapper: {' '.join(message.split())}", file=sys.stderr)
