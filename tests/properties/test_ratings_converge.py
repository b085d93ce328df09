"""Ratings of players whose strength is known end up in the correct order."""

from __future__ import annotations

import random

import pytest

from sapper.community import Rating, is_provisional, rated_game

STRENGTHS = {f"player {index}": 900.0 + 250 * index for index in range(6)}


def race(names: list[str], rng: random.Random) -> dict[str, int]:
    """Return places drawn with the probabilities that the ratings imply.

    Each place goes to one of the remaining players, in proportion to 10 to the power of strength /
    400 (R. D. Luce, Individual Choice Behavior, 1959), which gives two players the same
    probabilities as Elo.
    """
    places, left = dict[str, int](), list(names)
    for place in range(1, len(names) + 1):
        weights = [10 ** (STRENGTHS[name] / 400) for name in left]
        [name] = rng.choices(left, weights)
        left.remove(name)
        places[name] = place
    return places


@pytest.mark.parametrize("size", [2, 4, 6])
@pytest.mark.parametrize("seed", range(4))
def test_simulated_players_end_in_the_order_of_their_strength(size: int, seed: int) -> None:
    """Players meet in games of two and in races, with at most 800 results each."""
    rng = random.Random(seed)
    names = list(STRENGTHS)
    ratings = dict.fromkeys(names, Rating())
    for _ in range(800 * len(names) // (size * max(1, size - 1))):
        drawn = rng.sample(names, size)
        ratings |= rated_game(ratings, race(drawn, rng))
    assert sorted(names, key=lambda name: ratings[name].rating) == names
    assert not any(map(is_provisional, ratings.values()))
    spread = ratings[names[-1]].rating - ratings[names[0]].rating
    assert spread == pytest.approx(1250, abs=350)
