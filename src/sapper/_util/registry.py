"""Registries: names of bots, rule sets, shapes and more, to which other programs may add."""

from __future__ import annotations

import re
from typing import Any, Final

from sapper.errors import BadSetting

__all__ = ["enter"]

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def enter(registry: dict[str, Any], what: str, name: object, thing: object) -> None:
    """Add a thing to a registry; the same one may be added again, as when its file is loaded twice.

    >>> shapes = {"torus": "a ring"}
    >>> enter(shapes, "topology", "sides", "joined by sides")
    >>> enter(shapes, "topology", "torus", "another")
    Traceback (most recent call last):
        ...
    sapper.errors.BadSetting: there is a topology 'torus' already; choose another name

    Raises:
        BadSetting: If the name is taken, or cannot stand in a level, a file or an option.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BadSetting(
            f"the name of a {what} must be lower-case letters, digits and hyphens, got {name!r:.40}"
        )
    if name in registry and _origin(registry[name]) != _origin(thing):
        raise BadSetting(f"there is a {what} {name!r} already; choose another name")
    registry[name] = thing


def _origin(thing: object) -> object:
    """Return what stays the same when the file that defines a class or function is run again."""
    if hasattr(thing, "__qualname__"):
        return thing.__module__, thing.__qualname__
    return thing
