"""Bots play on every topology, and bots that search play under every rule set."""

from __future__ import annotations

import pytest

from sapper.dealer import RULES
from sapper.simulation import Match
from sapper.solver.bots import bots
from sapper.topology import TOPOLOGIES
from support.marks import slow

BOTS = ["optimal", "swift", "champion", "grandmaster"]


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("rules", sorted(RULES))
@pytest.mark.parametrize("level", ["5x5:4", slow("5x5:4/torus")])
@pytest.mark.family
def test_games_finish_and_repeat_with_their_seed(bot: str, rules: str, level: str) -> None:
    """A second instance plays the same games in a different order."""
    played = Match(bot, level, rules).play([3, 4])
    assert Match(bot, level, rules).play([4, 3]) == played[::-1]
    assert all(row.result in {"won", "lost"} for row in played)


@pytest.mark.parametrize("bot", sorted(bots))
def test_every_bot_plays_every_topology(bot: str) -> None:
    """Bots only know which cells are neighbours."""
    rules = {"fair-evaluate": "fair", "kaboom-sat": "kaboom"}.get(bot, "classic")
    for name in TOPOLOGIES:
        [row] = Match(bot, f"5x4:4/{name}", rules).play([2])
        assert row.result in {"won", "lost"}, name


@pytest.mark.parametrize("bot", BOTS)
def test_torus_without_total_is_playable(bot: str) -> None:
    """Exact methods need the total, but the search does not."""
    [row] = Match(bot, "5x5@0.15/torus").play([1])
    assert row.result in {"won", "lost"}
