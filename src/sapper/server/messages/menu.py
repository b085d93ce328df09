"""The menu in messages from the server: the options on the page."""

from __future__ import annotations

from typing import Literal, TypedDict

__all__ = ["BotEntry", "FirstClickChoice", "Level", "Menu", "MenuChoice", "RuleOption", "RuleSet"]


class MenuChoice(TypedDict):
    """A menu option.

    Attributes:
        name: Its name in messages.
        label: Its label for players.
    """

    name: str
    label: str


class FirstClickChoice(MenuChoice):
    """A guarantee for the first click.

    Attributes:
        keeps_clear: The cells without mines: none, the first cell, or that cell and its neighbours.
    """

    keeps_clear: Literal["nothing", "cell", "neighbours"]


class Level(MenuChoice):
    """A level in the menu.

    Attributes:
        width: The number of columns.
        height: The number of rows.
        mines: The mine total.
    """

    width: int
    height: int
    mines: int


class RuleOption(MenuChoice):
    """An option of a rule set: a switch or a choice.

    Attributes:
        default: Its default.
        summary: Its description.
        choices: The choices; empty for a switch.
    """

    default: bool | str
    summary: str
    choices: list[MenuChoice]


class RuleSet(MenuChoice):
    """A rule set in the menu.

    Attributes:
        max_cells: The number of cells of the largest board that may be played.
        summary: Its description.
        first_clicks: The first-click guarantees that it allows.
        wins: The ways to win that it allows.
        options: Its options.
        aid: Its own overlay: `states`, `marks` or empty.
        invitation: The text of a button that offers these rules to new players; empty for most.
    """

    max_cells: int
    summary: str
    first_clicks: list[FirstClickChoice]
    wins: list[MenuChoice]
    options: list[RuleOption]
    aid: str
    invitation: str


class BotEntry(MenuChoice):
    """A bot in the menu.

    Attributes:
        summary: Its description.
    """

    summary: str


class OverlayChoice(MenuChoice):
    """An overlay in the menu.

    Attributes:
        summary: Its description.
        compact: Whether the page draws it from the chances of an `overlay`; otherwise it arrives
            as a `cover`.
    """

    summary: str
    compact: bool


class Menu(TypedDict):
    """The choices on the page, as `/api/menu` returns them.

    Attributes:
        levels: The levels.
        rules: The rule sets.
        chords: The conditions for chords.
        bots: The bots.
        overlays: The overlays.
    """

    levels: list[Level]
    rules: list[RuleSet]
    chords: list[MenuChoice]
    bots: list[BotEntry]
    overlays: list[OverlayChoice]
