"""Advice for each reason why `sapper bot` cannot start or stops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sapper._util.shortening import shortened
from sapper.errors import BotFailed, SapperError

if TYPE_CHECKING:
    from sapper.vision.errors import Cause

__all__ = ["ADVICE", "advised"]

ADVICE: Final = {
    "no-screen": "check with sapper doctor",
    "no-browser": "try --browser-path PATH of an installed Chromium, Chrome or Edge",
    "no-page": "open that address in a browser of your own first",
    "no-board": "try --window TITLE of the window, with its board in full view",
    "several": "try --window TITLE of one of them",
    "no-theme": "try --theme none, which learns its looks",
    "not-learned": "try --log DIR, which keeps the pictures of these games",
    "unreadable": "try --theme none, which learns its looks",
    "contradiction": "try --theme none, which learns its looks",
    "no-effect": "try --board N if there are several boards",
    "no-new-game": "try --new-game WAY, such as 'click 120 40'",
    "covered": "move that window off the board",
    "off-screen": "move the window into the screen",
    "resized": "leave its size as it is",
    "closed": "start the program again",
    "pointer": "leave the mouse alone, or play on a screen of its own with xvfb-run",
    "key": "try --new-game WAY with a click instead",
    "cursor": "try --theme FILE.toml with its cursor",
    "disagrees": "try --theme FILE.toml with what it says at the end of a game",
    "bot": "try --bot exact",
    "other": "try --log DIR, which keeps what was seen",
}
"""Advice for each cause, for every kind of screen."""
_WITH_MINES: Final = {"contradiction": "check --mines, or leave it out"}
_LEARNING: Final = {
    "unreadable": "try --log DIR, which keeps pictures of the cells",
    "contradiction": "try --log DIR, which keeps the pictures of the games",
}
_PLACES: Final = {
    "browser": {
        "no-board": "try --pixel-ratio 2",
        "not-learned": "try --pixel-ratio 2",
        "no-effect": "try --visible, which shows what the page does",
        "no-new-game": "try --new-game WAY, such as 'click \"Restart\"'",
        "off-screen": "try --board N of a smaller board",
        "closed": "try --visible, which shows what the page does",
    },
    "terminal": {
        "no-board": "try --theme FILE.toml with the looks of its cells",
        "unreadable": "try --theme FILE.toml with all looks of its cells",
        "contradiction": "try --theme FILE.toml with other looks of its cells",
        "no-effect": "try --theme FILE.toml with other keys",
        "no-new-game": "try --theme FILE.toml with another key for a new game",
    },
    "desktop": {"covered": "leave the board in full view", "several": "show one board only"},
}


def advised(
    problem: SapperError, place: str, *, mines: bool = False, learning: bool = False
) -> str:
    """Return an error message with its cause and one piece of advice.

    Args:
        problem: The error that stopped the bot.
        place: The kind of screen: ``x11``, ``desktop``, ``browser`` or ``terminal``.
        mines: Whether the mine total was given.
        learning: Whether the bot learned the appearance of the program's cells.
    """
    cause: Cause | str | None = getattr(problem, "cause", None)
    if cause is None and isinstance(problem, BotFailed):
        cause = "bot"
    if cause is None:
        return str(problem)
    advice = {
        **ADVICE,
        **(_LEARNING if learning else {}),
        **_PLACES.get(place, {}),
        **(_WITH_MINES if mines else {}),
    }
    # Messages are cut at 300 characters, so shorten the rest to keep the advice.
    return f"{shortened(' '.join(str(problem).split()), 190)} [{cause}]; {advice[str(cause)]}"
