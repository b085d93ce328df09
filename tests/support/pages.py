"""Local web pages, and a bot that compares its readings with each page's internal state."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sapper import Position
from sapper.rules import Level
from sapper.solver.bots import Answer
from sapper.solver.bots.base import begin
from sapper.vision.browser import BrowserScreen, Launch
from sapper.vision.browser.launch import installed_browser
from sapper.vision.unthemed import UnthemedPlayer, UnthemedSurface, choose_board
from support.losing_bot import LosingBot

__all__ = ["PageGame", "launch", "serve"]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Keep requests out of the test's output."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder on a free local port; yield its URL."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


class PageGame:
    """A page that the exact bot plays, learning its looks from scratch.

    Args:
        screen: The page.
        state: JavaScript that returns the rows of the page's own board.
        board: The index of the board on the page.
        new_game: The way to start a new game, if given.
        keep: The path for the learned theme.
        lose: Whether the bot loses every second game, starting with the second, by opening a
            proved mine.
    """

    def __init__(
        self,
        screen: BrowserScreen,
        state: str,
        board: int | None = None,
        new_game: tuple[str, ...] = (),
        keep: Path | None = None,
        lose: bool = False,
    ) -> None:
        self.totals = set[int | None]()
        self.cells, self.misread = 0, list[tuple[list[str], list[str]]]()
        self._screen, self._state = screen, state
        self._lose, self._bot = lose, LosingBot()
        surface = UnthemedSurface(screen, choose_board(screen), new_game=new_game, board=board)
        self.surface = surface
        self.player = UnthemedPlayer(surface, self, keep=keep)

    def begin(self, level: Level, seed: int) -> None:
        """Start a game for the bot."""
        begin(self._bot, level, seed)

    def choose(self, position: Position) -> Answer:
        """Compare each of the bot's positions with the page's internal state."""
        self.compare(position)
        return self._bot.choose(position)

    def compare(self, position: Position, *, over: bool = False) -> None:
        """Count the cells, and store the reading if it differs from the page's internal state."""
        rows, seen = self._screen.page.evaluate(self._state), position.rows
        self.cells += len(position.cells)
        if over:
            # Logic cannot tell whether the end of a game shows flags or mines.
            rows, seen = ([row.replace("F", "*") for row in board] for board in (rows, seen))
        if rows != seen:
            self.misread.append((rows, seen))

    def play(self, games: int) -> list[str]:
        """Play games to their end; return their results."""
        results = []
        for number in range(games):
            self._bot.losing = self._lose and number % 2 == 1
            outcome = self.player.play()
            self.compare(outcome.position, over=True)
            results.append(outcome.result)
            self.totals.add(outcome.position.mines)
        return results


def launch() -> Launch:
    """Return the tests' browser in headless mode."""
    return Launch(executable=installed_browser())
