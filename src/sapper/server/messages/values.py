"""Values that occur in messages in both directions."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from sapper.server.messages.checking import Checked

__all__ = ["AssistSettings", "Cell", "Mode", "OverlayKind", "Settings", "Status"]

Cell = tuple[int, int]
"""A row and a column, counted from 0."""
Status = Literal["ready", "playing", "won", "lost"]
Mode = Literal["solo", "assisted", "automatic"]
OverlayKind = Annotated[str, Checked("`none` or the name of an overlay", "string")]


class Settings(TypedDict):
    """Game settings.

    Attributes:
        level: A level, written as on the command line, such as `beginner` or `16x16:40/torus`.
        rules: The name of a rule set.
        first_click: The guarantee for the first click.
        win: The win condition.
        chord: The flags needed to chord a number.
        options: The options of the rule set.
    """

    level: str
    rules: str
    first_click: str
    win: str
    chord: str
    options: dict[str, bool | str]


class AssistSettings(TypedDict):
    """The help that is shown.

    Attributes:
        mode: Who plays: the player, the player with help, or a bot.
        overlay: The overlay on unopened cells in Assisted and Automatic.
        show_states: Whether Fair shows its evaluation of each cell.
        debug: Whether Kaboom shows its debug view.
    """

    mode: Mode
    overlay: OverlayKind
    show_states: bool
    debug: bool
