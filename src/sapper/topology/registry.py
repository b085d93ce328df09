"""The board shapes by name."""

from __future__ import annotations

from typing import TypeVar

from sapper._util.registry import Registry, enter
from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.topology.base import MOST_NEIGHBOURS, Topology, shared
from sapper.topology.cylinder import Cylinder
from sapper.topology.hexagon import Hexagon
from sapper.topology.rectangle import Rectangle
from sapper.topology.tiling import Tiling
from sapper.topology.torus import Torus
from sapper.topology.triangle import Triangle

__all__ = ["TOPOLOGIES", "register", "topology"]

TOPOLOGIES: Registry[type[Tiling]] = Registry(
    {cls.name: cls for cls in (Rectangle, Torus, Cylinder, Hexagon, Triangle)}
)
"""Every shape by name. The built-in ones are listed here; `register` adds others."""

_Tiling = TypeVar("_Tiling", bound=type[Tiling])


def register(cls: _Tiling) -> _Tiling:
    """Add a shape to `TOPOLOGIES` under its name; a decorator for its class.

    Raises:
        BadSetting: If the class is not a `Tiling` or has too many neighbours, or its name is taken.
    """
    if not (isinstance(cls, type) and issubclass(cls, Tiling)):
        raise BadSetting(f"a topology must be a subclass of Tiling, got {shown(cls)}")
    if cls.most_neighbours > MOST_NEIGHBOURS:
        raise BadSetting(
            f"a cell has at most {MOST_NEIGHBOURS} neighbours, in {cls.__name__} it has "
            f"{cls.most_neighbours}"
        )
    enter(TOPOLOGIES, "topology", getattr(cls, "name", None), cls)
    return cls


def topology(name: str, width: int, height: int) -> Topology:
    """Return the topology of this name and size; the same object for the same arguments.

    >>> topology("torus", 4, 3)
    Torus(4, 3)

    Raises:
        BadSetting: If the shape is unknown, or the size is not allowed.
    """
    cls = TOPOLOGIES.get(name) if isinstance(name, str) else None
    if cls is None:
        raise BadSetting(f"unknown topology {shown(name)}; choose from: {', '.join(TOPOLOGIES)}")
    return shared(cls, width, height)
