from __future__ import annotations

import pytest

from sapper.dealer import settings
from sapper.game import Game
from sapper.translation import catalogue
from sapper.tui.status_line import status_line


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, "Mines 99 | 0 s | Ready | Expert · Kaboom | kaboom-sat plays"),
        (50, "Mines 99 | 0 s | Ready | Expert | kaboom-sat plays"),
        (41, "Mines 99 | 0 s | Ready | kaboom-sat plays"),
        (34, "Mines 99 | 0 s | kaboom-sat plays"),
        (20, "Mines 99 | 0 s"),
    ],
)
def test_items_that_do_not_fit_are_dropped(width: int, shown: str) -> None:
    """The rules go first, then the level, then the status; mines and time always stay."""
    game = Game.begin(settings("expert", "kaboom", seed=1), time=lambda: 0.0)
    assert status_line(game, "kaboom-sat", width, catalogue("en")) == shown


def test_state_is_shown_without_a_bot() -> None:
    """At 40 columns, an Expert game shows everything except the rules."""
    game = Game.begin(settings("30x16:99", "windows-xp", seed=1), time=lambda: 0.0)
    assert status_line(game, "", 40, catalogue("en")) == "Mines 99 | 0 s | Ready | Expert"
