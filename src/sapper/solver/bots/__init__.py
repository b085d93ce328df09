"""Bots: players that see a position and choose what to do; one file per bot."""

from sapper.solver.bots.base import Answer, Bot, Choice, as_choice, begin
from sapper.solver.bots.loading import load
from sapper.solver.bots.methods import METHODS
from sapper.solver.bots.registry import BotFactory, bot_label, bots, make_bot, register

__all__ = [
    "METHODS",
    "Answer",
    "Bot",
    "BotFactory",
    "Choice",
    "as_choice",
    "begin",
    "bot_label",
    "bots",
    "load",
    "make_bot",
    "register",
]
