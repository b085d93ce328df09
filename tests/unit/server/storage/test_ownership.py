"""Workers that share a PostgreSQL database: claims on sessions, and the fencing of commits."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from sapper.server.storage.ownership import Claim, Ownership
from sapper.server.storage.postgresql_database import DatabaseInUse, PostgresqlDatabase
from sapper.server.storage.store import Change, Store
from support.postgresql import brief_lock_wait, clean_database


@pytest.fixture
def worker() -> Iterator[Callable[[str], Store]]:
    """Return a function that opens the store of a worker."""
    address = clean_database()
    with ExitStack() as stack:

        def opened(name: str) -> Store:
            return stack.enter_context(Store(PostgresqlDatabase(address, shared=True), worker=name))

        yield opened


def owner(store: Store) -> Ownership:
    """Return the ownership object of a worker's store."""
    assert store.ownership is not None
    return store.ownership


def change(token: int, *actions: Any, first: int = 0, session: str = "s") -> Change:
    """Return a change to a session."""
    begun = None if first else "{}"
    return Change(session, "{}", begun, first, tuple([one] for one in actions), token=token)


def actions(store: Store, session: str = "s") -> str:
    """Return the saved actions of a session."""
    saved = store.load(session)
    return "" if saved is None else saved.actions


def test_the_first_worker_that_claims_a_session_owns_it(worker: Callable[[str], Store]) -> None:
    """Other workers are told the owner; a released session can be claimed."""
    a, b = owner(worker("a")), owner(worker("b"))
    claim = a.claim("s")
    assert claim.worker == "a"
    assert b.claim("s") == claim
    a.release_all()
    assert b.claim("s") == Claim("b", claim.token + 1)


def test_a_commit_saves_nothing_of_a_session_that_was_taken(
    worker: Callable[[str], Store],
) -> None:
    """Other sessions in the same batch are saved."""
    first, second = worker("a"), worker("b")
    mine, other = owner(first).claim("s"), owner(first).claim("t")
    assert first.commit([change(mine.token, 1), change(other.token, 1, session="t")]) == []
    taken = owner(second).take("s", mine)
    assert taken == Claim("b", mine.token + 1)
    stale = change(mine.token, 2, first=1)
    assert first.commit([stale, change(other.token, 2, first=1, session="t")]) == [stale]
    assert second.commit([change(taken.token, 3, first=1)]) == []
    assert actions(second) == "[[1],[3]]"
    assert actions(second, "t") == "[[1],[2]]"


def test_only_one_of_two_workers_takes_a_session(worker: Callable[[str], Store]) -> None:
    """A claim that has already changed hands cannot be taken."""
    a, b, c = (owner(worker(name)) for name in "abc")
    dead = a.claim("s")
    assert b.take("s", dead) is not None
    assert c.take("s", dead) is None


def test_a_later_claim_of_the_same_worker_fences_its_earlier_one(
    worker: Callable[[str], Store],
) -> None:
    """The earlier claim is fenced even if its row was removed in between."""
    store = worker("a")
    first = owner(store).claim("s")
    second = owner(store).claim("s")
    owner(store).forget("s")
    third = owner(store).claim("s")
    assert first.token < second.token < third.token
    for claim in (first, second):
        stale = change(claim.token, 1)
        assert store.commit([stale]) == [stale]
    assert store.commit([change(third.token, 1)]) == []


def test_a_session_cannot_be_taken_during_a_commit(worker: Callable[[str], Store]) -> None:
    """The claim waits for the transaction, which can therefore rely on its check."""
    first, second = worker("a"), worker("b")
    mine = owner(first).claim("s")
    taken = threading.Event()

    def take() -> None:
        owner(second).take("s", mine)
        taken.set()

    thread = threading.Thread(target=take)
    with first.transaction() as db:
        assert owner(first).owned(db, [("s", mine.token)])[0] == {"s"}
        thread.start()
        with second._database.reading() as other:
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            while other.execute(waiting).fetchone()[0] == 0:
                pass
        assert not taken.is_set()
    thread.join()
    assert taken.is_set()
    with first.transaction() as db:
        assert owner(first).owned(db, [("s", mine.token)])[0] == set()


def test_interleaved_owners_never_lose_or_repeat_a_saved_action(
    worker: Callable[[str], Store],
) -> None:
    """Two workers take a session from each other, while both commit what they believe to own."""
    stores = worker("a"), worker("b")
    claim = owner(stores[0]).claim("s")
    assert stores[0].commit([change(claim.token)]) == []
    saved: list[list[int]] = []
    lock = threading.Lock()

    def play(at: int) -> None:
        store, other = stores[at], stores[1 - at]
        for number in range(40):
            current = owner(store).claim("s")
            if current.worker != owner(store).worker:
                current = owner(store).take("s", current) or current
            if current.worker != owner(store).worker:
                continue
            loaded = store.load("s")
            assert loaded is not None
            count = loaded.actions.count("[") - 1
            action = at * 1000 + number
            if store.commit([change(current.token, action, first=count)._replace(game=None)]) == []:
                with lock:
                    saved.append([action])
        assert other is not store

    threads = [threading.Thread(target=play, args=(at,)) for at in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(json.loads(actions(stores[0]))) == sorted(saved)
    assert len(saved) >= 2


def test_commits_of_all_workers_are_numbered_in_one_sequence(
    worker: Callable[[str], Store],
) -> None:
    """The oldest sessions, which are deleted first, are the same for all workers."""
    first, second = worker("a"), worker("b")
    for store, session in ((first, "s"), (second, "t"), (first, "u"), (second, "v")):
        claim = owner(store).claim(session)
        store.commit([change(claim.token, session=session)])
    with first.transaction() as db:
        rows = db.execute("SELECT id FROM sessions ORDER BY saved").fetchall()
    assert [row[0] for row in rows] == ["s", "t", "u", "v"]


def test_workers_exclude_a_single_server(worker: Callable[[str], Store]) -> None:
    """A single server, a migration or a restore needs the whole database."""
    store = worker("a")
    address = store._database._address  # type: ignore[attr-defined]
    with brief_lock_wait(), pytest.raises(DatabaseInUse):
        PostgresqlDatabase(address)
