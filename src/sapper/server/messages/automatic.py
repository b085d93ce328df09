"""Automatic mode in messages from the server: the bot and its choices."""

from __future__ import annotations

from typing import TypedDict

from sapper.server.messages.values import Cell

__all__ = ["AutomaticState", "BotChoice", "LogEntry"]


class LogEntry(TypedDict):
    """An earlier choice of a bot.

    Attributes:
        number: Counted from 1 in each game.
        by: The method that decided.
        risk: The bot's estimate of the chance of a mine, or null.
        guess: Whether it is a guess.
        opens: The number of cells to open.
        marks: The number of cells to mark.
        first: The first of these cells, if there is one.
    """

    number: int
    by: str
    risk: float | None
    guess: bool
    opens: int
    marks: int
    first: list[Cell]


class BotChoice(TypedDict):
    """The current choice of a bot.

    Attributes:
        number: Counted from 1 in each game.
        by: The method that decided.
        risk: The bot's estimate of the chance of a mine, or null.
        guess: Whether it is a guess.
        opens: The cells to open, by index.
        marks: The cells to mark, by index.
    """

    number: int
    by: str
    risk: float | None
    guess: bool
    opens: list[int]
    marks: list[int]


class AutomaticState(TypedDict):
    """Automatic mode.

    Attributes:
        bot: The bot.
        delay_ms: Milliseconds between two actions; 0 plays as fast as the page draws.
        loop: Whether the bot starts another game after the end of one.
        running: Whether it plays.
        thinking: Whether it has been thinking for a while.
        problem: The reason why it stopped, or null.
        choice: Its current choice, or null.
        log: Its last choices in this game, oldest first.
        games: The number of games that it finished without the player.
        wins: The number of these games that it won.
    """

    bot: str
    delay_ms: int
    loop: bool
    running: bool
    thinking: bool
    problem: str | None
    choice: BotChoice | None
    log: list[LogEntry]
    games: int
    wins: int
