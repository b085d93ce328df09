"""``champion``: the strongest play in 25 milliseconds per game.

Source: our own; see docs/bots.md for its search and docs/bot-results.md for its strength.
"""

from __future__ import annotations

from sapper.solver.bots._searching import SearchingBot
from sapper.solver.search.guesses import CHAMPION
from sapper.translation import t

__all__ = ["Champion"]


class Champion(SearchingBot):
    """Looks one guess ahead, or two for the best cells, and plays endgames perfectly."""

    label = t("Champion")

    effort = CHAMPION
