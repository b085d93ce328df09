"""The shape of a board: its cells, which cells touch, and where they are drawn.

All other layers work on a graph of cells, so a new shape is one module and its registration.
"""

from sapper.topology.base import MAX_CELLS, MOST_NEIGHBOURS, Cell, Tile, Topology, as_cell
from sapper.topology.cylinder import Cylinder
from sapper.topology.hexagon import Hexagon
from sapper.topology.naming import cell_name
from sapper.topology.rectangle import Rectangle
from sapper.topology.registry import TOPOLOGIES, register, topology
from sapper.topology.tiling import Tiling
from sapper.topology.torus import Torus
from sapper.topology.triangle import Triangle

__all__ = [
    "MAX_CELLS",
    "MOST_NEIGHBOURS",
    "TOPOLOGIES",
    "Cell",
    "Cylinder",
    "Hexagon",
    "Rectangle",
    "Tile",
    "Tiling",
    "Topology",
    "Torus",
    "Triangle",
    "as_cell",
    "cell_name",
    "register",
    "topology",
]
