"""The tasks of ``compare.py``, which run with any version since 1.0.0.

A task is a function that prepares data and returns a step to time. The step's result is small, and
identical in all versions with the same behaviour.
"""

from __future__ import annotations

import asyncio
import atexit
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import gymnasium
import numpy as np

import dealers
import history as history_benchmark
import pointer_path
import sapper
import sapper.env
import wide
from positions import flooded, natural, one_more, sprinkled
from replays import SAMPLES, files
from sapper.generation import Logic, Method, generate
from sapper.history import History, summarize
from sapper.lab import run as run_lab
from sapper.metrics import measure
from sapper.replay import WRITERS, Playback, analyze_replay, measure_play, parse, serialize
from sapper.rules import Level
from sapper.simulation import Match, simulate
from sapper.solver import reference

__all__ = ["TASKS", "Seconds"]

Step = Callable[[], object]

LEVELS = {
    "9x9:10": 400,
    "16x16:40": 150,
    "30x16:99": 50,
    "30x16:150": 20,
    "30x16:170": 20,
    "30x16:200": 20,
    "50x50:500": 10,
    "100x100:2000": 2,
}
GAMES: tuple[tuple[str, str, str, int], ...] = (
    ("exact", "beginner", "classic", 2000),
    ("exact", "expert", "classic", 400),
    ("exact", "expert", "kind", 20),
    ("exact", "expert", "kaboom", 20),
    ("lookahead", "expert", "classic", 20),
    ("swift", "expert", "classic", 60),
    ("champion", "expert", "classic", 10),
    ("grandmaster", "intermediate", "classic", 10),
    ("optimal", "5x5:5", "classic", 4),
    ("groups", "beginner", "kaboom", 100),
    ("groups", "expert", "classic", 20),
    ("autosweeper", "expert", "classic", 20),
    ("fair-evaluate", "beginner", "fair", 100),
    ("kaboom-sat", "expert", "classic", 20),
)


def each(positions: Iterable[Any], call: Callable[[Any], object]) -> Step:
    """Return a step that calls a function with each position and returns the last result."""
    kept = list(positions)
    for position in kept:
        _ = position.topology.graph

    def step() -> object:
        result: object = None
        for position in kept:
            result = call(position)
        return result

    return step


def experts(n: int) -> list[sapper.Position]:
    """Return natural Expert positions."""
    return [natural(30, 16, 99, seed) for seed in range(n)]


def read(analysis: sapper.Analysis) -> object:
    """Read an analysis as ``exact.py`` does."""
    return round(float(np.nansum(analysis.p_mine)), 9), len(analysis.safe), len(analysis.mined)


def one_open_since() -> Step:
    """Return the analysis of consecutive positions that differ by one opened cell."""
    before = experts(100)
    after = [
        one_more(one, sapper.analyze(one).safe, random.Random(seed))
        for seed, one in enumerate(before)
    ]
    solver = sapper.Solver()

    def step() -> object:
        for one, another in zip(before, after, strict=True):
            solver.analyze(one)
            found = solver.analyze(another)
        return read(found)

    return step


def wide_kind(kind: int, n: int) -> Step:
    """Return the analysis of positions of one kind from ``wide.py``."""
    side, _, make = list(wide.kinds())[kind]
    positions = [make(180 + seed % 21 if side == 30 else 2000, seed) for seed in range(n)]
    return each(positions, lambda position: sapper.analyze(position).solutions)


