"""`sapper bot`: play another program's Minesweeper window, web page or terminal game."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sapper._util.shortening import shown
from sapper.cli import completing
from sapper.cli.bot_advice import advised
from sapper.cli.bot_games import play_games
from sapper.cli.bot_screen import ScreenChoice, ScreenKind, open_screen
from sapper.cli.output import complain
from sapper.cli.parsing import BotName
from sapper.cli.signatures import Option
from sapper.errors import BadSetting, SapperError
from sapper.solver.bots import Bot, make_bot

if TYPE_CHECKING:
    from sapper.vision.playing import Log
    from sapper.vision.screen import Screen

__all__ = ["EXAMPLE", "bot"]

EXAMPLE = "sapper bot --window sgt-mines --games 10 --log games"


@dataclass(frozen=True)
class _BotOptions:
    """Options for games and output, shared by all kinds of screens."""

    bot: Bot
    games: int
    mines: int | None
    log: Path | None
    as_json: bool
    screen: ScreenChoice
    title: str | None
    theme: str | None
    save_theme: Path | None
    new_game: tuple[str, ...]
    board: int | None
    place: str

    def advised(self, problem: SapperError, *, learning: bool | None = None) -> str:
        """Return an error message with its cause and advice."""
        learning = self.learns if learning is None else learning
        has_mines = self.mines is not None
        return advised(problem, self.place, mines=has_mines, learning=learning)

    @property
    def learns(self) -> bool:
        """Whether to learn the appearance of cells, starting with the first game."""
        return self.theme == "none" or (self.theme is None and self.place == "browser")

    def open_log(self) -> Log:
        """Return a log in the requested directory, or a log that writes nothing."""
        from sapper.vision.playing import Log

        return Log(self.log)


def bot(
    window: Annotated[
        str | None,
        Option(
            metavar="TITLE",
            help="Part of the window's title or class (default: the only window with a board).",
        ),
    ] = None,
    theme: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="Theme that describes the program: a name, the path of a TOML file, or none to "
            "learn its looks by playing (default: detected automatically).",
            autocompletion=completing.themes,
        ),
    ] = None,
    player: BotName = "exact",
    games: Annotated[int, Option("--games", "-n", metavar="N", min=1, help="Number of games.")] = 1,
    mines: Annotated[
        int | None,
        Option(
            metavar="N",
            min=0,
            help="Mine total (default: read from the program).",
        ),
    ] = None,
    save_theme: Annotated[
        Path | None,
        Option(metavar="FILE.toml", help="File for the theme that --theme none learns."),
    ] = None,
    log: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Directory for a log of every position, choice and result, and for pictures of "
            "the games played to learn a program's looks.",
        ),
    ] = None,
    terminal: Annotated[
        str | None,
        Option(
            metavar="COMMAND",
            help="Command of a text-mode program to start and play, such as 'freesweep -f'.",
        ),
    ] = None,
    url: Annotated[
        str | None,
        Option(metavar="URL", help="Address of a web page to play in a browser."),
    ] = None,
    screen: Annotated[
        ScreenKind | None,
        Option(
            metavar="KIND",
            help="Where to play: x11, desktop (mouse and keyboard of any system) or browser "
            "(default: browser with --url, x11 if available, else desktop).",
        ),
    ] = None,
    new_game: Annotated[
        list[str] | None,
        Option(
            metavar="WAY",
            help="How a game starts: 'key F2', 'click \"New game\"', 'click 120 40', 'face' or "
            "'reload'; steps are joined by ' then '. May be repeated; the ways are tried in order "
            "(default: detected automatically).",
        ),
    ] = None,
    board: Annotated[
        int | None,
        Option(
            metavar="N",
            min=1,
            help="Board to play if there are several, counted from the top left "
            "(default: the largest).",
        ),
    ] = None,
    visible: Annotated[bool, Option("--visible", help="Show the browser window.")] = False,
    browser_channel: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="Installed browser: chrome, msedge, ... (default: any Chromium found).",
        ),
    ] = None,
    browser_path: Annotated[
        Path | None,
        Option(metavar="PATH", help="Executable of a Chromium, Chrome or Edge."),
    ] = None,
    pixel_ratio: Annotated[
        float | None,
        Option(
            metavar="R",
            min=0.5,
            max=4.0,
            help="Device pixels per CSS pixel in the browser (default: 1, or 2 if the board "
            "cannot be read at 1).",
        ),
    ] = None,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object per game.")] = False,
) -> int:
    """Play Minesweeper in another program: in a window, on a web page or in a terminal.

    Find, read and click the board. Press Ctrl-C to stop the bot or, on a desktop, move the mouse.
    The bot also stops if it cannot read a cell; with --log, it saves a picture of that cell. The
    message states the cause and an option to try. Exit status 1 if the bot stopped before the last
    game ended, 2 if it could not start.
    """
    if sum(place is not None for place in (terminal, window, url)) > 1:
        raise BadSetting("--terminal, --window and --url cannot be used together")
    if terminal is not None:
        others = {"screen": screen, "new-game": new_game, "board": board, "save-theme": save_theme}
        for name, value in others.items():
            if value:
                raise BadSetting(f"--terminal and --{name} cannot be used together")
    if log is not None and log.exists() and not log.is_dir():
        raise BadSetting(f"--log needs a directory, and {shown(str(log))} is a file")
    if save_theme is not None and (theme not in (None, "none") or save_theme.suffix != ".toml"):
        raise BadSetting(
            f"--save-theme needs --theme none and a .toml file, got {str(save_theme)!r}"
        )
    ways = tuple(new_game or ())
    if ways:
        from sapper.vision.new_game import parse_way

        for way in ways:
            parse_way(way)
    choice = ScreenChoice.of(screen, url, visible, browser_channel, browser_path, pixel_ratio)
    options = _BotOptions(
        *(make_bot(player), games, mines, log, as_json, choice, window, theme, save_theme, ways),
        board,
        "terminal" if terminal is not None else str(choice.kind),
    )
    try:
        if terminal is not None:
            return _in_terminal(terminal, options)
        return _on_screen(options)
    except SapperError as problem:
        problem.args = (options.advised(problem),)
        raise
    finally:
        if log is not None:
            _keep_run(log, player)


def _on_screen(options: _BotOptions) -> int:
    """Play on a screen with a matching theme, or without a theme if none matches."""
    from sapper.vision.errors import NoWindow
    from sapper.vision.playing import Player
    from sapper.vision.playing.window import WindowSurface, choose_window

    with open_screen(options.screen) as screen:
        if not options.learns:
            try:
                window, theme = choose_window(screen, options.title, options.theme, options.board)
            except NoWindow:
                # Any window on the desktop could match, so learning needs a named window.
                named = options.title is not None or options.screen.kind == "desktop"
                if options.theme is not None or not named:
                    raise
            else:
                surface = WindowSurface(
                    screen, window, theme, new_game=options.new_game, board=options.board
                )
                log = options.open_log()
                player = Player(surface, options.bot, options.mines, log, complain)
                return play_games(player, options.games, options.advised, as_json=options.as_json)
        return _unthemed(screen, options)


def _unthemed(screen: Screen, options: _BotOptions) -> int:
    from sapper.vision.unthemed import UnthemedPlayer, UnthemedSurface, choose_board

    window = choose_board(screen, options.title)
    surface = UnthemedSurface(screen, window, new_game=options.new_game, board=options.board)
    what = "page" if options.screen.kind == "browser" else "window"
    complain(f"no theme: learning the looks of this {what} by playing")
    log = options.open_log()
    player = UnthemedPlayer(surface, options.bot, options.mines, log, complain, options.save_theme)
    learned = partial(options.advised, learning=True)
    return play_games(player, options.games, learned, as_json=options.as_json)


def _in_terminal(command: str, options: _BotOptions) -> int:
    from sapper.vision.terminal import TerminalPlayer, TerminalSurface, load_program

    program = None if options.theme is None else load_program(options.theme)
    with TerminalSurface(command, program) as surface:
        player = TerminalPlayer(surface, options.bot, options.mines, options.open_log(), complain)
        return play_games(player, options.games, options.advised, as_json=options.as_json)


def _keep_run(log: Path, bot: str) -> None:
    """Save the logged games as a lab run, if the lab is installed."""
    from sapper.errors import MissingExtra
    from sapper.vision.playing.record import keep_run

    file = log / "games.jsonl"
    if file.exists():
        with suppress(MissingExtra):
            keep_run(file, log / "run", bot)
