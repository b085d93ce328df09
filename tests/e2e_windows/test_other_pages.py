"""Third-party Minesweeper pages from npm, played without prior knowledge."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from sapper.vision.browser import BrowserScreen
from sapper.vision.browser.launch import installed_browser
from support.pages import PageGame, launch, serve

MODULES = Path(__file__).parents[2] / "node_modules"

REACT = """
() => [...document.querySelectorAll('.minesweeper__row')].map(row => [...row.children].map(cell => {
  const is = name => cell.classList.contains('minesweeper__field_' + name);
  return is('flag') ? 'F' : is('cloud') ? '.' : is('bomb') ? '*' : cell.textContent || '0';
}).join(''))
"""
WEB = """
() => {
  const { board } = document.querySelector('minesweeper-game').engine;
  const { revealedFields, flags, positions } = board;
  return positions.map((row, r) => row.map((there, c) => !revealedFields[r][c]
    ? (flags[r][c] ? 'F' : '.') : String(there).startsWith('BOMB') ? '*' : String(there)).join(''));
}
"""
# This makes the pages deal the same boards in every run. Numerical Recipes' generator.
SEEDED = """
let seed = 1;
Math.random = () => (seed = (1664525 * seed + 1013904223) % 2 ** 32) / 2 ** 32;
"""
# The element does not come with a page, so use one based on its documentation.
WEB_PAGE = """<!doctype html><title>Minesweeper for the web</title>
<script type="module" src="minesweeper-for-web/dist/custom-element.js"></script>
<button id="restart">Restart</button>
<minesweeper-game columns="9" rows="9" bombs="10" restart-selector="#restart"></minesweeper-game>
"""


@pytest.fixture(autouse=True)
def _browser(need: Callable[..., None]) -> None:
    if installed_browser() is None:
        need("chromium")


@pytest.fixture
def _modules() -> None:
    if not (MODULES / "react-minesweeper").exists():
        reason = "the pages of others are not installed: run npm ci"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


def play_games(url: str, state: str) -> None:
    """Play a game to its end and check every position against the page."""
    with BrowserScreen(url, launch()) as screen:
        screen.page.add_init_script(SEEDED)
        screen.reload(screen.windows()[0])
        game = PageGame(screen, state)
        results = game.play(1)
        assert game.misread == []
        assert game.cells > 100
    assert set(results) <= {"won", "lost"}


@pytest.mark.usefixtures("_modules")
def test_games_of_react_minesweeper() -> None:
    """React-minesweeper opens fewer cells around a zero than most, and varies its mine total."""
    with serve(MODULES / "react-minesweeper" / "demo" / "dist") as url:
        play_games(url, REACT)


@pytest.mark.usefixtures("_modules")
def test_games_of_minesweeper_for_web(tmp_path: Path) -> None:
    """Only the edge of a cell shows that it is open, and right clicks do not set flags."""
    (tmp_path / "index.html").write_text(WEB_PAGE, "utf-8")
    (tmp_path / "minesweeper-for-web").symlink_to(MODULES / "minesweeper-for-web")
    with serve(tmp_path) as url:
        play_games(url, WEB)
