"""The status line above the board: as much as fits, the most important first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from sapper.game import Game
from sapper.translation import Catalogue, t
from sapper.tui.labels import STATUSES, level_text

__all__ = ["fitting", "status_line"]


def status_line(game: Game, bot: str, width: int, words: Catalogue) -> str:
    """Return mines left, time, status, level, rules and bot.

    Args:
        game: The game.
        bot: Name of the bot that is playing, or empty.
        width: Columns of the screen. Rules are dropped first, then the level, then the status.
        words: The language.
    """
    left = "?" if game.mines_left is None else game.mines_left
    mines = t("Mines {left}", left=left)
    seconds = t("{seconds} s", seconds=int(game.clock.player_s))
    status, level = STATUSES[game.status], level_text(game.level)
    rules = level_text(game.level, game.rules)
    plays = t("{bot} plays", bot=bot) if bot else None
    choices = (
        (mines, seconds, status, rules, plays),
        (mines, seconds, status, level, plays),
        (mines, seconds, status, plays),
        (mines, seconds, plays or status),
        (mines, seconds),
    )
    return fitting(choices, width, words)


def fitting(choices: Iterable[Sequence[str | None]], width: int, words: Catalogue) -> str:
    """Return the first line that fits, otherwise the last one; parts that are None are skipped."""
    line = ""
    for parts in choices:
        line = " | ".join(words.text(part) for part in parts if part is not None)
        if cell_len(line) <= width:
            break
    return line
