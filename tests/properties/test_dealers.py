"""Games whose rules place the mines during play."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from sapper.board import Board
from sapper.dealer import DEALERS
from sapper.dealer import RULES as REGISTERED
from sapper.errors import SapperError
from sapper.game import Game
from sapper.position import Position
from sapper.solver import Solver, analyze
from sapper.topology import Cell
from support.chi_square import chi_square_p
from support.examples import repeats
from support.marks import slow
from support.rulebook import ALLOWED, is_frontier

SMALLEST_P = 0.001
LEVELS = [
    "4x4:3",
    "5x5:8",
    "7x6:14",
    "6x5:20",
    "8x3:5/torus",
    "5x5:9/torus",
    "6x5:7/hexagon",
    "6x4:6/triangle",
    "1x9:3",
    "9x9:10",
]
KABOOM = [
    {"guess_anywhere": anywhere, "judge": judge, "known_outside_is_safe": known}
    for anywhere in (False, True)
    for judge in ("global", "local")
    for known in (False, True)
]
RULES = [
    ("fair", {"first_click": "any"}),
    ("fair", {"first_click": "safe"}),
    ("fair", {"add_mines": False}),
    ("kind", {}),
    ("kaboom", KABOOM[0]),
    *(slow("kaboom", options) for options in KABOOM[1:-1]),
    ("kaboom", KABOOM[-1]),
]
EVERY: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in DEALERS),
    *(
        (name, {option.name: value})
        for name in DEALERS
        for option in REGISTERED[name].options
        for value in (option.choices or (False, True))
        if value != option.default
    ),
]
"""Every registered rule set, and with each value of each option that is not the default."""


@pytest.mark.parametrize(("rules", "options"), RULES, ids=str)
def test_obeying_the_rules_never_loses(rules: str, options: dict[str, Any]) -> None:
    """Until the win, every allowed click opens a cell, and some board fits."""
    solver = Solver()
    for level in LEVELS:
        for seed in range(repeats(40)):
            rng = random.Random(f"{level}/{seed}")
            game = Game(level, rules, seed=seed, **options)
            while not game.over:
                known = solver.analyze(game.position)
                game.open(rng.choice(sorted(ALLOWED[rules](known, **options))))
            assert game.status == "won", (level, seed)
            assert game.board.mines == game.level.mines


@pytest.mark.parametrize(("rules", "options"), RULES, ids=str)
def test_forbidden_clicks_lose(rules: str, options: dict[str, Any]) -> None:
    """A forbidden click hits a mine, at any point of a game."""
    solver, deaths = Solver(), 0
    for level in LEVELS:
        for seed in range(repeats(40)):
            rng = random.Random(f"{level}/{seed}")
            game = Game(level, rules, seed=seed, **options)
            while not game.over:
                known = solver.analyze(game.position)
                allowed = ALLOWED[rules](known, **options)
                forbidden = sorted(set(game.position.unopened_cells()) - allowed)
                if forbidden and rng.random() < 0.2:
                    cell = rng.choice(forbidden)
                    # If the rules add no mines, the result of a needless guess is pure luck.
                    if options.get("add_mines", True) or cell in known.mined:
                        deaths += 1
                        game.open(cell)
                        assert game.status == "lost"
                        assert game.board.is_mine(cell)
                        assert_fits(game.board, known.position)
                        break
                game.open(rng.choice(sorted(allowed)))
    assert deaths > repeats(100)


@pytest.mark.parametrize(("rules", "options"), EVERY, ids=str)
def test_proofs_hold_in_every_rule_set(rules: str, options: dict[str, Any]) -> None:
    """In every rule set, proofs hold and boards fit.

    This is true for any clicks and for plugins, because the registry lists the rule sets.
    """
    solver, settled, played = Solver(), Counter[str](), 0
    for level in LEVELS:
        for seed in range(repeats(50)):
            rng = random.Random(f"{level}/{seed}")
            try:
                game = Game(level, rules, seed=seed, **options)
                game.open(rng.choice(game.position.unopened_cells()))
            except SapperError:
                # Not every rule set can deal every level.
                break
            played += 1
            while not game.over:
                known = solver.analyze(game.position)
                cell = rng.choice(game.position.unopened_cells())
                game.open(cell)
                if cell in known.safe:
                    assert game.status != "lost"
                    settled["safe"] += 1
                elif cell in known.mined:
                    assert game.status == "lost"
                    settled["mined"] += 1
            assert_fits(game.board, game.position)
            assert game.board.mines == game.level.mines
    assert played > repeats(100)
    assert min(settled["safe"], settled["mined"]) > repeats(10)


def assert_fits(board: Board, position: Position) -> None:
    """Check that every open number matches the board, and that opened mines are mines."""
    numbers = board.numbers
    for i, char in enumerate(position.cells):
        if char not in b".F":
            assert chr(char) == ("*" if board.mined[i] else str(numbers[i]))


def test_mines_move_only_when_fairness_acts() -> None:
    """A safe cell, or a guess that the layout decides, leaves all mines in place."""
    solver, moved, stayed = Solver(), 0, 0
    for seed in range(repeats(300)):
        rng = random.Random(seed)
        game = Game("5x5:8", "fair", seed=seed)
        game.open((2, 2))
        while not game.over:
            known = solver.analyze(game.position)
            before = game._round._dealer._board  # type: ignore[attr-defined]
            cell = rng.choice(sorted(set(game.position.unopened_cells()) - known.mined))
            game.open(cell)
            after = game._round._dealer._board  # type: ignore[attr-defined]
            if before.is_mine(cell) == (game.status == "lost"):
                assert before.mined == after.mined
                stayed += 1
            else:
                moved += 1
    assert min(moved, stayed) > repeats(100)


POSITIONS = [
    # A forced guess; the outside cells give its mine counts different weights.
    (Position.parse("mines: 3\n....\n.2..\n...."), Cell(0, 0)),
    # A component with two possible mine counts.
    (Position.parse("mines: 3\n1...\n....\n...."), Cell(0, 1)),
    (Position.parse("mines: 4\n.2..\n....\n..1."), Cell(0, 0)),
    # A guess outside the frontier, on a board with joined sides.
    (Position.parse("mines: 3\ntopology: torus\n1...\n....\n....\n...."), Cell(2, 2)),
    # Two cells beside an unflooded 0 are safe, so this guess is needless.
    (Position.parse("mines: 4\n1...\n1...\n0..."), Cell(2, 3)),
]


@pytest.mark.parametrize(("position", "cell"), POSITIONS, ids=range(len(POSITIONS)))
@pytest.mark.parametrize("rules", ["fair", "kaboom", "kind"])
def test_deals_are_uniform(rules: str, position: Position, cell: Cell) -> None:
    """A click's result is as likely as its share of the boards that fit the verdict."""
    options = {"guess_anywhere": True} if rules == "kaboom" else {}
    index, n = position.topology.index(cell), repeats(4000)
    shown, boards = Counter[bytes](), Counter[bytes]()
    for seed in range(n):
        game = Game.from_position(position, rules, win="open", seed=seed, **options)
        game.open(cell)
        if game.status == "lost":
            boards[game.board.mined] += 1
        else:
            shown[game.position.without_flags().cells] += 1
    lost = bool(boards)
    assert not (lost and shown), "the verdict hangs on the position alone"
    fitting = [b for b in listed(position) if b[index] == lost]
    if lost:
        expected = Counter(fitting)
    else:
        expected = Counter(opened(position, Board(position.topology, b), cell) for b in fitting)
    counts = boards if lost else shown
    assert counts.keys() <= expected.keys()
    scale = n / len(fitting)
    wanted = [scale * v for v in expected.values()]
    assert chi_square_p([counts[k] for k in expected], wanted) > SMALLEST_P


