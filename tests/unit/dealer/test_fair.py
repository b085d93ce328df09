"""Fair's states and options, and the role of its layout."""

from collections import Counter

import pytest

from sapper.board import Board
from sapper.dealer import settings
from sapper.dealer.fair import State, states
from sapper.errors import BadSetting
from sapper.game import Game
from sapper.position import Position
from sapper.solver import analyze

# One of (0, 0) and (0, 2) is a mine, (0, 5) is a mine, (0, 7) is safe, and the two cells in the
# middle share one mine.
NEEDLESS = Position.parse("mines: 3\n.1....1.0")
FORCED = Position.parse("mines: 2\n.1..")


def shares(position: Position, cell: tuple[int, int], **options: bool) -> Counter[str]:
    """Return how often a click on the cell has each result, over many seeds."""
    ends = Counter[str]()
    for seed in range(200):
        game = Game.from_position(position, "fair", win="open", seed=seed, **options)
        game.open(cell)
        ends[str(game.status)] += 1
    return ends


def test_states() -> None:
    """Every unopened cell is Safe, Certain or Any, outside cells included; open cells have none."""
    letters = {State.SAFE: "s", State.CERTAIN: "c", State.ANY: "a", None: "-"}
    shown = {
        ".1....1.0": (3, "a-aaac-s-"),
        ".1....": (1, "a-asss"),
        ".2.": (2, "c-c"),
        "...": (1, "aaa"),
    }
    for rows, (mines, expected) in shown.items():
        found = states(analyze(Position.parse(rows, mines)))
        assert "".join(letters[state] for state in found) == expected


def test_a_needless_guess_is_a_mine_while_mines_are_added() -> None:
    """With the option, needless guesses always lose; without it, as often as by chance."""
    assert shares(NEEDLESS, (0, 0)) == {"lost": 200}
    off = shares(NEEDLESS, (0, 0), add_mines=False)
    assert 60 < off["lost"] < 140


def test_a_forced_guess_is_safe_while_mines_are_removed() -> None:
    """With the option, forced guesses never lose; without it, as often as by chance."""
    assert shares(FORCED, (0, 0))["lost"] == 0
    off = shares(FORCED, (0, 0), remove_mines=False)
    assert 60 < off["lost"] < 140


@pytest.mark.parametrize("remove", [False, True])
@pytest.mark.parametrize("add", [False, True])
def test_certain_and_safe_cells_need_no_fairness(add: bool, remove: bool) -> None:
    """Whatever the options, Certain cells lose and Safe cells open."""
    options = {"add_mines": add, "remove_mines": remove}
    assert shares(NEEDLESS, (0, 5), **options) == {"lost": 200}
    assert shares(NEEDLESS, (0, 7), **options) == {"playing": 200}


def test_cells_proved_clear_by_the_total_are_safe() -> None:
    """If the total proves outside cells clear, guesses on the frontier are needless."""
    position = Position.parse("mines: 1\n.1....")
    assert shares(position, (0, 0)) == {"lost": 200}
    assert shares(position, (0, 4))["lost"] == 0


def test_flood_is_not_a_guess() -> None:
    """Cells that a zero opens are not judged."""
    board = Board.parse("000001*1")
    game = Game.from_board(board, "fair")
    game.open((0, 0))
    assert game.status != "lost"
    assert game.position.rows == ["000001.."]


def test_a_given_board_is_played_until_fairness_acts() -> None:
    """A mine under the first click moves, and the mine total stays the same."""
    board = Board.parse("*10\n110\n000")
    game = Game.from_board(board, "fair", win="open", seed=3)
    game.open((0, 0))
    assert game.status == "won" or game.position.number((0, 0)) is not None
    while not game.over:
        known = analyze(game.position)
        game.open(min(known.safe or set(game.position.unopened_cells()) - known.mined))
    assert game.status == "won"
    assert game.board.mines == 1


def test_same_board_starts_from_the_original_layout() -> None:
    """Mines that moved return to their original cells."""
    for seed in range(30):
        game = Game("5x5:8", "fair", seed=seed, win="open")
        for cell in [(2, 2), (0, 0), (4, 4), (0, 4)]:
            if not game.over:
                game.open(cell)
        before, status = game.position, game.status
        game.restart(same=True)
        for cell in [(2, 2), (0, 0), (4, 4), (0, 4)]:
            if not game.over:
                game.open(cell)
        assert (game.position, game.status) == (before, status)


def test_flagging_all_mines_wins_by_default() -> None:
    """As in the original, opening all safe cells wins, and so does flagging exactly the mines."""
    game = Game.from_position(Position.parse("mines: 1\n.1\n11"), "fair", seed=1)
    assert game.status == "won"
    game = Game.from_position(Position.parse("mines: 1\n1.\n.."), "fair", seed=1)
    for cell in [(0, 1), (1, 0), (1, 1)]:
        if not game.over:
            game.flag(cell)
            if not game.over:
                game.flag(cell)
    assert game.status == "won"


def test_impossible_settings_are_rejected() -> None:
    """A density of 1 leaves no safe cell, and promises need room."""
    with pytest.raises(BadSetting, match="need a density below 1, got 1"):
        settings("9x9@1", "fair")
    with pytest.raises(BadSetting, match="at most 72, got 73"):
        settings("9x9:73", "fair", first_click="opening")
    with pytest.raises(BadSetting, match="add_mines must be True or False"):
        settings("9x9:10", "fair", add_mines="yes")
    assert settings("9x9@0.2", "fair").win == "either"
