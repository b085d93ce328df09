"""Generate reproducible boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from sapper._util.arguments import seed_or_new, whole
from sapper._util.names import member
from sapper._util.shortening import shown
from sapper.board import Board
from sapper.errors import BadSetting, LimitReached
from sapper.generation.ids import format_id
from sapper.generation.noguess import TRIES, Logic, Method, NoGuess, Search
from sapper.generation.seeds import SEEDS, substream
from sapper.generation.uniform import deal, first_cells
from sapper.rules import FirstClick, Level
from sapper.topology import Cell

__all__ = ["Generated", "generate", "record"]


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated board, with the data to reproduce it.

    Attributes:
        board: The board.
        start: The cell for the first click.
        seed: The seed that reproduces the board with the same level, first click, start and logic.
        logic: The hardest logic allowed for a no-guess board; None for other boards.
        method: The method that found a no-guess board (``fast`` if ``uniform`` found none); None
            for other boards.
        proof: The proof that no guess is needed; None if not requested.
    """

    board: Board
    start: Cell
    seed: int
    logic: Logic | None = None
    method: Method | None = None
    proof: NoGuess | None = None

    @property
    def no_guess(self) -> bool:
        """Whether logic alone provably solves the board from its start."""
        return self.proof is not None

    def to_json(self) -> dict[str, Any]:
        """Return the board's JSON form, with its origin, its id and its 3BV."""
        obj = record(self.board, self.start, self.seed, self.no_guess)
        if self.proof is not None:
            obj |= {
                "logic": str(self.logic),
                "method": str(self.method),
                "proof_steps": len(self.proof.steps),
                "hardest": str(self.proof.hardest),
                "tries": self.proof.tries,
            }
        return obj


def record(
    board: Board, start: tuple[int, int], seed: int | None, no_guess: bool
) -> dict[str, Any]:
    """Return the JSON form of a board with its first click; the seed is None if unknown."""
    return {
        **board.to_json(),
        "start": list(start),
        "seed": seed,
        "no_guess": no_guess,
        "bbbv": board.bbbv,
        "id": format_id(board, start),
    }


def generate(
    level: Level | str = "expert",
    n: int = 1,
    *,
    first_click: FirstClick | str | None = None,
    start: tuple[int, int] | None = None,
    seed: int | None = None,
    no_guess: Logic | str | None = None,
    method: Method | str | None = None,
    tries: int = TRIES,
) -> Iterator[Generated]:
    """Generate `n` boards, uniformly among those that keep the promise.

    Board number *i* has seed ``seed + i``, and is the board that a ``classic`` game (or, with
    `no_guess`, a ``no-guess`` game) of that seed deals when `start` is clicked first.

    Args:
        level: A `Level` or its text form.
        n: Number of boards; generated lazily.
        first_click: The first-click promise (default: safe; opening for no-guess boards).
        start: The cell of the first click; None draws one for each board, uniformly among the cells
            that can keep the promise. With ``safe`` and a mine total, the boards are then uniform
            among all boards.
        seed: From 0 to 2**64 - 1; None draws a random one.
        no_guess: The hardest logic that a board may need; None allows boards that need guesses.
        method: The method for no-guess boards; ``fast`` is not uniform. None tries ``uniform``,
            then ``fast`` if that finds none; `Generated.method` is the method used.
        tries: The maximum number of boards that each method tries for each no-guess board.

    >>> [board] = generate("beginner", seed=7)
    >>> board.board.mines, board.board.is_mine(board.start)
    (10, False)
    >>> [board] = generate("beginner", seed=7, no_guess="pairs")
    >>> board.no_guess, board.proof is not None and len(board.proof.steps) > 0
    (True, True)

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If no board keeps the promise, or an argument is out of range.
        LimitReached: During iteration, if no no-guess board was found within `tries`.
    """
    level = Level.of(level)
    if not level.known:
        raise BadSetting(f"{level} says nothing about its mines: give a total or a density")
    logic = None if no_guess is None else member(Logic, no_guess, "no_guess")
    if logic is None and method is not None:
        raise BadSetting(f"method {shown(method)} is only for no-guess boards")
    hows = tuple(Method) if method is None else (member(Method, method, "method"),)
    default = FirstClick.SAFE if logic is None else FirstClick.OPENING
    promise = default if first_click is None else member(FirstClick, first_click, "first_click")
    base = seed_or_new(seed)
    n, tries = whole(n, "the number of boards"), whole(tries, "tries", least=1)
    shape = level.shape()
    if start is None:
        starts = first_cells(level, promise)
    else:
        starts = [shape.index(start)]
        deal(level, promise, starts[0], base)
    if logic is None:
        make = partial(_any_board, level, promise, starts)
    else:
        search = lru_cache(maxsize=256)(
            lambda cell, how: Search(level, promise, cell, logic, how, tries)
        )
        # Check this immediately rather than when the first board is requested.
        search(starts[0], hows[0])
        make = partial(_no_guess_board, search, starts, logic, hows)
    return (make((base + i) % SEEDS) for i in range(n))


def _start(starts: Sequence[int], seed: int) -> int:
    return starts[substream(seed, "first") % len(starts)] if len(starts) > 1 else starts[0]


def _any_board(
    level: Level, first_click: FirstClick, starts: Sequence[int], seed: int
) -> Generated:
    start = _start(starts, seed)
    return Generated(deal(level, first_click, start, seed), level.shape().cell(start), seed)


def _no_guess_board(
    search: Callable[[int, Method], Search],
    starts: Sequence[int],
    logic: Logic,
    methods: Sequence[Method],
    seed: int,
) -> Generated:
    """Return the board from the first method that finds one."""
    start = _start(starts, seed)
    for method in methods[:-1]:
        with suppress(LimitReached):
            found = search(start, method).deal(seed)
            return Generated(found.board, found.start, seed, logic, method, found)
    found = search(start, methods[-1]).deal(seed)
    return Generated(found.board, found.start, seed, logic, methods[-1], found)
