"""Measure steps per second of Sapper's and other Minesweeper environments for Gymnasium.

All play Expert boards with random actions that the mask allows, start a new game after each one
ends, and do not protect the first click. Only calls of ``step`` and ``reset`` are timed, not the
choice of actions, in CPU time on one core, so that other load has little effect. The environments
run in turn, in blocks of steps. The figures are those of the median block; comparisons are the
median of the ratios in each turn. The others, where installed (``pip install jumanji
gym-minesweeper pygame``): ``jumanji`` steps its compiled JAX environment, with one game or 64.
``rollout`` also compiles the choice of actions and 100 steps into one call, which no Python loop
can do. ``gym-minesweeper`` is plain Python. ``python benchmarks/env.py [-n 20] [--json]``: ``n``
blocks of each.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from time import process_time
from typing import Any

import gymnasium
import numpy as np

import sapper.env  # noqa: F401  (registers the environments)
from report import arguments, emit

CELLS, GAMES, WIDTH = 480, 64, 30
SINGLE, BATCHED, ROLLOUT = 500, 100, 100
# Reading the clock takes a third as long as a step of one game.
CLOCK = float(np.median([-(process_time() - process_time()) for _ in range(10_000)]))
Block = Callable[[], float]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 20)
    warnings.simplefilter("ignore")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    blocks: dict[str, Block] = {"sapper, 1 game": single(), "sapper, 64 games": batched()}
    for make in (others_jax, others_plain):
        try:
            blocks |= make()
        except ImportError as problem:
            print(f"{make.__name__}: {problem}")
    found: dict[str, list[float]] = {name: [] for name in blocks}
    for block in blocks.values():
        block()
    for _ in range(options.n):
        for name, block in blocks.items():
            found[name].append(block())
    speeds = {name: float(np.median(rates)) for name, rates in found.items()}
    rows: list[dict[str, Any]] = [
        {
            "environment": name,
            "steps_per_second": f"{speeds[name]:,.0f}",
            "quartiles": [f"{q:,.0f}" for q in np.quantile(found[name], [0.25, 0.75])],
        }
        for name in blocks
    ]
    for count in (1, GAMES):
        ours = f"sapper, {count} game{'s' if count > 1 else ''}"
        others = [found[name] for name in blocks if name[0] != "s" and f", {count} g" in name]
        if others:
            # Blocks take turns, so that a slow phase affects all of them equally.
            times = np.array(found[ours]) / np.max(others, axis=0)
            rows.append(
                {
                    "games": count,
                    "times_the_fastest_other": float(np.median(times)),
                    "quartiles": [f"{q:,.0f}" for q in np.quantile(times, [0.25, 0.75])],
                }
            )
    emit(rows, options.json)


def single() -> Block:
    """Return one environment, as created by `gymnasium.make`."""
    env = gymnasium.make("sapper/Expert-v0", first_click="any", disable_env_checker=True)
    rng = np.random.default_rng(1)
    info = env.reset(seed=1)[1]

    def block() -> float:
        nonlocal info
        spent = 0.0
        for _ in range(SINGLE):
            action = rng.choice(np.flatnonzero(info["action_mask"][:CELLS]))
            began = process_time()
            _, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                info = env.reset()[1]
            spent += process_time() - began - CLOCK
        return SINGLE / spent

    return block


def batched() -> Block:
    """Return 64 games in one vector environment; each restarts in the step that ends it."""
    env = gymnasium.make_vec(
        "sapper/Expert-v0", num_envs=GAMES, first_click="any", autoreset_mode="SameStep"
    )
    rng = np.random.default_rng(1)
    info = env.reset(seed=1)[1]

    def block() -> float:
        nonlocal info
        spent = 0.0
        for _ in range(BATCHED):
            actions = drawn(rng, info["action_mask"][:, :CELLS])
            began = process_time()
            info = env.step(actions)[-1]
            spent += process_time() - began - CLOCK
        return GAMES * BATCHED / spent

    return block


def drawn(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """Return a random allowed action for every game."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def others_jax() -> dict[str, Block]:
    """Return Jumanji's environment, compiled."""
    import jax
    from jumanji.environments import Minesweeper
    from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator
    from jumanji.wrappers import AutoResetWrapper, VmapAutoResetWrapper

    generator = UniformSamplingGenerator(num_rows=16, num_cols=30, num_mines=99)
    one = AutoResetWrapper(Minesweeper(generator))
    many = VmapAutoResetWrapper(Minesweeper(generator))
    keys = jax.random.split(jax.random.PRNGKey(1), GAMES)
    rng = np.random.default_rng(1)

    def stepping(env: Any, key: Any, games: int, steps: int) -> Block:
        reset, step = jax.jit(env.reset), jax.jit(env.step)
        state, timestep = reset(key)

        def block() -> float:
            nonlocal state, timestep
            spent = 0.0
            for _ in range(steps):
                mask = np.asarray(timestep.observation.action_mask).reshape(games, CELLS)
                chosen = drawn(rng, mask)
                actions = np.stack(np.divmod(chosen, WIDTH), axis=1).astype(np.int32)
                began = process_time()
                state, timestep = step(state, actions[0] if games == 1 else actions)
                jax.block_until_ready(timestep)
                spent += process_time() - began - CLOCK
            return games * steps / spent

        return block

    def advance(carry: Any, key: Any) -> tuple[Any, Any]:
        state, timestep = carry
        mask = timestep.observation.action_mask.reshape(GAMES, CELLS)
        chosen = (jax.random.uniform(key, (GAMES, CELLS)) * mask).argmax(axis=1)
        actions = jax.numpy.stack(jax.numpy.divmod(chosen, WIDTH), axis=1).astype(np.int32)
        state, timestep = many.step(state, actions)
        return (state, timestep), timestep.reward

    scanned = jax.jit(lambda carry, keys: jax.lax.scan(advance, carry, keys))
    carry, key = jax.jit(many.reset)(keys), jax.random.PRNGKey(2)

    def rollout() -> float:
        nonlocal carry, key
        key, used = jax.random.split(key)
        drawn_keys = jax.random.split(used, ROLLOUT)
        began = process_time()
        carry, rewards = scanned(carry, drawn_keys)
        jax.block_until_ready((carry, rewards))
        return GAMES * ROLLOUT / (process_time() - began - CLOCK)

    return {
        "jumanji, 1 game": stepping(one, keys[0], 1, SINGLE),
        "jumanji, 64 games": stepping(many, keys, GAMES, BATCHED),
        "jumanji rollout, 64 games": rollout,
    }


def others_plain() -> dict[str, Block]:
    """Return one game of gym-minesweeper."""
    from gym_minesweeper.envs.minesweeper import MinesweeperEnv

    # This environment does not accept more columns than rows, so the board is turned upright.
    env = MinesweeperEnv(WIDTH, 16, 99)
    rng = np.random.default_rng(1)
    observation = env.reset()

    def block() -> float:
        nonlocal observation
        spent = 0.0
        for _ in range(SINGLE // 5):
            action = divmod(int(rng.choice(np.flatnonzero(observation.ravel() == -1))), 16)
            began = process_time()
            observation, _, done, _ = env.step(action)
            if done:
                observation = env.reset()
            spent += process_time() - began - CLOCK
        return SINGLE // 5 / spent

    return {"gym-minesweeper, 1 game": block}


if __name__ == "__main__":
    main()
