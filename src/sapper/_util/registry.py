"""Registries of bots, rule sets, shapes and more, which plugins can extend."""

from __future__ import annotations

import re
from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.plugins import load_plugins, note_entry

__all__ = ["Registry", "enter"]

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_Entry = TypeVar("_Entry")


class Registry(dict[str, _Entry]):
    """Entries by name. Plugins are loaded when they are first needed.

    They are needed when the registry is listed, or searched for a name that is not in it; plugins
    cannot replace built-in entries.
    """

    def __setitem__(self, name: str, entry: _Entry) -> None:
        super().__setitem__(name, entry)
        note_entry(self, name)

    # Type checkers know these methods from `dict`.
    if not TYPE_CHECKING:

        def __missing__(self, name: str) -> _Entry:
            load_plugins()
            if super().__contains__(name):
                return super().__getitem__(name)
            raise KeyError(name)

        def get(self, name: str, default: _Entry | None = None) -> _Entry | None:
            if name in self:
                return self[name]
            return default

        def __contains__(self, name: object) -> bool:
            if super().__contains__(name):
                return True
            load_plugins()
            return super().__contains__(name)

        def __iter__(self) -> Iterator[str]:
            load_plugins()
            return super().__iter__()

        def __len__(self) -> int:
            load_plugins()
            return super().__len__()

        def keys(self) -> KeysView[str]:
            load_plugins()
            return super().keys()

        def values(self) -> ValuesView[_Entry]:
            load_plugins()
            return super().values()

        def items(self) -> ItemsView[str, _Entry]:
            load_plugins()
            return super().items()


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
