from __future__ import annotations

import pytest

from sapper.community import Rating, is_provisional, rated_game, rating_list
from sapper.community.ratings import LEAST_DEVIATION
from sapper.errors import BadSetting


def test_a_race_counts_as_a_game_against_each_other_player() -> None:
    """In Glickman's worked example, a win and two losses give 1464.06 and 151.52."""
    ratings = {
        "own": Rating(1500, 200, 0.06),
        "weak": Rating(1400, 30),
        "even": Rating(1550, 100),
        "strong": Rating(1700, 300),
    }
    places = {"strong": 1, "even": 2, "own": 3, "weak": 4}
    after = rated_game(ratings, places)["own"]
    # The paper rounds intermediate values.
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)


def test_equal_places_are_a_draw() -> None:
    """Equal players keep their ratings, which become more certain."""
    after = rated_game({"a": Rating(), "b": Rating()}, {"a": 1, "b": 1})
    assert after["a"] == after["b"]
    assert after["a"].rating == pytest.approx(1500)
    assert after["a"].deviation < 350


def test_a_rating_is_provisional_until_it_is_settled() -> None:
    """A rating settles after some games, but never becomes certain."""
    ratings, games = {"a": Rating(), "b": Rating()}, 0
    while is_provisional(ratings["a"]):
        ratings = rated_game(ratings, {"a": 1 + games % 2, "b": 2 - games % 2})
        games += 1
    assert 5 < games < 20
    for game in range(300):
        ratings = rated_game(ratings, {"a": 1 + game % 2, "b": 2 - game % 2})
    assert LEAST_DEVIATION <= ratings["a"].deviation < 65
    crowd = dict.fromkeys(range(50), Rating(1500, 60))
    after = rated_game(crowd, {player: player for player in crowd})
    assert after[25].deviation == LEAST_DEVIATION


def test_players_need_a_rating_and_lists_are_by_kind_and_level() -> None:
    """New players start with `Rating()`; equal levels have the same name."""
    with pytest.raises(BadSetting, match="'b' has none"):
        rated_game({"a": Rating()}, {"a": 1, "b": 2})
    assert rating_list("race", "30x16:99") == rating_list("race", "expert") == "race expert"
