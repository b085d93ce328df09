"""``swift``: the strongest play at about a millisecond a game.

Source: ours; docs/champion.md tells how it was made and how strong it is.
"""

from __future__ import annotations

from sapper.solver.bots._searching import SearchingBot
from sapper.solver.search.guesses import SWIFT

__all__ = ["Swift"]


class Swift(SearchingBot):
    """One guess ahead, over few cells, with a small exact end game."""

    effort = SWIFT