def listed(position: Position) -> list[bytes]:
    """Return every board that fits, even if there are more cells than the oracle accepts."""
    cells = [position.topology.index(cell) for cell in position.unopened_cells()]
    assert position.mines is not None
    found = []
    for mines in combinations(cells, position.mines):
        board = bytearray(position.topology.size)
        for mine in mines:
            board[mine] = 1
        numbers = position.topology.graph.numbers(bytes(board))
        if all(
            char in b".F" or numbers[i] == char - ord("0") for i, char in enumerate(position.cells)
        ):
            found.append(bytes(board))
    return found


def opened(position: Position, board: Board, start: Cell) -> bytes:
    """Return the position after opening a safe cell of a board."""
    cells = bytearray(position.cells)
    left = [start]
    while left:
        cell = left.pop()
        i = position.topology.index(cell)
        if cells[i] == ord("."):
            cells[i] = ord("0") + board.numbers[i]
            if not board.numbers[i]:
                left.extend(position.topology.neighbours(cell))
    return bytes(cells)


@pytest.mark.parametrize("rules", ["fair", "kaboom", "kind"])
@pytest.mark.parametrize(("first_click", "clear"), [("safe", 1), ("opening", 4)])
def test_first_clicks_are_uniform(rules: str, first_click: str, clear: int) -> None:
    """On 4x3 cells with 3 mines, all boards allowed after a corner click are equally likely."""
    position, n = Position.parse("mines: 3\n....\n....\n...."), repeats(4000)
    corner = position.topology.cells_at([0, 1, 4, 5][:clear])
    shown = Counter[bytes]()
    for seed in range(n):
        game = Game("4x3:3", rules, first_click=first_click, win="open", seed=seed)
        game.open((0, 0))
        shown[game.position.without_flags().cells] += 1
    boards = [Board(position.topology, b) for b in listed(position)]
    boards = [b for b in boards if not any(map(b.is_mine, corner))]
    expected = Counter(opened(position, b, Cell(0, 0)) for b in boards)
    scale = n / len(boards)
    # Pool rare outcomes, because the chi-square test needs large enough counts.
    rare = [k for k, v in expected.items() if scale * v < 5]
    common = [k for k in expected if k not in rare]
    observed = [*(shown[k] for k in common), sum(shown[k] for k in rare)]
    wanted = [*(scale * expected[k] for k in common), scale * sum(expected[k] for k in rare)]
    if not rare:
        observed, wanted = observed[:-1], wanted[:-1]
    assert sum(observed) == n
    assert chi_square_p(observed, wanted) > SMALLEST_P


