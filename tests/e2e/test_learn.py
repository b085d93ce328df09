"""The Learn page by mouse, keyboard and touch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.hand import cell
from e2e.holding import hold_requests
from e2e.running import Server
from sapper.coach.trainer import Answer, Puzzle, Question, judge, lesson_board, puzzles
from sapper.position import Position
from sapper.topology import Cell

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def learn(new_context: Callable[..., BrowserContext], server: Server) -> Callable[..., Page]:
    """Open the page in a new browser; any error on the page fails the test."""

    def make(fragment: str = "", **options: Any) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(f"{server.url}learn{fragment}")
        page.wait_for_selector('[role="gridcell"]')
        return page

    return make


def ask(page: Page, path: str, **body: Any) -> Any:
    """Send a request as the page does."""
    return page.evaluate(
        "([path, body]) => fetch(path, {method: 'POST', body}).then(answer => answer.json())",
        [f"/api/learn/{path}", json.dumps(body)],
    )


def waiting(page: Page) -> Puzzle:
    """Return the unanswered puzzle."""
    return puzzles()[ask(page, "puzzle")["id"]]


def practise(page: Page, focus: str, question: Question) -> Puzzle:
    """Solve puzzles until one asks this question and can be failed, then show it."""
    for _ in range(40):
        puzzle = puzzles()[ask(page, "puzzle", focus=focus)["id"]]
        if puzzle.question is question and unproved(puzzle):
            page.reload()
            page.wait_for_selector('[role="gridcell"]:focus')
            return puzzle
        safe, mined = solution(puzzle.question, puzzle.position)
        ask(page, "answer", puzzle=puzzle.id, safe=safe, mined=mined)
    raise AssertionError(f"no such puzzle in forty: {focus}, {question}")


def solution(question: Question, position: Position) -> tuple[list[Cell], list[Cell]]:
    """Return the cells to mark as safe and as mines."""
    found = judge(question, position, Answer())
    return list(found.safe if question is Question.ALL else found.safe[:1]), list(found.mined)


def unproved(puzzle: Puzzle) -> list[Cell]:
    """Return the unopened cells that are wrong answers."""
    found = judge(puzzle.question, puzzle.position, Answer())
    position = puzzle.position
    return [at for at in position.unopened_cells() if position[at] == "." and at not in found.safe]


def walk_to(page: Page, at: Cell) -> None:
    """Move the cursor with the arrow keys, from the first unopened cell or the current one."""
    here = page.evaluate("() => ({...document.activeElement.dataset})")
    row, col = int(here["row"]), int(here["col"])
    for _ in range(abs(at.row - row)):
        page.keyboard.press("ArrowDown" if at.row > row else "ArrowUp")
    for _ in range(abs(at.col - col)):
        page.keyboard.press("ArrowRight" if at.col > col else "ArrowLeft")


def test_a_newcomer_solves_a_first_puzzle_by_one_click(
    visit: Callable[..., Page], server: Server
) -> None:
    """The play page links to a first puzzle, which has one line of instructions."""
    page = visit()
    page.click("text=Learn")
    expect(page.locator("#prompt")).to_contain_text("Click a cell that cannot be a mine")
    puzzle = waiting(page)
    at = judge(puzzle.question, puzzle.position, Answer()).explanations[-1].cell
    cell(page, *at).click()
    expect(page.locator("#result-title")).to_contain_text("Solved (+")
    expect(page.locator("#streak")).to_have_text("1")
    page.click("#step")
    expect(page.locator("#step-title")).to_contain_text(f"row {at.row + 1}, column {at.col + 1}")
    expect(page.locator(".proving")).to_have_count(1)
    page.click("#next")
    expect(page.locator("#result")).to_be_hidden()
    assert waiting(page) is not puzzle


def test_a_mistake_shows_the_proof_step_by_step(learn: Callable[..., Page]) -> None:
    """The proof rings numbers and fills cells until it reaches a correct cell; the rating falls."""
    page = learn()
    puzzle = practise(page, "two", Question.SAFE)
    before = int(page.locator("#rating-now").inner_text())
    cell(page, *unproved(puzzle)[0]).click()
    expect(page.locator("#result-title")).to_contain_text("Not solved (−")
    assert int(page.locator("#rating-now").inner_text()) < before
    expect(page.locator(".mistaken")).to_have_count(1)
    seen = set()
    while (title := page.locator("#step-title").inner_text()) not in seen:
        seen.add(title)
        page.click("#step")
    assert any("is safe" in title for title in seen)
    expect(page.locator("#next")).to_be_visible()


def test_everything_is_marked_by_keyboard_alone(learn: Callable[..., Page]) -> None:
    """The keys are arrows, Enter for safe, F for a mine, C to check and N for the next puzzle."""
    page = learn()
    puzzle = practise(page, "two", Question.ALL)
    safe, mined = solution(puzzle.question, puzzle.position)
    for at, key in [*((at, "Enter") for at in safe), *((at, "f") for at in mined)]:
        walk_to(page, at)
        page.keyboard.press(key)
    expect(page.locator(".cell.state.safe")).to_have_count(len(safe))
    page.keyboard.press("c")
    expect(page.locator("#result-title")).to_contain_text("Solved")
    page.keyboard.press(" ")
    expect(page.locator("#step-title")).to_contain_text("Why row")
    page.keyboard.press("n")
    expect(page.locator("#result")).to_be_hidden()


@pytest.mark.slow
def test_keys_act_on_the_cell_under_the_mouse(learn: Callable[..., Page]) -> None:
    """After an arrow key, keys act on the cursor, as on the play page."""
    page = learn()
    puzzle = practise(page, "two", Question.ALL)
    safe, mined = solution(puzzle.question, puzzle.position)
    # The mouse counts as used from its second movement.
    cell(page, *safe[0]).hover()
    cell(page, *mined[0]).hover()
    page.keyboard.press("f")
    expect(cell(page, *mined[0])).to_have_class(re.compile("state danger"))
    cell(page, *safe[0]).hover()
    page.keyboard.press("Enter")
    expect(cell(page, *safe[0])).to_have_class(re.compile("state safe"))
    walk_to(page, mined[0])
    page.keyboard.press("f")
    expect(cell(page, *mined[0])).not_to_have_class(re.compile("state danger"))


def test_a_guess_shows_every_chance_to_win(learn: Callable[..., Page]) -> None:
    """The board shows percentages and rings the best cells."""
    page = learn()
    puzzle = practise(page, "guess", Question.GUESS)
    found = judge(puzzle.question, puzzle.position, Answer())
    cell(page, *found.safe[0]).click()
    expect(page.locator("#result-title")).to_contain_text("Solved")
    expect(page.locator(".cell.best")).to_have_count(len(found.safe))
    expect(page.locator(".cell.heat")).to_have_count(len(found.chances))
    best = page.locator(f'[data-row="{found.safe[0].row}"][data-col="{found.safe[0].col}"]')
    expect(best).to_have_attribute("data-text", str(int(100 * found.chances[0][2] + 0.5)))


@pytest.mark.slow
def test_a_lesson_by_touch(learn: Callable[..., Page]) -> None:
    """A wrong tap is explained, a correct one continues, and progress survives a reload."""
    page = learn("#one-two-one", **PHONE)
    board = lesson_board("one-two-one-1")
    expect(page.locator("#title")).to_have_text("1-2-1")
    cell(page, *min(board.mined)).tap()
    expect(page.locator("#step-title")).to_contain_text("is a mine")
    page.tap("#again")
    cell(page, *min(board.safe)).tap()
    expect(page.locator("#result-title")).to_have_text("Correct")
    page.tap("#next")
    expect(page.locator("#count")).to_have_text("Board 2 of 2")
    second = lesson_board("one-two-one-2")
    for at in sorted(second.safe):
        cell(page, *at).tap()
    for at in sorted(second.mined):
        cell(page, *at).tap()
        cell(page, *at).tap()
    page.tap("#check")
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#result-title")).to_have_text("Correct")
    page.tap("#next")
    expect(page.locator("#title")).to_have_text("1-2-2-1")
    page.reload()
    expect(page.locator('.contents a[href="#one-two-one"]')).to_have_class("done")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_a_rating_has_a_history(learn: Callable[..., Page]) -> None:
    """A chart appears after two answers and survives a reload."""
    page = learn()
    for _ in range(3):
        page.keyboard.press("g")
        expect(page.locator("#result")).to_be_visible()
        page.keyboard.press("n")
        expect(page.locator("#result")).to_be_hidden()
    page.reload()
    expect(page.locator("#chart svg")).to_have_attribute(
        "aria-label", f"Rating over the last 3 answers: from {rating(page, 0)} to {rating(page, 2)}"
    )


def rating(page: Page, at: int) -> int:
    """Return the rating after an answer."""
    found = page.evaluate("() => fetch('/api/learn').then(a => a.json())")
    return int(found["standing"]["history"][at][0])


@pytest.mark.slow
def test_link_during_a_request_is_followed_next(learn: Callable[..., Page]) -> None:
    """Links work while the server is slow, and no button takes the focus."""
    page = learn()
    page.click("#show-me")
    expect(page.locator("#next")).to_be_focused()
    held = hold_requests(page, "**/api/learn/puzzle")
    page.click("#next")
    link = page.locator("#contents ol a").first
    link.click()
    title = link.locator("b").inner_text()
    expect(page.locator("#title")).not_to_contain_text(title)
    held().continue_()
    expect(page.locator("#title")).to_contain_text(title)


@pytest.mark.slow
def test_next_waits_for_the_answer(learn: Callable[..., Page]) -> None:
    """Next can be pressed before the server has checked the answer."""
    page = learn("#one-two-one")
    held = hold_requests(page, "**/api/learn/lesson")
    cell(page, *min(lesson_board("one-two-one-1").safe)).click()
    page.click("#next")
    expect(page.locator("#count")).to_have_text("Board 1 of 2")
    held().continue_()
    expect(page.locator("#count")).to_have_text("Board 2 of 2")
    expect(page.locator(".contents a[href='#one-two-one']")).to_contain_text("1 of 2")


@pytest.mark.slow
def test_page_reports_a_lost_server(
    new_context: Callable[..., BrowserContext], tmp_path: Any
) -> None:
    """An unsent answer can be sent again once the server is back."""
    page = new_context().new_page()
    with Server(tmp_path / "home") as own:
        page.goto(own.url + "learn")
        page.wait_for_selector('[role="gridcell"]')
        puzzle = waiting(page)
        [at], _ = solution(puzzle.question, puzzle.position)
        own.stop(kill=True)
        cell(page, *at).click()
        expect(page.locator("#banner")).to_contain_text("not running")
        own.start()
        cell(page, *at).click()
        expect(page.locator("#result-title")).to_contain_text("Solved")
        expect(page.locator("#banner")).to_be_hidden()
