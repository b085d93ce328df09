"""The native core: cells are indices in row order, boards are bytes. Use `sapper` instead."""

from typing import final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Analysis",
    "Cancel",
    "EndGame",
    "Engine",
    "ExactPlayer",
    "GameBatch",
    "Graph",
    "NoGuess",
    "SearchPlayer",
    "Unsolved",
    "__version__",
    "analyze",
    "decimal",
    "frontier_mines",
    "independent_mines",
    "uniform_mines",
]

__version__: str

@final
class Graph:
    """Neighbours of each cell as compressed rows: sorted, symmetric, without the cell itself."""

    def __new__(
        cls, offsets: npt.NDArray[np.uint32], neighbours: npt.NDArray[np.uint32]
    ) -> Graph: ...
    @staticmethod
    def rectangle(width: int, height: int) -> Graph:
        """Create a rectangle of cells that touch by sides and corners."""
    def __len__(self) -> int: ...
    def neighbours(self, cell: int) -> list[int]: ...
    def numbers(self, mined: bytes) -> bytes:
        """Count the mines among each cell's neighbours."""
    def metrics(self, mined: bytes) -> tuple[int, int]:
        """Return the number of openings and the 3BV."""
    def solved(self, mined: bytes, open: bytes) -> int:
        """Return the 3BV solved; `open` has a 1 for each open cell."""

@final
class GameBatch:
    """Games with ``classic`` rules, stepped together; reset each with a seed first.

    Observed cells are 0 to 8, 9 unopened, 10 flagged, 11 an opened mine. Actions below the number
    of cells open a cell, the others flag one. Arrays are flat, game after game, and copies. The
    rewards are: win, loss, open, cell, floating, flag, invalid.
    """

    def __new__(
        cls,
        graph: Graph,
        games: int,
        mines: int | None,
        density: float | None,
        first_click: str,
        flags: bool,
        max_steps: int | None,
        rewards: tuple[float, float, float, float, float, float, float],
    ) -> GameBatch: ...
    def __len__(self) -> int: ...
    def reset(self, game: int, seed: int | None = None) -> None:
        """Start a new game; a seed restarts its random numbers."""
    def place(
        self,
        game: int,
        cells: npt.NDArray[np.int8],
        mined: bytes | None,
        steps: int,
        seed: int,
    ) -> None:
        """Put a game into an unfinished position of a matching board.

        None means a board dealt at the first click. The seed determines the games after it.
        """
    def save(self) -> bytes:
        """Return the whole state of all games, including mines."""
    def restore(self, saved: bytes) -> None:
        """Restore the saved state of a batch of the same size and settings."""
    def cells(self) -> npt.NDArray[np.int8]: ...
    def mask(self) -> npt.NDArray[np.int8]:
        """Return 1 for every action that has an effect; no action has in a finished game."""
    def over(self) -> npt.NDArray[np.bool_]: ...
    def mined(self, game: int) -> bytes | None:
        """Return 1 for every mine of a finished game; None before the end."""
    def step(
        self, game: int, action: int
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8], float, bool, bool, bool]:
        """Step one game; return its cells, mask, reward, and whether it is won, lost, truncated."""
    def step_all(
        self, actions: npt.NDArray[np.int64], autoreset: str
    ) -> tuple[
        npt.NDArray[np.int8],
        npt.NDArray[np.int8],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        npt.NDArray[np.int8],
    ]:
        """Step every game; return the values of `step` for all of them.

        Finished games ignore actions: with ``NextStep`` they restart, with ``Disabled`` they stay
        finished. With ``SameStep`` a game restarts in the step that ends it, and its last cells are
        in the seventh array.
        """

@final
class Cancel:
    """A flag that stops the native calls it was passed to; they raise `sapper.errors.Cancelled`.

    Calls in the main thread run Python's signal handlers, so Ctrl-C raises `KeyboardInterrupt`.
    """

    def __new__(cls) -> Cancel: ...
    def set(self) -> None: ...
    @property
    def is_set(self) -> bool: ...

