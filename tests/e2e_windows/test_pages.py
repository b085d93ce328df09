"""Whole games on web pages by pixels: looks are learned from scratch, no cell is misread."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from sapper import vision
from sapper.vision.boards import find_board
from sapper.vision.browser import BrowserScreen
from sapper.vision.browser.launch import installed_browser
from sapper.vision.unthemed import choose_board
from support.pages import PageGame, launch, serve

ROOT = Path(__file__).parents[2]
OURS = "() => games[0].rows"
HIT = """
places => places.map(([x, y]) => {
  let element = document.elementFromPoint(x, y);
  if (element.shadowRoot) element = element.shadowRoot.elementFromPoint(x, y);
  return [...games[0].grid.children].indexOf(element);
})
"""


@pytest.fixture(autouse=True)
def _browser(need: Callable[..., None]) -> None:
    if installed_browser() is None:
        need("chromium")


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    """The folder with our test pages."""
    with serve(ROOT / "tests" / "data" / "pages") as url:
        yield f"{url}minesweeper.html"


def test_two_games_on_a_page_with_animations(pages: str) -> None:
    """Cells flip when they are opened, and a button starts the second game."""
    with BrowserScreen(f"{pages}?flip=1", launch()) as screen:
        game = PageGame(screen, OURS)
        assert len(game.play(2)) == 2
        assert game.misread == []
        assert game.surface.theme.habits.new == ('click "Deal again"',)


@pytest.mark.parametrize("query", ["cell=15.92x16", "cell=24.25x22.2", "shadow=1&cell=24.25x22.2"])
def test_cells_are_located_from_the_page_layout(pages: str, query: str) -> None:
    """At two pixel ratios, the centre of every cell of a 30x16 board is inside its element."""
    for ratio in (1.0, 2.0):
        url = f"{pages}?width=30&height=16&mines=99&{query}"
        with BrowserScreen(url, launch(), ratio) as screen:
            window = screen.windows()[0]
            at = find_board(screen.capture(screen.box(window)), grids=screen.grids(window))
            assert (at.rows, at.columns) == (16, 30)
            places = [at.centre(*divmod(i, 30)) for i in range(480)]
            hit = screen.page.evaluate(HIT, [[x / ratio, y / ratio] for x, y in places])
            assert hit == list(range(480))


@pytest.mark.parametrize(
    ("query", "ratio"),
    [
        ("fade=1", 2.0),
        ("width=16&height=16&mines=30&cell=24.25x22.2", 1.0),
        ("cell=30.56x30.56", 1.0),
        ("cell=35.56x35.56", 1.25),
    ],
    ids=["fading", "not square", "fractional", "fractional at 125 %"],
)
def test_a_canvas_is_played(pages: str, query: str, ratio: float) -> None:
    """Cells that fade in, are not square or have fractional sizes are located from the pixels."""
    with BrowserScreen(f"{pages}?draw=canvas&{query}", launch(), ratio) as screen:
        game = PageGame(screen, OURS)
        assert len(game.play(1)) == 1
        assert game.misread == []


def test_a_board_too_small_to_find_is_drawn_larger(pages: str) -> None:
    """A small board is drawn at double size, unless a pixel ratio was given."""
    url = f"{pages}?width=5&height=5&mines=4&cell=8x8&draw=canvas"
    with BrowserScreen(url, launch()) as screen:
        choose_board(screen)
        assert screen.pixel_ratio == 2
    with (
        BrowserScreen(url, launch(), 1.0) as screen,
        pytest.raises(vision.NoWindow, match="no window shows a board"),
    ):
        choose_board(screen)


def test_learning_starts_again_with_more_pixels(pages: str) -> None:
    """The board is found again and played at a higher pixel ratio; there is no third one."""
    with BrowserScreen(f"{pages}?cell=12x12", launch()) as screen:
        game = PageGame(screen, OURS)
        assert game.surface.sharpen()
        assert (screen.pixel_ratio, game.surface.looks().size) == (2, 81)
        assert not game.surface.sharpen()
        assert len(game.play(1)) == 1
        assert game.misread == []


def test_a_page_that_grows_is_played(pages: str) -> None:
    """The cells are below the first screen, and each reload moves them further down."""
    with BrowserScreen(f"{pages}?far=1&grows=1", launch(), 1.5) as screen:
        game = PageGame(screen, OURS, new_game=("reload",))
        assert len(game.play(2)) == 2
        assert game.misread == []


def test_board_that_moves_after_the_start_button_is_followed(pages: str) -> None:
    """A button covers the board, and each game's first click adds a line above the board."""
    with BrowserScreen(f"{pages}?start=1&moves=1", launch()) as screen:
        game = PageGame(screen, OURS)
        assert len(game.play(2)) == 2
        assert game.misread == []


def test_a_box_over_the_board_is_closed(pages: str) -> None:
    """A box blocks the board at the end of every game, and the page ignores short clicks.

    Some pages draw the press before they accept the release.
    """
    with BrowserScreen(f"{pages}?cover=1&press=90", launch()) as screen:
        game = PageGame(screen, OURS, lose=True)
        assert len(game.play(2)) == 2
        assert game.misread == []
        assert game.surface.theme.habits.new[0].endswith('then click "Deal again"')


def test_bot_stays_on_a_page_with_links_and_dialogs(pages: str, tmp_path: Path) -> None:
    """Start screens are passed, dialogs and new pages are closed, and the learned theme works."""
    kept = tmp_path / "ours.toml"
    with BrowserScreen(f"{pages}?menu=1&traps=1", launch()) as screen:
        game = PageGame(screen, OURS, keep=kept)
        assert len(game.play(2)) == 2
        assert game.misread == []
        assert screen.page.url.endswith("traps=1")
        assert len(screen.page.context.pages) == 1
        with pytest.raises(vision.PlayStopped, match="may be a shortcut of the browser"):
            screen.key("Control_L+n")
        image = screen.capture(screen.box(screen.windows()[0]))
        assert not vision.read(image, vision.load_theme(str(kept))).unreadable


def test_board_and_way_to_restart_can_be_chosen(pages: str) -> None:
    """The bot plays the second of two boards and reloads the page for every game.

    The cells are not square and in shadow roots, so they are located from the layout.
    """
    with BrowserScreen(f"{pages}?boards=2&cell=15.92x16&shadow=1", launch()) as screen:
        game = PageGame(screen, "() => games[1].rows", board=2, new_game=("reload",))
        assert len(game.play(1)) == 1
        assert game.misread == []
        assert screen.page.evaluate("() => games[0].rows.join('')") == "." * 81


def test_unloadable_page_is_reported() -> None:
    """The error repeats the page's URL."""
    with pytest.raises(vision.NoWindow, match=r"cannot load 'http://127.0.0.1:9/'"):
        BrowserScreen("http://127.0.0.1:9/", launch())


def test_the_command_plays_a_page(pages: str) -> None:
    """The command prints one JSON object per game; the learned looks go to standard error."""
    line = [sys.executable, "-c", "from sapper.cli import main; main()", "bot"]
    line += ["--url", pages, "--new-game", 'click "Deal again"', "--mines", "10", "--json"]
    line += ["--browser-path", str(installed_browser())]
    played = subprocess.run(line, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout)["result"] in ("won", "lost")
    assert "learning the looks of this page" in played.stderr
