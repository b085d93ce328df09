"""`sapper bot`: a bot plays the Minesweeper that stands on the screen."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sapper.cli.output import emit
from sapper.errors import BadSetting
from sapper.solver.bots import Bot, make_bot

if TYPE_CHECKING:
    from sapper.vision.playing import Outcome, Player

__all__ = ["EXAMPLE", "bot"]

EXAMPLE = "sapper bot --window sgt-mines --games 10 --log games"


def bot(
    window: Annotated[
        str | None,
        typer.Option(
            metavar="TITLE",
            help="A part of the window's title or class; needed where several show a board.",
        ),
    ] = None,
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How the program looks and is played: a theme's name, or the path of your own "
            "TOML file; found out where left out.",
        ),
    ] = None,
    player: Annotated[
        str, typer.Option("--bot", metavar="B", help="Who plays: a bot's name, or FILE.py:NAME.")
    ] = "exact",
    games: Annotated[int, typer.Option(metavar="N", min=1, help="How many games.")] = 1,
    mines: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="The mine total; where left out, a terminal's is read, a window's unknown.",
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep every position, choice and result there."),
    ] = None,
    terminal: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="Play a program of the terminal, started by this command, such as 'freesweep -f'.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a game.")] = False,
) -> int:
    """Play the Minesweeper of another program, by its pixels.

    The board is found, read and clicked through X11. Move the mouse, or press Ctrl-C, and the
    bot stops at once. What it cannot read surely stops it as well; with --log it leaves a
    picture of the cell.
    Exit status 1 where it stopped before the last game's end.
    """
    from sapper.vision.errors import NoWindow, PlayStopped, Unreadable

    chosen = make_bot(player)
    if terminal is not None and window is not None:
        raise BadSetting("--terminal and --window exclude each other")
    try:
        if terminal is not None:
            _in_terminal(terminal, theme, chosen, games, mines, log, as_json)
        else:
            _in_window(window, theme, chosen, games, mines, log, as_json)
    except (PlayStopped, Unreadable, NoWindow) as problem:
        from sapper.cli.output import complain

        complain(str(problem))
        return 1
    finally:
        if log is not None:
            _keep_run(log, player)
    return 0


def _in_window(
    title: str | None,
    theme: str | None,
    bot: Bot,
    games: int,
    mines: int | None,
    log: Path | None,
    as_json: bool,
) -> None:
    from sapper.vision.playing import Log, Player
    from sapper.vision.playing.window import WindowSurface, choose_window
    from sapper.vision.x11 import Screen

    with Screen() as screen:
        found, look = choose_window(screen, title, theme)
        surface = WindowSurface(screen, found, look)
        _play(Player(surface, bot, mines, Log(log)), games, as_json)


def _in_terminal(
    command: str,
    program: str | None,
    bot: Bot,
    games: int,
    mines: int | None,
    log: Path | None,
    as_json: bool,
) -> None:
    from sapper.vision.playing import Log
    from sapper.vision.terminal import TerminalPlayer, TerminalSurface, load_program

    known = None if program is None else load_program(program)
    with TerminalSurface(command, known) as surface:
        _play(TerminalPlayer(surface, bot, mines, Log(log)), games, as_json)


def _play(player: Player, games: int, as_json: bool) -> None:
    won = 0
    for number in range(1, games + 1):
        outcome = player.play()
        won += outcome.result == "won"
        if as_json:
            emit(_to_json(number, outcome))
        else:
            line = f"{number:>4}  {outcome.result:<4}  {outcome.clicks:>4} clicks"
            print(f"{line}  {outcome.guesses:>3} guesses", flush=True)
    if not as_json:
        print(f"won {won} of {games}")


def _keep_run(log: Path, bot: str) -> None:
    """Keep the log's games as a run that the lab reads, where the lab is installed."""
    from sapper.vision import MissingExtra
    from sapper.vision.playing.record import keep_run

    file = log / "games.jsonl"
    if file.exists():
        with suppress(MissingExtra):
            keep_run(file, log / "run", bot)


def _to_json(number: int, outcome: Outcome) -> dict[str, Any]:
    return {
        "game": number,
        "result": outcome.result,
        "clicks": outcome.clicks,
        "guesses": outcome.guesses,
        "risks": list(outcome.risks),
        "position": outcome.position.to_json(),
    }
