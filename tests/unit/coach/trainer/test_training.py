"""Training: the choice of puzzles, and how answers affect ratings and records."""

from __future__ import annotations

import pytest

from sapper.coach.trainer import Answer, BadPuzzle, Need, Puzzle, Question, Training, judge
from sapper.coach.trainer.puzzle import puzzles
from sapper.coach.trainer.records import Records
from sapper.coach.trainer.training import LIMIT_S
from sapper.errors import BadSetting
from sapper.server.storage.database import Database


class Clock:
    """A clock that tests can set."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that does not advance."""
    return Clock()


@pytest.fixture
def training(database: Database, clock: Clock) -> Training:
    """Training with a fixed clock, on each database engine in turn."""
    return Training(database.writing, clock)


def solution(puzzle: Puzzle) -> Answer:
    """Return the correct answer to a puzzle."""
    verdict = judge(puzzle.question, puzzle.position, Answer())
    cells = verdict.safe if puzzle.question is Question.ALL else verdict.safe[:1]
    return Answer.of(puzzle.position, cells, verdict.mined)


def test_first_puzzles_are_easy(training: Training) -> None:
    """The first three puzzles ask for a safe cell proved by one number, even after mistakes."""
    for _ in range(3):
        puzzle = training.puzzle("ann").puzzle
        assert (puzzle.question, puzzle.need) == (Question.SAFE, Need.ONE)
        training.answer("ann", puzzle.id, Answer())


def test_the_first_mistake_leaves_a_player_among_the_puzzles(training: Training) -> None:
    """It does not put a new player below the easiest puzzle, where ratings have no meaning."""
    puzzle = training.puzzle("ann").puzzle
    lost = training.answer("ann", puzzle.id, Answer())
    assert lost.change == -120
    easiest = min(each.rating for each in puzzles().values())
    assert training.standing("ann").trainee.rating.rating > easiest


def test_unanswered_puzzle_is_repeated(training: Training) -> None:
    """The puzzle stays until it is answered or another kind is requested."""
    first = training.puzzle("ann").puzzle
    assert training.puzzle("ann").puzzle is first
    other = training.puzzle("ann", "total")
    assert other.puzzle.need is Need.TOTAL
    assert training.puzzle("ann").focus == "total"
    assert training.standing("ann").trainee.answered == 0


def test_solving_raises_player_and_lowers_puzzle(training: Training, database: Database) -> None:
    """A mistake lowers the player and raises the puzzle; the deviation shrinks in either case."""
    served = training.puzzle("ann")
    before = training.standing("ann").trainee
    up = training.answer("ann", served.puzzle.id, solution(served.puzzle))
    after = training.standing("ann").trainee
    assert up.solved
    assert up.counted
    assert up.change == pytest.approx(after.rating.rating - before.rating.rating)
    assert up.change > 0
    assert after.rating.deviation < before.rating.deviation
    with database.using() as db:
        assert Records(db).puzzle_ratings()[served.puzzle.id].rating < served.rating.rating
    again = training.puzzle("ann")
    down = training.answer("ann", again.puzzle.id, Answer())
    assert down.change < 0
    with database.using() as db:
        assert Records(db).puzzle_ratings()[again.puzzle.id].rating > again.rating.rating


def test_only_the_first_answer_counts(training: Training) -> None:
    """A second answer is judged but does not change the rating."""
    puzzle = training.puzzle("ann").puzzle
    training.answer("ann", puzzle.id, Answer())
    before = training.standing("ann")
    again = training.answer("ann", puzzle.id, solution(puzzle))
    assert again.solved
    assert not again.counted
    assert training.standing("ann") == before


def test_streaks_and_history(training: Training) -> None:
    """A mistake ends a streak, the best streak is kept, and the history records every answer."""
    for right in (True, True, False, True):
        puzzle = training.puzzle("ann").puzzle
        training.answer("ann", puzzle.id, solution(puzzle) if right else Answer())
    standing = training.standing("ann")
    trainee = standing.trainee
    assert (trainee.answered, trainee.solved) == (4, 3)
    assert (trainee.streak, trainee.best_streak) == (1, 2)
    assert [point.solved for point in standing.history] == [True, True, False, True]
    assert standing.history[-1].rating == trainee.rating.rating


def test_puzzles_follow_the_rating_without_repeats(training: Training) -> None:
    """A player who solves everything gets harder puzzles, without repeats."""
    seen = []
    for _ in range(40):
        puzzle = training.puzzle("ann").puzzle
        seen.append(puzzle)
        training.answer("ann", puzzle.id, solution(puzzle))
    assert len({puzzle.id for puzzle in seen}) == 40
    assert sum(puzzle.rating for puzzle in seen[-10:]) / 10 > 1500
    assert training.standing("ann").trainee.rating.rating > 1600


@pytest.mark.parametrize("need", list(Need))
def test_focus_selects_only_its_kind(training: Training, need: Need) -> None:
    """Recent puzzles are not repeated within a focus either."""
    seen = set()
    for _ in range(10):
        puzzle = training.puzzle("ann", str(need)).puzzle
        assert puzzle.need is need
        seen.add(puzzle.id)
        training.answer("ann", puzzle.id, Answer())
    assert len(seen) == 10


def test_clock_change_does_not_make_an_answer_late(training: Training, clock: Clock) -> None:
    """A computer without a clock battery starts in 1970."""
    served = training.puzzle("a", timed=True)
    clock.now = 1_795_000_000.0
    assert training.puzzle("a").elapsed_s == 0
    outcome = training.answer("a", served.puzzle.id, solution(served.puzzle))
    assert (outcome.solved, outcome.late, outcome.seconds) == (True, False, 0)


def test_late_answer_is_a_mistake(training: Training, clock: Clock) -> None:
    """A correct answer to a timed puzzle counts as a mistake if it is late."""
    served = training.puzzle("ann", timed=True)
    assert served.limit_s == LIMIT_S[Question.SAFE]
    clock.now += served.limit_s + 2
    late = training.answer("ann", served.puzzle.id, solution(served.puzzle))
    assert (late.solved, late.late) == (False, True)
    assert late.change < 0
    served = training.puzzle("ann", timed=False)
    assert served.limit_s is None
    clock.now += 3600
    slow = training.answer("ann", served.puzzle.id, solution(served.puzzle))
    assert (slow.solved, slow.seconds) == (True, 3600)


def test_players_do_not_share_ratings(training: Training) -> None:
    """Two players share puzzle ratings, but not their own."""
    puzzle = training.puzzle("ann").puzzle
    training.answer("ann", puzzle.id, solution(puzzle))
    assert training.standing("ben").trainee.answered == 0


def test_unknown_names_are_rejected(training: Training) -> None:
    """The error is one line."""
    with pytest.raises(BadSetting, match="unknown focus 'luck'; choose from: mixed, one, "):
        training.puzzle("ann", "luck")
    with pytest.raises(BadPuzzle, match="there is no puzzle 'x'"):
        training.answer("ann", "x", Answer())


def test_sent_puzzle_has_no_solution(training: Training) -> None:
    """A puzzle is sent without its solution, requirements and rating."""
    assert training.puzzle("ann").to_json().keys() == {
        *("id", "question", "rows", "mines", "limit_s", "elapsed_s", "focus"),
    }
