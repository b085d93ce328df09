"""The native core: cells are indices in row order, boards are bytes. Use `sapper` instead."""

import numpy as np
import numpy.typing as npt

__version__: str

class Graph:
    """Which cells touch, in compressed rows: sorted, symmetric, without the cell itself."""

    def __new__(
        cls, offsets: npt.NDArray[np.uint32], neighbours: npt.NDArray[np.uint32]
    ) -> Graph: ...
    def __len__(self) -> int: ...
    def neighbours(self, cell: int) -> list[int]: ...
    def numbers(self, mined: bytes) -> bytes:
        """The mines among each cell's neighbours."""
    def metrics(self, mined: bytes) -> tuple[int, int]:
        """Openings, and 3BV."""

def uniform_mines(cells: int, mines: int, clear: list[int], seed: int) -> bytes:
    """Lay mines uniformly among the cells that are not clear: 1 a mine, else 0."""

def independent_mines(cells: int, density: float, clear: list[int], seed: int) -> bytes:
    """Make every cell that is not clear a mine with chance `density`, each on its own."""
