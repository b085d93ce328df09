"""Play the agents saved by maskable_ppo.py, and draw their win rate by training steps.

    python examples/maskable_ppo_curve.py

Every agent plays the same 2,048 boards, none of which it was trained on. So do a random player and
the bot ``exact``, which opens the least risky cell. Writes maskable_ppo.json and maskable_ppo.svg
beside this file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.env import MinesweeperEnv, OneHot, make_vec
from sapper.solver.bots import as_choice, make_bot
from sapper.stats import wilson

FOLDER, RESULT = Path("ppo"), Path(__file__).with_name("maskable_ppo.json")
BOARDS, SEED = 2048, 2 * 10**6

# A function from observations and masks to an action for each game.
Chooser = Callable[[npt.NDArray[Any], npt.NDArray[np.bool_]], npt.NDArray[np.int64]]


def wins_of(choose: Chooser) -> int:
    """Play all boards at once, and count the wins."""
    envs = make_vec("sapper/Beginner-v0", BOARDS, wrappers=[OneHot], flags=False)
    observations, infos = envs.reset(seed=SEED)
    running, wins = np.ones(BOARDS, dtype=np.bool_), 0
    while running.any():
        # Finished games have just restarted, so their actions do not count.
        actions = np.zeros(BOARDS, dtype=np.int64)
        masks = infos["action_mask"][running].astype(np.bool_)
        actions[running] = choose(observations[running], masks)
        observations, _, terminated, truncated, infos = envs.step(actions)
        ended = running & (terminated | truncated)
        if ended.any():
            wins += int(infos["won"][ended].sum())
        running &= ~ended
    return wins


def wins_of_bot(name: str) -> int:
    """Play the same boards with one of Sapper's bots."""
    bot, env, wins = make_bot(name), MinesweeperEnv("beginner", flags=False), 0
    for game in range(BOARDS):
        env.reset(seed=SEED + game)
        ended = False
        while not ended:
            for action in as_choice(bot.choose(env.position)).actions:
                cell = env.level.shape().index(action.cell)
                if not ended and env.action_masks()[cell]:
                    _, _, terminated, truncated, info = env.step(cell)
                    ended = terminated or truncated
        wins += info["won"]
    return wins


def random_moves() -> Chooser:
    """Return a function that chooses random unopened cells."""
    rng = np.random.default_rng(1)
    return lambda _, masks: (rng.random(masks.shape) * masks).argmax(axis=1)


def agent(path: Path) -> Chooser:
    """Return a function that chooses a saved agent's best actions."""
    from sb3_contrib import MaskablePPO

    model = MaskablePPO.load(path, device="cpu")
    return lambda seen, masks: model.predict(seen, action_masks=masks, deterministic=True)[0]


def saved() -> list[tuple[int, Path]]:
    """Return the saved agents with their training steps, in order of steps."""
    named = ((re.fullmatch(r"rl_model_(\d+)_steps", path.stem), path) for path in FOLDER.iterdir())
    return sorted((int(match[1]), path) for match, path in named if match)


def plot(found: dict[str, Any], path: Path) -> None:
    """Draw the win rate by steps, with its interval, and the win rates of the other two."""
    from matplotlib.figure import Figure

    wins = [won for _, won in found["agent"]]
    steps = [steps / 1000 for steps, _ in found["agent"]]
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(steps, [won / BOARDS for won in wins], label="MaskablePPO")
    axes.fill_between(steps, *zip(*(wilson(won, BOARDS) for won in wins), strict=True), alpha=0.25)
    for name, style in (("least risk", "--"), ("random moves", ":")):
        axes.axhline(found[name] / BOARDS, color="grey", linestyle=style, label=name)
    axes.set(
        xlabel="thousand steps", ylabel="win rate", ylim=(0, 1), title="Beginner, 9x9, 10 mines"
    )
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Play the boards, save the figures and the plot, and print the last agent's win rate."""
    found: dict[str, Any] = {"agent": []}
    for steps, path in saved():
        found["agent"].append((steps, wins_of(agent(path))))
        print(f"{steps} steps: won {found['agent'][-1][1]} of {BOARDS}", flush=True)
    found |= {"random moves": wins_of(random_moves()), "least risk": wins_of_bot("exact")}
    for name, wins in found.items():
        won = wins[-1][1] if name == "agent" else wins
        low, high = wilson(won, BOARDS)
        print(f"{name}: won {won} of {BOARDS} boards, {won / BOARDS:.1%} [{low:.1%}, {high:.1%}]")
    RESULT.write_text(json.dumps(found) + "\n", "utf-8")
    plot(found, RESULT.with_suffix(".svg"))


if __name__ == "__main__":
    main()
