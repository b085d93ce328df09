"""Patterns in finished games: found, missed, and the time they took."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sapper.history import History, Measures, PatternCount, Record, Selection, pattern_counts
from sapper.history.tables import Tables
from sapper.server.storage.database import Database
from sapper.simulation import Match

MISSED = Match("autosweeper", "10x10:18").game(seed=40)
"""A game with one needless guess."""


@pytest.fixture
def history(database: Database) -> History:
    """A visitor's history on each database engine in turn."""
    assert isinstance(database, Tables)
    return History(database, "ann")


def unmeasured(finished_ms: int, bot: str = "") -> Record:
    """Return the game's record without measures."""
    record = Record.of_game(MISSED, finished_ms, bot=bot, measured=False)
    return replace(record, moves={**record.moves})


def test_needless_guess_misses_a_pattern() -> None:
    """Cells that a pattern proved are counted, with the time since the previous click."""
    counts = {one.pattern: one for one in pattern_counts(MISSED.to_json())}
    assert list(counts) == sorted(counts)
    assert {name for name, one in counts.items() if one.missed} == {"1-1"}
    assert (counts["1-1"].missed, counts["1-2-1"].seen) == (1, 2)
    assert all(one.ms >= 0 for one in counts.values())


def test_counts_are_saved_with_the_measures(history: History) -> None:
    """Sums cover the selected games and list the most missed pattern first."""
    for number, bot in ((1, ""), (2, ""), (3, "champion")):
        history.add(unmeasured(number, bot))
    for game in history.waiting(9):
        counts = [PatternCount("1-1", 2, 0, 900), PatternCount("1-2", 1, 1, 400)]
        history.measure(game, Measures(1, 2, 3, 0.5), counts)
    both = [PatternCount("1-2", 2, 2, 800), PatternCount("1-1", 4, 0, 1800)]
    assert history.pattern_counts(Selection(bot="")) == both
    assert history.pattern_counts(Selection(bot="champion"))[0] == PatternCount("1-2", 1, 1, 400)


def test_counts_are_erased_with_their_game(history: History) -> None:
    """An erased game leaves no counts."""
    history.add(unmeasured(1))
    [game] = history.waiting(1)
    history.measure(game, Measures(1, 2, 3, 0.5), [PatternCount("1-1", 1, 1, 10)])
    history.erase()
    assert history.pattern_counts() == []


def test_counts_of_one_pattern_are_added() -> None:
    """Only counts of the same pattern can be added."""
    assert PatternCount("1-1", 1, 0, 5) + PatternCount("1-1", 0, 2, 1) == ("1-1", 1, 2, 6)
