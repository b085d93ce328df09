"""The page of `sapper play`, played like an unknown page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from e2e.running import Server
from sapper.vision.browser import BrowserScreen
from sapper.vision.browser.launch import installed_browser
from support.pages import PageGame, launch

STATE = """
() => [...document.querySelectorAll('[role="row"]')].map(row => [...row.children].map(cell => {
  const name = cell.getAttribute('aria-label').split(', ').slice(2).join(', ');
  return {unopened: '.', flag: 'F'}[name] ?? (/^[0-8]$/.test(name) ? name : '*');
}).join(''))
"""


@pytest.fixture(autouse=True)
def _browser(need: Callable[..., None]) -> None:
    if installed_browser() is None:
        need("chromium")


@pytest.mark.parametrize(("scheme", "games"), [("light", 3), ("dark", 1)])
def test_finished_games_of_our_own_page(scheme: str, games: int, tmp_path: Path) -> None:
    """After a loss, the page marks missed safe cells, which are neither numbers nor mines."""
    with Server(tmp_path / "home") as server:
        server.seed_from("own-page")
        with BrowserScreen(server.url, launch()) as screen:
            screen.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            screen.reload(screen.windows()[0])
            game = PageGame(screen, STATE, lose=True)
            results = game.play(games)
            assert game.misread == []
            # The page's counter is trusted after the first win.
            assert game.totals <= {10, None}
            assert game.cells > 200 * games
            assert screen.page.url.startswith(server.url + "#")
    assert set(results) <= {"won", "lost"}
    if games == 3:
        assert set(results) == {"won", "lost"}
        assert 10 in game.totals
