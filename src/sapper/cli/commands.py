"""The commands of `sapper`, each imported when it is used."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, Final

import click

from sapper.cli.epilog import example
from sapper.cli.signatures import Group, command

__all__ = ["CommandGroup"]

# The commands in the order of `sapper --help`, each with its module and its line in that list.
_COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "play": ("play_command", "Play Minesweeper in the browser."),
    "serve": ("serve_command", "Serve the web app as a public site."),
    "site": ("site", "Write the game as a folder for any static web host."),
    "tui": ("tui", "Play in the terminal, with keyboard or mouse."),
    "analyze": ("analyze", "Compute the exact mine probability of every unopened cell."),
    "arrange": ("arrange", "Find an arrangement of mines that fits."),
    "hint": ("hint", "Suggest a cell to open: a proved safe one, or the least risky."),
    "generate": ("generate", "Generate random boards."),
    "read": ("read", "Print the position in a screenshot of a known program."),
    "review": ("review", "Review a saved game: risks taken and best choices."),
    "train": ("train", "Solve puzzles from real games, near your rating."),
    "bot": ("bot", "Play Minesweeper in windows, web pages and terminals."),
    "engine": ("engine", "Run a bot as an engine for other programs, or check an engine."),
    "bench": ("bench", "Measure the speed of the analysis and print its signature."),
    "doctor": ("doctor", "Check the installation on this machine."),
    "replay": ("replay", "Read, measure and convert games recorded by many programs."),
    "history": ("history", "Show, export, import and erase finished games."),
    "admin": ("admin", "Administer a server: people, announcements, saved games."),
    "lab": ("lab", "Measure bots: win rates, comparisons and calibration."),
}


class _Commands(MutableMapping[str, click.Command]):
    """The commands by name; each is imported on first access."""

    def __init__(self) -> None:
        self._loaded: dict[str, click.Command | None] = dict.fromkeys(_COMMANDS)

    def __getitem__(self, name: str) -> click.Command:
        loaded = self._loaded[name]
        if loaded is None:
            loaded = self._loaded[name] = _load(name)
        return loaded

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded)

    def __len__(self) -> int:
        return len(self._loaded)


class CommandGroup(Group):
    """The program, which imports only the command that is used, because importing all is slow."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


def _load(name: str) -> click.Command:
    """Import a command: the function of its name in the module, or the group `app`."""
    file, short_help = _COMMANDS[name]
    module = import_module(f"sapper.cli.{file}")
    if hasattr(module, "app"):
        group: click.Group = module.app
        group.short_help = short_help
        return group
    return command(
        getattr(module, name),
        name,
        epilog=example(module.EXAMPLE),
        short_help=short_help,
        context_settings=getattr(module, "CONTEXT", None),
    )
