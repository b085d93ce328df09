"""Measure clicks under rule sets that place mines during the game.

Games start with an opening and are won by a player who keeps to the rules: this opens the first
proved safe cell in row order, or a random frontier cell that may be safe. *Anywhere* guesses among
all cells that may be safe and, where the rules allow it, does not prefer proved ones, which makes
frontiers as wide as possible. Only `Game.open` is timed. Every game is played three times with the
same clicks, and each click's fastest time counts.

``python benchmarks/dealers.py [-n 10] [--json]``, where ``-n`` is the number of games of each kind.
Game number *i* has seed *i*, and so has its player.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from report import arguments, emit, quantiles, timed
from sapper import Analysis, Cell, Game, Position, Solver

RUNS = 3
LEVELS = ("30x16:99", "30x30:300")
PLAYERS = (("fair", "careful"), ("kaboom", "careful"), ("kind", "careful"), ("kind", "anywhere"))


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 10)
    emit(rows(options.n), options.json)


def rows(n: int) -> Iterator[dict[str, Any]]:
    """Yield the row of each level, rule set and player as it is measured."""
    for level in LEVELS:
        for rules, player in PLAYERS:
            seconds: list[float] = []
            guesses = 0
            for seed in range(n):
                games = [play(level, rules, player, seed) for _ in range(RUNS)]
                seconds += map(min, *(clicks for clicks, _ in games))
                guesses += games[0][1]
            yield {
                "board": f"{level} {rules}, {player}",
                "seeds": f"0-{n - 1}",
                "clicks": len(seconds),
                "guesses": guesses,
                **quantiles(seconds),
            }


def play(level: str, rules: str, player: str, seed: int) -> tuple[list[float], int]:
    """Play a game, which must be won; return each click's seconds and the number of guesses."""
    game, solver = Game(level, rules, first_click="opening", seed=seed), Solver()
    rng = random.Random(seed)
    height, width = game.level.height, game.level.width
    seconds = [timed(lambda: game.open((height // 2, width // 2)))[0]]
    while not game.over:
        known = solver.analyze(game.position)
        cell = careful(known, rng) if player == "careful" else anywhere(known, rng)
        seconds.append(timed(lambda c=cell: game.open(c))[0])
    assert game.status == "won", f"{rules} killed a player who kept to the rules, seed {seed}"
    return seconds, game.guesses.made


def careful(known: Analysis, rng: random.Random) -> Cell:
    """Return a safe cell or, if there is none, a guess, next to a number if possible."""
    if known.safe:
        return min(known.safe)
    cells = clear(known)
    return rng.choice([cell for cell in cells if touches(known.position, cell)] or cells)


def anywhere(known: Analysis, rng: random.Random) -> Cell:
    """Return any cell that may be safe."""
    return rng.choice(clear(known))


def clear(known: Analysis) -> list[Cell]:
    """Return the unopened cells that may be safe."""
    return [cell for cell in known.position.unopened_cells() if cell not in known.mined]


def touches(position: Position, cell: Cell) -> bool:
    """Return whether a number touches a cell."""
    return any(position.number(near) is not None for near in position.topology.neighbours(cell))


if __name__ == "__main__":
    main()
