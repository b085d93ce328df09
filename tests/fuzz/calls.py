"""Fuzz the library with any arguments, in several threads at once.

A call may return, or raise a `SapperError` that is also a `ValueError`, a `LimitReached` or a
`TypeError`. Anything else is a finding; so is a call that exceeds its limit by a minute.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from fuzzing import fuzz

import sapper
from sapper.errors import BotFailed, LimitReached, SapperError
from sapper.solver import deduce
from sapper.topology import topology

THREADS = 4
SHARED = sapper.Solver()
ODD: list[Any] = [
    None, True, -1, 0, 1, 2**31, 2**63, 2**64, 10**30, 1.5, -0.0, math.nan, math.inf, "", "x",
    "\udcff", b"..", [], (), {}, (0, 0), (0, -1), (10**9, 0), (1.5, 0), [0, 0], object(),
]  # fmt: skip


def position(rng: Random) -> Any:
    """A position, usually one that is possible."""
    width, height = rng.randint(1, 9), rng.randint(1, 9)
    cells = bytes(rng.choice(b"....1110230F*8") for _ in range(width * height))
    rows = [cells[at : at + width].decode() for at in range(0, len(cells), width)]
    if rng.random() < 0.7:
        mined = [rng.random() < 0.2 for _ in cells]
        board = sapper.Board(topology("rectangle", width, height), bytes(mined))
        shown = "".join("." if rng.random() < 0.5 else char for char in "".join(board.rows))
        shown = shown.replace("*", ".")
        rows = [shown[at : at + width] for at in range(0, len(shown), width)]
    mines = rng.choice([None, None, rng.randint(0, width * height)])
    return sapper.Position.parse("\n".join(rows), mines)


def odd(rng: Random) -> Any:
    """A value that hardly any parameter accepts."""
    return rng.choice(ODD)


def or_odd(rng: Random, value: Any) -> Any:
    """The given value or, occasionally, an unusual one."""
    return odd(rng) if rng.random() < 0.2 else value


def limit(rng: Random) -> Any:
    """A small limit, or no limit."""
    states = or_odd(rng, rng.choice([None, 0, 1, 100]))
    seconds = or_odd(rng, rng.choice([0.0, 0.01, 0.2]))
    return sapper.Limit(states=states, seconds=seconds)


def cell(rng: Random) -> Any:
    """A cell that may be off the board."""
    return or_odd(rng, (rng.randint(0, 8), rng.randint(0, 8)))


CALLS: list[Callable[[Random], object]] = [
    lambda rng: sapper.analyze(or_odd(rng, position(rng)), limit=limit(rng)).solutions,
    lambda rng: SHARED.analyze(position(rng), limit=limit(rng)).safe,
    lambda rng: sapper.hint(or_odd(rng, position(rng)), limit=limit(rng)).to_json(),
    lambda rng: sapper.sample(
        position(rng), n=or_odd(rng, rng.randint(0, 20)), seed=or_odd(rng, 7), limit=limit(rng)
    ),
    lambda rng: sapper.sample(position(rng), n=1, seed=1, safe=[cell(rng)], mined=[cell(rng)]),
    lambda rng: sapper.arrange(
        position(rng),
        or_odd(rng, rng.choice(["backtracking", "exact", "sat"])),
        safe=[cell(rng)] if rng.random() < 0.3 else (),
        limit=or_odd(rng, rng.choice([None, sapper.Limit(seconds=0.01), sapper.Limit(seconds=1)])),
    ).to_json(),
    lambda rng: deduce(position(rng), cell(rng)),
    lambda rng: sapper.Position.parse(or_odd(rng, str(position(rng))), or_odd(rng, None)),
    lambda rng: sapper.Position.from_json(or_odd(rng, position(rng).to_json()), or_odd(rng, None)),
    lambda rng: next(sapper.generate(or_odd(rng, "9x9:10"), seed=or_odd(rng, 5))),
    lambda rng: position(rng)[cell(rng)],
]


def case(rng: Random) -> None:
    """Run several calls at once."""
    seeds = [rng.randrange(2**32) for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as threads:
        for future in [threads.submit(one, Random(seed)) for seed in seeds]:
            future.result(timeout=300)


def one(rng: Random) -> None:
    """Make one call."""
    try:
        rng.choice(CALLS)(rng)
    except (LimitReached, BotFailed):
        pass
    except SapperError as problem:
        if not isinstance(problem, ValueError | TypeError) or not str(problem):
            raise AssertionError(f"not a clear error: {problem!r}") from problem


if __name__ == "__main__":
    fuzz(case, __doc__)
