"""`sapper tui`: play in the terminal."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from sapper.cli.parsing import TopologyName, shaped
from sapper.dealer import RULES, settings
from sapper.drawing import THEMES
from sapper.errors import BadSetting
from sapper.rules import FirstClick
from sapper.solver.bots import bots
from sapper.translation import LANGUAGES

__all__ = ["EXAMPLE", "tui"]

EXAMPLE = "sapper tui --level expert --rules kaboom"

_THEMES = tuple(dict.fromkeys(("dark", "light", "plain", *THEMES)))


def tui(
    level: Annotated[str, typer.Option(metavar="L", help="Level.")] = "beginner",
    topology: TopologyName = None,
    rules: Annotated[
        str, typer.Option(metavar="R", help=f"Rule set: {', '.join(RULES)}.")
    ] = "classic",
    first_click: Annotated[
        FirstClick | None,
        typer.Option(help="What the first click promises (default: opening, where possible)."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed of the first game (default: random).")
    ] = None,
    bot: Annotated[
        str, typer.Option(metavar="B", help=f"Bot of the automatic play: {', '.join(bots)}.")
    ] = "exact",
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help=f"Colours: {', '.join(_THEMES)} (default: dark, or plain if NO_COLOR is set).",
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help=f"Language: {', '.join(LANGUAGES)} (default: by LC_ALL, LC_MESSAGES or LANG).",
        ),
    ] = None,
) -> None:
    """Play in the terminal, with keyboard or mouse.

    All rule sets, hints with proofs, mine probabilities and automatic play. Press ? for all keys.
    Works from 40 columns and 20 rows on; larger boards scroll.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadSetting("sapper tui needs a terminal")
    if bot not in bots:
        raise BadSetting(f"unknown bot {bot!r:.80}; choose from: {', '.join(bots)}")
    if theme is not None and theme not in _THEMES:
        raise BadSetting(f"unknown theme {theme!r:.80}; choose from: {', '.join(_THEMES)}")
    if language is not None and language not in LANGUAGES:
        raise BadSetting(f"unknown language {language!r:.80}; choose from: {', '.join(LANGUAGES)}")
    known = RULES.get(rules)
    if first_click is None and known is not None and FirstClick.OPENING in known.first_clicks:
        first_click = FirstClick.OPENING
    made = settings(shaped(level, topology), rules, first_click=first_click, seed=seed)
    # Imported here because it takes long, and other commands work without Textual.
    from sapper.tui import SapperApp
    from sapper.tui.language import language_of

    SapperApp(made, theme, bot, language or language_of(os.environ)).run()
