"""The bots by name, and how to create them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from sapper._util.foreign_errors import described, trace_of
from sapper._util.interrupt import is_interrupt
from sapper._util.registry import Registry, enter
from sapper._util.shortening import shortened, shown
from sapper.errors import BadSetting, BotFailed, SapperError
from sapper.solver.bots.autosweeper import Autosweeper
from sapper.solver.bots.base import Bot
from sapper.solver.bots.champion import Champion
from sapper.solver.bots.exact import Exact
from sapper.solver.bots.fair_evaluate import FairEvaluate
from sapper.solver.bots.grandmaster import Grandmaster
from sapper.solver.bots.groups import Groups
from sapper.solver.bots.kaboom_sat import KaboomSat
from sapper.solver.bots.loading import load
from sapper.solver.bots.lookahead import Lookahead
from sapper.solver.bots.optimal import Optimal
from sapper.solver.bots.swift import Swift
from sapper.translation import Text, in_words, label_of

__all__ = ["BotFactory", "bot_label", "bots", "make_bot", "register"]

BotFactory = Callable[..., Bot]
"""A bot's class, or a function that creates it; keyword arguments are the bot's options."""

ENGINE: Final = "engine:"
"""The start of the names of [engines](engine-protocol.md); the rest is the command."""

bots: Registry[BotFactory] = Registry(
    {
        "exact": Exact,
        "lookahead": Lookahead,
        "swift": Swift,
        "champion": Champion,
        "grandmaster": Grandmaster,
        "optimal": Optimal,
        "groups": Groups,
        "autosweeper": Autosweeper,
        "fair-evaluate": FairEvaluate,
        "kaboom-sat": KaboomSat,
    }
)
"""Every bot by name. The built-in bots are listed here; `register` adds others."""

_Factory = TypeVar("_Factory", bound=BotFactory)


def register(name: str) -> Callable[[_Factory], _Factory]:
    """Return a decorator that adds a bot's class, or a function that creates one, to `bots`.

    Raises:
        BadSetting: If the name is taken or not a name.
    """

    def add(factory: _Factory) -> _Factory:
        enter(bots, "bot", name, factory)
        return factory

    return add


def bot_label(name: str) -> Text:
    """Return a bot's name for players: its class's `label`, or its name in words.

    >>> bot_label("optimal"), bot_label("my_own-bot")
    ('Perfect endgame', 'My own bot')
    """
    label = getattr(bots.get(name), "label", None)
    return label_of(bots[name]) if label else in_words(name)


def make_bot(bot: str | Bot | BotFactory, **options: object) -> Bot:
    """Return a bot from its name, ``FILE.py:NAME``, ``engine:COMMAND``, a class or function.

    A bot is returned unchanged.

    >>> type(make_bot("exact")).__name__
    'Exact'

    Raises:
        BadSetting: If the bot or an option is unknown, or the object is not a bot.
        BotFailed: If the bot's class or function raises an exception.
    """
    if isinstance(bot, str):
        factory = bots.get(bot) or _loaded(bot)
    elif isinstance(bot, Bot) and not inspect.isclass(bot):
        if options:
            raise BadSetting("options need a bot name or class, not a bot object")
        return bot
    elif callable(bot):
        factory = bot
    else:
        raise BadSetting(f"{shown(bot)} is not a bot: it has no method choose(position)")
    _check_options(bot, factory, options)
    try:
        made = factory(**options)
    except BaseException as problem:
        # Errors raised by Sapper's own bots already name the wrong option.
        if isinstance(problem, SapperError) or is_interrupt(problem):
            raise
        raise BotFailed(f"{_named(bot)}: {described(problem)}", trace_of(problem)) from problem
    if not isinstance(made, Bot):
        raise BadSetting(
            f"{_named(bot)} returned {shown(made)}, which has no method choose(position)"
        )
    return made


def _loaded(name: str) -> BotFactory:
    if ":" not in name:
        raise BadSetting(
            f"unknown bot {shown(name)}; choose from: {', '.join(bots)}, FILE.py:NAME or "
            "engine:COMMAND"
        )
    if name.startswith(ENGINE):
        # Imported here because bots in this process do not need the code for engines.
        from sapper.solver.bots.engine import EngineBot

        return partial(EngineBot, name.removeprefix(ENGINE))
    return load(name)


def _check_options(bot: object, factory: BotFactory, options: dict[str, object]) -> None:
    try:
        signature = inspect.signature(factory)
    except ValueError:
        # Some built-in classes have no signature.
        return
    try:
        signature.bind(**options)
    except TypeError as problem:
        names = ", ".join(signature.parameters) or "none"
        raise BadSetting(f"{_named(bot)}: {problem}; its options: {names}") from None


def _named(bot: object) -> str:
    return (
        f"bot {shortened(str(bot if isinstance(bot, str) else getattr(bot, '__name__', bot)), 200)}"
    )
