"""The status line above the board: as much as fits, the most important first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from sapper.dealer import rules_label
from sapper.game import Game, Status
from sapper.rules import Level, level_label
from sapper.translation import Catalogue, Text, t

__all__ = ["fitting", "level_and_rules", "over_text", "status_line"]


def status_line(game: Game, bot: str, width: int, words: Catalogue) -> str:
    """Return the remaining mines, time, status, level, rules and bot.

    Args:
        game: The game.
        bot: Name of the bot that is playing, or empty.
        width: Columns of the screen. Rules are dropped first, then the level, then the status.
        words: The language.
    """
    left = "?" if game.mines_left is None else game.mines_left
    mines = t("Mines {left}", left=left)
    seconds = t("{seconds} s", seconds=int(game.clock.player_s))
    status, level = game.status.label, level_label(game.level)
    rules = level_and_rules(game.level, game.rules)
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


def level_and_rules(level: Level | str, rules: str) -> Text:
    """Return a level and a rule set for players.

    >>> level_and_rules("beginner", "kaboom")
    'Beginner · Kaboom'
    """
    return Text("{level} · {rules}", {"level": level_label(level), "rules": rules_label(rules)})


def over_text(game: Game) -> Text:
    """Return the result of a finished game."""
    return t("The game is won.") if game.status is Status.WON else t("The game is lost.")
