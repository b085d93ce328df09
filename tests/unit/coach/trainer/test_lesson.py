"""Every board in a lesson proves exactly the stated cells."""

from __future__ import annotations

import re

import pytest

from sapper.coach.trainer import Answer, BadPuzzle, Question, judge, lesson_board, lessons
from sapper.coach.trainer.lesson import LessonBoard
from sapper.coach.trainer.needs import can_fail
from sapper.coach.trainer.puzzle import given
from sapper.solver import analyze
from sapper.solver.search import optimal

BOARDS = [board for lesson in lessons() for board in lesson.boards]


def _by_id(board: LessonBoard) -> str:
    return board.id


@pytest.mark.parametrize("board", BOARDS, ids=_by_id)
def test_only_stated_cells_are_proved(board: LessonBoard) -> None:
    """The exact engine agrees; for a guess, perfect play finds the stated cells best."""
    position = given(board.position)
    known = analyze(position)
    if board.question is Question.GUESS:
        assert not known.safe
        assert optimal(position).best == board.safe
        assert len(board.safe) < len(position.unopened_cells())
        return
    assert known.safe == board.safe
    assert known.mined == board.mined
    assert board.safe if board.question is Question.SAFE else board.safe | board.mined


@pytest.mark.parametrize("board", BOARDS, ids=_by_id)
def test_lesson_board_can_occur_in_a_game(board: LessonBoard) -> None:
    """Zeros have opened their neighbours, and flags are proved if there is a mine total."""
    position = board.position
    for cell in position.topology.cells():
        if position[cell] == "0":
            around = position.topology.neighbours(cell)
            assert not any(position.is_unopened(near) for near in around)
    flags = {cell for cell in position.unopened_cells() if position[cell] == "F"}
    if position.mines is not None:
        assert flags <= analyze(position).mined


@pytest.mark.parametrize("board", BOARDS, ids=_by_id)
def test_only_stated_solution_is_accepted(board: LessonBoard) -> None:
    """The judge accepts the stated solution and explains why another cell is wrong."""
    whole = board.question is Question.ALL
    right = sorted(board.safe) if whole else sorted(board.safe)[:1]
    answer = Answer.of(board.position, right, board.mined if whole else ())
    assert judge(board.question, board.position, answer).solved
    others = set(board.position.unopened_cells()) - board.safe
    for cell in sorted(others):
        if board.position[cell] != "F":
            verdict = judge(board.question, board.position, Answer.of(board.position, [cell]))
            assert not verdict.solved
            first = verdict.explanations[0]
            assert first.cell == cell
            assert first.steps or first.board or board.question is Question.GUESS


@pytest.mark.parametrize("board", BOARDS, ids=_by_id)
def test_every_board_has_wrong_answers(board: LessonBoard) -> None:
    """Boards have plausible wrong answers, as puzzles do."""
    assert can_fail(board.question, board.position)


def test_lessons_are_short() -> None:
    """A lesson has two or three sentences, a board one or two; ids can be part of a URL."""
    for lesson in lessons():
        assert re.fullmatch(r"[a-z0-9-]+", lesson.id)
        assert 1 <= len(re.findall(r"[.?](?= |$)", lesson.text)) <= 3
        assert lesson.boards
        for board in lesson.boards:
            assert len(board.prompt) < 110
            assert lesson_board(board.id) is board
    assert len({board.id for board in BOARDS}) == len(BOARDS) >= 18


def test_unknown_board_is_rejected() -> None:
    """The error names the unknown board."""
    with pytest.raises(BadPuzzle, match="no lesson board 'no-such'"):
        lesson_board("no-such")
