"""The daily board over the WebSocket: attempts, results, streaks and reviews."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from sapper.board import Board
from sapper.server.session import daily
from sapper.server.session.daily import streak
from sapper.server.storage.day_results import DayResult
from sapper.server.storage.store import Store

_SESSION = "d" * 24
_NOW = date(2026, 11, 22)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run these tests on both database engines."""
    return any_store


@pytest.fixture(autouse=True)
def _fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "today", lambda: _NOW)


def _result(day: str, *, won: bool = True, helped: str | None = None) -> DayResult:
    return DayResult(day, won, 80.0, 50, 60, helped)


def _board(store: Store) -> Board:
    return store.daily_boards.board(_NOW).board


def _covered(game: dict[str, Any], board: Board) -> list[int]:
    """Return the first clear cell that the opened start leaves closed."""
    shape = board.topology
    return next(
        list(shape.cell(index))
        for index, mine in enumerate(board.mined)
        if not mine and "".join(game["rows"])[index] == "."
    )


def _finish(player: Any, board: Board, *, won: bool) -> dict[str, Any]:
    """Open all safe cells, or open a mine."""
    told: dict[str, Any] = {}
    for index, mine in enumerate(board.mined):
        if bool(mine) is not won:
            told = player.send("open", cell=list(board.topology.cell(index)))
            if told["status"] in ("won", "lost"):
                return told
    raise AssertionError("the game did not end")


def test_the_first_finished_attempt_counts(site: Any, store: Store) -> None:
    """Help is refused until the first attempt is over; later attempts are practice."""
    board = _board(store)
    with site.player(_SESSION) as player:
        assert player.welcome["daily"]["results"] == {"2026-11-22": None, "2026-11-21": None}
        told = player.send("daily")["game"]
        assert (told["day"], told["attempt"], told["helped"]) == ("2026-11-22", True, None)
        assert (told["status"], told["clock"]["running"]) == ("playing", False)
        assert told["rows"][8][8] == "0"
        won = _finish(player, board, won=True)
        news = won["event"]["daily"]
        result = news["results"]["2026-11-22"]
        assert (result["won"], result["helped"], news["streak"]) == (True, None, 1)
        assert result["clicks"] == won["event"]["clicks"]
        told = player.send("daily")["game"]
        assert (told["attempt"], told["helped"]) == (False, "practice")
        assert "daily" not in _finish(player, board, won=False)["event"]
        again = player.send("daily")["daily"]
        assert again["results"]["2026-11-22"] == result


def test_attempt_continues(site: Any, store: Store) -> None:
    """Requesting the board again during an attempt changes nothing, even after a reload."""
    board = _board(store)
    with site.player(_SESSION) as player:
        cell = _covered(player.send("daily")["game"], board)
        player.send("mark", cell=list(board.topology.cell(board.mined.index(1))))
        player.send("open", cell=cell)
        rows = player.send("sync")["game"]["rows"]
        assert player.send("daily")["game"]["rows"] == rows
    with site.player(_SESSION) as player:
        assert player.welcome["game"]["attempt"] is True
        assert player.send("daily")["game"]["rows"] == rows


def test_a_loss_counts_and_can_be_reviewed_later(site: Any, store: Store) -> None:
    """The game is stored with the result, and its review begins at the opened start."""
    board = _board(store)
    with site.player(_SESSION) as player:
        player.send("daily")
        lost = _finish(player, board, won=False)
        assert lost["event"]["daily"]["results"]["2026-11-22"]["won"] is False
        player.send("undo")
        player.send("new")
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
        cookie = {"Cookie": f"sapper={site.ids.sign(_SESSION)}"}
        connection.request("GET", "/api/review?day=2026-11-22", headers=cookie)
        lines = [json.loads(line) for line in connection.getresponse().read().splitlines()]
        assert (lines[0]["key"], lines[0]["status"]) == ("day-2026-11-22", "lost")
        assert lines[0]["origin"][8][8] == "0"
        assert lines[-1]["lost_at"] == 0
        body = json.dumps({"key": "day-2026-11-22", "decision": 0})
        connection.request("POST", "/api/review/retry", body=body, headers=cookie)
        assert connection.getresponse().read() == b'{"decision":0}'
        told = player.until("state")["game"]
        while told["helped"] != "retry":
            told = player.until("state")["game"]
        assert (told["status"], told["day"]) == ("playing", None)
        connection.request("GET", "/api/review?day=2026-11-20", headers=cookie)
        refusal = json.loads(connection.getresponse().read())
        assert refusal["error"]["code"] == "no_game"
        connection.close()


def test_other_days_are_practice_and_future_days_are_rejected(site: Any) -> None:
    """Yesterday's board can be played, tomorrow's cannot."""
    with site.player(_SESSION) as player:
        told = player.send("daily", day="2026-11-21")["game"]
        assert (told["day"], told["attempt"], told["helped"]) == ("2026-11-21", False, "practice")
        said = player.send("daily", day="2026-11-23")["error"]
        assert said["message"] == "'day' must be 2026-11-22 (UTC) or earlier, not 2026-11-23"
        assert player.send("daily", day="soon")["error"]["code"] == "bad_setting"
        assert player.send("daily", day=7)["error"]["code"] == "bad_message"


