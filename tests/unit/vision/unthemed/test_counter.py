"""Finding the mine counter among the numbers on a page."""

from __future__ import annotations

from sapper.vision.unthemed.counter import MineCounter

FRESH = {"mines": 10, "width": 9, "tries left": 3}
FLAGGED = {"mines": 9, "width": 9, "tries left": 2}


def test_counter_falls_with_a_flag_and_matches_a_won_game() -> None:
    """The mine total is unknown until a win confirms it."""
    counter = MineCounter()
    counter.begin(FRESH)
    counter.flag(FRESH, FLAGGED, FRESH)
    assert counter.total(FRESH) is None
    counter.win(10)
    assert counter.total({"mines": 15, "width": 9}) == 15
    assert counter.total({"width": 9}) is None


def test_number_contradicted_by_a_won_game_is_not_a_counter() -> None:
    """A limit on flags may differ from the number of mines."""
    counter = MineCounter()
    counter.begin(FRESH)
    counter.flag(FRESH, FLAGGED, FRESH)
    counter.win(12)
    assert counter.total(FRESH) is None
    counter.begin(FRESH)
    counter.win(10)
    assert counter.total(FRESH) is None


def test_game_without_a_seen_start_proves_nothing() -> None:
    """The bot may have taken over a running game."""
    counter = MineCounter()
    counter.begin({})
    counter.flag(FRESH, FLAGGED, FRESH)
    counter.win(10)
    assert counter.total(FRESH) is None
    counter.begin(FRESH)
    counter.win(10)
    assert counter.total(FRESH) == 10


def test_number_that_does_not_rise_again_is_not_a_counter() -> None:
    """A countdown also falls without a flag."""
    counter = MineCounter()
    counter.begin(FRESH)
    counter.flag(FRESH, FLAGGED, FLAGGED)
    counter.win(10)
    assert counter.total(FRESH) is None
