"""Output of commands: JSON on standard output, messages on standard error."""

from __future__ import annotations

import json
import sys
from typing import Any

__all__ = ["complain", "emit"]


def emit(obj: Any) -> None:
    """Print one JSON value on its own line, and flush so that a pipe sees it at once."""
    sys.stdout.write(json.dumps(obj, allow_nan=False) + "\n")
    sys.stdout.flush()


def complain(message: str) -> None:
    """Print a message as exactly one line on standard error."""
    print(f"sapper: {' '.join(message.split())}", file=sys.stderr)
