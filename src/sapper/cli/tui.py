"""`sapper tui`: play in the terminal."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Final

from sapper._util.shortening import shown
from sapper.cli import completing
from sapper.cli.parsing import TopologyName, shaped
from sapper.cli.signatures import Option
from sapper.dealer import RULES, settings
from sapper.drawing import THEMES
from sapper.errors import BadSetting
from sapper.rules import FirstClick
from sapper.solver.bots import bots
from sapper.translation import LANGUAGES

if TYPE_CHECKING:
    from textual.app import App

__all__ = [
    *("EXAMPLE", "Language", "Theme", "check_looks", "need_terminal", "run_app"),
    "tui",
]

EXAMPLE = "sapper tui --level expert --rules kaboom"

_SIGNALLED: Final = 128
"""Shells add this to the number of the signal that ended a program."""

_THEMES = tuple(dict.fromkeys(("dark", "light", "plain", *THEMES)))

Theme = Annotated[
    str | None,
    Option(
        metavar="T",
        help=f"Colours: {', '.join(_THEMES)} (default: dark, or plain if NO_COLOR is set).",
        autocompletion=completing.one_of(_THEMES),
    ),
]
Language = Annotated[
    str | None,
    Option(
        metavar="CODE",
        help=f"Language: {', '.join(LANGUAGES)} (default: from LC_ALL, LC_MESSAGES or LANG).",
        autocompletion=completing.one_of(LANGUAGES),
    ),
]


def tui(
    level: Annotated[
        str,
        Option(
            metavar="L",
            help="Level: beginner, intermediate, expert, WIDTHxHEIGHT:MINES or "
            "WIDTHxHEIGHT@DENSITY.",
            autocompletion=completing.level_names,
        ),
    ] = "beginner",
    topology: TopologyName = None,
    rules: Annotated[
        str,
        Option(
            metavar="R",
            help=f"Rule set: {', '.join(RULES)}.",
            autocompletion=completing.rule_names,
        ),
    ] = "classic",
    first_click: Annotated[
        FirstClick | None,
        Option(
            metavar="P",
            help="Guarantee for the first click: any (none), safe or opening (default: opening, if "
            "the rule set supports it).",
        ),
    ] = None,
    seed: Annotated[
        int | None, Option(metavar="S", help="Seed of the first game (default: random).")
    ] = None,
    bot: Annotated[
        str,
        Option(
            metavar="B",
            help=f"Bot for automatic play: {', '.join(bots)}, or the name of an engine.",
            autocompletion=completing.bot_names,
        ),
    ] = "exact",
    engine: Annotated[
        list[str] | None,
        Option(
            metavar="NAME=COMMAND",
            help="Program that can be chosen as a bot; see docs/engine-protocol.md. May be "
            "repeated.",
        ),
    ] = None,
    theme: Theme = None,
    language: Language = None,
) -> int:
    """Play in the terminal, with keyboard or mouse.

    Supports all rule sets, hints with proofs, mine probabilities and automatic play. Press ? for
    all keys. Needs at least 40 columns and 20 rows; larger boards scroll.
    """
    need_terminal("sapper tui")
    if engine:
        # Imported here because other bots do not need the code for engines.
        from sapper.solver.bots.named_engines import add_engines

        add_engines(engine)
    if bot not in bots:
        raise BadSetting(f"unknown bot {shown(bot)}; choose from: {', '.join(bots)}")
    check_looks(theme, language)
    rule_set = RULES.get(rules)
    if first_click is None and rule_set is not None and FirstClick.OPENING in rule_set.first_clicks:
        first_click = FirstClick.OPENING
    game_settings = settings(shaped(level, topology), rules, first_click=first_click, seed=seed)
    # Imported here because the import is slow, and other commands work without Textual.
    from sapper.tui import SapperApp
    from sapper.tui.language import language_of

    return run_app(SapperApp(game_settings, theme, bot, language or language_of(os.environ)))


def need_terminal(command: str) -> None:
    """Reject input or output that is not a terminal, or one that only prints lines.

    Raises:
        BadSetting: If standard input or output is not such a terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadSetting(f"{command} needs a terminal")
    if os.environ.get("TERM") == "dumb":
        raise BadSetting(f"{command} needs a terminal with a cursor that moves, but TERM is dumb")


def check_looks(theme: str | None, language: str | None) -> None:
    """Reject an unknown theme or language.

    Raises:
        BadSetting: If the theme or language does not exist.
    """
    if theme is not None and theme not in _THEMES:
        raise BadSetting(f"unknown theme {shown(theme)}; choose from: {', '.join(_THEMES)}")
    if language is not None and language not in LANGUAGES:
        raise BadSetting(f"unknown language {shown(language)}; choose from: {', '.join(LANGUAGES)}")


def run_app(app: App[None]) -> int:
    """Run the app, and return the exit status.

    A signal ends the app in the same way as its quit key. An exception during its clean-up would
    leave the terminal unusable or a thread waiting for keys forever.
    """
    ended = 0

    def end(number: int) -> None:
        nonlocal ended
        ended = _SIGNALLED + number
        app.exit()

    async def play() -> None:
        loop = asyncio.get_running_loop()
        # Windows does not support signal handlers.
        with suppress(NotImplementedError):
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, end, number)
        await app.run_async()

    asyncio.run(play())
    return ended
