"""Registries of bots, rule sets, shapes and more, which plugins can extend."""

from __future__ import annotations

import re
from typing import Any, Final

from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["enter"]

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def enter(registry: dict[str, Any], what: str, name: object, thing: object) -> None:
    """Add an entry to a registry; a reloaded file may add the same entry again.

    >>> shapes = {"torus": "a ring"}
    >>> enter(shapes, "topology", "sides", "joined by sides")
    >>> enter(shapes, "topology", "torus", "another")
    Traceback (most recent call last):
        ...
    sapper.errors.BadSetting: there is a topology 'torus' already; choose another name

    Raises:
        BadSetting: If the name is taken, or is not allowed in levels, files or options.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BadSetting(
            f"the name of {_article(what)} {what} must be lower-case letters, digits and hyphens, "
            f"got {shown(name)}"
        )
    if name in registry and _origin(registry[name]) != _origin(thing):
        raise BadSetting(f"there is {_article(what)} {what} {name!r} already; choose another name")
    registry[name] = thing


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _origin(thing: object) -> object:
    """Return an identity that stays the same if the defining file is run again."""
    if hasattr(thing, "__qualname__"):
        return thing.__module__, thing.__qualname__
    return thing
