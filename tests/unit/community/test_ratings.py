from __future__ import annotations

from random import Random

import pytest

from sapper._util.glicko2 import rated
from sapper.community import Rating, is_provisional, rated_game, rating_list
from sapper.errors import BadSetting
from support.marks import slow


def race(ratings: dict[int, Rating], order: list[int]) -> dict[int, Rating]:
    """Return the ratings after a race that ended in an order."""
    return rated_game(ratings, {player: place for place, player in enumerate(order, 1)})


def test_a_game_of_two_is_a_game_of_glicko_2() -> None:
    """With two players, only the constant volatility differs from Glickman's formulas."""
    own, other = Rating(1500, 200), Rating(1400, 30)
    # The opponent's deviation is used as it is, so that it must not grow before.
    after = rated_game({"own": own, "other": other}, {"own": 1, "other": 2})["own"]
    expected = rated(own, [(other, 1.0)])
    assert after.rating == pytest.approx(expected.rating, abs=0.01)
    assert after.deviation == pytest.approx(expected.deviation, abs=0.01)


def test_equal_places_are_a_draw() -> None:
    """Equal players keep their ratings, which become more certain."""
    after = rated_game({"a": Rating(), "b": Rating()}, {"a": 1, "b": 1})
    assert after["a"] == after["b"]
    assert after["a"].rating == pytest.approx(1500)
    assert after["a"].deviation < 350


@pytest.mark.parametrize("rounds", [100, slow(1000)])
def test_ratings_of_large_races_neither_explode_nor_crash(rounds: int) -> None:
    """After 16 rounds of 50, a profile showed 243,813, and 14 more raised OverflowError."""
    random, ratings = Random(7), dict.fromkeys(range(50), Rating())
    for _ in range(rounds):
        ratings = race(ratings, random.sample(range(50), 50))
    assert all(1200 < rating.rating < 1800 for rating in ratings.values())
    inside = [abs(one.rating - 1500) <= 1.96 * one.deviation for one in ratings.values()]
    assert sum(inside) >= 45


def test_one_race_settles_no_rating() -> None:
    """One race of 50 ended the provisional status."""
    after = race(dict.fromkeys(range(50), Rating()), list(range(50)))
    assert all(is_provisional(rating) for rating in after.values())
    assert after[0].rating > after[1].rating > after[49].rating


def test_a_rating_settles_after_some_games() -> None:
    """A rating is provisional at first, and never becomes certain."""
    ratings, games = {0: Rating(), 1: Rating()}, 0
    while is_provisional(ratings[0]):
        ratings = race(ratings, [games % 2, 1 - games % 2])
        games += 1
    assert 5 < games < 20
    for game in range(300):
        ratings = race(ratings, [game % 2, 1 - game % 2])
    assert 45 < ratings[0].deviation < 65


def test_the_order_of_the_players_does_not_matter() -> None:
    """A list can be computed again from its rounds, to the last digit."""
    random = Random(3)
    ratings = {
        n: Rating(1500 + 300 * random.random(), 40 + 200 * random.random()) for n in range(9)
    }
    places = {n: random.randrange(5) for n in range(9)}
    after = rated_game(ratings, places)
    for seed in range(5):
        order = Random(seed).sample(range(9), 9)
        assert rated_game({n: ratings[n] for n in order}, {n: places[n] for n in order}) == after


def test_rematches_against_the_same_player_count_less_each_time() -> None:
    """Twenty rematches against one's own second account raised a rating from 1500 to 1889."""
    pair = frozenset((0, 1))
    ratings = {0: Rating(1500, 80), 1: Rating(1500, 80)}
    first = race(ratings, [0, 1])[0].rating
    third = rated_game(ratings, {0: 1, 1: 2}, meetings={pair: 2})[0].rating
    assert third - 1500 == pytest.approx((first - 1500) / 3, rel=0.1)
    for meeting in range(20):
        ratings = rated_game(ratings, {0: 1, 1: 2}, meetings={pair: meeting})
    assert ratings[0].rating < 1600


def test_a_settled_player_ignores_newcomers() -> None:
    """New accounts neither raise nor lower a settled rating, and count the game themselves."""
    settled = Rating(1500, 60)
    after = race({0: settled, **dict.fromkeys(range(1, 50), Rating())}, list(range(50)))
    assert after[0] == settled
    assert after[1].deviation < 350
    assert after[49].rating < 1500


def test_a_rating_becomes_less_certain_with_time() -> None:
    """A pause adds uncertainty up to that of a new player, and never takes any away."""
    ratings = {0: Rating(1500, 60), 1: Rating(1500, 60)}
    played, paused, away, back = (
        rated_game(ratings, {0: 1, 1: 2}, idle_days={0: days})[0].deviation
        for days in (0, 100, 1e9, -5)
    )
    assert played == back < paused < away < 350


def test_players_need_a_rating_and_lists_are_by_kind_and_level() -> None:
    """New players start with `Rating()`; equal levels have the same name."""
    with pytest.raises(BadSetting, match="'b' has none"):
        rated_game({"a": Rating()}, {"a": 1, "b": 2})
    assert rating_list("race", "30x16:99") == rating_list("race", "expert") == "race expert"
    assert rated_game({"a": Rating(1500, 60)}, {"a": 1}) == {"a": Rating(1500, 60)}
