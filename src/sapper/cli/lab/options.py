"""Options shared by the lab commands."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from sapper.cli import completing
from sapper.cli.parsing import BotName, parse_cell
from sapper.cli.signatures import Option
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from sapper.lab.spec import Spec

__all__ = [
    "Bot",
    "BotSeconds",
    "Dask",
    "FirstClickText",
    "GameOptions",
    "Games",
    "Json",
    "LevelText",
    "OptionTexts",
    "Out",
    "Plot",
    "ResumeRuns",
    "RuleTexts",
    "Rules",
    "Seed",
    "StartText",
    "Workers",
]

Bot = BotName
LevelText = Annotated[
    str,
    Option(
        "--level",
        metavar="L",
        help="Level: beginner, intermediate, expert, WIDTHxHEIGHT:MINES or WIDTHxHEIGHT@DENSITY.",
        autocompletion=completing.level_names,
    ),
]
Rules = Annotated[
    str,
    Option("--rules", metavar="R", help="Rule set.", autocompletion=completing.rule_names),
]
FirstClickText = Annotated[
    str | None,
    Option(
        "--first-click",
        metavar="P",
        help="Guarantee for the first click: any (none), safe or opening (default: the rule "
        "set's).",
        autocompletion=completing.first_clicks,
    ),
]
StartText = Annotated[
    str,
    Option("--start", metavar="R,C", help="Cell of the first click; `bot` lets the bot choose it."),
]
Games = Annotated[int, Option("-n", metavar="GAMES", min=0, help="Number of games.")]
Seed = Annotated[
    int, Option("--seed", metavar="S", help="Seed of the first game; game i has seed S + i.")
]
OptionTexts = Annotated[
    list[str] | None,
    Option("--option", metavar="NAME=VALUE", help="Option of the bot; may be repeated."),
]
RuleTexts = Annotated[
    list[str] | None,
    Option("--rule", metavar="NAME=VALUE", help="Option of the rule set; may be repeated."),
]
Workers = Annotated[
    int | None,
    Option("--workers", metavar="K", min=1, help="Number of processes (default: one per core)."),
]
Dask = Annotated[
    str | None,
    Option("--dask", metavar="ADDRESS", help="Dask scheduler to run on: tcp://HOST:PORT."),
]
BotSeconds = Annotated[
    float,
    Option("--bot-seconds", metavar="T", help="Time limit for one choice of a bot, in seconds."),
]
Out = Annotated[str | None, Option("--out", metavar="DIR", help="Directory to save the games in.")]
ResumeRuns = Annotated[bool, Option("--resume", help="Resume the runs in --out, if any.")]
Plot = Annotated[
    str | None,
    Option("--plot", metavar="FILE", help="Plot to write, as .png, .svg or .pdf."),
]
Json = Annotated[bool, Option("--json", help="Print one JSON object.")]


def check_plot(plot: str | None) -> None:
    """Reject an unsupported plot format before any game is played.

    Raises:
        BadSetting: If --plot does not name a .png, .svg or .pdf file.
    """
    if plot is not None:
        from sapper.lab.plots import check_kind

        check_kind(plot)


def check_out(out: str | None, resume: bool) -> None:
    """Reject --out without a name, and --resume without a directory.

    Raises:
        BadSetting: If --out is empty, or --resume is given without --out.
    """
    if out == "":
        raise BadSetting("--out needs the name of a directory, got ''")
    if resume and out is None:
        raise BadSetting("--resume needs --out DIR, the directory of the run to resume")


@dataclass(frozen=True)
class GameOptions:
    """Game settings as given on the command line."""

    level: str
    rules: str
    first_click: str | None
    start: str
    rule_options: list[str] | None
    seed: int
    games: int

    def spec(self, bot: str, options: list[str] | None = None) -> Spec:
        """Return the run of one bot: a name, or a name with options (``autosweeper,sound=true``).

        Raises:
            SapperError: If the settings are invalid or the bot is unknown.
        """
        from sapper.lab.spec import Spec, parse_option
        from sapper.simulation.match import Match

        bot, *inline = bot.split(",")
        rules: dict[str, Any] = dict(map(parse_option, self.rule_options or []))
        # Keep anything a bot file prints from reaching standard output.
        with redirect_stdout(sys.stderr):
            match = Match(
                bot=bot,
                level=self.level,
                rules=self.rules,
                first_click=self.first_click,
                start=None if self.start == "bot" else parse_cell(self.start, "--start"),
                rule_options=rules,
                bot_options=dict(map(parse_option, [*inline, *(options or [])])),
            )
        return Spec(match, self.seed, self.games)
