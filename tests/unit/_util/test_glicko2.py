from __future__ import annotations

import pytest

from sapper._util.glicko2 import Rating, rated

# Source: the worked example of M. E. Glickman, "Example of the Glicko-2 system" (2013), which
# rounds intermediate values; the tolerance is therefore one unit of the last digit.
OWN = Rating(1500, 200, 0.06)
RESULTS = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]


def test_worked_example_from_the_paper() -> None:
    """Three games in one period give 1464.06, 151.52 and 0.05999."""
    after = rated(OWN, RESULTS)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_period_without_games_widens_deviation() -> None:
    """The deviation grows with the volatility, up to a maximum of 350."""
    after = rated(OWN, [])
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(200.2714, abs=0.0001)
    assert rated(Rating(), []).deviation == 350


def test_unexpected_result_raises_volatility() -> None:
    """A player with a certain rating who beats a far stronger one becomes less predictable."""
    own = Rating(1500, 40)
    assert rated(own, [(Rating(2600, 30), 1.0)] * 3).volatility > own.volatility
    assert rated(own, [(Rating(1500, 30), 0.5)]).volatility < own.volatility


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_ratings_move_in_opposite_directions(score: float) -> None:
    """If one rating rises, the other falls."""
    player, puzzle = Rating(1200, 100), Rating(1300, 100)
    up = rated(player, [(puzzle, score)]).rating - player.rating
    down = rated(puzzle, [(player, 1 - score)]).rating - puzzle.rating
    assert up * down < 0
    assert (up > 0) == (score == 1.0)
