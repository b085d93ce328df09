"""Objects that cannot be used in a process that was forked while a thread held them."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakValueDictionary

__all__ = ["renew_after_fork"]


class _Renewable(Protocol):
    def renew(self) -> None:
        """Replace what a thread may have held: in the child there is no such thread."""


# By identity, as some cannot be hashed.
_things: WeakValueDictionary[int, _Renewable] = WeakValueDictionary()


def renew_after_fork(thing: _Renewable) -> None:
    """Call the object's method `renew` in every child that this process forks, while it lives.

    A native object has a lock. A child that was forked while a thread held it would wait forever.
    """
    _things[id(thing)] = thing


def _renew() -> None:
    for thing in list(_things.values()):
        thing.renew()


# Windows has no fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
