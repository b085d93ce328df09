"""``swift``: the strongest play in about two milliseconds per game.

Source: our own; see docs/bots.md for its search and docs/bot-results.md for its strength.
"""

from __future__ import annotations

from sapper.solver.bots._searching import SearchingBot
from sapper.solver.search.guesses import SWIFT
from sapper.translation import t

__all__ = ["Swift"]


class Swift(SearchingBot):
    """Looks one guess ahead on a few cells, and plays small endgames perfectly."""

    label = t("Swift")

    effort = SWIFT
