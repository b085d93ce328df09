"""``grandmaster``: for analysis and hints, where a guess may take a fraction of a second.

Source: ours; see docs/champion.md for its training and strength.
"""

from __future__ import annotations

from sapper.solver.bots._searching import SearchingBot
from sapper.solver.search.guesses import GRANDMASTER

__all__ = ["Grandmaster"]


class Grandmaster(SearchingBot):
    """As `champion`, over more cells, deeper, and with a larger exact end game."""

    effort = GRANDMASTER
