"""Group commit: answers follow once changes are saved, and failures are retried."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from sapper.server import limits
from sapper.server.protocol import encode
from sapper.server.session.outbox import Outbox
from sapper.server.storage import save_queue
from sapper.server.storage.database import Database
from sapper.server.storage.save_queue import Pace, SaveQueue, Ticket
from sapper.server.storage.store import Change, Store
from support.waiting import Turn


def change(number: int, session: str = "me") -> Change:
    """Return the change that one action makes."""
    start = "{}" if number == 0 else None
    return Change(session, str(number), start, number, (["open", 0, number, 0.0],))


class Flaky:
    """A store that fails as long as a switch is on."""

    def __init__(self, store: Store) -> None:
        self.problem: Exception | None = None
        self.batches: list[int] = []
        self._store = store

    def commit(self, changes: list[Change]) -> None:
        """Save, or fail."""
        if self.problem is not None:
            raise self.problem
        self._store.commit(changes)
        self.batches.append(sum(len(one.actions) for one in changes))


@pytest.fixture
def store(database: Database) -> Iterator[Store]:
    """A store on each database engine in turn."""
    with Store(database) as made:
        yield made


@pytest.fixture
def flaky(store: Store, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A store that fails as long as a switch is on, and is retried without delay."""
    monkeypatch.setattr(save_queue, "_FIRST_PAUSE_S", 0.0)
    monkeypatch.setattr(save_queue, "_LONGEST_PAUSE_S", 0.0)
    return Flaky(store)


def saved_actions(store: Store) -> int:
    """Return the number of actions in the file."""
    with store._database.reading() as db:
        [count] = db.execute("SELECT count(*) FROM actions").fetchone()
    return int(count)


def test_a_ticket_is_settled_once_its_change_is_in_the_file(store: Store) -> None:
    """Tickets are never settled early; changes that arrive during a commit are saved together."""

    async def scenario() -> None:
        queue = SaveQueue(store, lambda: None)
        task = asyncio.ensure_future(queue.run())
        for number in range(20):
            ticket = queue.add(change(number))
            if number % 3:
                await ticket.wait()
                assert saved_actions(store) == number + 1
                assert ticket.problem is None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert queue.finish()

    asyncio.run(scenario())
    assert saved_actions(store) == 20


def test_commits_wait_only_on_a_busy_server() -> None:
    """Commits wait while many players are active, but not for a few players who move quickly."""
    pace, now = Pace(0.0), 0.0
    waits = []
    stages = ((1.0, 5, 5), (0.005, 400, 6), (0.005, 400, 200), (1.0, 5, 5))
    for interval, commits, players in stages:
        last = 0.0
        for number in range(commits):
            now += interval
            last = pace.begin([str(number % players)], now) - now
        waits.append(round(last, 6))
    assert waits == [0.0, 0.0, save_queue._GATHER_S, 0.0]


def test_a_ticket_tells_everyone_once() -> None:
    """Functions are called once when the ticket is settled, or immediately if it already is."""

    async def scenario() -> list[str]:
        told: list[str] = []
        ticket = Ticket()
        ticket.tell(lambda: told.append("first"))
        ticket.tell(lambda: told.append("second"))
        assert told == []
        ticket.settle()
        ticket.settle()
        ticket.tell(lambda: told.append("late"))
        return told

    assert asyncio.run(scenario()) == ["first", "second", "late"]


def test_saving_never_stops(flaky: Flaky, store: Store) -> None:
    """Every failure is reported and retried, so nothing is lost."""
    recovered = []

    async def scenario() -> None:
        queue = SaveQueue(flaky, lambda: recovered.append(queue.problem))  # type: ignore[arg-type]
        task = asyncio.ensure_future(queue.run())
        await queue.add(change(0)).wait()
        for number, problem in enumerate(
            (sqlite3.OperationalError("database or disk is full"), KeyError("x"), MemoryError()), 1
        ):
            flaky.problem = problem
            ticket = queue.add(change(number))
            await ticket.wait()
            assert ticket.problem is not None
            late = queue.add(change(10 + number, f"late {number}"))
            assert late.settled, "the game goes on meanwhile"
            assert saved_actions(store) == 2 * number - 1
            flaky.problem = None
            while queue.problem is not None:
                await Turn()
            assert saved_actions(store) == 2 * number + 1
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert queue.finish()

    asyncio.run(scenario())
    assert recovered == [None] * 3


def test_a_backlog_is_saved_in_parts(flaky: Flaky, store: Store) -> None:
    """After a failure, batches grow; saving counts as working again when all is saved."""
    recovered = []

    async def scenario() -> None:
        queue = SaveQueue(flaky, lambda: recovered.append(saved_actions(store)))  # type: ignore[arg-type]
        task = asyncio.ensure_future(queue.run())
        flaky.problem = sqlite3.OperationalError("database is locked")
        await queue.add(change(0, "first")).wait()
        for number in range(179):
            queue.add(change(0, f"session {number}"))
        while queue.failures < 3:
            await Turn()
        flaky.problem = None
        while queue.problem is not None:
            await Turn()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert queue.finish()

    asyncio.run(scenario())
    assert flaky.batches == [50, 100, 30]
    assert recovered == [180]


def test_closing_saves_failed_changes(flaky: Flaky, store: Store) -> None:
    """Closing returns whether everything has been saved."""

    async def scenario(works_again: bool) -> bool:
        queue = SaveQueue(flaky, lambda: None)  # type: ignore[arg-type]
        flaky.problem = sqlite3.OperationalError("database is locked")
        task = asyncio.ensure_future(queue.run())
        ticket = queue.add(change(0))
        await ticket.wait()
        assert ticket.problem == "the saved games file is locked by another program"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if works_again:
            flaky.problem = None
        return queue.finish()

    assert not asyncio.run(scenario(works_again=False))
    assert saved_actions(store) == 0
    assert asyncio.run(scenario(works_again=True))
    assert saved_actions(store) == 1


def test_window_is_warned_before_the_answer(flaky: Flaky) -> None:
    """Each window is notified once when saving fails, and once when it works again."""

    async def scenario() -> None:
        outbox = Outbox()
        queue = SaveQueue(flaky, outbox.saved_again)  # type: ignore[arg-type]
        flaky.problem = sqlite3.OperationalError("database or disk is full")
        task = asyncio.ensure_future(queue.run())
        for number in range(3):
            outbox.put({"move": number}, queue.add(change(number)))
        told = [await outbox.get() for _ in range(4)]
        problem = encode({"type": "saving", "problem": "disk full"})
        assert told == [problem, *(encode({"move": number}) for number in range(3))]
        flaky.problem = None
        assert await outbox.get() == encode({"type": "saving", "problem": None})
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())


@pytest.mark.parametrize("text", ["x", "x" * (limits.OUTBOX_BYTES // 100)])
def test_an_outbox_is_bounded(text: str) -> None:
    """Messages and characters are limited; an outbox that was full stays empty."""
    outbox = Outbox()
    for _ in range(limits.OUTBOX_MESSAGES):
        outbox.put(text)
    assert outbox.full.is_set() == (len(text) > 1)
    outbox.put(text)
    assert outbox.full.is_set()
    assert len(outbox) == 0


def test_outbox_escapes_lone_surrogates() -> None:
    """Lone surrogates are sent as JSON escapes."""
    assert encode({"re": "\ud800"}) == '{"re":"\\ud800"}'
