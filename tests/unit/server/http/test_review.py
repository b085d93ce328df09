"""Game reviews over HTTP, and going back to a decision."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sapper.history import Record
from sapper.replay import load
from sapper.server.jobs import long_jobs
from support.replays import FOLDER
from support.waiting import until

_SESSION = "s" * 24
_SEEDED = {"settings": {"level": "beginner", "rules": "classic"}, "seed": 36}


@contextmanager
def _request(
    site: Any, session: str, method: str = "GET", path: str = "/api/review", body: str = ""
) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    cookie = {"Cookie": f"sapper={site.ids.sign(session)}"} if session else {}
    try:
        connection.request(method, path, body=body or None, headers=cookie)
        yield connection.getresponse()
    finally:
        connection.close()


def _lines(site: Any, session: str, method: str = "GET") -> list[dict[str, Any]]:
    with _request(site, session, method) as response:
        assert response.status == 200, response.read()
        return [json.loads(line) for line in response.read().splitlines()]


def _refused(site: Any, session: str, **request: str) -> tuple[int, str]:
    with _request(site, session, **request) as response:
        return response.status, json.loads(response.read())["error"]["code"]


def _lose(player: Any) -> dict[str, Any]:
    """Open cells in row order until one is a mine."""
    told = player.send("new", **_SEEDED)
    player.send("open", cell=[4, 4])
    for row in range(9):
        for col in range(9):
            told = player.send("open", cell=[row, col])
            if told["status"] == "lost":
                return told  # type: ignore[no-any-return]
    raise AssertionError("no mine was opened")


def _drawn(game: dict[str, Any], decision: int) -> str:
    """Return the position before a decision, as the page draws it."""
    cells = ["."] * (game["width"] * game["height"])
    for number, move in enumerate(game["moves"]):
        for index in move["covered"]:
            cells[index] = "."
        if number == decision:
            break
        for index, value in zip(move["opened"], move["numbers"], strict=True):
            cells[index] = value
        if move["exploded"]:
            cells[move["cell"]] = "*"
    else:
        for index in game["covered"]:
            cells[index] = "."
    return "".join(cells)


def test_a_finished_game_is_reviewed_in_a_stream(site: Any) -> None:
    """First comes the game with its mines, then decisions with risks, then win chances."""
    with site.player(_SESSION) as player:
        _lose(player)
        lines = _lines(site, _SESSION)
        seen = player.send("sync")["game"]["rows"]
    kinds = [line["type"] for line in lines]
    assert kinds[:2] == ["game", "decisions"]
    assert (set(kinds[2:-1]), kinds[-1]) == ({"decisions"}, "done")
    game, risks, done = lines[0], lines[1], lines[-1]
    count = len(game["moves"])
    assert [d["index"] for d in risks["decisions"]] == list(range(count))
    assert (risks["done"], risks["total"]) == (count, 2 * count)
    later = [d for line in lines[2:-1] for d in line["decisions"]]
    assert [d["index"] for d in later] == list(range(count))
    assert lines[-2]["done"] == 2 * count
    assert done["lost_at"] == count - 1
    assert done["luck"]["result"] == 0
    # The review lists every mine, as the play page does.
    mined = {i for i, char in enumerate("".join(seen)) if char in "*X"}
    assert set(game["mined"]) == mined
    assert _drawn(game, count).replace("*", "X") == "".join(seen).replace("*", ".")


def test_proof_names_cells_as_on_the_page(site: Any) -> None:
    """In the proof of a needless guess, cells count from 1."""
    with site.player(_SESSION) as player:
        _lose(player)
    last = [line for line in _lines(site, _SESSION) if line["type"] == "decisions"][-1]["decisions"]
    steps = [step["text"] for d in last if d["proof"] for step in d["proof"]["steps"]]
    assert steps
    assert all("row" in text and "(" not in text for text in steps)


def test_review_of_a_running_game_counts_as_help(site: Any) -> None:
    """A plain request is refused; POST hides the mines and marks the game as helped."""
    with site.player(_SESSION) as player:
        assert player.send("open", cell=[4, 4])["status"] == "playing"
        assert _refused(site, _SESSION) == (400, "still_running")
        assert player.send("mark", cell=[0, 0])["helped"] is None
        lines = _lines(site, _SESSION, "POST")
        assert lines[0]["mined"] is None
        assert lines[0]["helped"] == "review"
        assert lines[-1]["status"] == "playing"
        assert player.send("mark", cell=[0, 0])["helped"] == "review"


def test_unstarted_game_cannot_be_reviewed(site: Any) -> None:
    """Without a session or a move, there is nothing to review."""
    assert _refused(site, "") == (404, "no_game")
    with site.player(_SESSION):
        assert _refused(site, _SESSION) == (404, "no_game")


def test_undone_moves_are_included(site: Any) -> None:
    """The page can draw every position, including the ones after an undo."""
    with site.player(_SESSION) as player:
        _lose(player)
        player.send("undo")
        lines = _lines(site, _SESSION, "POST")
    game = lines[0]
    decisions = {d["index"]: d for line in lines[1:-1] for d in line["decisions"]}
    last = len(game["moves"]) - 1
    assert decisions[last]["undone"]
    assert _drawn(game, last) == _drawn(game, last + 1)
    assert lines[-1]["lost_at"] is None


def test_retry_goes_back_to_a_decision(site: Any) -> None:
    """All windows show the earlier position with the same mines, and the game counts as helped."""
    with site.player(_SESSION) as player, site.player(_SESSION) as other:
        _lose(player)
        game = _lines(site, _SESSION)[0]
        last = len(game["moves"]) - 1
        body = json.dumps({"key": game["key"], "decision": last})
        with _request(site, _SESSION, "POST", "/api/review/retry", body) as response:
            assert response.status == 200
        for window in (player, other):
            told = window.until("state", lambda told: told["game"]["helped"] == "retry")["game"]
            assert told["status"] == "playing"
            assert "".join(told["rows"]) == _drawn(game, last)
        row, col = divmod(game["moves"][last]["cell"], 9)
        assert player.send("open", cell=[row, col])["status"] == "lost"
        stale = _refused(site, _SESSION, method="POST", path="/api/review/retry", body=body)
        assert stale == (400, "illegal_action")


def test_closing_the_page_stops_the_review(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the connection closes, the job stops and its process is free."""
    stopped: list[object] = []
    pools = long_jobs.ProcessPool
    stop = pools.stop
    monkeypatch.setattr(pools, "stop", lambda pool, job: (stopped.append(job), stop(pool, job))[1])
    with site.player(_SESSION) as player:
        player.send("new", settings={"level": "99x99:1500", "rules": "classic"}, seed=1)
        player.send("open", cell=[50, 50])
        with socket.create_connection(("127.0.0.1", site.port)) as connection:
            cookie = f"Cookie: sapper={site.ids.sign(_SESSION)}"
            request = f"POST /api/review HTTP/1.1\r\nHost: 127.0.0.1\r\n{cookie}\r\n\r\n"
            connection.sendall(request.encode())
            assert b"200 OK" in connection.recv(100)
        until(lambda: bool(stopped), "the job to be stopped")


def test_games_of_the_history_are_reviewed(site: Any, store: Any) -> None:
    """Imported games with known mines need no seed; other visitors' games are refused."""
    replay = Record.of_replay(load(FOLDER / "expert.avf"), 5)
    store.history.of(_SESSION).add(replay)
    with site.player(_SESSION) as player:
        key = _lose(player)["event"]["game"]
        player.send("new")
    for game, rows in ((key, 9), (replay.key, 16)):
        with _request(site, _SESSION, path=f"/api/review?game={game}") as response:
            lines = [json.loads(line) for line in response.read().splitlines()]
        assert (lines[0]["key"], lines[0]["height"]) == (f"game-{game}", rows)
        assert len(lines[0]["mined"]) == lines[0]["mines"]
        assert lines[-1]["type"] == "done"
    other = "t" * 24
    assert _refused(site, other, path=f"/api/review?game={key}") == (404, "no_game")
    for game, status in ((key, 200), (replay.key, 400)):
        body = json.dumps({"key": f"game-{game}", "decision": 0})
        with _request(site, _SESSION, "POST", "/api/review/retry", body) as response:
            assert response.status == status, response.read()