@pytest.mark.parametrize("rules", ["fair", "kaboom", "kind"])
def test_undo_does_not_redraw(rules: str) -> None:
    """A click has the same result after an undo, with other flags, or after another loss."""
    compared = 0
    for seed in range(repeats(150)):
        rng = random.Random(seed)
        game = Game("6x6:10", rules, win="open", seed=seed)
        game.open((2, 2))
        for _ in range(6):
            if game.over:
                break
            cells = game.position.unopened_cells()
            cell, other = rng.choice(cells), rng.choice(cells)
            game.open(cell)
            first = game.position, game.status
            game.undo()
            game.flag(other)
            game.flag(other)
            game.open(other)
            game.undo()
            game.open(cell)
            assert (game.position, game.status) == first
            compared += 1
        assert Game.from_json(game.to_json()).position == game.position
    assert compared > repeats(150)


def test_fair_remembers_its_moves_through_undo_and_saves() -> None:
    """Undo, redo and loading restore the same layout."""
    moved = 0
    for seed in range(repeats(100)):
        game = Game("5x5:10", "fair", seed=seed, first_click="any")
        boards = []
        while not game.over:
            known = analyze(game.position)
            boards.append(game._round._dealer._board)  # type: ignore[attr-defined]
            game.open(min(known.safe or set(game.position.unopened_cells()) - known.mined))
        moved += len({board.mined for board in boards if board}) > 1
        twin = Game.from_json(game.to_json())
        assert twin.board == game.board
        for board in reversed(boards):
            game.undo()
            assert game._round._dealer._board == board  # type: ignore[attr-defined]
    assert moved > repeats(30)


def test_frontier_guess_loses_only_beside_a_safe_frontier_cell() -> None:
    """In Kaboom, a guess is needless only if a safe cell touches a number."""
    solver, seen = Solver(), Counter[bool]()
    for seed in range(repeats(400)):
        rng = random.Random(seed)
        game = Game("5x5:6", "kaboom", seed=seed)
        while not game.over:
            known = solver.analyze(game.position)
            edge = [c for c in game.position.unopened_cells() if is_frontier(game.position, c)]
            guesses = sorted(set(edge) - known.safe - known.mined)
            if not guesses:
                game.open(rng.choice(sorted(ALLOWED["kaboom"](known))))
                continue
            game.open(rng.choice(guesses))
            needless = not known.safe.isdisjoint(edge)
            seen[needless] += 1
            assert (game.status == "lost") == needless
    assert min(seen[True], seen[False]) > repeats(100)