@final
class Analysis:
    """The result of analysing a position; cells are indices."""

    @property
    def exact(self) -> bool: ...
    @property
    def p_mine(self) -> npt.NDArray[np.float64]:
        """Return a new array with one value per cell, nan for opened cells."""
    @property
    def p_mine_error(self) -> npt.NDArray[np.float64] | None:
        """Return a new array of 95 % half-widths; None if exact."""
    @property
    def safe(self) -> list[int]: ...
    @property
    def mined(self) -> list[int]: ...
    @property
    def log_weight(self) -> float:
        """Return the natural logarithm of the weight of all arrangements; nan if not exact."""
    @property
    def unsolved_count(self) -> int:
        """Return the number of components beyond the budget."""
    def unsolved(self, number: int) -> Unsolved:
        """Return one of the components beyond the budget, smallest first."""
    def solutions(self, seconds: float | None = None, cancel: Cancel | None = None) -> int | None:
        """Return the exact count; None if not exact, or not found within `seconds`."""

@final
class Unsolved:
    """A component that was not counted."""

    @property
    def constraints(self) -> list[tuple[int, list[int]]]:
        """Constraints, each a number of mines among some cells."""
    @property
    def numbers(self) -> list[int]:
        """The numbers that the constraints come from."""
    @property
    def seen_mined(self) -> list[int]:
        """Cells that hold a mine in some arrangement that fits the component."""
    @property
    def seen_clear(self) -> list[int]:
        """Cells that are clear in some arrangement that fits the component."""

@final
class EndGame:
    """Perfect play in positions with few solutions; remembers results."""

    def __new__(cls) -> EndGame: ...
    def solve(
        self,
        graph: Graph,
        cells: bytes,
        mines: int | None,
        density: float | None,
        solutions: int,
        states: int,
        seconds: float | None = None,
        best: bool = False,
        wins: bool = False,
        cancel: Cancel | None = None,
    ) -> tuple[int | None, float, int, int, int | None, list[int], list[tuple[int, float]]] | None:
        """Solve a position; None past the limit of solutions, states or seconds.

        Returns wins (None with a density, where solutions have different weights), win chance,
        solutions, states searched, a best cell or None if none is left, every best cell if `best`
        or `wins`, and every cell with its win chance if `wins`.
        """

@final
class Engine:
    """An analyser that remembers solved components."""

    def __new__(cls) -> Engine: ...
    def analyze(
        self,
        graph: Graph,
        cells: bytes,
        mines: int | None = None,
        density: float | None = None,
        states: int | None = None,
        seconds: float | None = None,
        cancel: Cancel | None = None,
    ) -> Analysis:
        """Analyse a position of ASCII cells: ``.`` or ``F`` unopened, ``0`` + number, ``*``."""
    def sample(
        self,
        graph: Graph,
        cells: bytes,
        mines: int | None,
        density: float | None,
        clear: list[int],
        mined: list[int],
        n: int,
        seed: int,
        states: int | None = None,
        seconds: float | None = None,
        cancel: Cancel | None = None,
    ) -> list[bytes] | None:
        """Draw complete boards, 1 for a mine; None if a component was too wide for the budget."""

@final
class ExactPlayer:
    """Plays whole games like the bot ``exact``, on boards dealt at the first click."""

    def __new__(cls) -> ExactPlayer: ...
    def play(
        self,
        graph: Graph,
        mines: int | None,
        density: float | None,
        first: int,
        clear: list[int],
        seeds: list[int],
        cancel: Cancel | None = None,
    ) -> list[tuple[bool, int, int, list[float], bool | None, int, float] | None]:
        """Play one game per seed; None if a position exceeded the budget of an analysis.

        A game is: won, actions, proved choices, risks of guesses, whether the last choice was a
        guess, 3BV, thinking time in seconds.
        """

