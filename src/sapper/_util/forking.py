"""Replace objects that a fork would leave locked by a thread of the parent."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakValueDictionary

__all__ = ["renew_after_fork"]


class _Renewable(Protocol):
    def renew(self) -> None:
        """Replace objects that a thread of the parent may have locked."""


# Keyed by identity, because some objects are not hashable.
_things: WeakValueDictionary[int, _Renewable] = WeakValueDictionary()


def renew_after_fork(thing: _Renewable) -> None:
    """Call the object's method `renew` in every forked child while the object exists.

    Native objects have locks, and a child forked while a thread holds one would wait forever.
    """
    _things[id(thing)] = thing


def _renew() -> None:
    for thing in list(_things.values()):
        thing.renew()


# Windows does not have fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
