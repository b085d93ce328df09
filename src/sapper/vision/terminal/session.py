"""Play several games in a terminal with one call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sapper.solver.bots import Bot, BotFactory, make_bot
from sapper.vision.playing import Log, Outcome
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
) -> Iterator[Outcome]:
    """Play a text-mode program; yield each game when it is over.

    Args:
        command: The program's command line, such as ``freesweep -f -w 16 -h 16``.
        bot: Who plays, as `sapper.solver.bots.make_bot` takes it.
        games: Number of games.
        mines: The mine total; None reads it where it is written, else plays without.
        log: A directory for ``games.jsonl``.
        program: Its look and controls (default: found by the command's name).

    Raises:
        BadSetting: If there is no such bot or command, or nothing is known of the program.
        SapperError: If playing on would be wrong; see `TerminalPlayer.play`.
    """
    chosen = make_bot(bot)
    with TerminalSurface(command, program) as surface:
        player = TerminalPlayer(surface, chosen, mines, Log(log))
        for _ in range(games):
            yield player.play()
