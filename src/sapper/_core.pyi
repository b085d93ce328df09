"""The native core: cells are indices in row order, boards are bytes. Use `sapper` instead."""

from typing import TYPE_CHECKING, Any, SupportsIndex, final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from sapper.env.rewards import Rewards
    from sapper.solver.search.guesses import Effort

__all__ = [
    "Analysis",
    "BatchStep",
    "BoardMetrics",
    "Cancel",
    "Constraint",
    "Deal",
    "Deduction",
    "EndGame",
    "Engine",
    "ExactPlayer",
    "GameBatch",
    "Graph",
    "Guess",
    "MineRange",
    "NoGuess",
    "PerfectPlay",
    "Pick",
    "PlayedGame",
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
    def metrics(self, mined: bytes) -> BoardMetrics:
        """Measure a complete board."""
    def solved(self, mined: bytes, open: bytes) -> int:
        """Return the 3BV solved; `open` has a 1 for each open cell."""

@final
class BoardMetrics:
    """Measures of a complete board."""

    @property
    def openings(self) -> int: ...
    @property
    def bbbv(self) -> int: ...

@final
class BatchStep:
    """All games of a batch after a step."""

    @property
    def cells(self) -> npt.NDArray[np.int8]: ...
    @property
    def mask(self) -> npt.NDArray[np.int8]: ...
    @property
    def rewards(self) -> npt.NDArray[np.float64]: ...
    @property
    def won(self) -> npt.NDArray[np.bool_]: ...
    @property
    def terminated(self) -> npt.NDArray[np.bool_]: ...
    @property
    def truncated(self) -> npt.NDArray[np.bool_]: ...
    @property
    def last_cells(self) -> npt.NDArray[np.int8]:
        """With ``SameStep``, the last cells of each game, where it was reset; otherwise empty."""

@final
class GameBatch:
    """Games with ``classic`` rules, stepped together; reset each with a seed first.

    Observed cells are 0 to 8, 9 unopened, 10 flagged, 11 an opened mine. Actions below the number
    of cells open a cell, the others flag one. Arrays are flat, game after game, and copies.
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
        rewards: Rewards,
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
    def steps(self, game: int) -> int:
        """Return the number of steps of a game so far."""
    def step(
        self, game: int, height: int, action: SupportsIndex
    ) -> tuple[npt.NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Step one game; return what Gymnasium's ``Env.step`` returns. Booleans are no actions."""
    def step_all(self, actions: npt.NDArray[np.int64], autoreset: str) -> BatchStep:
        """Step every game.

        Finished games ignore actions: with ``NextStep`` they restart, with ``Disabled`` they stay
        finished. With ``SameStep`` a game restarts in the step that ends it.
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
    def constraints(self) -> list[Constraint]: ...
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
class Constraint:
    """A number of mines among some cells."""

    @property
    def mines(self) -> int: ...
    @property
    def cells(self) -> list[int]: ...

@final
class MineRange:
    """The fewest and the most mines that are possible."""

    @property
    def fewest(self) -> int: ...
    @property
    def most(self) -> int: ...

@final
class PerfectPlay:
    """The result of perfect play."""

    @property
    def wins(self) -> int | None:
        """The solutions won; None with a density, which gives solutions different weights."""
    @property
    def win_chance(self) -> float: ...
    @property
    def solutions(self) -> int: ...
    @property
    def states(self) -> int:
        """The number of states searched."""
    @property
    def cell(self) -> int | None:
        """One of the best cells; None if none is left."""
    @property
    def best(self) -> list[int]:
        """Every best cell, if `best` or `wins` was set."""
    @property
    def win_chances(self) -> list[tuple[int, float]]:
        """Every cell and its win chance, if `wins` was set."""

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
        running: bool,
        solutions: int,
        states: int,
        seconds: float | None = None,
        best: bool = False,
        wins: bool = False,
        cancel: Cancel | None = None,
    ) -> PerfectPlay | None:
        """Solve a position; None past the limit of solutions, states or seconds."""

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
        running: bool = True,
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
        running: bool,
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
class PlayedGame:
    """The result of a game that a bot played."""

    @property
    def won(self) -> bool: ...
    @property
    def actions(self) -> int: ...
    @property
    def proved(self) -> int:
        """The number of proved choices."""
    @property
    def risks(self) -> list[float]:
        """The risk of each guess."""
    @property
    def last_guess(self) -> bool | None:
        """Whether the last choice was a guess; None if there was no choice."""
    @property
    def bbbv(self) -> int: ...
    @property
    def think_s(self) -> float:
        """Seconds spent on choices."""

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
    ) -> list[PlayedGame | None]:
        """Play one game per seed; None if a position exceeded the budget of an analysis."""

@final
class Pick:
    """A considered cell."""

    @property
    def index(self) -> int: ...
    @property
    def risk(self) -> float:
        """Its chance of a mine."""
    @property
    def win_chance(self) -> float:
        """The chance to win by choosing it, including its risk."""

@final
class Guess:
    """The result of a search."""

    @property
    def picks(self) -> list[Pick]:
        """The considered cells, best first; none if the position is too wide."""
    @property
    def exact(self) -> bool:
        """Whether the first pick is perfect play with an exact win chance."""

@final
class SearchPlayer:
    """Searches for guesses with a learned win chance; plays whole games with them."""

    def __new__(cls, network: bytes, effort: Effort) -> SearchPlayer: ...
    def guess(
        self,
        graph: Graph,
        cells: bytes,
        mines: int | None,
        density: float | None,
        running: bool,
        most_states: int | None = None,
        seconds: float | None = None,
        cancel: Cancel | None = None,
    ) -> Guess:
        """Search a position in which nothing is proved safe.

        Past `seconds`, or the states for all analyses, the picks are the cells searched by then.
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
        running: bool,
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
    ) -> list[PlayedGame | None]:
        """Play one game per seed; see `ExactPlayer.play`."""

@final
class Deal:
    """A board, and the number of boards tried to find it."""

    @property
    def mined(self) -> bytes: ...
    @property
    def tries(self) -> int: ...

@final
class Deduction:
    """One deduction in the solution of a board."""

    @property
    def logic(self) -> int: ...
    @property
    def because(self) -> list[int]:
        """The numbers it follows from."""
    @property
    def safe(self) -> list[int]: ...
    @property
    def mined(self) -> list[int]: ...

@final
class NoGuess:
    """Deals boards that logic alone solves; logic 0 single, 1 pairs, 2 local, 3 total."""

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
    ) -> Deal | None:
        """Return a board; None if `tries` found none."""
    def prove(self, graph: Graph, mined: bytes, start: int, logic: int) -> list[Deduction] | None:
        """Return the deductions that solve a board; None if this logic does not solve it."""

def analyze(
    graph: Graph,
    cells: bytes,
    mines: int | None = None,
    density: float | None = None,
    running: bool = True,
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
) -> MineRange | None:
    """Return how many mines can be next to numbers; None past the budget."""

def independent_mines(cells: int, density: float, clear: list[int], seed: int) -> bytes:
    """Make each cell that is not clear a mine with probability `density`, independently."""
