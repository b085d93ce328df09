from __future__ import annotations

import pytest

from sapper.board import Board
from sapper.coach.trainer import Answer, Need, Question, Verdict, judge, puzzles
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.solver import analyze

WALL = Position.parse("....\n1F21\n0000", mines=3)
HALF = Position.parse("...\n111\n000")


def asked(question: Question, position: Position, *safe: tuple[int, int]) -> Verdict:
    """Return the verdict on cells marked as safe."""
    return judge(question, position, Answer.of(position, safe))


def test_safe_cell_is_right_and_proved() -> None:
    """The explanation leads from the numbers to the cell."""
    verdict = asked(Question.SAFE, HALF, (0, 2))
    assert verdict.solved
    assert verdict.text == "(0, 2) is safe."
    assert (0, 2) in verdict.explanations[0].steps[-1].safe


def test_proved_mine_is_explained_by_its_proof() -> None:
    """The explanation ends with the proof of a correct cell."""
    verdict = asked(Question.SAFE, HALF, (0, 1))
    assert not verdict.solved
    mistake, right = verdict.explanations
    assert (mistake.state, mistake.text) == ("mined", "(0, 1) is a mine.")
    assert (0, 1) in mistake.steps[-1].mined
    assert right.state == "safe"
    assert right.cell in verdict.safe


def test_unproved_cell_is_explained_by_an_arrangement() -> None:
    """The arrangement fits every number and has a mine in the cell."""
    position = Position.parse(".....\n11111\n00000")
    verdict = asked(Question.SAFE, position, (0, 0))
    mistake = verdict.explanations[0]
    assert mistake.state == "open"
    assert mistake.board is not None
    assert (0, 0) in mistake.board


def test_found_missed_and_wrong_cells_are_counted() -> None:
    """Each mistake and each missed cell is explained."""
    whole = judge(Question.ALL, HALF, Answer.of(HALF, [(0, 0), (0, 2)], [(0, 1)]))
    assert whole.solved
    part = judge(Question.ALL, HALF, Answer.of(HALF, [(0, 0), (0, 1)]))
    assert not part.solved
    assert part.text == "1 of 3 found, 1 wrong."
    assert [(one.cell, one.state) for one in part.explanations] == [
        ((0, 1), "mined"),
        ((0, 2), "safe"),
    ]


def test_giving_up_shows_a_solution() -> None:
    """Every kind of question has a solution to show."""
    first = {puzzle.question: puzzle for puzzle in puzzles().values()}
    assert set(first) == set(Question)
    for question, puzzle in first.items():
        verdict = judge(question, puzzle.position, Answer())
        assert not verdict.solved
        assert verdict.safe
        assert verdict.explanations


def test_guess_is_compared_with_the_best() -> None:
    """The explanations of a wrong guess cover the chosen cell, then the best one."""
    puzzle = next(p for p in puzzles().values() if p.need is Need.GUESS)
    verdict = judge(Question.GUESS, puzzle.position, Answer())
    worst = verdict.chances[-1][0]
    again = asked(Question.GUESS, puzzle.position, worst)
    assert not again.solved
    assert [one.cell for one in again.explanations] == [worst, again.safe[0]]
    assert asked(Question.GUESS, puzzle.position, again.safe[0]).solved


@pytest.mark.parametrize(
    ("safe", "mined", "said"),
    [
        ([(1, 1)], [], "without a flag"),
        ([(1, 0)], [], "unopened"),
        ([(0, 0)], [(0, 0)], "once"),
        ([(9, 9)], [], "no cell"),
    ],
)
def test_opened_or_repeated_cells_are_rejected(
    safe: list[tuple[int, int]], mined: list[tuple[int, int]], said: str
) -> None:
    """The error is one line."""
    with pytest.raises(BadSetting, match=said):
        Answer.of(WALL, safe, mined)


def test_counterexample_fits_the_numbers() -> None:
    """The counterexample keeps the position's numbers, and its flags are mines."""
    checked = 0
    for puzzle in puzzles().values():
        if puzzle.question is not Question.SAFE:
            continue
        position = puzzle.position
        known = analyze(position)
        undecided = [
            cell for cell in position.unopened_cells() if cell not in known.safe | known.mined
        ]
        for cell in undecided[:1]:
            mines = asked(Question.SAFE, position, cell).explanations[0].board
            assert mines is not None
            flags = [c for c in position.unopened_cells() if position[c] == "F"]
            assert len({*mines, *flags}) == position.mines
            all_mines = {position.topology.index(at) for at in (*mines, *flags)}
            mined = bytes(i in all_mines for i in range(position.topology.size))
            board = Board(position.topology, mined)
            for at in position.topology.cells():
                number = position.number(at)
                assert number is None or board[at] == str(number)
            checked += 1
    assert checked > 150