def test_results_survive_a_restart(store: Store, run: Callable[[Store], Any]) -> None:
    """Saved results contain everything that the page shows."""
    with run(store) as site, site.player(_SESSION) as player:
        player.send("daily")
        _finish(player, _board(store), won=True)
        told = player.send("sync")["daily"]
    with run(store) as site, site.player(_SESSION) as player:
        assert player.welcome["daily"] == told
        assert told["streak"] == 1


def test_results_survive_the_session(store: Store, run: Callable[[Store], Any]) -> None:
    """When the oldest sessions are deleted, their players keep their results."""
    with run(store) as site, site.player(_SESSION) as player:
        player.send("daily")
        _finish(player, _board(store), won=True)
        result = player.send("sync")["daily"]["results"]["2026-11-22"]
        player.send("new", settings={"level": "9x9:0", "rules": "classic"})
        player.send("open", cell=[4, 4])
    with store.transaction() as db:
        db.execute("DELETE FROM sessions")
        db.execute("DELETE FROM actions")
    with run(store) as site, site.player(_SESSION) as player:
        assert player.welcome["daily"]["results"]["2026-11-22"] == result
        assert player.send("daily")["game"]["attempt"] is False
        player.send("new", settings={"level": "9x9:0", "rules": "classic"})
        assert player.send("open", cell=[4, 4])["event"]["wins"] == 2
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
        cookie = {"Cookie": f"sapper={site.ids.sign(_SESSION)}"}
        connection.request("GET", "/api/review?day=2026-11-22", headers=cookie)
        response = connection.getresponse()
        assert json.loads(response.readline())["key"] == "day-2026-11-22"
        connection.close()


def test_streak_counts_consecutive_wins_without_help() -> None:
    """Today's unfinished board keeps the streak; losses, missed days and help end it."""

    def counted(*results: DayResult) -> int:
        return streak({result.day: result for result in results}, _NOW)

    two = _result("2026-11-21"), _result("2026-11-20")
    assert counted() == 0
    assert counted(*two) == 2
    assert counted(_result("2026-11-22"), *two) == 3
    assert counted(_result("2026-11-22", won=False), *two) == 2
    assert counted(two[0], _result("2026-11-20", won=False), _result("2026-11-19")) == 1
    assert counted(two[0], _result("2026-11-20", helped="hint")) == 1
    assert counted(two[1]) == 0


def test_abandoned_first_attempt_counts(store: Store, run: Callable[[Store], Any]) -> None:
    """An attempt begins with the first move, not when the board is shown."""
    board = _board(store)
    with run(store) as site, site.player(_SESSION) as player:
        player.send("daily")
        player.send("new")
        told = player.send("daily")
        assert (told["game"]["attempt"], told["daily"]["calendar"]) == (True, {})
        player.send("open", cell=_covered(told["game"], board))
        [marks] = player.send("sync")["daily"]["calendar"].values()
        assert marks[21] == "p"
        assert player.send("daily")["game"]["attempt"] is True
        player.send("new", settings={"level": "expert"})
        again = player.send("daily")
        assert (again["game"]["attempt"], again["game"]["helped"]) == (False, "practice")
        assert again["daily"]["calendar"]["2026-11"][21] == "a"
        assert "daily" not in _finish(player, board, won=True)["event"]
    with run(store) as site, site.player(_SESSION) as player:
        told = player.welcome["daily"]
        assert (told["results"]["2026-11-22"], told["streak"]) == (None, 0)
        assert told["calendar"] == {"2026-11": f"{'.' * 21}a{'.' * 9}"}


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("mark", {}),
        ("hint", {}),
        ("assist", {"mode": "assisted", "overlay": "chances"}),
        ("analyze", {}),
    ],
)
def test_help_and_flags_start_an_attempt(
    site: Any, store: Store, kind: str, fields: dict[str, Any]
) -> None:
    """Players must not explore the board with help before the attempt that counts."""
    with site.player(_SESSION) as player:
        game = player.send("daily")["game"]
        if kind == "mark":
            fields = {"cell": _covered(game, _board(store))}
        player.send(kind, **fields)
        player.send("assist", mode="solo", overlay="none")
        player.send("new")
        assert player.send("daily")["game"]["attempt"] is False


def test_imports_and_other_windows_are_not_attempts(site: Any, store: Store) -> None:
    """An attempt ends immediately in all windows, and an imported game never counts."""
    board = _board(store)
    cookie = {"Cookie": f"sapper={site.ids.sign(_SESSION)}"}
    other = {"Cookie": f"sapper={site.ids.sign('e' * 24)}"}
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    with site.player("e" * 24) as friend:
        friend.send("daily")
        _finish(friend, board, won=True)
    connection.request("GET", "/api/history/export", headers=other)
    lines = connection.getresponse().read()
    with site.player(_SESSION) as player, site.player(_SESSION) as second:
        connection.request("POST", "/api/history/import", lines, cookie)
        assert connection.getresponse().read()
        told = player.send("daily")
        assert (told["game"]["attempt"], told["daily"]["streak"]) == (True, 0)
        player.send("mark", cell=_covered(told["game"], board))
        second.send("new")
        assert player.send("daily")["game"]["attempt"] is False
    connection.close()
