"""Reviews: verdicts, chances, luck and skill, and progress step by step."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import optimal
from sapper._core import Cancel
from sapper.actions import ActionKind
from sapper.board import Board
from sapper.coach import Decision, Kind, Reviewing, review
from sapper.errors import BadSetting, Cancelled, WrongType
from sapper.game import Game
from sapper.game.moments import moments
from sapper.position import Position
from sapper.simulation import Match
from sapper.solver import reference
from sapper.topology import topology

WALL = ".**. oooo"
"""The ends of the row are safe, and the middle is mined."""


def on_board(rows: str, **options: bool) -> Game:
    """A game on a given board: ``*`` is a mine, ``.`` a safe cell, ``o`` an opened one."""
    lines = rows.split()
    shape = topology("rectangle", len(lines[0]), len(lines))
    text = "".join(lines)
    board = Board(shape, bytes(char == "*" for char in text))
    cells = bytes(
        ord("0") + number if char == "o" else ord(".")
        for char, number in zip(text, board.numbers, strict=True)
    )
    seen = Position(shape, cells, board.mines)
    return Game.begin(Game.from_position(seen, seed=1, **options).settings, seen, board)


def only(game: Game) -> Decision:
    """Return the last decision of a game."""
    return review(game).decisions[-1]


def test_safe_cell_is_proved() -> None:
    """A proved cell has no risk and does not lower the win chance."""
    game = on_board(WALL)
    game.open((0, 0))
    decision = only(game)
    assert (decision.kind, decision.p_mine, decision.loss) == (Kind.PROVED, 0.0, 0.0)
    assert decision.before is not None
    assert decision.before.kind == "exact"


def test_needless_guess_has_a_proof() -> None:
    """The proof shows, step by step, why another cell was safe."""
    game = on_board(".**..*. oooo...")
    game.open((1, 5))
    decision = only(game)
    assert decision.kind is Kind.NEEDLESS_GUESS
    assert decision.least == 0.0 < decision.p_mine < 1.0
    assert {(0, 0), (0, 3)} <= set(decision.safe)
    assert decision.proof is not None
    assert decision.proof.cell in decision.safe
    assert decision.proof.cell in decision.steps[-1].safe


def test_best_cell_is_the_proved_one() -> None:
    """If there are several safe cells, the review names one."""
    for seed in range(8):
        result = review(Match("autosweeper", "intermediate").game(seed))
        needless = [each for each in result.decisions if each.safe and each.proof is not None]
        for decision in needless:
            assert decision.proof is not None
            assert (decision.best, decision.best_p_mine) == (decision.proof.cell, 0.0)
        if needless:
            return
    pytest.fail("no game has a needless guess")


@pytest.mark.parametrize(
    ("level", "first_click"),
    [
        ("beginner", "opening"),
        ("intermediate", "opening"),
        ("intermediate", "safe"),
        ("intermediate", "any"),
        ("expert", "opening"),
        ("20x20:60", "opening"),
        ("20x20@0.15", "opening"),
        ("12x12:20/hexagon", "opening"),
    ],
)
def test_win_chance_is_known_from_the_first_move(level: str, first_click: str) -> None:
    """The summary names the first decision with a win chance, and the method that gave it."""
    game = Game(level, first_click=first_click, seed=5)
    game.open((5, 5))
    result = review(game)
    assert result.curve[0]["index"] == 0
    assert result.luck is not None
    assert (result.luck.index, result.luck.promised) == (0, first_click != "any")
    assert result.luck.kind == result.curve[0]["kind"]
    assert result.luck.error == result.curve[0]["error"]


def test_opening_a_proved_mine_is_a_blunder() -> None:
    """Opening a proved mine loses the whole remaining win chance."""
    game = on_board(WALL)
    game.open((0, 1))
    result = review(game)
    assert result.decisions[-1].kind is Kind.BLUNDER
    assert result.decisions[-1].chosen is not None
    assert result.decisions[-1].chosen.win_chance == 0.0
    assert result.lost_at == result.costliest == 0


def test_coin_flip_is_forced() -> None:
    """A win or a loss in which no choice made a difference is reported as such."""
    for cell, status in (((0, 0), "won"), ((0, 1), "lost")):
        game = on_board(".* oo")
        game.open(cell)
        result = review(game)
        decision = result.decisions[-1]
        assert game.status == status
        assert (decision.kind, decision.p_mine, decision.loss) == (Kind.FORCED_GUESS, 0.5, 0.0)
        assert decision.before is not None
        assert decision.before.win_chance == 0.5
        luck = result.luck
        assert luck is not None
        assert (luck.start, luck.lost, luck.survival) == (0.5, 0.0, 0.5)
        assert luck.luck == (0.5 if status == "won" else -0.5)


def test_guesses_are_judged_by_win_chance() -> None:
    """The best cell is good, one that is far worse is a blunder, according to perfect play."""
    position = Position.parse("mines: 2\n.1....")
    best = optimal(position)
    for cell in position.unopened_cells():
        game = Game.from_position(position, seed=4)
        game.open(cell)
        decision = only(game)
        assert decision.before is not None
        assert decision.chosen is not None
        assert decision.before.win_chance == pytest.approx(best.win_chance)
        assert (decision.loss == pytest.approx(0.0)) == (cell in best.best)
        if cell in best.best:
            assert decision.kind is Kind.GOOD_GUESS
        elif decision.loss is not None and decision.loss >= 0.05:
            assert decision.kind is Kind.BLUNDER


def test_luck_and_skill_add_up_to_the_result() -> None:
    """The result is the initial win chance, minus the losses, plus the luck."""
    for seed in range(6):
        game = Match("groups", "beginner").game(seed)
        result = review(game)
        luck = result.luck
        assert luck is not None
        assert luck.start - luck.lost + luck.luck == pytest.approx(luck.result)
        assert luck.result == (game.status == "won")
        assert luck.lost >= 0
        assert result.lost_at == (None if game.status == "won" else len(result.decisions) - 1)
        points = result.curve
        assert points[-1]["win_chance"] == luck.result
        assert [point["index"] for point in points] == sorted(point["index"] for point in points)


def test_unfinished_game_ends_at_its_win_chance() -> None:
    """The result of an unfinished game is the value of its position."""
    game = on_board(WALL)
    game.open((0, 0))
    result = review(game)
    assert result.end is not None
    assert (result.end.win_chance, result.end.kind) == (1.0, "exact")
    assert result.lost_at is None


def test_undone_decisions_do_not_count() -> None:
    """Undone decisions are listed, but count neither as the loss nor as luck."""
    game = on_board(".* oo", undo=True)
    game.open((0, 1))
    game.undo()
    game.open((0, 0))
    result = review(game)
    assert [decision.undone for decision in result.decisions] == [True, False]
    assert result.lost_at is None
    assert result.luck is not None
    assert result.luck.result == 1.0


def test_review_ends_at_current_position_after_undo() -> None:
    """Curve, summary and positions end at the current position."""
    game = on_board(WALL, undo=True)
    game.open((0, 0))
    game.open((0, 1))
    game.undo()
    result = review(game)
    assert result.end is not None
    assert result.end.win_chance == 1.0
    assert [(point["index"], point["win_chance"]) for point in result.curve] == [(0, 1.0), (2, 1.0)]
    assert result.position(2) == game.position
    game.undo()
    result = review(game)
    assert (result.end, result.curve, result.luck) == (None, [], None)
    assert result.position(2) == game.position


def test_each_chorded_cell_is_a_decision() -> None:
    """If a flag is wrong, one of the chorded cells is a mine; undo affects all of them."""
    game = on_board(".*. ooo ooo")
    game.flag((0, 2))
    game.chord((1, 1))
    result = review(game)
    assert game.status == "lost"
    assert [decision.chord for decision in result.decisions] == [(1, 1), (1, 1)]
    assert [decision.exploded for decision in result.decisions] == [False, True]
    game.undo()
    assert all(decision.undone for decision in review(game).decisions)


def test_promised_first_click_counts_as_proved() -> None:
    """Without the promise, the first click is a guess."""
    game = Game("9x9:10", first_click="safe", seed=1)
    game.open((0, 0))
    decision = only(game)
    assert (decision.kind, decision.promised, decision.loss) == (Kind.PROVED, True, 0.0)
    assert decision.before == decision.chosen == decision.after
    game = Game("9x9:10", first_click="any", seed=1)
    game.open((0, 0))
    decision = only(game)
    assert decision.is_guess
    assert decision.p_mine == pytest.approx(10 / 81)


@pytest.mark.parametrize("rules", ["fair", "kaboom", "kind"])
def test_granted_guess_is_forced(rules: str) -> None:
    """Guesses that the rules make safe are not blunders."""
    game = Game.from_position(Position.parse("mines: 1\n.1."), rules, seed=2)
    game.open((0, 0))
    decision = only(game)
    assert decision.granted
    assert (decision.kind, game.status) == (Kind.FORCED_GUESS, "won")
    result = review(game)
    assert result.luck is not None
    assert result.luck.survival == 1.0


def test_forbidden_guess_is_a_blunder() -> None:
    """Kaboom makes an outside cell a mine if one beside a number may be safe."""
    game = Game.from_position(Position.parse("mines: 2\n.1...."), "kaboom", seed=2)
    game.open((0, 5))
    decision = only(game)
    assert decision.forbidden
    assert decision.kind is Kind.BLUNDER


@pytest.mark.parametrize("level", ["8x8:10", "8x8@0.15", "12x12:20/torus", "60x60:700"])
def test_every_board_can_be_reviewed(level: str) -> None:
    """A review uses exact, learned or sampled win chances, or only the risks if there are none."""
    game = Match("groups", level).game(3)
    result = review(game)
    assert len(result.decisions) == sum(not turn.undone for turn in game.trail().turns)
    assert json.loads(json.dumps(result.to_json(), allow_nan=False))["status"] == game.status
    kinds = {d.before.kind for d in result.decisions if d.before is not None}
    assert kinds <= {"exact", "sampled", "estimated"}


def test_risks_come_before_win_chances() -> None:
    """All risks are computed first, and the result can be read at any time."""
    game = Match("exact", "beginner").game(2)
    work = Reviewing(game)
    assert not work.result.decisions
    done = []
    for step in work:
        done.append(step.done)
        assert work.result.decisions[step.decision.index] == step.decision
        if step.done == work.total // 2:
            assert len(work.result.decisions) == work.total // 2
            assert not work.result.curve
    assert done == list(range(1, work.total + 1))
    reported: list[int] = []
    assert review(game, progress=lambda step: reported.append(step.done)) == work.result
    assert reported == done
    assert review(game.trail()).decisions[:-1] == work.result.decisions[:-1]


def test_review_can_be_cancelled() -> None:
    """A cancelled review stops at the next decision, even if nothing is analysed yet."""
    cancel = Cancel()
    cancel.set()
    game, promised = on_board(WALL), Game("9x9:10", seed=1)
    game.open((0, 0))
    promised.open((0, 0))
    for one in (game, promised):
        with pytest.raises(Cancelled):
            review(one, cancel=cancel)


def test_only_games_and_trails_can_be_reviewed() -> None:
    """Any other argument raises a type error."""
    with pytest.raises(WrongType, match="expected a Game or a Trail, got 7"):
        review(7)  # type: ignore[arg-type]


def test_position_before_each_decision() -> None:
    """The number of decisions is the index of the final position; larger indices are refused."""
    game = Match("exact", "beginner").game(2)
    result = review(game)
    last = result.position(len(result.decisions))
    assert last == game.position.without_flags()
    assert result.position(0) == Position.unopened(last.topology, last.mines)
    with pytest.raises(BadSetting, match="a decision must be a whole number from 0 to"):
        result.position(len(result.decisions) + 1)
    nothing = review(Game("9x9:10", seed=1))
    assert nothing.decisions == ()
    assert nothing.position(0) == Position.unopened(topology("rectangle", 9, 9), 10)


@given(seed=st.integers(0, 999), choices=st.lists(st.integers(0, 10**6), max_size=40))
def test_moments_replay_any_game(seed: int, choices: list[int]) -> None:
    """Each decision has the correct position, whatever was undone, flagged or chorded."""
    game = Game("6x6:6", first_click="any", seed=seed)
    before: list[Position] = []
    for choice in choices:
        cell = game.position.topology.cell(choice % 36)
        kind = list(ActionKind)[choice // 36 % 5]
        seen, turns = game.position, len(game.trail().turns)
        if game.over or kind is ActionKind.UNDO:
            game.undo()
            continue
        {
            ActionKind.OPEN: game.open,
            ActionKind.FLAG: game.flag,
            ActionKind.QUESTION: game.question,
            ActionKind.CHORD: game.chord,
        }[kind](cell)
        before += [seen.without_flags()] * (len(game.trail().turns) > turns)
    replayed = list(moments(game.trail()))
    starts = [moment.position for moment in replayed if moment.turn.chord is None]
    assert all(start in before for start in starts)
    standing = [moment for moment in replayed if not moment.undone]
    if standing:
        final = game.position.without_flags()
        assert standing[-1].after == final


def check_needless(match: Match, seeds: range) -> int:
    """Return the number of needless guesses, each confirmed by the Python engine."""
    needless = 0
    for seed in seeds:
        work = Reviewing(match.game(seed))
        for step in work:
            if step.done == work.total // 2:
                break
        for decision in work.result.decisions:
            if decision.kind is Kind.NEEDLESS_GUESS:
                needless += 1
                chances = reference.mine_probabilities(work.result.position(decision.index))
                assert {cell for cell, chance in chances.items() if chance == 0} == set(
                    decision.safe
                )
                assert Fraction(0) < chances[decision.cell] < 1
    return needless


def test_needless_guesses_are_confirmed_by_the_reference() -> None:
    """On small boards, the Python engine confirms every needless guess."""
    assert check_needless(Match("exact", "8x8:12"), range(40)) == 0
    assert check_needless(Match("kaboom-sat", "8x8:12"), range(20)) == 0
    assert check_needless(Match("autosweeper", "8x8:12"), range(20)) > 5


@pytest.mark.slow
def test_verdicts_on_expert_games_of_bots() -> None:
    """In 200 games, `exact` and kaboom-sat make no needless guess; autosweeper's are confirmed."""
    assert check_needless(Match("exact", "expert"), range(200)) == 0
    assert check_needless(Match("kaboom-sat", "expert"), range(200)) == 0
    assert check_needless(Match("autosweeper", "expert"), range(20)) > 10
