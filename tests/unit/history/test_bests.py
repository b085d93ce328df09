"""Personal bests and streaks, computed in memory and read from the file."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from sapper.history import Bests, History, PersonalBests, Record, WinFigures
from sapper.server.storage.database import Database
from support.histories import made_up

KIND = ("expert", "classic", "", "safe")


def played(number: int, *, won: bool = True, time_ms: int = 50_000, **about: Any) -> Record:
    """An Expert game without help, number `number` of its player."""
    usual: dict[str, Any] = {
        "finished_ms": 1_700_000_000_000 + 1000 * number,
        "level": "expert",
        "rules": "classic",
        "variant": "",
        "first_click": "safe",
        "player": "",
        "bot": "",
        "helped": "",
        "bbbv": 150,
        "clicks": 200,
        **about,
    }
    return replace(made_up(number), won=won, time_ms=time_ms, **usual)


def test_each_figure_has_its_own_best() -> None:
    """A slow win may be the most efficient one; the previous best is included."""
    bests = PersonalBests()
    first = bests.compare(played(1, time_ms=60_000))
    assert first is not None
    assert (first.rank, first.wins, first.before, first.streak) == (1, 1, None, 1)
    assert first.improved(WinFigures(60_000, 150, 200)) == []
    second = bests.compare(played(2, time_ms=80_000, clicks=120))
    assert second is not None
    assert second.before == Bests(60.0, 2.5, 0.75)
    assert (second.rank, second.improved(WinFigures(80_000, 150, 120))) == (2, ["efficiency"])
    third = bests.compare(played(3, time_ms=50_000, bbbv=100, clicks=100))
    assert third is not None
    assert third.before == Bests(60.0, 2.5, 1.25)
    assert third.improved(WinFigures(50_000, 100, 100)) == ["seconds"]
    # A time equal to the best is not a new best.
    assert third.improved(WinFigures(60_000, 150, 120)) == []


def test_instant_win_has_no_speed() -> None:
    """The 3BV/s of a board opened by one click would stay the best forever."""
    bests = PersonalBests()
    bests.compare(played(1, time_ms=0, bbbv=1, clicks=1))
    found = bests.compare(played(2, time_ms=10_000))
    assert found is not None
    assert found.before == Bests(0.0, None, 1.0)
    assert found.improved(WinFigures(10_000, 150, 200)) == []


def test_helped_games_do_not_affect_streaks() -> None:
    """Helped games, bots' games and other kinds do not affect a streak; a loss ends it."""
    bests = PersonalBests()
    for number in range(3):
        bests.compare(played(number))
    for name, value in (("helped", "hint"), ("bot", "exact"), ("level", "beginner")):
        about: dict[str, Any] = {name: value}
        bests.compare(played(4, won=False, **about))
        assert name == "level" or bests.compare(played(5, time_ms=1, **about)) is None
    found = bests.compare(played(6))
    assert found is not None
    assert (found.streak, found.longest, found.wins, found.before) == (4, 3, 4, Bests(50, 3, 0.75))
    assert bests.compare(played(7, won=False)) is None
    found = bests.compare(played(8))
    assert found is not None
    assert (found.streak, found.longest) == (1, 4)


def test_stored_bests_match(database: Database) -> None:
    """Random games of two players, in any order, give the same bests in memory and in the file."""
    random = Random(5)
    owners = {"a" * 24: PersonalBests(), "b" * 24: PersonalBests()}
    added = []
    for number in range(400):
        owner = random.choice([*owners])
        record = played(
            number,
            won=random.random() < 0.6,
            time_ms=random.randrange(5, 200_000),
            level=random.choice(["beginner", "expert"]),
            helped=random.choice(["", "", "", "hint"]),
            bot=random.choice(["", "", "", "exact"]),
            clicks=random.randrange(1, 300),
        )
        owners[owner].compare(record)
        added.append((owner, record))
    random.shuffle(added)
    history = History(database)
    for owner in owners:
        history.of(owner).add_all(record for one, record in added if one == owner)
    for owner, bests in owners.items():
        assert history.of(owner).bests() == bests
    assert history.bests() == PersonalBests()
