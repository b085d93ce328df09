"""Old names of attributes and arguments, kept for one minor version."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

__all__ = ["renamed", "renamed_argument", "renamed_names"]

P = ParamSpec("P")
R = TypeVar("R")


def renamed(old: str, new: str) -> Any:
    """Return a property that forwards to the attribute `new` and warns that `old` is deprecated."""

    def warn(self: object) -> None:
        kind = type(self).__name__
        message = f"{kind}.{old} is deprecated; use {kind}.{new}"
        warnings.warn(message, DeprecationWarning, stacklevel=3)

    def read(self: object) -> Any:
        warn(self)
        return getattr(self, new)

    def write(self: object, value: Any) -> None:
        warn(self)
        setattr(self, new, value)

    read.__doc__ = f"Deprecated name of `{new}`."
    return property(read, write)


def renamed_argument(old: str, new: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts the keyword `old` for `new`, with a warning."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if old in kwargs:
                message = f"{function.__name__}({old}=) is deprecated; use {new}="
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                kwargs.setdefault(new, kwargs.pop(old))
            return function(*args, **kwargs)

        return call

    return decorate


def renamed_names(module: str, names: dict[str, str]) -> Callable[[str], Any]:
    """Return a module's ``__getattr__``, which resolves old names with a warning.

    Args:
        module: The name of the module.
        names: The new name of each old one.
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        message = f"{module}.{name} is deprecated; use {module}.{names[name]}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], names[name])

    return find
