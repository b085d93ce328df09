"""Options that the commands of the lab share, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sapper.cli.parsing import parse_cell

if TYPE_CHECKING:
    from sapper.lab.spec import Spec

__all__ = [
    "BotSeconds",
    "Dask",
    "FirstClickText",
    "Games",
    "Json",
    "LevelText",
    "OptionTexts",
    "Out",
    "Plot",
    "RuleTexts",
    "Rules",
    "Seed",
    "StartText",
    "Wanted",
    "Workers",
]

LevelText = Annotated[
    str,
    typer.Option(
        "--level",
        metavar="L",
        help="beginner, intermediate, expert, WIDTHxHEIGHT:MINES or WIDTHxHEIGHT@DENSITY.",
    ),
]
Rules = Annotated[str, typer.Option("--rules", metavar="R", help="The rule set.")]
FirstClickText = Annotated[
    str | None,
    typer.Option(
        "--first-click",
        metavar="P",
        help="What the first click promises: any (nothing), safe or opening (default: the rule "
        "set's own).",
    ),
]
StartText = Annotated[
    str,
    typer.Option(
        "--start", metavar="R,C", help="The cell of the first click; `bot` lets the bot choose it."
    ),
]
Games = Annotated[int, typer.Option("-n", metavar="GAMES", min=0, help="How many games.")]
Seed = Annotated[
    int, typer.Option("--seed", metavar="S", help="The first game's seed; game i has S + i.")
]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the bot; may be repeated."),
]
RuleTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="NAME=VALUE", help="An option of the rule set; may be repeated."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="K", min=1, help="Processes; one a core where left out."),
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDRESS", help="Play on the cluster of this scheduler: tcp://HOST:PORT."
    ),
]
BotSeconds = Annotated[
    float,
    typer.Option(
        "--bot-seconds", metavar="T", help="How long one choice of a bot may take, in seconds."
    ),
]
Out = Annotated[
    str | None, typer.Option("--out", metavar="DIR", help="The directory to keep games in.")
]
Plot = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", help="Draw it, as .png, .svg or .pdf."),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]


@dataclass(frozen=True)
class Wanted:
    """The settings of games, as they were written."""

    level: str
    rules: str
    first_click: str | None
    start: str
    rule_options: list[str] | None
    seed: int
    games: int

    def spec(self, bot: str, options: list[str] | None = None) -> Spec:
        """A run of one bot, named with its options or without: ``autosweeper,sound=true``.

        Raises:
            SapperError: If the settings make no game, or there is no such bot.
        """
        from sapper.lab.spec import Spec, parse_option
        from sapper.simulation.match import Match

        bot, *inline = bot.split(",")
        rules: dict[str, Any] = dict(map(parse_option, self.rule_options or []))
        match = Match(
            bot=bot,
            level=self.level,
            rules=self.rules,
            first_click=self.first_click,
            start=None if self.start == "bot" else parse_cell(self.start, "--start"),
            rule_options=rules,
            options=dict(map(parse_option, [*inline, *(options or [])])),
        )
        return Spec(match, self.seed, self.games)
