"""`sapper bot`: play another program's Minesweeper window or terminal game."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sapper.cli.output import complain, emit
from sapper.errors import BadSetting, BotFailed
from sapper.solver.bots import Bot, make_bot
from sapper.stats import wilson

if TYPE_CHECKING:
    from sapper.vision.playing import Log, Outcome, Player

__all__ = ["EXAMPLE", "bot"]

EXAMPLE = "sapper bot --window sgt-mines --games 10 --log games"


@dataclass(frozen=True)
class _Wanted:
    """What to play and how to print it, wherever the games are played."""

    bot: Bot
    games: int
    mines: int | None
    log: Path | None
    as_json: bool

    def open_log(self) -> Log:
        """Return the log in the wanted directory; without one, nothing is written."""
        from sapper.vision.playing import Log

        return Log(self.log)


def bot(
    window: Annotated[
        str | None,
        typer.Option(
            metavar="TITLE",
            help="Part of the window's title or class (default: the only window with a board).",
        ),
    ] = None,
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Theme that describes the program: a name, the path of a TOML file, or none to "
            "learn its looks by playing (default: detected automatically).",
        ),
    ] = None,
    player: Annotated[
        str, typer.Option("--bot", metavar="B", help="Bot to run: a name or FILE.py:NAME.")
    ] = "exact",
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Number of games.")] = 1,
    mines: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Mine total (default: read from the program).",
        ),
    ] = None,
    save_theme: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="File for the theme that --theme none learns."),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Directory for a log of every position, choice and result."
        ),
    ] = None,
    terminal: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="Command of a text-mode program to start and play, such as 'freesweep -f'.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per game.")
    ] = False,
) -> int:
    """Play another program's Minesweeper window from its pixels.

    Find, read and click the board through X11. Move the mouse or press Ctrl-C to stop the bot.
    It also stops if a cell cannot be read; with --log, it saves a picture of that cell.
    Exit status 1 if the bot stopped before the last game ended, 2 if it could not start.
    """
    wanted = _Wanted(make_bot(player), games, mines, log, as_json)
    if terminal is not None and window is not None:
        raise BadSetting("--terminal and --window cannot be used together")
    if save_theme is not None and (theme not in (None, "none") or save_theme.suffix != ".toml"):
        raise BadSetting(
            f"--save-theme needs --theme none and a .toml file, got {str(save_theme)!r}"
        )
    try:
        if terminal is not None:
            return _in_terminal(terminal, theme, wanted)
        if theme == "none":
            return _unthemed(window, save_theme, wanted)
        return _in_window(window, theme, save_theme, wanted)
    finally:
        if log is not None:
            _keep_run(log, player)


def _in_window(title: str | None, theme: str | None, keep: Path | None, wanted: _Wanted) -> int:
    from sapper.vision.errors import NoWindow
    from sapper.vision.playing import Player
    from sapper.vision.playing.window import WindowSurface, choose_window
    from sapper.vision.x11 import X11Screen

    with X11Screen() as screen:
        try:
            found, look = choose_window(screen, title, theme)
        except NoWindow:
            # Without --window it could be any window, so play without a theme only if it was named.
            if theme is not None or title is None:
                raise
            return _unthemed(title, keep, wanted)
        surface = WindowSurface(screen, found, look)
        player = Player(surface, wanted.bot, wanted.mines, wanted.open_log(), complain)
        return _play(player, wanted)


def _unthemed(title: str | None, keep: Path | None, wanted: _Wanted) -> int:
    from sapper.vision.unthemed import UnthemedPlayer, UnthemedSurface, choose_board
    from sapper.vision.x11 import X11Screen

    with X11Screen() as screen:
        surface = UnthemedSurface(screen, choose_board(screen, title))
        complain("no theme: learning the looks of this window by playing")
        log = wanted.open_log()
        player = UnthemedPlayer(surface, wanted.bot, wanted.mines, log, complain, keep)
        return _play(player, wanted)


def _in_terminal(command: str, program: str | None, wanted: _Wanted) -> int:
    from sapper.vision.terminal import TerminalPlayer, TerminalSurface, load_program

    known = None if program is None else load_program(program)
    with TerminalSurface(command, known) as surface:
        player = TerminalPlayer(surface, wanted.bot, wanted.mines, wanted.open_log(), complain)
        return _play(player, wanted)


def _play(player: Player, wanted: _Wanted) -> int:
    """Play the games, print a line for each, and return the exit status."""
    from sapper.vision.errors import NoBoard, NoWindow, PlayStopped, Unreadable

    ended: list[Outcome] = []
    try:
        while len(ended) < wanted.games:
            ended.append(player.play())
            _tell(ended, wanted.as_json)
    except (BotFailed, NoBoard, NoWindow, PlayStopped, Unreadable) as problem:
        complain(str(problem))
        return 1
    finally:
        if ended and not wanted.as_json:
            print(_summary(ended), flush=True)
    return 0


def _tell(ended: list[Outcome], as_json: bool) -> None:
    last = ended[-1]
    if as_json:
        emit(_to_json(ended))
    else:
        line = f"{len(ended):>4}  {last.result:<4}  {last.clicks:>4} clicks"
        print(f"{line}  {last.guesses:>3} guesses", flush=True)


def _summary(ended: list[Outcome]) -> str:
    """Summarise all games in one line: ``won 3 of 4, 95 % interval 30.1-95.4 %; ...``."""
    won, seconds = _wins(ended), sum(outcome.seconds for outcome in ended)
    low, high = (100 * end for end in wilson(won, len(ended)))
    mines = ended[-1].position.mines
    total = "mine total unknown" if mines is None else f"{mines} mines, {ended[-1].total_from}"
    share = f"won {won} of {len(ended)}, 95 % interval {low:.1f}-{high:.1f} %"
    return f"{share}; {total}; {seconds:.1f} s"


def _wins(ended: list[Outcome]) -> int:
    return sum(outcome.result == "won" for outcome in ended)


def _keep_run(log: Path, bot: str) -> None:
    """Save the logged games as a lab run, if the lab is installed."""
    from sapper.errors import MissingExtra
    from sapper.vision.playing.record import keep_run

    file = log / "games.jsonl"
    if file.exists():
        with suppress(MissingExtra):
            keep_run(file, log / "run", bot)


def _to_json(ended: list[Outcome]) -> dict[str, Any]:
    """Return the last game and the number of wins so far as JSON."""
    last = ended[-1]
    return {
        "game": len(ended),
        "result": last.result,
        "won_so_far": _wins(ended),
        "clicks": last.clicks,
        "guesses": last.guesses,
        "risks": list(last.risks),
        "mines_from": last.total_from,
        "seconds": round(last.seconds, 3),
        "position": last.position.to_json(),
    }
