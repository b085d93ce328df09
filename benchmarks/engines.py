"""Measure what it costs to play through the engine protocol.

python benchmarks/engines.py [-n GAMES] [--engine COMMAND]

Without a command, it compiles the starter engine in C, which takes almost no time for a choice.
The same games are played one at a time, as before engines could play several, and at once. The
times per choice include applying the rules of the game. They take turns, and the median of all
turns is printed.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from sapper.simulation import BotRunner, Match
from sapper.solver.bots.engine import EngineBot

_SOURCE = Path(__file__).parents[1] / "examples/engines/engine.c"


def measure(command: str, games: int, turns: int) -> None:
    """Print the wall time and both sides' processor time per choice."""
    match = Match(f"engine:{command}", "beginner", start=(0, 0))
    found: dict[str, list[tuple[float, float, float]]] = {"one at a time": [], "at once": []}
    with closing(EngineBot(command)) as bot:
        runner = BotRunner(bot, "engine")
        match.play([0], runner)
        for turn in range(turns):
            for way, times in found.items():
                seeds = range(1 + turn * games, 1 + (turn + 1) * games)
                parts = [[seed] for seed in seeds] if way == "one at a time" else [list(seeds)]
                wall, own, other = perf_counter(), process_time(), bot.cpu_s() or 0.0
                played = [game for part in parts for game in match.play(part, runner)]
                choices = sum(sum(game.by.values()) for game in played)
                times.append(
                    (
                        (perf_counter() - wall) / choices,
                        (process_time() - own) / choices,
                        ((bot.cpu_s() or 0.0) - other) / choices,
                    )
                )
    for way, times in found.items():
        wall, own, other = (1e6 * median(column) for column in zip(*times, strict=True))
        print(
            f"{way}: {wall:.0f} us per choice; processor time: host {own:.0f} us, "
            f"engine {other:.0f} us"
        )


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-n", "--games", type=int, default=200)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--engine", metavar="COMMAND")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = args.engine
        if command is None:
            command = shlex.join([f"{folder}/engine"])
            subprocess.run(["cc", "-O2", "-o", f"{folder}/engine", str(_SOURCE)], check=True)
        measure(command, args.games, args.turns)


if __name__ == "__main__":
    main()