@final
class SearchPlayer:
    """Searches for guesses with a learned win chance; plays whole games with them."""

    def __new__(
        cls,
        network: bytes,
        *,
        margin: float,
        cells: int,
        deep: int,
        near: float,
        second: int,
        likely: float,
        solutions: int,
        states: int,
        leaf_solutions: int,
        again: float,
        blend: float,
        every: bool,
    ) -> SearchPlayer: ...
    def guess(
        self,
        graph: Graph,
        cells: bytes,
        mines: int | None,
        density: float | None,
        most_states: int | None = None,
        seconds: float | None = None,
        cancel: Cancel | None = None,
    ) -> tuple[list[tuple[int, float, float]], bool]:
        """Search a position in which nothing is proved safe.

        Returns (cell, risk, win chance) of the considered cells, best first, none if the position
        is too wide; and whether the first is perfect play with an exact chance. Past `seconds`, or
        the states for all analyses, only the cells searched by then are returned.
        """
    @staticmethod
    def knows(cells: int, mines: int | None, density: float | None) -> bool:
        """Return whether values on such a board are chances to win rather than to survive."""
    def survivals(
        self,
        graph: Graph,
        cells: bytes,
        mines: int | None,
        density: float | None,
        first: int | None,
        seed: int,
        n: int,
        most_states: int | None = None,
        seconds: float | None = None,
        cancel: Cancel | None = None,
    ) -> list[float]:
        """Play the position to its end `n` times; no guess is fatal.

        Each number is the product of the safeties of all guesses: an unbiased estimate of the win
        chance. The games have the seeds `seed` to `seed + n - 1`. There are fewer numbers than `n`
        if a position is too wide, or past `seconds` or the states for all analyses.
        """
    def play(
        self,
        graph: Graph,
        mines: int | None,
        density: float | None,
        first: int,
        clear: list[int],
        seeds: list[int],
        cancel: Cancel | None = None,
    ) -> list[tuple[bool, int, int, list[float], bool | None, int, float] | None]:
        """Play one game per seed; see `ExactPlayer.play`."""

@final
class NoGuess:
    """Deals boards that logic alone solves; logic 0 single, 1 pairs, 2 local, 3 total.

    A step of a path is (logic, numbers used, cells proved clear, cells proved mined).
    """

    def __new__(cls) -> NoGuess: ...
    def deal(
        self,
        graph: Graph,
        mines: int,
        start: int,
        clear: list[int],
        logic: int,
        fast: bool,
        tries: int,
        seed: int,
        cancel: Cancel | None = None,
    ) -> tuple[bytes, int] | None:
        """Return a board and the number of boards tried; None if `tries` found none."""
    def prove(
        self, graph: Graph, mined: bytes, start: int, logic: int
    ) -> list[tuple[int, list[int], list[int], list[int]]] | None:
        """Return the deductions that solve a board; None if this logic does not solve it."""

def analyze(
    graph: Graph,
    cells: bytes,
    mines: int | None = None,
    density: float | None = None,
    states: int | None = None,
    seconds: float | None = None,
    cancel: Cancel | None = None,
) -> Analysis:
    """Analyse a position like `Engine.analyze`, from scratch."""

def decimal(number: int) -> str:
    """Format a natural number in decimal, without Python's limit on digits."""

def uniform_mines(cells: int, mines: int, clear: list[int], seed: int) -> bytes:
    """Place mines uniformly among the cells that are not clear: 1 for a mine, else 0."""

def frontier_mines(
    graph: Graph,
    cells: bytes,
    states: int | None = None,
    seconds: float | None = None,
    cancel: Cancel | None = None,
) -> tuple[int, int] | None:
    """Return the fewest and most mines next to numbers; None past the budget."""

def independent_mines(cells: int, density: float, clear: list[int], seed: int) -> bytes:
    """Make each cell that is not clear a mine with probability `density`, independently."""
