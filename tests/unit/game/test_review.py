"""The guesses in a game, and the reason for a loss."""

import random
from collections import Counter

import pytest

from sapper._core import Cancel
from sapper._util.cancel_flag import cancelled_by
from sapper.board import Board
from sapper.coach import review
from sapper.errors import Cancelled, IllegalAction
from sapper.game import Game
from sapper.game.guesses import Guess, Guesses
from sapper.game.review import Reviewer
from sapper.position import Position
from sapper.solver import Solver, analyze
from support.marks import slow

# One of (0, 0) and (0, 2) is a mine, (0, 5) is a mine, (0, 7) is safe, and the two cells in the
# middle share one mine.
NEEDLESS = Position.parse("mines: 3\n.1....1.0")


def lost(
    position: Position, cell: tuple[int, int], rules: str = "classic", **options: bool
) -> Game:
    """Return a game lost by a click on this cell, using the first seed that loses."""
    for seed in range(100):
        game = Game.from_position(position, rules, seed=seed, **options)
        game.open(cell)
        if game.status == "lost":
            return game
    raise AssertionError("no seed loses")


def test_guesses_are_counted_by_kind() -> None:
    """Opening a safe cell is not a guess; a guess is needless if any cell is safe."""
    board = Board.from_mines(NEEDLESS.topology, [(0, 2), (0, 4), (0, 5)])
    position = Position(NEEDLESS.topology, NEEDLESS.cells, 3)
    game = Game.begin(Game.from_position(position, seed=1).settings, position, board)
    assert game.guesses == Guesses()
    game.open((0, 0))
    game.open((0, 7))
    game.open((0, 3))
    account = game.guesses
    assert (account.made, account.forced, account.needless) == (2, 1, 1)
    needless, forced = account.each
    assert needless == Guess((0, 0), 0.5, 0.0, 1, False)
    assert not needless.forced
    assert forced == Guess((0, 3), 0.5, 0.5, 0, False)
    assert forced.forced


def test_promised_first_click_is_not_a_guess() -> None:
    """Without a promise, or on a given board, the first click is a guess."""
    for first_click, guesses in (("safe", 0), ("opening", 0), ("any", 1)):
        for seed in range(5):
            game = Game("9x9:10", first_click=first_click, seed=seed)
            game.open((4, 4))
            assert game.guesses.made == guesses
    on_board = Game.from_board(Board.parse("00\n11\n1*"))
    on_board.open((0, 0))
    assert on_board.guesses.made == 1
    game = Game("9x9:10", seed=1)
    game.open((4, 4))
    game.restart(same=True)
    game.open((4, 4))
    assert game.guesses.made == 1


def test_undone_guesses_are_counted() -> None:
    """Guesses in undone moves count; a promised first click stays promised after an undo."""
    game = Game("5x5:5", seed=1, first_click="safe")
    game.open((0, 0))
    game.undo()
    game.open((4, 4))
    assert game.guesses.made == 0
    game.open((0, 4)) if game.position.is_unopened((0, 4)) else game.open((0, 0))
    count = game.guesses.made
    game.undo()
    assert game.guesses.made == count


def test_chord_counts_each_opened_cell() -> None:
    """With a wrong flag, a chord takes a risk with each cell that it opens."""
    position = Position.parse("mines: 1\n...\n.1.\n...")
    board = Board.from_mines(position.topology, [(2, 2)])
    game = Game.begin(Game.from_position(position, seed=1).settings, position, board)
    game.flag((0, 0))
    game.chord((1, 1))
    assert game.status == "lost"
    account = game.guesses
    # The first of these cells is a zero; opening it proves the mine.
    assert [guess.p_mine for guess in account.each] == [1 / 8, 1]
    assert account.each[-1].exploded
    assert game.post_mortem().chord == (1, 1)


@pytest.mark.parametrize("rules", ["classic", "windows-xp", "fair", "kaboom", "kind"])
def test_guesses_match_a_replay_with_analyses(rules: str) -> None:
    """Guesses are compared after every click, at the end, and after saving and loading."""
    solver, total = Solver(), Counter[str]()
    for seed in range(40):
        rng = random.Random(seed)
        game = Game("6x6:8", rules, seed=seed)
        guesses = needless = 0
        while not game.over:
            known = solver.analyze(game.position)
            cell = rng.choice(sorted(known.safe or game.position.unopened_cells()))
            if rng.random() < 0.2:
                cell = rng.choice(game.position.unopened_cells())
            begun = any(map(game.position.cells.count, b"012345678"))
            game.open(cell)
            if begun and cell not in known.safe:
                guesses += 1
                lost = game.status == "lost" and cell not in known.mined
                # Kaboom forbids guesses away from the numbers even if no cell is safe.
                needless += bool(known.safe) or (rules == "kaboom" and lost)
                if seed % 2:
                    last = game.guesses.each[-1]
                    assert last.cell == cell
                    assert last.p_mine == known.p_mine[cell]
                    assert last.exploded == (game.status == "lost")
            if rng.random() < 0.1 and not game.over:
                game.undo()
        account = game.guesses
        assert (account.made, account.needless) == (guesses, needless)
        total += Counter(made=guesses, needless=needless, lost=game.status == "lost")
        assert Game.from_json(game.to_json()).guesses == account
    assert min(total["made"], total["needless"], total["lost"]) > 0


