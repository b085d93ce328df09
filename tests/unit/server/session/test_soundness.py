"""Acknowledged actions are never lost, and no player delays another."""

from __future__ import annotations

import asyncio
import gc
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sapper.game import Game
from sapper.game.review import Reviewer
from sapper.position import Position
from sapper.server import limits
from sapper.server.jobs import job_runner
from sapper.server.session import assist_messages, moves, saving
from sapper.server.session.session import Session
from sapper.server.session.sessions import Sessions
from sapper.server.storage.store import Store

ME, OTHER = "a" * 24, "b" * 24


def saved_log(folder: Path, session: str = ME) -> list[Any]:
    """Return the actions in the file, as another program reads them."""
    with closing(sqlite3.connect(folder / "play.sqlite3")) as db, db:
        rows = db.execute(
            "SELECT action FROM actions WHERE session = ? ORDER BY number", (session,)
        ).fetchall()
    return [json.loads(row[0]) for row in rows]


def test_answer_is_sent_after_its_move_is_saved(site: Any, tmp_path: Path) -> None:
    """Every answered move is in the file, even if the server crashes immediately afterwards."""
    with site.player(ME) as player:
        for number in range(30):
            player.send("mark", cell=[number % 9, number // 9])
            assert len(saved_log(tmp_path)) == number + 1


def test_excess_players_are_saved(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New and connected sessions are never evicted, and everything is saved."""
    monkeypatch.setattr(limits, "SESSIONS_IN_MEMORY", 5)
    ids = [f"{i:024}" for i in range(20)]

    async def play(sessions: Sessions, session_id: str) -> Any:
        client = await sessions.open(session_id)
        outbox = await client.join({})
        for cell in ([0, 0], [0, 1]):
            await client.receive(json.dumps({"type": "mark", "cell": cell}), outbox)
        return client, outbox

    async def scenario() -> None:
        sessions = Sessions(store)
        await sessions.start()
        connected = [await play(sessions, session_id) for session_id in ids]
        assert len(sessions._clients) == 20, "nobody who is connected is dropped"
        for client, outbox in connected:
            await client.receive(json.dumps({"type": "mark", "cell": [0, 2]}), outbox)
            client.leave(outbox)
            sessions.release(client)
        again, outbox = await play(sessions, ids[0])
        assert again.session.now.actions == 5
        assert await sessions.stop()

    asyncio.run(scenario())
    assert [len(saved_log(tmp_path, session_id)) for session_id in ids] == [5] + [3] * 19


def test_full_disk_is_reported(site: Any, store: Store, tmp_path: Path) -> None:
    """Players are warned before the answer; when there is room again, everything is saved."""
    with site.player(ME) as player:
        player.send("mark", cell=[0, 0])
        [pages] = store._database.db.execute("PRAGMA page_count").fetchone()
        store._database.db.execute(f"PRAGMA max_page_count = {pages}")
        player.frames.clear()
        # The settings are long enough to need another page.
        store.commit = _full(store, store.commit)  # type: ignore[method-assign]
        assert player.send("mark", cell=[0, 1])["type"] == "delta"
        kinds = [json.loads(text)["type"] for text in player.frames]
        assert kinds == ["saving", "delta"]
        assert json.loads(player.frames[0])["problem"] == "disk full"
        assert player.send("mark", cell=[0, 2])["type"] == "delta"
        assert len(saved_log(tmp_path)) == 1
        store.full = False  # type: ignore[attr-defined]
        assert player.until("saving")["problem"] is None
        assert len(saved_log(tmp_path)) == 3


def _full(store: Any, commit: Callable[..., None]) -> Callable[..., None]:
    """Make commits fail as on a full disk until `store.full` is False."""
    store.full = True

    def committed(changes: Any) -> None:
        if store.full:
            raise sqlite3.OperationalError("database or disk is full")
        commit(changes)

    return committed


def test_a_win_on_a_locked_file_is_a_win(site: Any, store: Store, tmp_path: Path) -> None:
    """The win is answered while the file is locked, and stored afterwards."""
    store._database.db.execute("PRAGMA busy_timeout = 1")
    file = tmp_path / "play.sqlite3"
    with site.player(ME) as player, closing(sqlite3.connect(file)) as other:
        # Without mines, the first click opens everything, and the win counts.
        player.send("new", settings={"level": "9x9:0", "rules": "classic"})
        other.execute("BEGIN IMMEDIATE")
        player.frames.clear()
        answer = player.send("open", cell=[4, 4])
        assert (answer["status"], answer["event"]["kind"]) == ("won", "open")
        assert answer["event"]["wins"] == 1
        told = [json.loads(text) for text in player.frames]
        assert [message["type"] for message in told] == ["saving", "delta"]
        assert "locked" in told[0]["problem"]
        assert not saved_log(tmp_path)
        other.rollback()
        assert player.until("saving")["problem"] is None
        assert [action[:3] for action in saved_log(tmp_path)] == [["open", 4, 4]]
        games = other.execute("SELECT owner, key, level, time_ms / 1000.0 FROM games").fetchall()
        assert games == [(ME, answer["event"]["game"], "9x9:0", answer["event"]["seconds"])]


HEAVY = {
    "dealing or judging a click": (
        Game,
        "open",
        [{"type": "new", "settings": {"rules": "fair"}}, {"type": "open", "cell": [0, 0]}],
    ),
    "beginning a game": (Game, "begin", [{"type": "new"}]),
    "a shared position": (
        Game,
        "from_position",
        [{"type": "position", "position": {"rows": ["..", "11"], "mines": 1}}],
    ),
    "an overlay": (
        assist_messages,
        "analyze",
        [
            {"type": "assist", "mode": "assisted", "overlay": "chances"},
            {"type": "open", "cell": [4, 4]},
        ],
    ),
    "a hint": (
        assist_messages,
        "analyze",
        [{"type": "open", "cell": [4, 4]}, {"type": "hint"}],
    ),
    "the count of guesses": (
        Reviewer,
        "guesses",
        [
            {"type": "assist", "mode": "assisted", "overlay": "none"},
            {"type": "open", "cell": [4, 4]},
        ],
    ),
}


@pytest.mark.parametrize("job", HEAVY)
def test_heavy_work_does_not_block_others(
    site: Any, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other players can continue while one player's job never ends."""
    where, name, messages = HEAVY[job]
    with site.player(OTHER) as other, site.player(ME) as player:
        for _ in range(2):
            other.send("mark", cell=[0, 0])
        began, gate = threading.Event(), threading.Event()
        real = getattr(where, name)
        first = threading.Lock()

        def blocked(*args: Any, **kwargs: Any) -> Any:
            if first.acquire(blocking=False):
                began.set()
                assert gate.wait(300)
            return real(*args, **kwargs)

        monkeypatch.setattr(where, name, blocked)
        for message in messages:
            player.raw(json.dumps(message))
        try:
            assert began.wait(300)
            for number in range(1, 5):
                assert other.send("mark", cell=[0, number])["type"] == "delta"
        finally:
            gate.set()
        assert player.send("mark", cell=[0, 0]).get("error") is None


def test_loading_does_not_block_others(
    run: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window first gets a "still loading" message, then the game."""
    with run(store) as site, site.player(ME) as player:
        player.send("mark", cell=[0, 0])
    gate, real = threading.Event(), saving.load

    def blocked(session_id: str, saved: Any) -> Session:
        assert gate.wait(300)
        return real(session_id, saved)

    monkeypatch.setattr(saving, "load", blocked)
    monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.05)
    with run(store) as site, site.player(ME) as player:
        assert player.welcome["error"]["code"] == "busy"
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
        with site.player(OTHER) as other:
            assert other.welcome["type"] == "welcome"
            assert other.send("mark", cell=[0, 0])["type"] == "delta"
        gate.set()
        assert player.until("welcome")["game"]["rows"][0][0] == "F"


def test_slow_loading_game_stays_saved(
    run: Any, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player gets an error now, and the game on the next visit."""
    monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
    with run(store) as site, site.player(ME) as player:
        wide = Position.parse("\n".join(["." * 40] * 40), mines=200)
        player.send("position", position=wide.to_json(), rules="kind")
        player.send("mark", cell=[0, 0])
    monkeypatch.setattr(limits, "LOADING_BUDGET_S", 0.0)
    with run(store) as site:
        with site.player(ME) as player:
            error = player.welcome["error"]
            assert error["code"] == "too_slow"
            assert "it stays saved" in error["message"]
        assert len(saved_log(tmp_path)) == 1
        monkeypatch.setattr(limits, "LOADING_BUDGET_S", 600.0)
        with site.player(ME) as player:
            assert player.welcome["game"]["width"] == 40
            assert player.welcome["game"]["rows"][0][0] == "F"
    assert len(saved_log(tmp_path)) == 1


def test_a_large_saved_game_is_loaded_in_a_worker(
    run: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game loaded in a worker continues unchanged."""
    monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
    with run(store) as site, site.player(ME) as player:
        wide = Position.parse("\n".join(["." * 40] * 40), mines=200)
        player.send("position", position=wide.to_json(), rules="kind")
        player.send("mark", cell=[0, 0])
        opened = player.send("open", cell=[20, 20])
        assert opened["type"] == "delta"
        before = player.send("sync")["game"]["rows"]
    with run(store) as site, site.player(ME) as player:
        assert player.welcome["game"]["rows"] == before
        assert player.welcome["game"]["settings"]["rules"] == "kind"
        assert player.send("undo")["event"]["kind"] == "undo"


def test_slow_click_is_answered(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time budget, a sentence is sent; the board is updated when the click is done."""
    with site.player(ME) as player:
        # Classic rules never take so long, but unlike other rules they cannot be cancelled.
        monkeypatch.setattr(moves, "is_quick_move", lambda *_, **__: False)
        player.send("mark", cell=[8, 8])
        gate, real = threading.Event(), Game.open

        def blocked(game: Game, cell: tuple[int, int]) -> bool:
            assert gate.wait(300)
            return real(game, cell)

        monkeypatch.setattr(Game, "open", blocked)
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.05)
        slow = player.send("open", cell=[0, 0])
        assert slow["error"]["code"] == "too_slow"
        assert player.send("open", cell=[0, 1])["error"]["code"] == "busy"
        gate.set()
        assert player.until("delta")["event"]["cell"] == [0, 0]


def test_slow_deal_is_cancelled(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Native code stops, the game is unchanged, and another can be started immediately."""
    # The deal has enough time to stop but not to finish, however busy the machine is.
    monkeypatch.setattr(job_runner, "_STOPPING_S", 60.0)
    with site.player(ME) as player:
        player.send("new", settings={"level": "100x100:2200", "rules": "no-guess"}, seed=0)
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.5)
        error = player.send("open", cell=[50, 50])["error"]
        assert error["code"] == "too_slow"
        assert "the game is unchanged" in error["message"]
        assert player.send("sync")["game"]["status"] == "ready"
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
        player.send("new", settings={"level": "beginner", "rules": "classic"})
        assert player.send("open", cell=[4, 4])["type"] == "delta"


@pytest.fixture
def _nothing_old() -> Iterator[None]:
    """Collect the garbage of other tests first, so that no callback has to."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.slow
@pytest.mark.usefixtures("_nothing_old")
def test_event_loop_callbacks_are_short(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the heaviest games, no callback takes 100 ms of processor time on the loop's thread."""
    from asyncio import events
    from time import thread_time

    worst: list[tuple[float, str]] = [(0.0, "")]
    real = events.Handle._run

    def timed(handle: events.Handle) -> None:
        started = thread_time()
        real(handle)
        worst[0] = max(worst[0], (thread_time() - started, repr(handle)))

    numbers = ["." * 100 if row % 3 else ".." + ".2" * 49 for row in range(100)]
    shared = {
        "kaboom": Position.parse("\n".join(numbers), mines=2500),
        "kind": Position.parse("\n".join(["." * 100] * 100), mines=2000),
    }
    with site.player(ME) as player:
        player.send("sync")
        monkeypatch.setattr(events.Handle, "_run", timed)
        player.send("assist", mode="assisted", overlay="chances")
        player.send("new", settings={"level": "100x100:2200", "rules": "no-guess"}, seed=0)
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 2.0)
        assert player.send("open", cell=[50, 50])["error"]["code"] == "too_slow"
        # The largest results take a long time to compute.
        monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
        for level, rules in (("100x100:1000", "no-guess"), ("100x100:1800", "fair")):
            player.send("new", settings={"level": level, "rules": rules})
            assert player.send("open", cell=[50, 50])["type"] == "delta"
            player.until("overlay")
        for rules, position in shared.items():
            told = player.send("position", position=position.to_json(), rules=rules)
            assert told["game"]["settings"]["rules"] == rules
            assert player.send("open", cell=[0, 0])["type"] == "delta"
        player.send("hint")
    assert worst[0][0] < 0.1, worst
