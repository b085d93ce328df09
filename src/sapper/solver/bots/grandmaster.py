"""``grandmaster``: for analysis and hints, where a guess may take a fraction of a second.

Source: ours; docs/champion.md tells how it was made and how strong it is.
"""

from __future__ import annotations

from sapper.solver.bots._searching import SearchingBot
from sapper.solver.search.guesses import GRANDMASTER

__all__ = ["Grandmaster"]


class Grandmaster(SearchingBot):
    """As `champion`, over more cells, deeper, and with a larger exact end game."""

    effort = GRANDMASTER