def grown(make: Callable[..., sapper.Position], side: int, *, given: bool) -> Step:
    """Return the analysis of a half-open board."""
    position = make(side, side, side * side * 15 // 100, seed=1)
    if not given:
        position = sapper.Position(position.topology, position.cells, None)
    return each([position], lambda one: read(sapper.analyze(one)))


def one_environment() -> Step:
    """Return recorded actions stepped in one environment."""
    env = gymnasium.make("sapper/Expert-v0", first_click="any", disable_env_checker=True)
    rng = np.random.default_rng(1)
    actions = []
    info = env.reset(seed=1)[1]
    for _ in range(5000):
        actions.append(rng.choice(np.flatnonzero(info["action_mask"][:480])))
        _, _, terminated, truncated, info = env.step(actions[-1])
        if terminated or truncated:
            info = env.reset()[1]

    def step() -> object:
        total = 0.0
        env.reset(seed=1)
        for action in actions:
            _, reward, terminated, truncated, _ = env.step(action)
            total += float(reward)
            if terminated or truncated:
                env.reset()
        return round(total, 6)

    return step


def many_environments() -> Step:
    """Return recorded actions stepped in 64 environments."""
    env = gymnasium.make_vec(
        "sapper/Expert-v0", num_envs=64, first_click="any", autoreset_mode="SameStep"
    )
    rng = np.random.default_rng(1)
    actions = []
    info = env.reset(seed=1)[1]
    for _ in range(1000):
        masks = info["action_mask"][:, :480]
        actions.append(np.argmax(rng.random(masks.shape) * masks, axis=1))
        info = env.step(actions[-1])[-1]

    def step() -> object:
        total = 0.0
        env.reset(seed=1)
        for action in actions:
            total += float(env.step(action)[1].sum())
        return round(total, 6)

    return step


def clicks(level: str, rules: str, player: str) -> Step:
    """Return recorded games of ``dealers.py``, replayed without the player's thinking time."""
    choose = dealers.careful if player == "careful" else dealers.anywhere
    games = []
    for seed in range(3):
        game, solver, rng = new_game(level, rules, seed), sapper.Solver(), random.Random(seed)
        cells = [sapper.Cell(game.level.height // 2, game.level.width // 2)]
        game.open(cells[0])
        while not game.over:
            cells.append(choose(solver.analyze(game.position), rng))
            game.open(cells[-1])
        games.append(cells)

    def step() -> object:
        for seed, cells in enumerate(games):
            game = new_game(level, rules, seed)
            for cell in cells:
                game.open(cell)
        return str(game.status), game.guesses.made

    return step


def new_game(level: str, rules: str, seed: int) -> sapper.Game:
    """Return a game of ``dealers.py``."""
    return sapper.Game(level, rules, first_click="opening", seed=seed)


def boards(text: str, n: int, logic: Logic, method: Method, *, proof: bool = False) -> Step:
    """Return the generation of no-guess boards."""
    level = Level.parse(text)
    start = (level.height // 2, level.width // 2)

    def step() -> object:
        steps = checksum = 0
        for made in generate(level, n, start=start, seed=0, no_guess=logic, method=method):
            checksum = crc32(made.board.mined, checksum)
            if proof:
                assert made.proof is not None
                steps += len(made.proof.steps)
        return checksum, steps

    return step


def plain_boards() -> object:
    """Return the generation of boards without conditions."""
    return sum(board.board.numbers[0] for board in generate("expert", 2000, seed=0))


def played(bot: str, level: str, rules: str, n: int) -> Step:
    """Return a bot's games."""
    return lambda: simulate(bot, level, rules, n=n, seed=1).wins


def reviews(n: int) -> Step:
    """Return the reviews of Expert games of the bot `exact`."""
    games = [Match("exact", "expert").game(seed) for seed in range(n)]
    return lambda: [len(sapper.review(game).decisions) for game in games]


def lab() -> Step:
    """Return a lab run that saves its games."""

    def step() -> object:
        with tempfile.TemporaryDirectory() as folder:
            done = run_lab("exact", "beginner", n=2000, workers=1, out=Path(folder) / "a", seed=1)
            return done.tally.wins

    return step


def replay_files(form: str) -> list[bytes]:
    """Return the samples of a format, or all samples converted to it."""
    found = list(files(SAMPLES))
    if form in WRITERS and form != "evf":
        return [serialize(replay, form, lossy=True) for _, replay in found]
    return [path.read_bytes() for path, _ in found if path.suffix == f".{form}"]


def parsed(form: str) -> Step:
    """Return the reading of replays."""
    data = replay_files(form)
    return lambda: sum(len(parse(one).events) for one in data)


def expert_replays(call: Callable[[Any], object]) -> Step:
    """Return a step on each Expert replay."""
    kept = [replay for path, replay in files(SAMPLES) if path.name.startswith("expert")]

    def step() -> object:
        for replay in kept:
            call(replay)
        return len(kept)

    return step


def metrics_of_expert_replays() -> Step:
    """Return the metrics of each Expert replay, without playing it."""
    kept = [Playback(one) for path, one in files(SAMPLES) if path.name.startswith("expert")]

    def step() -> object:
        return [round(measure_play(one).corr or 0, 9) for one in kept]

    return step


def board_metrics() -> Step:
    """Return the metrics of Expert boards."""
    made = [found.board for found in generate("expert", 30, seed=0)]
    return lambda: [measure(board).zini for board in made]


def questions(name: str) -> Step:
    """Return a query on a history of 10,000 games."""
    ends = ExitStack()
    atexit.register(ends.close)
    folder = ends.enter_context(tempfile.TemporaryDirectory())
    history = ends.enter_context(History(Path(folder) / "history.sqlite3"))
    rng = random.Random(1)
    history.add_all(history_benchmark.made_up(number, rng) for number in range(10_000))
    asked: dict[str, Step] = {
        "statistics": lambda: summarize(history).won,
        "list": lambda: len(list(history.records(limit=50))),
    }
    return asked[name]


def added() -> None:
    """Add 2,000 games to a history."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, History(Path(folder) / "h.sqlite3") as history:
        history.add_all(history_benchmark.made_up(number, rng) for number in range(2000))


def pointer_moves() -> object:
    """Save marks with pointer paths, as the server does."""
    return Seconds(sum(row["move_s"] for row in pointer_path.move_rows(100)))


def started(*command: str) -> Step:
    """Return a start of the Python interpreter."""

    def step() -> None:
        subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)

    return step


def served(*, assisted: bool) -> Step:
    """Return the moves of a player on a running server, measured by the server's processor time."""
    from server_load import Player, Server, Starter

    ends = ExitStack()
    atexit.register(ends.close)
    starter = ends.enter_context(Starter())
    server = Server(starter, Path(ends.enter_context(tempfile.TemporaryDirectory())))
    ends.callback(server.stop)
    seeds = iter(range(10**6))

    async def moves() -> None:
        player = Player(server.cookie(), "expert", next(seeds), 40)
        playing = asyncio.ensure_future(player.play(server.port, 0.0, assisted=assisted))
        while player.total < 300:
            await asyncio.sleep(0.01)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

    def step() -> object:
        before = server.used()[0]
        asyncio.run(moves())
        return Seconds(server.used()[0] - before)

    return step


def _tasks() -> dict[str, Callable[[], Step]]:
    found: dict[str, Callable[[], Step]] = {
        "analyze, Expert, from scratch": lambda: each(
            experts(100), lambda one: read(sapper.analyze(one))
        ),
        "Solver, before and after one opened cell": one_open_since,
        "reference.analyze, Expert": lambda: each(
            experts(10), lambda one: reference.analyze(one).solutions
        ),
    }
    for number, (side, kind, _) in enumerate(wide.kinds()):
        n = 5 if kind == "30% sprinkled" and side == 100 else 20
        found[f"analyze, {side}x{side}, {kind}"] = partial(wide_kind, number, n)
    for make in (flooded, sprinkled):
        for side in (100, 300, 1000):
            for given in (True, False):
                name = f"{side}x{side} {make.__name__}, total {'given' if given else 'left out'}"
                found[f"analyze, {name}"] = partial(grown, make, side, given=given)
    hard = partial(sprinkled, 100, 100, 2500, part=0.5)
    found |= {
        "analyze, 100x100, estimated after 1 ms": lambda: each(
            [hard(seed=seed) for seed in range(5)],
            lambda one: sapper.analyze(one, limit=sapper.Limit(seconds=0.001)).exact,
        ),
        "hint": lambda: each(experts(50), lambda one: sapper.hint(one).cell),
        "sample, 10 boards": lambda: each(
            experts(50), lambda one: sapper.sample(one, n=10, seed=1)[-1].mined
        ),
        "both_ways": lambda: each(
            experts(50), lambda one: sapper.both_ways(one, one.unopened_cells()[0], seed=1) is None
        ),
        "win_chance, Expert, estimated": lambda: each(
            experts(10), lambda one: sapper.win_chance(one).win_chance
        ),
        "win_chance, Expert, 100 samples": lambda: each(
            experts(3), lambda one: sapper.win_chance(one, samples=100, seed=1).kind
        ),
        "optimal, late Beginner": lambda: each(
            [natural(9, 9, 10, seed, (0.6, 0.8)) for seed in range(50)],
            lambda one: sapper.optimal(one).wins,
        ),
        "outcomes, Expert": lambda: each(
            experts(5), lambda one: len(sapper.outcomes(one, one.unopened_cells()[0]))
        ),
    }
    for method in ("backtracking", "exact", "sat"):
        found[f"arrange, 30x30, {method}"] = lambda method=method: each(  # type: ignore[misc]
            [sprinkled(30, 30, 135, seed, 0.35) for seed in range(5)],
            lambda one: sapper.arrange(one, method).found,
        )
    found |= {
        "environment, 1 game": one_environment,
        "environment, 64 games": many_environments,
    }
    for level in dealers.LEVELS:
        for rules, player in dealers.PLAYERS:
            found[f"clicks, {level} {rules}, {player}"] = partial(clicks, level, rules, player)
    found["generate, Expert"] = lambda: plain_boards
    for text, n in LEVELS.items():
        for method, logic in (
            (Method.FAST, Logic.TOTAL),
            (Method.FAST, Logic.SINGLE),
            (Method.UNIFORM, Logic.TOTAL),
        ):
            if method is Method.FAST or text in ("9x9:10", "16x16:40", "30x16:99"):
                found[f"no-guess, {text}, {method}, {logic}"] = partial(
                    boards, text, n, logic, method
                )
        found[f"no-guess, {text}, with proof"] = partial(
            boards, text, n, Logic.TOTAL, Method.FAST, proof=True
        )
    for bot, level, rules, n in GAMES:
        found[f"games, {bot}, {level}, {rules}"] = partial(played, bot, level, rules, n)
    found |= {"lab, Beginner, kept": lab, "review, Expert": lambda: reviews(3)}
    for form in ("avf", "rmv", "mvf", "evf", "json", "rawvf"):
        found[f"replays, reading {form}"] = partial(parsed, form)
    found |= {
        "replays, playing": lambda: expert_replays(Playback),
        "replays, metrics": metrics_of_expert_replays,
        "replays, analysis": lambda: expert_replays(lambda one: analyze_replay(one).to_json()),
        "metrics of boards": board_metrics,
        "history, statistics": lambda: questions("statistics"),
        "history, latest 50 games": lambda: questions("list"),
        "history, adding games": lambda: added,
        "server, marks with pointer paths": lambda: pointer_moves,
        "server, moves": lambda: served(assisted=False),
        "server, moves with chances": lambda: served(assisted=True),
        "import sapper": lambda: started("-c", "import sapper"),
        "sapper --version": lambda: started("-c", _COMMAND, "--version"),
        "sapper bench --help": lambda: started("-c", _COMMAND, "bench", "--help"),
    }
    return found


class Seconds(float):
    """A processor time to report instead of the step's own."""

    def __repr__(self) -> str:
        return ""


_COMMAND = "from sapper.cli import main; main()"
TASKS = _tasks()
