"""Every shape that a board can have, by name."""

from __future__ import annotations

from sapper.errors import BadSetting
from sapper.topology.base import Topology, shared
from sapper.topology.cylinder import Cylinder
from sapper.topology.hexagon import Hexagon
from sapper.topology.rectangle import Rectangle
from sapper.topology.tiling import Tiling
from sapper.topology.torus import Torus
from sapper.topology.triangle import Triangle

__all__ = ["TOPOLOGIES", "topology"]

TOPOLOGIES: dict[str, type[Tiling]] = {
    cls.name: cls for cls in (Rectangle, Torus, Cylinder, Hexagon, Triangle)
}
"""Every shape that a board can have, by name. Register a new one here."""


def topology(name: str, width: int, height: int) -> Topology:
    """Return the topology of this name and size; the same object for the same arguments.

    >>> topology("torus", 4, 3)
    Torus(4, 3)

    Raises:
        BadSetting: If the shape is unknown, or the size is not allowed.
    """
    try:
        cls = TOPOLOGIES[name]
    except KeyError:
        names = ", ".join(TOPOLOGIES)
        raise BadSetting(f"unknown topology {name!r}; choose from: {names}") from None
    return shared(cls, width, height)
