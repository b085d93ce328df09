"""`sapper train`: puzzles, typed answers and a saved rating."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sapper.coach.practice import Exercise, Practice
from sapper.coach.trainer import Answer, Question, Training, judge, puzzles
from sapper.coach.trainer.record_file import RecordFile
from support.program import sapper


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate state directory."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    return tmp_path


def typed(puzzle_id: str) -> str:
    """Return the correct answer as a user would type it."""
    puzzle = puzzles()[puzzle_id]
    found = judge(puzzle.question, puzzle.position, Answer())
    safe = found.safe if puzzle.question is Question.ALL else found.safe[:1]
    words = [f"{r},{c}" for r, c in safe] + [f"*{r},{c}" for r, c in found.mined]
    return f"{' '.join(words)}\n"


def waiting(home: Path, focus: str = "mixed") -> str:
    """Return the next puzzle's id."""
    with RecordFile(home / "train.sqlite3") as records:
        return Training(records.transaction).puzzle("terminal", focus, False).puzzle.id


def test_a_puzzle_is_solved_and_the_rating_kept(home: Path) -> None:
    """The next run continues from the saved rating."""
    done = sapper("train", "-n", "1", stdin=typed(waiting(home)))
    assert (done.code, done.err) == (0, "")
    assert "Find a cell that is proved safe" in done.out
    assert "Solved." in done.out
    assert "1 of 1 solved." in done.out
    found = sapper("train", "-n", "1", "--json", stdin="?\n")
    outcome: dict[str, Any] = json.loads(found.out.splitlines()[1])
    assert outcome["standing"]["answered"] == 2
    assert not outcome["solved"]


def test_a_mistake_is_explained_by_a_proof(home: Path) -> None:
    """Cells are named as on the command line, and giving up counts as a mistake."""
    done = sapper("train", "--focus", "two", "-n", "1", stdin="?\n")
    assert done.code == 0
    assert "Not solved." in done.out
    assert "is safe." in done.out
    assert "(-" in done.out


@pytest.mark.parametrize("focus", ["two", "component", "total", "guess"])
def test_all_kinds_of_answers_can_be_typed(home: Path, focus: str) -> None:
    """Each kind of question and guess can be solved."""
    for _ in range(4):
        stdin = typed(waiting(home, focus))
        done = sapper("train", "--focus", focus, "-n", "1", stdin=stdin)
        assert "Solved." in done.out, done.out


def test_invalid_answer_is_asked_again(home: Path) -> None:
    """A line gives the reason, and the puzzle stays open."""
    stdin = f"here\n99,99\n0,0 0,1\n{typed(waiting(home))}"
    done = sapper("train", "-n", "1", stdin=stdin)
    assert "a cell is written ROW,COLUMN such as 3,4, got 'here'" in done.out
    assert "no cell (99, 99)" in done.out
    assert "the answer here is one cell" in done.out
    assert "Solved." in done.out


def test_end_of_input_keeps_the_puzzle(home: Path) -> None:
    """Neither the end of input nor q counts as an answer."""
    first = sapper("train", "--json", stdin="q\n")
    again = sapper("train", "--json", stdin="")
    assert (first.code, again.code) == (0, 0)
    assert json.loads(first.out)["id"] == json.loads(again.out)["id"] == waiting(home)


def test_bad_settings_and_files_are_rejected(home: Path) -> None:
    """The error is one line, and the exit status is 2."""
    done = sapper("train", "--focus", "luck")
    assert done.code == 2
    assert "unknown focus 'luck'; choose from: mixed, one, " in done.err
    (home / "train.sqlite3").write_bytes(b"not a database" * 100)
    done = sapper("train", stdin="q\n")
    assert done.code == 2
    assert done.err.startswith("sapper: cannot open the records of the trainer in ")


def exercise_waiting(home: Path) -> Exercise:
    """Return the next exercise."""
    with RecordFile(home / "train.sqlite3") as records:
        served = Practice(records.transaction).next("terminal")
    assert served is not None
    return served.exercise


def test_patterns_of_the_day_are_practised(home: Path) -> None:
    """Marked numbers have a ~; the result names the pattern and says when it is due again."""
    exercise = exercise_waiting(home)
    words = [f"{r},{c}" for r, c in exercise.safe] + [f"*{r},{c}" for r, c in exercise.mined]
    line = " ".join(words) or "0"
    done = sapper("train", "--patterns", "-n", "1", stdin=f"{line}\n")
    assert (done.code, done.err) == (0, "")
    assert done.out.count("~") >= len(exercise.numbers)
    assert "Solved." in done.out
    assert "again in 8 d" in done.out
    assert "1 of 1 solved; 2 left today." in done.out


def test_pattern_answers_are_read_and_judged(home: Path) -> None:
    """0 means that nothing is proved, ? gives up, and an invalid line is asked again."""
    exercise = exercise_waiting(home)
    done = sapper("train", "--patterns", "--json", "-n", "2", stdin="seven\n0\n?\n")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert lines[0]["id"] == exercise.id
    assert "seven" in lines[1]["error"]["message"]
    assert lines[2]["solved"] is not exercise.proves
    assert not lines[4]["solved"]
    assert lines[4]["practice"]["answered"] == 2
