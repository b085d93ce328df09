"""Old names of attributes, kept for one minor version."""

from __future__ import annotations

import warnings
from typing import Any

__all__ = ["renamed"]


def renamed(old: str, new: str) -> Any:
    """Return a property that reads the attribute `new` and warns that `old` is deprecated."""

    def read(self: object) -> Any:
        kind = type(self).__name__
        message = f"{kind}.{old} is deprecated; use {kind}.{new}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    read.__doc__ = f"Deprecated name of `{new}`."
    return property(read)
