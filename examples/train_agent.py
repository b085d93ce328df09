"""Train a small agent on Beginner boards, and use it as a bot.

The agent scores every unopened cell with a network of one hidden layer, from the ratios of
remaining mines to cells of the numbers around it, and opens the best cell. CMA-ES (N. Hansen, "The
CMA Evolution Strategy: A Tutorial", 2016) as implemented in pycma, fits its weights. 256 games are
stepped at a time.

    pip install '.[env,lab]' cma
    python examples/train_agent.py
    sapper lab rank -n 1000 --bot examples/train_agent.py:TrainedAgent

Training takes a few minutes on one core. It writes the weights to train_agent.json and the
learning curve to train_agent.svg beside this file.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

import sapper
from sapper.stats import wilson

WEIGHTS = Path(__file__).with_suffix(".json")
PLOT = Path(__file__).with_suffix(".svg")
LEVEL, GAMES, TEST_GAMES, HIDDEN = "beginner", 256, 2048, 6
REWARDS = {"win": 1.0, "cell": 1 / 71}

Floats = npt.NDArray[np.float32]


# Classes of a number's remaining mines per unopened cell: 0, at most 1/4, 1/3 or 1/2, below 1, and
# 1.
BOUNDS = np.array([0.001, 0.26, 0.34, 0.51, 0.99], dtype=np.float32)
INPUTS = len(BOUNDS) + 3
SIZE = INPUTS * HIDDEN + 2 * HIDDEN


def around(values: npt.NDArray[Any]) -> Floats:
    """Return the sum over the eight neighbours of every cell."""
    games, height, width, *rest = values.shape
    padded = np.zeros((games, height + 2, width + 2, *rest), dtype=np.float32)
    padded[:, 1:-1, 1:-1] = values
    rows = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
    return rows[:, :, :-2] + rows[:, :, 1:-1] + rows[:, :, 2:] - padded[:, 1:-1, 1:-1]


def features(cells: npt.NDArray[np.int8]) -> Floats:
    """Count the numbers around every cell by their ratio of mines to cells.

    Mines proved by a single number count as found, as if a player had flagged them.
    """
    numbers, unopened = cells <= 8, cells == 9
    full = numbers & (cells == around(unopened))
    known = unopened & (around(full & (cells > 0)) > 0)
    mines, free = cells - around(known), around(unopened & ~known)
    kinds = np.digitize(mines / np.maximum(free, 1), BOUNDS)[..., None] == np.arange(
        len(BOUNDS) + 1
    )
    counts = around(kinds & (numbers & (free > 0))[..., None])
    edges = 8 - around(np.ones_like(cells))
    return np.concatenate([counts, edges[..., None], known[..., None]], axis=-1, dtype=np.float32)


class Network:
    """Scores cells: higher is safer."""

    def __init__(self, weights: npt.ArrayLike) -> None:
        flat = np.asarray(weights, dtype=np.float32)
        self._first = flat[: INPUTS * HIDDEN].reshape(INPUTS, HIDDEN)
        self._bias, self._second = flat[INPUTS * HIDDEN :].reshape(2, HIDDEN)

    def choose(self, cells: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """Return the index of the best unopened cell of every board."""
        hidden = np.tanh(features(cells) @ self._first + self._bias)
        scores = (hidden @ self._second).reshape(len(cells), -1)
        return np.where(cells.reshape(len(cells), -1) == 9, scores, -np.inf).argmax(axis=1)


class TrainedAgent:
    """The trained agent as a bot, for `sapper.simulate`, the lab and the web app."""

    def __init__(self) -> None:
        self._network = Network(json.loads(WEIGHTS.read_text("utf-8")))

    def choose(self, position: sapper.Position) -> sapper.Action:
        """Open the cell that the network scores highest."""
        codes = {ord(char): code for code, char in enumerate("012345678.")}
        plain = position.without_flags()
        cells = np.array([codes[char] for char in plain.cells], dtype=np.int8)
        board = cells.reshape(1, position.height, position.width)
        best = position.topology.cell(int(self._network.choose(board)[0]))
        return sapper.Action(sapper.ActionKind.OPEN, best)


def play(network: Network | None, seed: int, games: int) -> tuple[float, int]:
    """Return the mean return and the wins, with `GAMES` games at a time; None plays at random."""
    from gymnasium.vector import AutoresetMode

    from sapper.env import MinesweeperVectorEnv

    total, wins, rng = 0.0, 0, np.random.default_rng(seed)
    for first in range(0, games, GAMES):
        env = MinesweeperVectorEnv(
            GAMES, LEVEL, rewards=REWARDS, flags=False, autoreset_mode=AutoresetMode.NEXT_STEP
        )
        cells, info = env.reset(seed=seed + first)
        running = np.ones(GAMES, dtype=np.bool_)
        while running.any():
            if network is None:
                mask = info["action_mask"]
                actions = (rng.random(mask.shape) * mask).argmax(axis=1)
            else:
                # Finished games have just restarted, so their actions do not count.
                actions = np.zeros(GAMES, dtype=np.int64)
                actions[running] = network.choose(cells[running])
            cells, rewards, terminated, truncated, info = env.step(actions)
            total += float(rewards[running].sum())
            ended = running & (terminated | truncated)
            if ended.any():
                wins += int(info["won"][ended].sum())
            running &= ~ended
    return total / games, wins


def train(generations: int, seed: int) -> tuple[list[float], list[tuple[int, float]]]:
    """Fit the weights: return those with the most wins on held-out boards, and the win rates."""
    import cma

    options = {"seed": seed, "verbose": -9, "popsize": 16}
    search = cma.CMAEvolutionStrategy(SIZE * [0.0], 0.5, options)
    best, curve = (-1.0, [0.0]), [(0, play(None, 10**6, TEST_GAMES)[1] / TEST_GAMES)]
    began = perf_counter()
    for generation in range(1, generations + 1):
        candidates = search.ask()
        # All candidates play the same boards, with new ones in every generation.
        costs = [-play(Network(weights), generation * GAMES, GAMES)[0] for weights in candidates]
        search.tell(candidates, costs)
        if generation % 5 == 0:
            weights = [round(float(weight), 4) for weight in search.result.xfavorite]
            rate = play(Network(weights), 10**6, TEST_GAMES)[1] / TEST_GAMES
            best = max(best, (rate, weights))
            curve.append((generation, rate))
            print(
                f"generation {generation}: {rate:.1%}, {perf_counter() - began:.0f} s", flush=True
            )
    return best[1], curve


def plot(curve: list[tuple[int, float]], path: Path) -> None:
    """Draw the win rate by generation, and that of random moves."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(*zip(*curve[1:], strict=True), label="trained agent")
    axes.axhline(curve[0][1], color="grey", linestyle="--", label="random moves")
    axes.set(
        xlabel="generation", ylabel="win rate", ylim=(0, None), title="Beginner, 9x9, 10 mines"
    )
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Train the agent, save the weights and the plot, and compare with random moves."""
    parser = argparse.ArgumentParser(description="Train a small agent on Beginner boards.")
    parser.add_argument("--generations", type=int, default=60, help="(default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the search (default: 1)")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="file for the weights")
    options = parser.parse_args()
    weights, curve = train(options.generations, options.seed)
    options.out.write_text(json.dumps(weights) + "\n", "utf-8")
    plot(curve, options.out.with_suffix(".svg"))
    for name, player in (("trained agent", Network(weights)), ("random moves", None)):
        _, wins = play(player, 2 * 10**6, TEST_GAMES)
        low, high = wilson(wins, TEST_GAMES)
        print(f"{name}: won {wins} of {TEST_GAMES} new games [{low:.1%}, {high:.1%}]")


if __name__ == "__main__":
    main()
