"""The web app on a machine whose clock is not set: games continue, with unknown times."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest

from sapper._util import clock
from sapper.history import History
from sapper.server.session import daily
from sapper.server.storage.store import Store

ME = "a" * 24
_NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
_UNSET = [
    datetime(1969, 12, 31, 23, tzinfo=UTC),
    datetime(1970, 1, 1, 0, 1, tzinfo=UTC),
    datetime(2100, 1, 1, tzinfo=UTC),
    datetime(2150, 6, 1, tzinfo=UTC),
]


class Clock:
    """A clock that tests can set."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def time_ns(self) -> int:
        """Nanoseconds since 1970."""
        return (self.now - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) * 1000

    def today(self) -> date:
        """The date."""
        return self.now.date()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the server machine."""
    made = Clock(_NOW)
    monkeypatch.setattr(clock.time, "time_ns", made.time_ns)
    monkeypatch.setattr(daily, "today", made.today)
    return made


def _open(player: Any, cells: int) -> Any:
    """Open cells of a crowded or daily board in order until the game is over."""
    told: dict[str, Any] = {"status": "playing"}
    for index in range(cells * cells):
        told = player.send("open", cell=list(divmod(index, cells)))
        assert "error" not in told
        if told["status"] == "lost":
            break
    assert told["status"] == "lost"
    return told


def _crowded(player: Any, seed: int) -> Any:
    player.send("new", settings={"level": "5x5:15", "rules": "classic"}, seed=seed)
    return _open(player, 5)


def _times(history: History) -> list[tuple[int, int]]:
    return [(game.started_ms, game.finished_ms) for game in history.records()]


def test_finished_games_have_results(site: Any, store: Store, machine: Clock) -> None:
    """Each game and its replay are in the history without a time."""
    with site.player(ME) as player:
        for seed, machine.now in enumerate(_UNSET):
            assert _crowded(player, seed)["event"]["game"]
    history = store.history.of(ME)
    assert _times(history) == [(0, 0)] * len(_UNSET)
    assert [game.replay().info.started_at for game in history.records()] == [""] * len(_UNSET)
    cookie = {"Cookie": f"sapper={site.ids.sign(ME)}"}
    with httpx.Client(
        base_url=site.url, trust_env=False, verify=False, timeout=300, headers=cookie
    ) as client:
        found = client.get("/api/history/statistics?zone=America/New_York").json()["statistics"]
        assert (found["games"], found["undated"], found["days"]) == (len(_UNSET), len(_UNSET), {})
        assert "started_at" not in client.get("/api/replay").json()
        exported = client.get("/api/history/export").content
        assert client.post("/api/history/import", content=exported).json()["added"] == 0
        other = client.post("/api/history/import", content=exported, headers={"Cookie": ""})
        assert other.json()["added"] == len(_UNSET)


@pytest.mark.parametrize("begun", _UNSET)
def test_clock_set_during_a_game_dates_its_end(
    site: Any, store: Store, machine: Clock, begun: datetime
) -> None:
    """The start is the end minus the elapsed time; if the clock is set back, both are unknown."""
    now_ms = int(_NOW.timestamp() * 1000)
    with site.player(ME) as player:
        for before, after in ((begun, _NOW), (_NOW, begun)):
            player.send("new", settings={"level": "5x5:15", "rules": "classic"}, seed=1)
            machine.now = before
            assert player.send("open", cell=[0, 0])["status"] == "playing"
            machine.now = after
            _open(player, 5)
    [(started, finished), unknown] = _times(store.history.of(ME))
    assert (finished, unknown) == (now_ms, (0, 0))
    assert 0 <= finished - started < 600_000


@pytest.mark.parametrize("now", _UNSET)
def test_unknown_day_has_no_attempt(site: Any, store: Store, machine: Clock, now: datetime) -> None:
    """A board of an unknown day is practice; results and the calendar do not change."""
    machine.now = now
    with site.player(ME) as player:
        told = player.send("daily")["game"]
        assert (told["day"], told["attempt"]) == (now.date().isoformat(), False)
        assert "daily" not in _open(player, 16)["event"]
        assert player.send("sync")["daily"]["calendar"] == {}
    assert not store.dailies(ME)
    assert not store.starts(ME)
    assert _times(store.history.of(ME)) == [(0, 0)]
