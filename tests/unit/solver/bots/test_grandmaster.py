"""The bot `grandmaster` and its limits."""

from __future__ import annotations

from typing import Any

import pytest

from sapper.errors import BadSetting
from sapper.position import Position
from sapper.simulation import Match
from sapper.solver.bots import make_bot
from sapper.solver.bots.base import as_choice
from sapper.solver.search import optimal

RISKY = Position.parse("01111.\n02.222\n02.32.\n123..2\n1.2...", mines=7)
EARLY = Position.parse("\n".join(["1" + "." * 29] + ["." * 30] * 15), mines=99)


@pytest.mark.parametrize("options", [{"positions": 100_000}, {"seconds": 60.0}])
def test_few_arrangements_are_played_perfectly(options: dict[str, Any]) -> None:
    """Play is perfect within either limit."""
    choice = as_choice(make_bot("grandmaster", **options).choose(RISKY))
    assert {action.cell for action in choice.actions} <= optimal(RISKY).best


@pytest.mark.parametrize("positions", [1, 500, 10_000])
def test_position_limit_is_deterministic(positions: int) -> None:
    """Even if the limit allows no search, the bot makes a guess."""
    guesses = [make_bot("grandmaster", positions=positions).choose(EARLY) for _ in range(2)]
    assert guesses[0] == guesses[1]
    assert as_choice(guesses[0]).guess


def test_time_limit_stops_search() -> None:
    """The first search always runs; later ones run only if there is time left."""
    bot = make_bot("grandmaster", seconds=1e-9)
    assert bot.choose(EARLY) == make_bot("grandmaster", positions=1).choose(EARLY)


@pytest.mark.slow
def test_limits_disable_native_play() -> None:
    """Native play has no limits; in Python, matches with a limit repeat the same games."""
    limited = Match("grandmaster", "6x6:6", bot_options={"positions": 400})
    assert Match("grandmaster", "6x6:6").native
    assert not limited.native
    again = Match("grandmaster", "6x6:6", bot_options={"positions": 400})
    assert limited.play([1, 2]) == again.play([1, 2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seconds": 0}, "seconds must be a number above 0, got 0"),
        ({"positions": 0}, "positions must be a whole number of 1 or more, got 0"),
        ({"seconds": 1, "positions": 1}, "give grandmaster seconds or positions, not both"),
    ],
)
def test_invalid_limits_are_rejected(options: dict[str, Any], message: str) -> None:
    """The message lists the allowed values."""
    with pytest.raises(BadSetting, match=message):
        make_bot("grandmaster", **options)
