"""Play several games in a terminal with one call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sapper.solver.bots import Bot, BotFactory, make_bot
from sapper.vision.playing import Log, WindowGame
from sapper.vision.terminal.player import TerminalPlayer
from sapper.vision.terminal.program import TextProgram
from sapper.vision.terminal.surface import TerminalSurface

__all__ = ["play"]


def play(
    command: str,
    bot: str | Bot | BotFactory = "exact",
    games: int = 1,
    *,
    mines: int | None = None,
    log: Path | None = None,
    program: TextProgram | None = None,
) -> Iterator[WindowGame]:
    """Play a text-mode program and yield the outcome of each game.

    Args:
        command: Command line of the program, such as ``freesweep -f -w 16 -h 16``.
        bot: The bot, as in `sapper.solver.bots.make_bot`.
        games: Number of games.
        mines: The mine total; None reads it from the screen if possible.
        log: Directory for ``games.jsonl``.
        program: Looks and controls of the program (default: looked up by the command's name).

    Raises:
        BadSetting: If the bot or command does not exist, or the program is unknown.
        SapperError: If play must stop; see `TerminalPlayer.play`.
    """
    chosen = make_bot(bot)
    with TerminalSurface(command, program) as surface:
        player = TerminalPlayer(surface, chosen, mines, Log(log))
        for _ in range(games):
            yield player.play()
