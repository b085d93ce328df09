"""No-guess boards satisfy a second solver; uniform ones are uniform."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

import sapper
from sapper import Board, Cell, Game
from sapper.errors import BadSetting, LimitReached
from sapper.generation import Logic, Method, generate, prove
from sapper.topology import Rectangle, topology
from support.chi_square import chi_square_p
from support.satisfiability import SatPlayer

BATCH = [
    ("9x9:10", 120, Method.UNIFORM),
    ("9x9:10", 80, Method.FAST),
    pytest.param("16x16:40", 30, Method.UNIFORM, marks=pytest.mark.slow),
    pytest.param("30x16:99", 12, Method.UNIFORM, marks=pytest.mark.slow),
    pytest.param("30x16:99", 12, Method.FAST, marks=pytest.mark.slow),
    pytest.param("30x16:170", 6, Method.FAST, marks=pytest.mark.slow),
    ("12x12:20/torus", 30, Method.UNIFORM),
    ("12x12:20/hexagon", 10, Method.UNIFORM),
]


@pytest.mark.parametrize("logic", list(Logic))
@pytest.mark.parametrize(("level", "n", "method"), BATCH)
@pytest.mark.family
def test_sat_solver_needs_no_guess(level: str, n: int, method: Method, logic: Logic) -> None:
    """A solver that shares no code with Sapper's opens every board of a batch completely."""
    share = n if logic in (Logic.LOCAL, Logic.TOTAL) else n // 3
    if logic is Logic.SINGLE and level == "30x16:99" and method is Method.UNIFORM:
        share = 2
    for made in generate(level, share, seed=11, no_guess=logic, method=method):
        assert made.board.mines == sapper.Level.parse(level).mines
        assert SatPlayer(made.board).opens(made.start, with_total=logic is Logic.TOTAL)


@pytest.mark.parametrize("logic", list(Logic))
def test_a_proof_opens_the_board_step_by_step(logic: Logic) -> None:
    """Each step follows from the previous position by the stated kind of logic."""
    for made in generate("16x16:40", 8, seed=5, no_guess=logic):
        game = Game.from_board(made.board, undo=False)
        game.open(made.start)
        steps = prove(made.board, made.start, logic) or ()
        for step in steps:
            assert step.logic in list(Logic)[: list(Logic).index(logic) + 1]
            position = game.position
            if step.logic is not Logic.TOTAL:
                position = sapper.Position(position.topology, position.cells, None)
            known = sapper.analyze(position)
            assert set(step.safe) <= known.safe
            assert set(step.mined) <= known.mined
            for cell in step.safe:
                if game.position.is_unopened(cell) and not game.over:
                    game.open(cell)
        assert game.status == "won"


@pytest.mark.parametrize(
    ("shape", "mines", "first", "logic"),
    [
        (Rectangle(4, 4), 3, Cell(0, 0), Logic.TOTAL),
        (Rectangle(5, 4), 4, Cell(1, 1), Logic.LOCAL),
        (Rectangle(4, 4), 4, Cell(3, 3), Logic.SINGLE),
        (topology("torus", 5, 5), 3, Cell(2, 2), Logic.PAIRS),
    ],
    ids=str,
)
def test_uniform_boards_are_uniform(
    shape: sapper.Topology, mines: int, first: Cell, logic: Logic
) -> None:
    """A chi-square test over all no-guess boards for one start finds no bias."""
    start = shape.index(first)
    closed = {start, *shape.graph.neighbours(start)}
    boards = []
    for chosen in combinations([c for c in range(shape.size) if c not in closed], mines):
        board = Board(shape, bytes(c in chosen for c in range(shape.size)))
        if prove(board, first, logic) is not None:
            boards.append(board.mined)
    name = "" if shape.name == "rectangle" else f"/{shape.name}"
    level = f"{shape.width}x{shape.height}:{mines}{name}"
    n = 40 * len(boards)
    made = generate(level, n, start=first, seed=3, no_guess=logic)
    counts = Counter(found.board.mined for found in made)
    assert set(counts) <= set(boards)
    assert chi_square_p(counts[board] for board in boards) > 1e-4


@pytest.mark.parametrize("rules_logic", ["single", "total"])
@pytest.mark.parametrize("level", ["9x9:10", "8x8:12/torus"])
def test_player_who_opens_proved_cells_wins_every_game(level: str, rules_logic: str) -> None:
    """Under no-guess, a player who never guesses never loses or gets stuck."""
    for seed in range(150):
        game = Game(level, rules="no-guess", seed=seed, logic=rules_logic)
        game.open((seed % 8, seed // 8 % 8))
        while game.status == "playing":
            safe = sapper.analyze(game.position).safe
            assert safe
            for cell in safe:
                if not game.over and game.position.is_unopened(cell):
                    game.open(cell)
        assert game.status == "won"


def test_impossible_requests_have_a_reason() -> None:
    """The reason may be too many mines, too small a board, or a missing total or promise."""
    with pytest.raises(LimitReached, match=r"30x16:200 .* in 50 tries; the method 'fast'"):
        list(generate("30x16:200", 1, seed=1, no_guess="total", method="uniform", tries=50))
    with pytest.raises(BadSetting, match="can keep the promise of first click opening"):
        list(generate("5x5:22", 1, seed=1, no_guess="total"))
    with pytest.raises(BadSetting, match="need a mine total"):
        generate("5x5@0.2", 1, seed=1, no_guess="total")
    with pytest.raises(BadSetting, match="first click must be safe or opening"):
        generate("9x9:10", 1, first_click="any", no_guess="total")
    with pytest.raises(BadSetting, match="no_guess must be single"):
        generate("9x9:10", 1, no_guess="luck")
    with pytest.raises(BadSetting, match="need a mine total"):
        Game("9x9@0.1", rules="no-guess")
