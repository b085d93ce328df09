"""Play bots or engines on the same boards, and compare them with most of the luck removed.

python benchmarks/rivals.py play BOT FILE [options]    play games, and continue a file
python benchmarks/rivals.py compare FILE FILE          compare two files, board by board
python benchmarks/rivals.py guesses FILE               print the guesses, for training's `advantage`

A guess that survives is luck, and so is one that hits a mine. `play` records the position of every
guess. `compare` computes the exact risk of each, and subtracts (outcome - chance of survival) x
value from the result of the game. The value is Sapper's estimate of the chance of winning after the
guess. Whatever its errors, the mean of each subtracted term is zero, because the value and the
chance are known before the outcome; so the mean difference stays the same and only its interval
becomes smaller.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sapper import Position
from sapper.errors import BotFailed
from sapper.lab.spec import parse_option
from sapper.rules import Level
from sapper.simulation import BotRunner, Match, steps
from sapper.solver import Solver
from sapper.solver.bots import Bot, make_bot
from sapper.solver.search.guesses import SWIFT, Searcher


def play(args: argparse.Namespace) -> None:
    """Play the games that the file does not have yet, and add a line for each."""
    path, options = Path(args.file), dict(map(parse_option, args.option))
    level, (row, col) = Level.parse(args.level), map(int, args.start.split(","))
    match = Match(
        args.bot, level, first_click=args.first_click, start=(row, col), bot_options=options
    )
    done = len(path.read_text().splitlines()) if path.exists() else 0
    bot = make_bot(args.bot, **options)
    runner = BotRunner(bot, match.name)
    end = time.monotonic() + args.seconds
    with path.open("a") as file:
        for seed in range(args.seed + done, args.seed + args.games):
            if time.monotonic() > end:
                break
            before = _cpu_s(bot)
            try:
                game = _game(match, seed, runner)
                game["cpu_ms"] = round(1000 * (_cpu_s(bot) - before), 3)
            except BotFailed as problem:
                game = {"seed": seed, "failed": str(problem)}
            file.write(json.dumps(game, separators=(",", ":")) + "\n")
            file.flush()


def _game(match: Match, seed: int, runner: BotRunner) -> dict[str, Any]:
    game = match.begin(seed, runner)
    guesses = []
    for step in steps(game, runner):
        if step.choice.guess:
            opened = step.choice.actions[-1].cell
            assert opened is not None
            cell = step.position.topology.index(opened)
            guesses.append([step.position.cells.decode(), cell, game.status.value != "lost"])
    runner.end(str(game.status) if game.over else "aborted")
    return {"seed": seed, "won": game.status.value == "won", "guesses": guesses}


def _cpu_s(bot: Bot) -> float:
    measure = getattr(bot, "cpu_s", None)
    return time.process_time() + ((measure() if measure else None) or 0.0)


class _Luck:
    """Computes how much of a game's result was luck."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._searcher = Searcher(replace(SWIFT, margin=0.2, cells=12, every=True))
        self._known: dict[tuple[str, int], tuple[float, float]] = {}

    def of(self, game: dict[str, Any]) -> float:
        """Return the sum of (outcome - chance) x value over the guesses of a game."""
        solver, luck = Solver(), 0.0
        for cells, cell, survived in game["guesses"]:
            key = (cells, cell)
            if key not in self._known:
                self._known[key] = self._judged(solver, cells, cell)
            risk, value = self._known[key]
            luck += ((1.0 if survived else 0.0) - (1.0 - risk)) * value
        return luck

    def _judged(self, solver: Solver, cells: str, cell: int) -> tuple[float, float]:
        """Return the risk of a guess, and the estimated chance of winning after it."""
        shape = self._level.shape()
        position = Position(shape, cells.encode(), self._level.mines)
        risk = float(solver.analyze(position).p_mine.ravel()[cell])
        picks = self._searcher.guess(position).picks
        if not picks or risk >= 1.0:
            return risk, 0.5
        worth = next((pick.win_chance for pick in picks if pick.index == cell), picks[0].win_chance)
        return risk, min(1.0, worth / (1.0 - risk))


def compare(args: argparse.Namespace) -> None:
    """Print the results of two files on the boards that both have."""
    games = [_read(Path(name)) for name in args.files]
    common = set(games[0]) & set(games[1])
    seeds = sorted(seed for seed in common if all("won" in of[seed] for of in games))
    luck = _Luck(Level.parse(args.level))
    won = np.array([[of[seed]["won"] for seed in seeds] for of in games], float)
    adjusted = won - [[luck.of(of[seed]) for seed in seeds] for of in games]
    n = len(seeds)
    print(f"{n} boards, seeds {seeds[0]} to {seeds[-1]}; without {len(common) - n} failures")
    for name, of, plain, fair in zip(args.files, games, won, adjusted, strict=True):
        cpu = np.mean([of[seed]["cpu_ms"] for seed in seeds])
        print(f"{name}: won {_interval(plain)}, adjusted {_interval(fair)}, {cpu:.1f} ms of CPU")
    same = int((won[0] == won[1]).sum())
    print(f"same result on {same} boards")
    print(f"second minus first: {_interval(won[1] - won[0])} percent of games")
    print(f"adjusted for luck:  {_interval(adjusted[1] - adjusted[0])} percent of games")


def guesses(args: argparse.Namespace) -> None:
    """Print the game, the cell and the position of each guess."""
    games = 0
    for game in _lines(Path(args.file)):
        if "won" in game:
            for cells, cell, _ in game["guesses"]:
                print(game["seed"], cell, cells)
            games += 1
            print("games", games)


def _read(path: Path) -> dict[int, dict[str, Any]]:
    return {game["seed"]: game for game in _lines(path)}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open() as file:
        for line in file:
            # The last line may be incomplete while the games are still being played.
            if line.endswith("\n"):
                yield json.loads(line)


def _interval(values: np.ndarray) -> str:
    error = 1.96 * values.std(ddof=1) / math.sqrt(len(values))
    return f"{100 * values.mean():+.2f} ± {100 * error:.2f}"


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    playing = commands.add_parser("play")
    playing.add_argument("bot")
    playing.add_argument("file")
    playing.add_argument("--option", action="append", default=[])
    playing.add_argument("--first-click", default="safe")
    playing.add_argument("--start", default="0,0")
    playing.add_argument("--seed", type=int, default=3_100_000_000)
    playing.add_argument("-n", "--games", type=int, default=20_000)
    playing.add_argument("--seconds", type=float, default=math.inf)
    playing.set_defaults(run=play)
    comparing = commands.add_parser("compare")
    comparing.add_argument("files", nargs=2)
    comparing.set_defaults(run=compare)
    printing = commands.add_parser("guesses")
    printing.add_argument("file")
    printing.set_defaults(run=guesses)
    for command in (playing, comparing):
        command.add_argument("--level", default="expert")
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
