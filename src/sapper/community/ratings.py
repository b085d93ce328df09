"""Player ratings: one for each kind of room and level."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from sapper._util.glicko2 import Rating, rated
from sapper.errors import BadSetting
from sapper.rules import Level

__all__ = ["LEAST_DEVIATION", "SETTLED_DEVIATION", "is_provisional", "rated_game", "rating_list"]

SETTLED_DEVIATION: Final = 110.0
"""A rating with a larger deviation is provisional."""
LEAST_DEVIATION: Final = 45.0
"""Deviations do not fall below this, because the results of one race are not independent."""

_Player = TypeVar("_Player", bound=Hashable)


def rating_list(kind: str, level: Level | str) -> str:
    """Return the name of the rating list for a game.

    >>> rating_list("race", "16x16:40")
    'race intermediate'
    """
    return f"{kind} {Level.of(level)}"


def is_provisional(rating: Rating) -> bool:
    """Return whether a rating is still provisional.

    >>> is_provisional(Rating()), is_provisional(Rating(1500, 80))
    (True, False)
    """
    return rating.deviation > SETTLED_DEVIATION


def rated_game(
    ratings: Mapping[_Player, Rating], places: Mapping[_Player, int]
) -> dict[_Player, Rating]:
    """Return the ratings of all players after a game.

    Every pair of players counts as a game: the better place wins, and equal places are a draw. The
    entire game is one rating period.

    >>> after = rated_game({"ann": Rating(), "bob": Rating()}, {"ann": 1, "bob": 2})
    >>> round(after["ann"].rating), round(after["bob"].rating)
    (1662, 1338)

    Args:
        ratings: The rating of each player before the game; `Rating()` for new ones.
        places: The place of each player.

    Raises:
        BadSetting: If a player has no rating.
    """
    if missing := [player for player in places if player not in ratings]:
        raise BadSetting(f"every player needs a rating before the game, {missing[0]!r} has none")
    after = {}
    for player, place in places.items():
        results = [
            (ratings[other], (place < theirs) + (place == theirs) / 2)
            for other, theirs in places.items()
            if other != player
        ]
        new = rated(ratings[player], results)
        after[player] = replace(new, deviation=max(LEAST_DEVIATION, new.deviation))
    return after
