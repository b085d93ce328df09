"""Reads a board from its cells' accessible names, and plays it as a person would."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Locator, Page

from sapper import Position
from sapper.solver import analyze

_CHARS = {"unopened": ".", "question mark": ".", "flag": "F"}
_NAMES = """() => [...document.querySelectorAll('[role="row"]')].map(row => [...row.children].map(
    cell => cell.getAttribute('aria-label').split(', ').slice(2).join(', ')))"""

# The centre of a cell that can still be opened.
_UNOPENED = """([row, col]) => {
    const cell = document.querySelector(`[data-row="${row}"][data-col="${col}"]`);
    if (!['playing', 'racing'].includes(document.body.dataset.status)) return null;
    if (!cell.getAttribute('aria-label').endsWith(', unopened')) return null;
    cell.scrollIntoView({block: 'nearest', inline: 'nearest'});
    const {x, y, width, height} = cell.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""

# Nothing else runs in the page between these events.
_DOUBLE = """cell => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    const at = { clientX: x + width / 2, clientY: y + height / 2, pointerType: 'mouse' };
    for (const kind of ['pointerdown', 'pointerup', 'pointerdown', 'pointerup'])
        cell.dispatchEvent(new PointerEvent(kind, {
            ...at, bubbles: true, isPrimary: true, buttons: kind === 'pointerdown' ? 1 : 0 }));
}"""

# Counts the requests whose answers the page has not read yet.
_COUNTED = """
window.unanswered = 0;
const send = window.fetch;
window.fetch = async (...given) => {
    window.unanswered += 1;
    const end = () => setTimeout(() => { window.unanswered -= 1; });
    try {
        const answer = await send(...given);
        answer.clone().arrayBuffer().then(end, end);
        return answer;
    } catch (problem) {
        end();
        throw problem;
    }
};
"""


def names(page: Page) -> list[list[str]]:
    """Return the text of every cell's accessible name."""
    return page.evaluate(_NAMES)  # type: ignore[no-any-return]


def position(page: Page, mines: int) -> Position:
    """Return the position on the page."""
    return Position.parse(
        "\n".join("".join(_CHARS.get(name, name) for name in row) for row in names(page)), mines
    )


def cell(page: Page, row: int, col: int) -> Locator:
    """Return the element of a cell."""
    return page.locator(f'[data-row="{row}"][data-col="{col}"]')


def name(page: Page, row: int, col: int) -> str:
    """Return a cell's accessible name."""
    label = cell(page, row, col).get_attribute("aria-label")
    assert label is not None
    prefix = f"row {row + 1}, column {col + 1}, "
    assert label.startswith(prefix)
    return label.removeprefix(prefix)


def status(page: Page) -> str:
    """Return the state of the game."""
    found = page.locator("body").get_attribute("data-status")
    assert found is not None
    return found


def status_line(page: Page) -> str:
    """Return the status line."""
    return page.locator("#status").inner_text()


def settle(page: Page) -> None:
    """Wait until the server has answered every click."""
    page.wait_for_function("() => !document.querySelector('.cell.down')")


def round_trip(page: Page) -> None:
    """Send a request, and wait for the server's answer."""
    page.evaluate("() => fetch('/').then(answer => answer.text())")
    settle(page)


def counted(context: BrowserContext) -> BrowserContext:
    """Count the requests of a browser's pages, for `quiet`."""
    context.add_init_script(_COUNTED)
    return context


def quiet(page: Page) -> None:
    """Wait until a page has loaded and received the answers to all its requests."""
    page.wait_for_function("() => document.readyState === 'complete' && window.unanswered === 0")


def still(page: Page) -> None:
    """Wait until all animations on the page have ended."""
    page.wait_for_function(
        "() => document.getAnimations().every(moving =>"
        " !(moving instanceof CSSTransition) || moving.playState === 'finished')"
    )


def open_cell(page: Page, row: int, col: int) -> None:
    """Click a cell and wait for its content."""
    cell(page, row, col).click()
    _wait_open(page, row, col)


def click_unopened(page: Page, row: int, col: int) -> bool:
    """Click a cell if it can still be opened, without waiting; return whether it could.

    Another player or a bot may end the game at any moment.
    """
    place = page.evaluate(_UNOPENED, [row, col])
    if place:
        page.mouse.click(*place)
    return bool(place)


def _wait_open(page: Page, row: int, col: int) -> None:
    page.wait_for_function(
        "([row, col]) => !document.querySelector(`[data-row='${row}'][data-col='${col}']`)"
        ".getAttribute('aria-label').includes('unopened')",
        arg=[row, col],
    )


def double_click(page: Page, row: int, col: int) -> None:
    """Click a cell twice, so fast that the second click comes before the answer to the first."""
    cell(page, row, col).evaluate(_DOUBLE)


def choose(page: Page, level: str) -> None:
    """Choose a level; a game without a first click changes immediately."""
    page.check(f"#level [value={level}]")
    size = {"beginner": 81, "intermediate": 256, "expert": 480}[level]
    page.wait_for_function(
        "n => document.querySelectorAll('[role=gridcell]').length === n", arg=size
    )


def next_cells(page: Page, mines: int) -> list[tuple[int, int]]:
    """Return all cells proved safe, or one with the least risk if there are none."""
    seen = position(page, mines)
    found = analyze(seen)
    if found.safe:
        return [(cell.row, cell.col) for cell in sorted(found.safe)]
    hidden = seen.unopened_cells()
    best = min(hidden, key=lambda cell: found.p_mine[cell])
    return [(best.row, best.col)]


def play_on(page: Page, mines: int, opening: tuple[int, int] = (4, 4)) -> str:
    """Play a game to its end by clicking."""
    if status(page) == "ready":
        open_cell(page, *opening)
    while status(page) == "playing":
        for row, col in next_cells(page, mines):
            if click_unopened(page, row, col):
                _wait_open(page, row, col)
    return status(page)


def win(page: Page, mines: int) -> None:
    """Play new games until one is won; some need guesses."""
    for _ in range(8):
        if play_on(page, mines) == "won":
            return
        page.keyboard.press("n")
        page.wait_for_selector("body[data-status=ready]")
    raise AssertionError("eight games lost in a row")
