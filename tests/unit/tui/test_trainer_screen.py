"""Puzzles in the terminal: answered by key and mouse, judged, rated and explained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from sapper.coach.practice import Practice
from sapper.coach.trainer import Answer, Need, Question, Records, judge, puzzles
from sapper.coach.trainer.record_file import RecordFile
from sapper.tui import SapperApp
from sapper.tui.trainer_screen import TrainerScreen
from support.terminal_app import click, move, play_app
from support.terminal_screens import check_snapshot


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new player's folder."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    return tmp_path


def trainer(app: SapperApp) -> TrainerScreen:
    """The open trainer screen."""
    assert isinstance(app.screen, TrainerScreen)
    return app.screen


def message_text(app: SapperApp) -> str:
    """Return the text below the puzzle."""
    return str(app.screen.query_one("#trainer-message", Static).content)


def standing(app: SapperApp) -> str:
    """Return the line above the puzzle."""
    return str(app.screen.query_one("#trainer-status", Static).content)


def test_puzzles_are_solved_by_key_and_by_mouse() -> None:
    """Space or a click marks a safe cell, the rating rises, and N loads another puzzle."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("l")
        first = trainer(app).served.puzzle
        assert (first.question, first.need) == (Question.SAFE, Need.ONE)
        assert standing(app) == "Rating 1000 ± 700 | 0 of 0 | A bit of everything"
        await move(app, pilot, judge(first.question, first.position, Answer()).safe[0])
        await pilot.press("space")
        assert message_text(app).startswith("Solved (+")
        assert " | 1 of 1 | " in standing(app)
        await pilot.press("n")
        second = trainer(app).served.puzzle
        assert second.id != first.id
        await click(pilot, judge(second.question, second.position, Answer()).safe[0])
        assert message_text(app).startswith("Solved (+")
        await pilot.press("escape")
        assert not isinstance(app.screen, TrainerScreen)

    play_app(play)


def test_a_mistake_is_explained_step_by_step() -> None:
    """X gives up: the rating falls, safe cells are marked, and H steps through the proof."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("l", "h")
        assert message_text(app).startswith("Answer first")
        check_snapshot(app, "puzzle")
        await pilot.press("x")
        assert message_text(app).startswith("Not solved (-")
        await pilot.press("h")
        assert message_text(app).startswith("Step 1 of ")
        check_snapshot(app, "explanation")
        assert " | 0 of 1" in standing(app)

    play_app(play, (40, 20))


def test_all_proved_cells_can_be_marked(folder: Path) -> None:
    """Space marks safe cells, F marks mines, and Enter submits the answer."""
    puzzle = next(one for one in puzzles().values() if one.question is Question.ALL)
    with RecordFile(folder / "train.sqlite3") as file, file.transaction() as db:
        records = Records(db)
        waiting = replace(records.trainee("terminal"), puzzle=puzzle.id, served=0.0)
        records.save("terminal", waiting)
    solution = judge(puzzle.question, puzzle.position, Answer())

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("l")
        assert trainer(app).served.puzzle.id == puzzle.id
        await pilot.press("enter")
        assert "X gives up" in message_text(app)
        for cells, key in ((solution.safe, "space"), (solution.mined, "f")):
            for cell in cells:
                await move(app, pilot, cell)
                await pilot.press(key)
        await pilot.press("enter")
        assert message_text(app).startswith("Solved (+")

    play_app(play)


def test_kind_and_clock_are_chosen() -> None:
    """K selects the next kind of puzzle, T switches timed play."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("l", "k")
        assert trainer(app).served.puzzle.need is Need.ONE
        assert standing(app).endswith("| One number")
        await pilot.press("t")
        assert "30 s | One number" in standing(app)

    play_app(play)


def test_unopenable_records_are_one_line(folder: Path) -> None:
    """The game stays on the screen, and one line gives the reason."""
    (folder / "train.sqlite3").mkdir()

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("l")
        assert not isinstance(app.screen, TrainerScreen)
        text = str(app.screen.query_one("#message", Static).content)
        assert text.startswith("Cannot open the records of the trainer")

    play_app(play)


def test_patterns_are_practised(folder: Path) -> None:
    """P shows the patterns of the day; 0 means that nothing is proved; P returns to puzzles."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("l", "p")
        tasks = trainer(app).patterns
        assert tasks is not None
        assert standing(app) == "Patterns | 0 due, 3 new | 0 days in a row"
        exercise = tasks.served.exercise
        for cells, key in ((exercise.safe, "space"), (exercise.mined, "f")):
            for cell in cells:
                await move(app, pilot, cell)
                await pilot.press(key)
        await pilot.press("enter" if exercise.proves else "0")
        assert message_text(app).startswith("Solved: ")
        await pilot.press("n")
        second = tasks.served.exercise
        assert second.id != exercise.id
        await pilot.press("0" if second.proves else "x")
        assert message_text(app).startswith("Not solved: ")
        assert standing(app).startswith("Patterns | ")
        await pilot.press("p")
        assert trainer(app).patterns is None
        assert standing(app).startswith("Rating 1000")

    play_app(play)


def test_puzzles_follow_when_no_pattern_is_left(folder: Path) -> None:
    """The message says that the day's practice is done."""
    with RecordFile(folder / "train.sqlite3") as file:
        practice = Practice(file.transaction)
        while (served := practice.next("terminal")) is not None:
            one = served.exercise
            answer = Answer.of(one.position, one.safe, one.mined)
            practice.answer("terminal", one.id, answer, nothing=not one.proves)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("l", "p")
        assert trainer(app).patterns is None
        assert message_text(app).startswith("No pattern is left for today.")

    play_app(play)
