"""A game's mistakes as questions, and the judgement of answers."""

from __future__ import annotations

import pytest

from sapper.coach import Decision, Kind, Review, Reviewing, review
from sapper.coach.trainer import Answer, Mistake, Question, judge_mistake, mistakes_of
from sapper.coach.trainer.puzzle import BadPuzzle
from sapper.errors import BadSetting
from sapper.game import Game
from sapper.position import Position
from sapper.simulation import Match
from sapper.topology import cell_name


def reviewed(seed: int, level: str = "intermediate") -> Review:
    """The review of a game played by a bot that makes mistakes."""
    return review(Match("autosweeper", level).game(seed))


# A blunder when guessing, then a needless guess that loses the game.
GAME = reviewed(0)


def guess(cell: tuple[int, int]) -> Mistake:
    """A question in which nothing is proved; the corners on the right win more often."""
    position = Position.parse("mines: 2\n.1....")
    return Mistake(Question.GUESS, position, position.topology.cell(cell[1]), 0)


def test_each_mistake_becomes_a_question() -> None:
    """The question shows the position without flags; good moves are not asked."""
    mistakes = mistakes_of(GAME)
    assert [(each.question, each.move) for each in mistakes] == [
        (Question.GUESS, 1),
        (Question.SAFE, 51),
    ]
    for mistake in mistakes:
        decision = GAME.decisions[mistake.move]
        assert decision.kind in (Kind.BLUNDER, Kind.NEEDLESS_GUESS)
        assert mistake.cell == decision.cell
        assert mistake.position == GAME.position(mistake.move)
        assert "F" not in str(mistake.position)


def test_repeated_mistake_is_one_question() -> None:
    """After an undo, a player can make the same mistake again."""
    game = Game.from_position(Position.parse("mines: 2\n....\n1221"), seed=1, undo=True)
    for _ in range(2):
        game.open((0, 1))
        game.undo()
    assert len(review(game).decisions) == 2
    assert len(mistakes_of(review(game))) == 1


def test_mistake_round_trips_through_json() -> None:
    """Mistakes on boards of every shape are the same after a round trip."""
    mistakes = [*mistakes_of(GAME), *mistakes_of(reviewed(0, "intermediate/hexagon"))]
    assert {each.position.topology.name for each in mistakes} == {"rectangle", "hexagon"}
    for mistake in mistakes:
        assert Mistake.from_json(mistake.to_json()) == mistake


@pytest.mark.parametrize(
    "change", [{"cell": [99, 0]}, {"move": "x"}, {"question": "?"}, {"position": {}}]
)
def test_damaged_mistake_is_rejected(change: dict[str, object]) -> None:
    """Reading a damaged mistake raises an error."""
    with pytest.raises(BadPuzzle):
        Mistake.from_json({**mistakes_of(GAME)[0].to_json(), **change})


def test_safe_cell_is_right_with_its_proof() -> None:
    """Any safe cell is a correct answer, and its proof is shown."""
    mistake = mistakes_of(GAME)[1]
    safe = GAME.decisions[mistake.move].safe
    assert len(safe) > 1
    for cell in safe:
        judged = judge_mistake(mistake, Answer.of(mistake.position, [cell]), cell_name)
        assert judged.solved
        assert judged.safe == safe
        assert cell in judged.explanations[0].steps[-1].safe


def test_unproved_cell_is_wrong_without_the_solution() -> None:
    """An arrangement with a mine in the cell is shown, and the player can try again."""
    mistake = mistakes_of(GAME)[1]
    judged = judge_mistake(mistake, Answer.of(mistake.position, [mistake.cell]), cell_name)
    assert not judged.solved
    assert judged.text == "Row 2, column 9 is not proved safe: its mine risk is 33.3 %."
    assert (judged.safe, judged.chances) == ((), ())
    [told] = judged.explanations
    assert told.board is not None
    assert mistake.cell in told.board


