"""Dealers draw boards even for positions too wide to count."""

from collections import Counter

import pytest

from sapper.board import Board
from sapper.dealer import arrangement, oracle
from sapper.dealer.oracle import Oracle
from sapper.errors import InconsistentPosition, LimitReached
from sapper.game import Game
from sapper.position import Position
from sapper.solver import Limit, Solver, analyze
from support.chi_square import chi_square_p
from support.marks import slow
from support.oracle import arrangements

SMALLEST_P = 0.001
WALL = Position.parse("mines: 4\n......\n.2..1.\n......\n......")


def fits(board: Board, position: Position) -> bool:
    """Whether a board matches the numbers and the total."""
    return position.mines in (None, board.mines) and all(
        char in b".F" or (not board.mined[i] and board.numbers[i] == char - ord("0"))
        for i, char in enumerate(position.cells)
    )


def test_draw_depends_only_on_seed_position_and_cell() -> None:
    """Flags and earlier queries do not change the answer; seed, position and cell do."""
    fresh, used = Oracle(7, "x"), Oracle(7, "x")
    for cell in range(6):
        used.analyze(WALL)
        used.deal(WALL, cell, mine=True)
    flagged = Position.parse(str(WALL).replace("......", "...F..", 1))
    assert fresh.deal(WALL, 0, mine=False) == used.deal(flagged, 0, mine=False)
    boards = {
        Oracle(seed, name).deal(WALL, cell, mine=False)[0].mined
        for seed in (1, 2)
        for name in ("x", "y")
        for cell in (0, 1)
    }
    assert len(boards) > 4


@pytest.mark.parametrize("mine", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "mines: 3\n...\n.2.\n...\n...",
        "mines: 3\ntopology: torus\n...\n.1.\n...\n...",
        "mines: 3\n...1\n..1.\n....",
        ".1..\n....",
    ],
)
def test_boards_are_drawn_uniformly(text: str, mine: bool) -> None:
    """All boards that fit, given the content of the cell, are equally likely."""
    position, n = Position.parse(text), 5000
    drawn = Counter(Oracle(seed, "x").deal(position, 0, mine=mine)[0].mined for seed in range(n))
    fitting = [board for board in arrangements(position) if board[0] == mine]
    assert len(fitting) > 1
    assert drawn.keys() <= set(fitting)
    assert chi_square_p([drawn[board] for board in fitting]) > SMALLEST_P


@pytest.mark.parametrize("mines", [4, 9, None])
@pytest.mark.parametrize("mine", [False, True])
def test_satisfiability_finds_boards_that_fit(mines: int | None, mine: bool) -> None:
    """The cell and the total are as requested, and other seeds give other boards."""
    position = Position(WALL.topology, WALL.cells, mines)
    boards = [
        arrangement.find(position, [] if mine else [0], [0] if mine else [], seed)
        for seed in range(20)
    ]
    assert all(fits(board, position) and board.mined[0] == mine for board in boards)
    assert len({board.mined for board in boards}) > 5


def test_satisfiability_finds_a_board_with_an_extreme_total() -> None:
    """If the first arrangement has too many mines, one with the correct number is found."""
    for mines in (2, 5):
        position = Position.parse(".......\n.1...1.\n.......", mines)
        known = analyze(position)
        for seed in range(10):
            board = arrangement.find(position, [], [], seed)
            assert fits(board, position)
            assert all(map(board.is_mine, known.mined))


def test_satisfiability_reports_when_nothing_fits() -> None:
    """Fixing a cell contrary to a proof raises an error, as does an impossible total."""
    with pytest.raises(InconsistentPosition):
        arrangement.find(Position.parse("mines: 1\n1."), [1], [], 0)
    with pytest.raises(InconsistentPosition):
        arrangement.find(Position.parse("mines: 0\n.1."), [], [], 0)


@pytest.fixture
def no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every frontier too wide to count."""
    monkeypatch.setattr(oracle, "LIMIT", Limit(states=0))


@pytest.mark.usefixtures("no_budget")
@pytest.mark.parametrize("rules", ["fair", "kaboom", "kind"])
@pytest.mark.parametrize("level", ["6x6:7", slow("8x8:16/torus")])
def test_games_stay_sound_when_the_budget_runs_out(rules: str, level: str) -> None:
    """Proved cells stay proved, a board fits after every click, and guesses survive."""
    solver, inexact = Solver(), 0
    for seed in range(15):
        game = Game(level, rules, seed=seed, win="open")
        while not game.over:
            known = solver.analyze(game.position)
            inexact += not analyze(game.position, limit=oracle.LIMIT).exact
            game.open(min(known.safe or set(game.position.unopened_cells()) - known.mined))
        # Even if only the total settles a cell, it may be proved safe, and then opening it costs
        # nothing. Kaboom still bans guesses on outside cells.
        assert game.status == "won" or rules == "kaboom"
        assert game.board.mines == game.level.mines
        assert Game.from_json(game.to_json()).position == game.position
    assert inexact > 50


@pytest.mark.usefixtures("no_budget")
def test_refused_click_leaves_the_game_unchanged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a refused click, the game is the same as before."""
    game = Game("6x6:7", "kaboom", seed=1)
    game.open((0, 0))
    before = game.position
    cells = game.position.unopened_cells()

    def give_up(*_: object) -> Board:
        raise LimitReached("too wide")

    monkeypatch.setattr(arrangement, "find", give_up)
    with pytest.raises(LimitReached):
        game.open(cells[0])
    assert game.position == before
    assert game.guesses.made == 0


def test_answer_does_not_depend_on_later_knowledge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position that was too wide to count remains too wide, or undo could change the verdict."""
    position = Position.parse("mines: 4\n......\n.2.21.\n......\n......")
    asked = Oracle(1, "x")
    monkeypatch.setattr(oracle, "LIMIT", Limit(states=0))
    first, board = asked.analyze(position), asked.deal(position, 0, mine=False)
    assert not first.exact
    monkeypatch.undo()
    flagged = Position.parse(str(position).replace("......", "F.....", 1))
    assert not asked.analyze(flagged).exact
    assert asked.analyze(flagged).position == flagged
    assert asked.deal(flagged, 0, mine=False) == board
    assert Oracle(1, "x").analyze(flagged).exact


@pytest.mark.parametrize("rules", ["fair", "kaboom", "kind"])
def test_a_position_may_be_won_already(rules: str) -> None:
    """A position without safe cells is won immediately, and its mines are shown."""
    game = Game.from_position(Position.parse("mines: 2\n.2.\n121"), rules)
    assert game.status == "won"
    assert game.board.mine_cells() == [(0, 0), (0, 2)]
    with pytest.raises(InconsistentPosition):
        Game.from_position(Position.parse("mines: 1\n.2."), rules)


def test_chord_refused_halfway_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells opened by a refused chord, and its guesses, are undone."""
    position = Position.parse("mines: 3\n......\n.1....\n......")
    game = Game.from_position(position, "kind", seed=1)
    game.flag((0, 0))
    deal, asked = Oracle.deal, 0

    def once(*given: object, **options: object) -> object:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise LimitReached("too wide")
        return deal(*given, **options)  # type: ignore[arg-type]

    before = game.position
    monkeypatch.setattr(Oracle, "deal", once)
    with pytest.raises(LimitReached):
        game.chord((1, 1))
    assert asked == 2
    assert game.position == before
    assert game.guesses.made == 0
