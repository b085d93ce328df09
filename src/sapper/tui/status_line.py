"""The line above the board: as much as fits, the most important first."""

from __future__ import annotations

from sapper.game import Game

__all__ = ["status_line"]


def status_line(game: Game, bot: str, width: int) -> str:
    """Return mines left, time, state, level and rules, and the bot that is playing.

    Args:
        game: The game.
        bot: The bot that is playing, or empty.
        width: Columns of the screen. Rules are left out first, then the level, then the state.
    """
    mines = f"Mines {'?' if game.mines_left is None else game.mines_left}"
    seconds, status, level = f"{int(game.clock.player_s)} s", str(game.status), str(game.level)
    plays = f"{bot} plays" if bot else ""
    text = ""
    for parts in (
        (mines, seconds, status, f"{level} {game.settings.rules}", plays),
        (mines, seconds, status, level, plays),
        (mines, seconds, status, plays),
        (mines, seconds, plays or status),
        (mines, seconds),
    ):
        text = " | ".join(filter(None, parts))
        if len(text) <= width:
            break
    return text
