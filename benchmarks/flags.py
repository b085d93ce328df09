"""Compare exact play of Flags with other players: same boards, each side starting once.

Boards are 16x16 with 51 mines. ``exact`` opens proved mines, bombs as soon as it may, and otherwise
opens the likeliest mine. The others:

- ``no bomb``: the same without the bomb. - ``one number``: proves mines by single numbers.
Otherwise it opens the cell with the highest share of missing mines around any number beside it, and
bombs as soon as it may. - ``least risk``: like a solver for ordinary games, it opens mines proved
exactly, and otherwise the safest cell; it bombs as soon as it may. - ``random``: opens random
cells.

The columns are the number of games, the number won by ``exact``, the share with its 95 % interval,
and the mean number of mines that it found.

``python benchmarks/flags.py [-n 400] [--json]``, where ``-n`` is the number of games against each
player; boards have the seeds 0 to n/2 - 1, and each is played twice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from report import arguments, emit
from sapper.community import FLAGS_LEVEL, FlagsChoice, FlagsGame, advise_flags, best_move
from sapper.generation import generate
from sapper.position import NUMBERS, Position
from sapper.solver import analyze
from sapper.stats import wilson

Player = Callable[[FlagsGame, random.Random], FlagsChoice]


def main() -> None:
    """Play the games, and print the results."""
    options = arguments(__doc__, 400)
    emit(rows(options.n), options.json)


def rows(n: int) -> Iterator[dict[str, Any]]:
    """Yield the row of each opponent as it is measured."""
    for name, opponent in OPPONENTS.items():
        results = [play(number, opponent) for number in range(n)]
        wins = sum(won for won, _ in results)
        low, high = wilson(wins, n)
        yield {
            "opponent": name,
            "n": n,
            "won": wins,
            "share": round(wins / n, 3),
            "low": round(low, 3),
            "high": round(high, 3),
            "mines": round(sum(found for _, found in results) / n, 2),
        }


def play(number: int, opponent: Player) -> tuple[bool, int]:
    """Return whether exact play won a game, and the number of mines that it found."""
    [made] = generate(FLAGS_LEVEL, first_click="any", seed=number // 2)
    game = FlagsGame(made.board, FLAGS_LEVEL, number % 2)
    rng = random.Random(number)
    while game.winner is None:
        cell, bomb = opponent(game, rng) if game.turn else best_move(game)
        (game.bomb if bomb else game.open)(cell)
    return game.winner == 0, game.scores[0]


def no_bomb(game: FlagsGame, rng: random.Random) -> FlagsChoice:
    """Open the likeliest mine."""
    return FlagsChoice(game.position.topology.index(advise_flags(game.position).best))


def one_number(game: FlagsGame, rng: random.Random) -> FlagsChoice:
    """Look at one number at a time."""
    chances = shares(game.position)
    best = max(chances.values())
    if game.can_bomb and best < 1:
        return bomb(game)
    return FlagsChoice(rng.choice([cell for cell, chance in chances.items() if chance == best]))


def shares(position: Position) -> dict[int, float]:
    """Return the highest share of missing mines beside each unopened cell, by one number."""
    cells, graph = position.cells, position.topology.graph
    closed = [index for index, char in enumerate(cells) if char == ord(".")]
    assert position.mines is not None
    chances = dict.fromkeys(closed, (position.mines - cells.count(b"*")) / len(closed))
    beside = set[int]()
    for index, char in enumerate(cells):
        around = [near for near in graph.neighbours(index) if cells[near] == ord(".")]
        if char in NUMBERS and around:
            found = sum(cells[near] == ord("*") for near in graph.neighbours(index))
            share = (char - ord("0") - found) / len(around)
            for near in around:
                chances[near] = max(share, chances[near]) if near in beside else share
            beside.update(around)
    return chances


def least_risk(game: FlagsGame, rng: random.Random) -> FlagsChoice:
    """Open proved mines, and otherwise the safest cell."""
    found = analyze(game.position)
    if found.mined:
        return FlagsChoice(next(iter(found.mined_indices)))
    if game.can_bomb:
        return bomb(game)
    return FlagsChoice(int(np.nanargmin(found.p_mine)))


def random_cell(game: FlagsGame, rng: random.Random) -> FlagsChoice:
    """Open any cell."""
    cells = enumerate(game.position.cells)
    return FlagsChoice(rng.choice([index for index, char in cells if char == ord(".")]))


def bomb(game: FlagsGame) -> FlagsChoice:
    """Bomb where the most cells are unopened."""
    shape = game.position.topology
    near = [abs(row - 7.5) + abs(col - 7.5) for row, col in map(shape.cell, range(shape.size))]
    closed = [unopened_around(game.position, cell) for cell in range(shape.size)]
    return FlagsChoice(max(range(shape.size), key=lambda c: (closed[c], -near[c])), bomb=True)


def unopened_around(position: Position, cell: int) -> int:
    """Return the unopened cells that a bomb opens."""
    row, col = position.topology.cell(cell)
    rows = position.rows[max(0, row - 2) : row + 3]
    return sum(line[max(0, col - 2) : col + 3].count(".") for line in rows)


OPPONENTS: dict[str, Player] = {
    "no bomb": no_bomb,
    "one number": one_number,
    "least risk": least_risk,
    "random": random_cell,
}


if __name__ == "__main__":
    main()
