"""Play games in a terminal, and check each against its final board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from sapper._util.shortening import joined
from sapper.errors import SapperError
from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.solver.bots import Bot
from sapper.solver.bots.base import around
from sapper.topology import Cell
from sapper.vision.errors import Cause, PlayStopped
from sapper.vision.playing import Log, Player, WindowGame
from sapper.vision.terminal.bot import Accustomed
from sapper.vision.terminal.surface import TerminalSurface

__all__ = ["TerminalPlayer", "contradictions"]

_MINES = (EXPLODED + FLAGGED).encode()
_ZERO, _EIGHT = b"08"


class TerminalPlayer(Player):
    """A bot that plays a text-mode program.

    Args:
        surface: The program.
        bot: The bot.
        mines: The mine total; None reads it from the screen if possible.
        log: The log of games.
        warn: Called with a message if the program shows a different total from `mines`.
        name: Name of the bot in errors (default: its class).
    """

    def __init__(
        self,
        surface: TerminalSurface,
        bot: Bot,
        mines: int | None = None,
        log: Log | None = None,
        warn: Callable[[str], None] | None = None,
        name: str | None = None,
    ) -> None:
        self._terminal, self._log = surface, log or Log(None)
        ways = surface.program
        start = surface.start if ways.free_start else None
        chosen = Accustomed(bot, start, keep_flags=ways.won_by_flags)
        super().__init__(surface, chosen, mines, self._log, warn, name or type(bot).__name__)

    def play(self) -> WindowGame:
        """Play one game to its end, which the program must confirm.

        Raises:
            SapperError: As in `Player.play`; also `PlayStopped` if the end contradicts the reading.
                The terminal's text is saved in a file named in the message.
        """
        try:
            outcome = super().play()
            self._confirm(outcome)
        except SapperError as problem:
            problem.args = (f"{problem}; the screen is kept in {self._keep()}", *problem.args[1:])
            raise
        return outcome

    def _confirm(self, outcome: WindowGame) -> None:
        before = outcome.position
        try:
            self._terminal.settle(outcome.result)
            after = self._terminal.look().position
            wrong = contradictions(after, before.mines, won=outcome.result == "won")
            if wrong:
                raise PlayStopped(
                    f"cells were misread, as the end of the game shows: {joined(wrong)}",
                    Cause.CONTRADICTION,
                )
        except SapperError as problem:
            self._log.stop(problem, before)
            raise

    def _keep(self) -> Path:
        """Save the text of the terminal."""
        folder = self._log.folder or Path(mkdtemp(prefix="sapper-"))
        path = folder / "screen.txt"
        path.write_text(self._terminal.console.text + "\n", "utf-8")
        return path


def contradictions(end: Position, mines: int | None, *, won: bool) -> list[Cell]:
    """Return the cells of a finished game whose numbers contradict the visible mines.

    Args:
        end: The board with all mines visible: opened after a loss, flagged after a win.
        mines: The total. If the number of visible mines differs, all of them are returned.
        won: Whether the game was won. If it was won, every other cell must be open; if no mine is
            visible, the unopened cells are the mines.
    """
    cells, shape = end.cells, end.topology
    if won and not any(look in _MINES for look in cells):
        cells = cells.replace(UNOPENED.encode(), FLAGGED.encode())
    mines_shown = [index for index, look in enumerate(cells) if look in _MINES]
    wrong = mines_shown if mines is not None and len(mines_shown) != mines else []
    if won:
        wrong += [index for index, look in enumerate(cells) if look == UNOPENED.encode()[0]]
    for index, near in enumerate(around(shape)):
        if _ZERO <= cells[index] <= _EIGHT:
            number = sum(cells[n] in _MINES for n in near)
            if number != cells[index] - _ZERO:
                wrong.append(index)
    return [shape.cell(index) for index in wrong]
