"""Bots that search for their guesses."""

from __future__ import annotations

import pytest

from sapper.simulation import Match


@pytest.mark.parametrize("bot", ["swift", "champion"])
@pytest.mark.parametrize("level", ["9x9:10", "8x8:10/torus", "8x8@0.16"])
def test_native_player_matches_the_bot(bot: str, level: str) -> None:
    """Native play and the Python bot make the same choices."""
    match = Match(bot, level, start=(0, 0))
    assert match.native
    seeds = range(6)
    assert match.play(seeds) == [match._play(seed, match._runner) for seed in seeds]


@pytest.mark.parametrize("bot", ["swift", "champion", "grandmaster"])
def test_seed_repeats_the_game(bot: str) -> None:
    """Earlier games do not affect later ones."""
    played = Match(bot, "8x8:12", start=(0, 0)).play([5, 6, 7])
    assert Match(bot, "8x8:12", start=(0, 0)).play([7, 6, 5]) == played[::-1]


def test_bot_chooses_the_first_click() -> None:
    """If no first cell is given, the bot chooses one."""
    played = Match("swift", "9x9:10", start=None).play([1])
    assert played[0].result in {"won", "lost"}