def test_proved_mine_is_wrong_with_its_proof() -> None:
    """The proof's steps end at the mine."""
    position = Position.parse("mines: 2\n....\n1221")
    mistake = Mistake(Question.SAFE, position, position.topology.cell(1), 0)
    judged = judge_mistake(mistake, Answer.of(position, [(0, 1)]))
    assert (judged.solved, judged.text, judged.safe) == (False, "(0, 1) is a mine.", ())
    assert judged.explanations[0].steps[-1].mined == ((0, 1),)


def test_empty_answer_shows_the_solution() -> None:
    """The solution is the easiest proof of a safe cell, or the best cell next to the chosen one."""
    guessed, needless = mistakes_of(GAME)
    shown = judge_mistake(needless, Answer())
    assert not shown.solved
    assert shown.explanations[0].steps
    assert shown.safe == GAME.decisions[needless.move].safe
    shown = judge_mistake(guessed, Answer())
    decision = GAME.decisions[guessed.move]
    assert not shown.solved
    assert shown.safe == (decision.best,)
    assert [cell for cell, _, _ in shown.chances] == [decision.best, guessed.cell]


def test_guess_with_best_win_chance_is_right() -> None:
    """After a wrong guess, the best win chance is revealed, but not its cell."""
    position = guess((0, 0)).position
    verdicts = {
        cell: judge_mistake(guess((0, 0)), Answer.of(position, [cell]))
        for cell in position.unopened_cells()
    }
    assert {judged.solved for judged in verdicts.values()} == {True, False}
    for judged in verdicts.values():
        end = "No cell is better." if judged.solved else " % of the time."
        assert judged.text.endswith(end)
        assert bool(judged.safe) == judged.solved


@pytest.mark.slow
def test_judge_agrees_with_the_review() -> None:
    """The judge and the review agree on the chosen cell and the best cell."""
    count = 0
    for seed in range(4):
        for level in ("beginner", "intermediate", "expert"):
            game_review = reviewed(seed, level)
            for mistake in mistakes_of(game_review):
                own = Answer.of(mistake.position, [mistake.cell])
                assert not judge_mistake(mistake, own).solved
                best = game_review.decisions[mistake.move].best
                assert best is not None
                assert judge_mistake(mistake, Answer.of(mistake.position, [best])).solved
                count += 1
    assert count > 5


def test_least_risky_cell_is_right_without_win_chances() -> None:
    """On boards too large for win chances, the least risky cell is correct."""
    game_review = reviewed(0, "60x60:700")
    [mistake] = [each for each in mistakes_of(game_review) if each.question is Question.GUESS]
    shown = judge_mistake(mistake, Answer())
    assert not shown.solved
    assert judge_mistake(mistake, Answer.of(mistake.position, shown.safe)).solved
    wrong = judge_mistake(mistake, Answer.of(mistake.position, [mistake.cell]))
    assert wrong.text.endswith("Another cell is less risky.")


def test_answer_must_be_one_cell() -> None:
    """Two cells, or a cell marked as a mine, are refused."""
    mistake = guess((0, 0))
    for answer in (
        Answer.of(mistake.position, [(0, 0), (0, 2)]),
        Answer.of(mistake.position, mined=[(0, 0)]),
    ):
        with pytest.raises(BadSetting):
            judge_mistake(mistake, answer)


def test_single_decision_matches_the_whole_review() -> None:
    """The verdict, chances and proof are those of the whole review."""
    work = Reviewing(GAME._trail, GAME.status)
    for decision in GAME.decisions:
        if not decision.is_guess:
            continue
        alone, position = work.decision(decision.index)
        assert _without_end(alone) == _without_end(decision)
        assert position == GAME.position(decision.index)
    with pytest.raises(BadSetting):
        work.decision(len(GAME.decisions))


def _without_end(decision: Decision) -> dict[str, object]:
    return {**decision.to_json(), "after": None}