@pytest.mark.parametrize(
    ("position", "cell", "rules", "sentence"),
    [
        (NEEDLESS, (0, 0), "classic", "You took a risk of 50.0 % although a cell was safe."),
        (
            NEEDLESS,
            (0, 0),
            "fair",
            "You took a risk of 50.0 % although a cell was safe, and Fair rules make every "
            "needless guess a mine.",
        ),
        (
            NEEDLESS,
            (0, 0),
            "kaboom",
            "You took a risk of 50.0 % although a cell was safe, and Kaboom rules make every "
            "needless guess a mine.",
        ),
        (
            NEEDLESS,
            (0, 5),
            "kind",
            "This cell was certainly a mine, and there was a safe cell.",
        ),
        (
            Position.parse("mines: 1\n.1."),
            (0, 0),
            "classic",
            "No cell was safe: this was a true coin flip.",
        ),
        (
            Position.parse("mines: 2\n.1..."),
            (0, 0),
            "classic",
            "No cell was safe: this was a true coin flip.",
        ),
        (
            Position.parse("mines: 2\n.1...."),
            (0, 0),
            "classic",
            "No cell was safe, but you took a risk of 50.0 % when the lowest was 33.3 %.",
        ),
        (
            Position.parse("mines: 2\n.1...."),
            (0, 3),
            "classic",
            "No cell was safe, and none was less risky than this one at 33.3 %.",
        ),
        (
            Position.parse("mines: 2\n.1...."),
            (0, 3),
            "kaboom",
            "The rules forbade this guess: Kaboom rules let you open a cell away from numbers only "
            "when all cells next to numbers are mines.",
        ),
        (
            Position.parse("mines: 2\n.0.1...."),
            (0, 6),
            "windows-xp",
            "You took a risk of 33.3 % although 2 cells were safe.",
        ),
    ],
)
def test_post_mortem(position: Position, cell: tuple[int, int], rules: str, sentence: str) -> None:
    """A post-mortem includes a sentence, the safe cells, and boards with and without the mine."""
    game = lost(position, cell, rules)
    known = analyze(position)
    why = game.post_mortem()
    assert why.sentence == sentence
    assert why.cell == cell
    assert why.safe == known.safe
    assert why.forced == (not known.safe and not why.forbidden)
    assert why.forbidden == (rules in {"fair", "kaboom"})
    [guess] = game.guesses.each
    assert (guess.forced, guess.forbidden) == (why.forced, why.forbidden)
    assert why.p_mine == known.p_mine[cell]
    assert why.board == game.board
    assert why.board.is_mine(cell)
    if cell in known.mined:
        assert why.clear_board is None
    else:
        assert why.clear_board is not None
        assert not why.clear_board.is_mine(cell)
        Game.begin(Game.from_position(position, seed=1).settings, position, why.clear_board)
    obj = why.to_json()
    assert obj["sentence"] == sentence
    assert obj["safe"] == [list(c) for c in sorted(known.safe)]


def test_only_lost_game_has_a_post_mortem() -> None:
    """Running games, won games and undone losses have no post-mortem."""
    game = Game.from_position(Position.parse("mines: 1\n.1."), seed=3)
    with pytest.raises(IllegalAction, match="no post-mortem: the game is playing, not lost"):
        game.post_mortem()
    dead = lost(Position.parse("mines: 1\n.1."), (0, 0))
    first = dead.post_mortem()
    dead.undo()
    with pytest.raises(IllegalAction):
        dead.post_mortem()
    dead.open((0, 0))
    assert dead.post_mortem().board == first.board
    dead.undo()
    dead.open((0, 2))
    assert dead.status == "won"
    with pytest.raises(IllegalAction):
        dead.post_mortem()


def test_restart_clears_the_guesses() -> None:
    """A new game starts without guesses."""
    game = lost(NEEDLESS, (0, 0))
    assert game.guesses.made == 1
    game.restart()
    assert game.guesses.made == 0


def test_review_of_trail_matches_the_game() -> None:
    """To review a game with undos, the trail is enough; it is not changed."""
    game = Game("9x9:10", "kaboom", first_click="opening", seed=4)
    reviewer = Reviewer()
    steps = 0
    while not game.over or steps < 60:
        steps += 1
        if game.over or steps % 7 == 0:
            game.undo()
        else:
            hidden = game.position.unopened_cells()
            game.open(hidden[steps * 5 % len(hidden)])
        trail = game.trail()
        if steps % 3 == 0:
            assert reviewer.guesses(trail) == game.guesses
        if game.status == "lost":
            assert reviewer.post_mortem(trail).to_json() == game.post_mortem().to_json()
    assert game.guesses.made > 0


@pytest.mark.parametrize(
    ("rules", "games"),
    [case for rules in ("classic", "fair", "kaboom") for case in ((rules, 1), slow(rules, 6))],
)
def test_guesses_match_the_full_review(rules: str, games: int) -> None:
    """`Game.guesses` and `sapper.review` judge each guess alike."""
    rng = random.Random(2)
    compared = 0
    for seed in range(games):
        game = Game("6x6:8", rules, seed=seed)
        while not game.over:
            game.open(rng.choice(game.position.unopened_cells()))
        guesses = game.guesses.each
        decisions = [decision for decision in review(game).decisions if decision.is_guess]
        assert [(g.cell, g.p_mine, g.least, g.exploded, g.forbidden) for g in guesses] == [
            (d.cell, d.p_mine, d.least, d.exploded, d.forbidden) for d in decisions
        ]
        assert [bool(g.safe_count) for g in guesses] == [bool(d.safe) for d in decisions]
        compared += len(guesses)
    assert compared > games / 2


def test_cancelled_review_starts_over() -> None:
    """A set flag stops the analyses; the next review is complete."""
    game = lost(NEEDLESS, (0, 0))
    cancel, reviewer = Cancel(), Reviewer()
    cancel.set()
    with pytest.raises(Cancelled), cancelled_by(cancel):
        reviewer.guesses(game.trail())
    assert reviewer.guesses(game.trail()) == game.guesses
