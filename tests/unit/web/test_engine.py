"""The JavaScript engine gives the same answers as the Python package."""

from __future__ import annotations

import importlib
import json
import os
import random
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sapper import (
    Board,
    Game,
    IllegalAction,
    Position,
    SapperError,
    analyze,
    generate,
    optimal,
    sample,
)
from sapper.server.jobs.snapshot import browser_view
from sapper.solver.bots import as_choice, make_bot
from sapper.solver.search import guesses
from sapper.topology import TOPOLOGIES, topology
from sapper.web.assets import STATIC
from support.javascript_engines import BROWSERS, Ask
from support.javascript_engines import ask_node as asked
from support.not_installed import not_installed

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason=not_installed("node"))
GOLDEN = ROOT / "tests/data/positions.jsonl"
CLOSE = 1e-12
"""WebAssembly's logarithms and exponentials differ from the C library's in the last bit."""
ACTIONS = ("open", "open", "open", "flag", "flag", "question", "chord", "chord", "undo")


def levels(rng: random.Random) -> Iterator[str]:
    """Yield random levels of all shapes, by total and by density."""
    while True:
        for name in TOPOLOGIES:
            width, height = rng.randint(2, 12), rng.randint(2, 10)
            mines = rng.randint(1, max(1, width * height // 6))
            yield f"{width}x{height}:{mines}/{name}"
            yield f"{width}x{height}@{rng.choice([0.1, 0.15, 0.2])}/{name}"


def positions(count: int, seed: int) -> list[Position]:
    """Return positions of games on all shapes, after a few random clicks."""
    rng, found = random.Random(seed), list[Position]()
    for level in levels(rng):
        game = Game(level, first_click="any", seed=rng.getrandbits(64))
        for _ in range(rng.randint(0, 6)):
            if not game.over:
                game.open(divmod(rng.randrange(game.position.topology.size), game.level.width))
        found.append(game.position)
        if len(found) == count:
            return found
    raise AssertionError("there are always more levels")


def play(game: Game, actions: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """Perform the actions, and return the state before and after each one."""
    width, states = game.level.width, list[dict[str, Any]]()

    def note(effect: bool | str | None) -> None:
        cells = game.position.cells.decode()
        questions = sorted(row * width + col for row, col in game.questions)
        states.append(
            {
                "effect": effect,
                "cells": cells,
                "status": str(game.status),
                "questions": questions,
                "left": game.mines_left,
                "undo": game.can_undo,
            }
        )

    note(None)
    for kind, cell in actions:
        try:
            done = game.undo() if kind == "undo" else getattr(game, kind)(divmod(cell, width))
            note(done)
        except SapperError as problem:
            note(f"{problem.code}: {problem}")
    return states


@cache
def games(count: int, seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Play seeded games of random actions; return the requests and the expected answers."""
    rng = random.Random(seed)
    requests, expected = list[dict[str, Any]](), list[dict[str, Any]]()
    for level, _ in zip(levels(rng), range(count), strict=False):
        options: dict[str, Any] = {
            "seed": rng.getrandbits(53),
            "first_click": rng.choice(["any", "safe"]),
            "win": rng.choice(["open", "flags", "either"]),
            "chord": rng.choice(["exact", "at_least"]),
            "undo": rng.random() < 0.8,
        }
        try:
            game = Game(level, **options)
        except SapperError:
            continue
        size = game.position.topology.size
        actions = [(rng.choice(ACTIONS), rng.randrange(size)) for _ in range(rng.randint(1, 60))]
        own = {**options, "firstClick": options["first_click"]}
        del own["first_click"]
        requests.append({"game": ["game", level, own], "actions": actions})
        states = play(game, actions)
        counts = {
            "left": game.counts.left,
            "right": game.counts.right,
            "chords": game.counts.chords,
            "leftEffective": game.counts.left_effective,
            "rightEffective": game.counts.right_effective,
            "chordsEffective": game.counts.chords_effective,
            "undos": game.counts.undos,
        }
        board = list(game.board.mined) if game.over else None
        expected.append({"states": states, "counts": counts, "board": board})
    return requests, expected


def compare_games(count: int, seed: int, ask: Ask = asked) -> None:
    """Play seeded games of random actions in both languages."""
    requests, expected = games(count, seed)
    for request, answer, known in zip(requests, ask(requests), expected, strict=True):
        found = answer["value"]
        before = None
        for state in found["states"]:
            changed = state.pop("changed")
            cells = (state["cells"], state["questions"])
            if before is not None and not isinstance(state["effect"], str):
                pairs = enumerate(zip(before[0], cells[0], strict=True))
                differ = {cell for cell, (old, new) in pairs if old != new}
                assert set(changed) == differ | (set(before[1]) ^ set(cells[1])), request
            before = cells
        assert found == known, request


def compare_analyses(positions: list[Position], ask: Ask = asked) -> None:
    """Analyse positions in both languages."""
    requests = [{"method": "analyze", "values": [position.to_json()]} for position in positions]
    for position, answer in zip(positions, ask(requests), strict=True):
        known, found = analyze(position), answer["value"]
        assert int(found["solutions"]) == known.solutions
        assert found["safe"] == list(known.safe_indices)
        assert found["mined"] == list(known.mined_indices)
        chances = np.array([np.nan if p is None else p for p in found["pMine"]])
        np.testing.assert_allclose(chances, known.p_mine.ravel(), rtol=0, atol=CLOSE)


def compare_golden(ask: Ask) -> int:
    """Analyse the positions of a file; return their number."""
    lines = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
    fields = ("rows", "mines", "topology", "density")
    values = [{key: obj[key] for key in fields if key in obj} for obj in lines]
    answers = ask({"method": "analyze", "values": [value]} for value in values)
    for obj, answer in zip(lines, answers, strict=True):
        if obj.get("p_mine") is None:
            assert answer["error"]["code"] == "inconsistent_position"
            continue
        found = answer["value"]
        assert found["solutions"] == obj["solutions"]
        chances = [p for row in obj["p_mine"] for p in row]
        for p, known in zip(found["pMine"], chances, strict=True):
            # The file has twelve places.
            assert p == known if known is None else abs(p - known) <= 1.5e-12
    return len(lines)


def test_the_committed_build_is_that_of_the_sources() -> None:
    """After a change to the core or the binding, run `python rust/wasm/build.py`."""
    build = [sys.executable, str(ROOT / "rust/wasm/build.py"), "--check"]
    run = subprocess.run(build, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr


def test_chances_and_counts_are_those_of_the_native_engine() -> None:
    """Chances match on all shapes, with totals and densities, and counts are equal integers."""
    compare_analyses(positions(300, seed=1))


def test_games_have_the_same_states() -> None:
    """The `slow` test plays more."""
    compare_games(300, seed=2)


@pytest.mark.slow
def test_thousands_of_games_have_the_same_states() -> None:
    """The games cover all shapes, ways to win and to chord, undo and question marks."""
    for part in range(3):
        compare_games(1000, seed=100 + part)


def views(game: Game, actions: list[tuple[str, int]]) -> list[str]:
    """Perform the actions, and return what the server sends before and after each one."""
    found = [browser_view(game).decode()]
    for kind, cell in actions:
        with suppress(IllegalAction):
            game.undo() if kind == "undo" else getattr(game, kind)(divmod(cell, game.level.width))
        found.append(browser_view(game).decode())
    return found


def test_a_page_without_a_server_shows_the_cells_that_the_server_sends() -> None:
    """Every character occurs, on all shapes: marks, numbers, and the mines after a loss."""
    rng = random.Random(12)
    requests, expected = list[dict[str, Any]](), list[list[str]]()

    def add(game: Game, actions: list[tuple[str, int]], mines: list[int] | None) -> None:
        settings = {
            "level": str(game.level),
            "rules": "classic",
            "first_click": "any",
            "win": str(game.settings.win),
            "chord": "exact",
            "options": {},
        }
        origin = {"settings": settings, "seed": game.seed, "position": None, "mines": mines}
        requests.append({"origin": origin, "actions": actions})
        expected.append(views(game, actions))

    for level, _ in zip(levels(rng), range(60), strict=False):
        win = rng.choice(["open", "flags", "either"])
        game = Game(level, first_click="any", win=win, seed=rng.getrandbits(48))
        size = game.position.topology.size
        add(game, [(rng.choice(ACTIONS), rng.randrange(size)) for _ in range(60)], None)
    for name in TOPOLOGIES:
        shape = topology(name, 7, 6)
        around = tuple(shape.neighbours((2, 3)))
        for number in range(len(around) + 1):
            board = Board.from_mines(shape, around[:number])
            mines = sorted(shape.index(cell) for cell in around[:number])
            add(Game.from_board(board, seed=1), [("flag", 0), ("open", 17)], mines)
    assert [answer["value"] for answer in asked(requests)] == expected
    assert set("".join(map("".join, expected))) == set(".F?*Xx0123456789abc")


def test_no_guess_boards_and_samples_are_those_of_the_same_seed() -> None:
    """The search for no-guess boards repairs or rejects boards in the same order."""
    requests, known = [], []
    for seed in range(4):
        for method in ("uniform", "fast"):
            for level in ("9x9:10", "8x8:10/torus", "9x9:8/hexagon"):
                options = {"seed": seed, "method": method}
                requests.append({"method": "dealNoGuess", "values": [level, options]})
                [made] = generate(level, seed=seed, method=method, no_guess="total")
                start = made.board.topology.index(made.start)
                known.append((start, list(made.board.mined)))
    answers = [answer["value"] for answer in asked(requests)]
    assert [(found["start"], found["mined"]) for found in answers] == known
    wanted = positions(40, seed=3)
    requests = [
        {"method": "sample", "values": [position.to_json(), {"seed": 9, "n": 2}]}
        for position in wanted
    ]
    for position, answer in zip(wanted, asked(requests), strict=True):
        boards = [list(board.mined) for board in sample(position, seed=9, n=2)]
        assert [board["mined"] for board in answer["value"]] == boards


def test_a_game_continues_from_a_position_on_the_same_board() -> None:
    """The mines are drawn from all arrangements that fit, with the game's seed."""
    started = [p for p in positions(60, seed=4) if b"*" not in p.cells]
    requests: list[dict[str, Any]] = []
    for position in started:
        actions = [("open", cell) for cell in range(position.topology.size)]
        start = ["gameFromPosition", position.to_json(), {"seed": 5}]
        requests.append({"game": start, "actions": actions})
    for position, request, answer in zip(started, requests, asked(requests), strict=True):
        known = play(Game.from_position(position, seed=5), request["actions"])
        for state in answer["value"]["states"]:
            del state["changed"]
        assert answer["value"]["states"] == known


def test_a_no_guess_game_deals_the_same_board() -> None:
    """The board is found at the first click."""
    options = {"rules": "no-guess", "seed": 3}
    [answer] = asked([{"game": ["game", "beginner", options], "actions": [("open", 40)]}])
    [before, after] = play(Game("beginner", "no-guess", seed=3), [("open", 40)])
    found = [state["cells"] for state in answer["value"]["states"]]
    assert found == [before["cells"], after["cells"]]


def test_perfect_play_and_guesses_are_the_same() -> None:
    """The search uses the widths and depths of the Python package."""
    [efforts] = asked([{"method": "efforts"}])
    for name, effort in efforts["value"].items():
        assert effort == asdict(getattr(guesses, name.upper()))
    small = [Position.parse("...\n...\n...", mines=mines) for mines in range(1, 5)]
    requests = [{"method": "optimal", "values": [position.to_json()]} for position in small]
    for position, answer in zip(small, asked(requests), strict=True):
        known, found = optimal(position), answer["value"]
        assert (int(found["wins"]), int(found["solutions"])) == (known.wins, known.solutions)
        assert found["best"] == list(known.best_indices)


@cache
def moves(
    games: int, seed: int, level: str
) -> tuple[list[dict[str, Any]], list[tuple[list[int], bool]]]:
    """Play games of `champion`; return a request for each choice, and the choices."""
    requests, known = list[dict[str, Any]](), list[tuple[list[int], bool]]()
    for number in range(games):
        game, bot = Game(level, first_click="opening", seed=seed + number), make_bot("champion")
        game.open((game.level.height // 2, game.level.width // 2))
        while not game.over:
            choice = as_choice(bot.choose(game.position))
            cells = [game.position.topology.index(a.cell) for a in choice.actions if a.cell]
            requests.append(
                {"method": "bestMove", "values": [game.position.to_json(), {"bot": "champion"}]}
            )
            known.append((cells, choice.guess))
            for action in choice.actions:
                if not game.over:
                    game.play(action)
    return requests, known


def compare_moves(games: int, seed: int, level: str = "expert", ask: Ask = asked) -> int:
    """Compare every choice of `champion` in whole games; return the number of choices."""
    requests, known = moves(games, seed, level)
    answers = [answer["value"] for answer in ask(requests)]
    found = [(answer["cells"], answer["guess"]) for answer in answers]
    assert found == known
    return len(known)


def test_champion_makes_the_same_moves() -> None:
    """The `slow` test plays more games."""
    assert compare_moves(5, seed=1) > 50


@pytest.mark.slow
def test_champion_makes_the_same_moves_in_many_games() -> None:
    """The games are on Expert boards, on which the network was trained.

    SAPPER_CHAMPION_GAMES=1000 plays a thousand.
    """
    for part in range(int(os.environ.get("SAPPER_CHAMPION_GAMES", "100")) // 100):
        assert compare_moves(100, seed=1000 + 100 * part) > 1000


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("browser", BROWSERS)
def test_a_page_gives_the_same_answers(browser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Golden and natural positions, games of random actions and moves of `champion`.

    SAPPER_PAGE_GAMES=10000 plays so many games of random actions, and a tenth with `champion`.
    """
    played = int(os.environ.get("SAPPER_PAGE_GAMES", "300"))
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    natural = importlib.import_module("positions").natural
    with BROWSERS[browser]() as ask:
        golden = compare_golden(ask)
        compare_analyses([natural(30, 16, 99, seed) for seed in range(1000)], ask)
        chosen = 0
        for part, done in enumerate(range(0, played, 1000)):
            count = min(1000, played - done)
            compare_games(count, 100 + part, ask)
            chosen += compare_moves(count // 10, 1000 + 100 * part, ask=ask)
    print(f"{browser}: {golden} golden positions, {played} games, {chosen} choices of champion")
    assert chosen > 0


def test_neighbours_are_those_of_every_shape() -> None:
    """Narrow boards, which wrap onto themselves, are included."""
    requests, known = [], []
    for name in TOPOLOGIES:
        for width, height in ((1, 1), (2, 2), (3, 1), (1, 4), (5, 4), (4, 6)):
            shape = topology(name, width, height)
            size = {"width": width, "height": height, "topology": name}
            for cell in range(shape.size):
                requests.append({"method": "neighbours", "values": [size, cell]})
                known.append(list(shape.graph.neighbours(cell)))
    assert [answer["value"] for answer in asked(requests)] == known


TEXTS: list[Any] = [
    "", "..\n1", "x", "mines: x\n..", "mines: 9\n..", "density: 1.5\n..", "what: 1\n..",
    "topology: sphere\n..", "mines: 1\ndensity: .5\n..", "..\nmines: 1", "d\n.",
    {}, [], None, 3, True, {"rows": 1}, {"rows": []}, {"rows": [""]}, {"rows": [1]},
    {"rows": [".."], "mines": True}, {"rows": [".."], "mines": -1}, {"rows": [".."], "mines": "1"},
    {"rows": [".."], "width": 3}, {"rows": [".."], "height": None},
    {"rows": [".."], "density": "x"}, {"rows": [".."], "density": 7},
    {"rows": [".."], "topology": 1},
    {"rows": [".."], "topology": "klein"}, {"rows": ["é."]}, {"rows": ["it's"]},
    {"rows": ["1."], "mines": 0}, {"rows": ["3."]}, {"rows": ["1.1"], "mines": 2},
    {"rows": ["1.0"]}, {"rows": ["a" * 100]},
]  # fmt: skip


def test_invalid_positions_have_the_same_errors() -> None:
    """The code and the message match word for word."""
    for text, answer in zip(
        TEXTS, asked({"method": "analyze", "values": [text]} for text in TEXTS), strict=True
    ):
        read = Position.parse if isinstance(text, str) else Position.from_json
        with pytest.raises(SapperError) as caught:
            analyze(read(text))
        found = answer["error"]
        assert (found["code"], found["message"]) == (caught.value.code, str(caught.value))


def test_the_network_is_that_of_the_python_package() -> None:
    """Static hosts get a copy beside the module."""
    network = ROOT / "src/sapper/solver/search/win_chance.net"
    assert (STATIC / "engine/win_chance.net").read_bytes() == network.read_bytes()


def test_the_npm_package_has_the_version_of_the_python_package() -> None:
    """A release sets both versions."""
    package = json.loads((ROOT / "packages/sapper-engine/package.json").read_text("utf-8"))
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
    assert package["version"] == cargo["workspace"]["package"]["version"]
