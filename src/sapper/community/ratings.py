"""Player ratings: one for each kind of room, level and set of rules.

The model is Glicko-2 with a constant volatility, in which a race carries the information of fewer
than three games, however many players it has: the results of one race depend on each other, so
counting every pair as a game would make ratings overconfident and wrong. docs/together.md states
the rules, and benchmarks/ratings.py measures them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import exp, fsum, pi, sqrt
from typing import Final, TypeVar

from sapper._util.glicko2 import Rating
from sapper.errors import BadSetting
from sapper.rules import Level

__all__ = [
    "MEETING_DAYS",
    "RATING_RULES",
    "SETTLED_DEVIATION",
    "expected_score",
    "is_provisional",
    "rated_game",
    "rating_list",
]

RATING_RULES: Final = 2
"""The version of the rules in this module, which is stored with every rated round."""
SETTLED_DEVIATION: Final = 110.0
"""A rating with a larger deviation is provisional."""
MEETING_DAYS: Final = 7
"""The k-th meeting of a pair within this number of days has 1/k of the weight."""

_SCALE: Final = 173.7178
"""Points of a rating in one unit of the Glicko-2 scale."""
_UNKNOWN: Final = Rating()
_VOLATILITY: Final = 0.06
_IDLE_DAYS_OF_A_GAME: Final = 5.0
"""Idle days that make a rating as uncertain as one game does: a fifth of its variance a day."""
_FARTHEST: Final = 20.0
"""Differences on the Glicko-2 scale are cut here, where the expected score is within 3e-9 of 1."""

_Player = TypeVar("_Player", bound=Hashable)


def rating_list(kind: str, level: Level | str, rules: str = "") -> str:
    """Return the name of the rating list for a game.

    >>> rating_list("race", "16x16:40")
    'race intermediate'
    >>> rating_list("race", "16x16:40", "classic out")
    'race intermediate classic out'

    Args:
        kind: The kind of room.
        level: The level.
        rules: The rules that differ from the usual ones; see `RaceSettings.rating_rules`.
    """
    return " ".join(filter(None, (kind, str(Level.of(level)), rules)))


def is_provisional(rating: Rating) -> bool:
    """Return whether a rating is still provisional.

    >>> is_provisional(Rating()), is_provisional(Rating(1500, 80))
    (True, False)
    """
    return rating.deviation > SETTLED_DEVIATION


def rated_game(
    ratings: Mapping[_Player, Rating],
    places: Mapping[_Player, int],
    *,
    idle_days: Mapping[_Player, float] | None = None,
    meetings: Mapping[frozenset[_Player], int] | None = None,
) -> dict[_Player, Rating]:
    """Return the ratings of all players after a game.

    Every pair of players is compared: the better place wins, and equal places are a draw. In a game
    of *n* players, a pair has the weight 3 / (n + 1), so two players play one game, and a race of
    any size carries the information of fewer than three. The result does not depend on the order of
    the players.

    - The k-th meeting of a pair within a week has 1/k of the weight.
    - A player with a settled rating ignores opponents with a provisional one.
    - The uncertainty that a game adds is scaled by the part of its weight that remains.

    >>> after = rated_game({"ann": Rating(), "bob": Rating()}, {"ann": 1, "bob": 2})
    >>> round(after["ann"].rating), round(after["bob"].rating)
    (1662, 1338)

    Args:
        ratings: The rating of each player before the game; `Rating()` for new ones.
        places: The place of each player.
        idle_days: Days since each player's last rated game in this list (default: 0). A rating
            becomes less certain with time.
        meetings: Number of earlier meetings of each pair in the last `MEETING_DAYS` days
            (default: none).

    Raises:
        BadSetting: If a player has no rating.
    """
    if missing := [player for player in places if player not in ratings]:
        raise BadSetting(f"every player needs a rating before the game, {missing[0]!r} has none")
    idle, met = idle_days or {}, meetings or {}
    before = {player: _aged(ratings[player], idle.get(player, 0.0)) for player in places}
    return {player: _after(player, before, places, met) for player in places}


def expected_score(own: Rating, other: Rating) -> float:
    """Return the expected score against another player, given the deviations of both.

    >>> expected_score(Rating(1700, 50), Rating(1500, 50)) > 0.7
    True
    """
    both = sqrt(own.deviation**2 + other.deviation**2)
    return _expectation(own, Rating(other.rating, both))[1]


def _aged(rating: Rating, days: float) -> Rating:
    """Return a rating after a number of days without a game."""
    if days <= 0:
        return Rating(rating.rating, rating.deviation, _VOLATILITY)
    variance = (rating.deviation / _SCALE) ** 2
    variance += _VOLATILITY**2 * days / _IDLE_DAYS_OF_A_GAME
    deviation = min(_UNKNOWN.deviation, _SCALE * sqrt(variance))
    return Rating(rating.rating, deviation, _VOLATILITY)


def _after(
    player: _Player,
    before: Mapping[_Player, Rating],
    places: Mapping[_Player, int],
    met: Mapping[frozenset[_Player], int],
) -> Rating:
    own, place = before[player], places[player]
    opponents = [other for other in places if other != player]
    full = 3 / (len(places) + 1)
    weights = {
        other: full / (1 + met.get(frozenset((player, other)), 0))
        for other in opponents
        if is_provisional(own) or not is_provisional(before[other])
    }
    if not weights:
        return own
    information, improvement = [], []
    for other, weight in weights.items():
        impact, expected = _expectation(own, before[other])
        score = (place < places[other]) + (place == places[other]) / 2
        information.append(weight * impact**2 * expected * (1 - expected))
        improvement.append(weight * impact * (score - expected))
    # The order of the players must not matter, and the order of a sum of floats does.
    kept = fsum(weights.values()) / (full * len(opponents))
    variance = (own.deviation / _SCALE) ** 2 + kept * _VOLATILITY**2
    variance = 1 / (1 / variance + fsum(information))
    return Rating(
        own.rating + _SCALE * variance * fsum(improvement),
        min(_UNKNOWN.deviation, _SCALE * sqrt(variance)),
        _VOLATILITY,
    )


def _expectation(own: Rating, other: Rating) -> tuple[float, float]:
    """Return the impact of a result against an opponent, and the expected score."""
    impact = 1 / sqrt(1 + 3 * (other.deviation / _SCALE) ** 2 / pi**2)
    lead = impact * (own.rating - other.rating) / _SCALE
    lead = max(-_FARTHEST, min(_FARTHEST, lead))
    return impact, 1 / (1 + exp(-lead))
