"""All sessions in memory: load them, save their changes, and drop unused ones."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from sapper.errors import BadSave, Cancelled
from sapper.game import Game
from sapper.history import Record
from sapper.server import limits
from sapper.server.cluster.bus import BusMessage
from sapper.server.cluster.claims import Release
from sapper.server.cluster.membership import Cluster, only_worker
from sapper.server.instruments import note_refusal
from sapper.server.jobs.errors import Busy, TooSlow
from sapper.server.jobs.job_cost import cells_of_save, is_heavy_save
from sapper.server.jobs.measuring import Measuring
from sapper.server.jobs.process_pool import ProcessPool
from sapper.server.jobs.workers import WorkerPool
from sapper.server.protocol import Json, encode
from sapper.server.session import saving
from sapper.server.session.client import Client
from sapper.server.session.outbox import saving_message
from sapper.server.session.session import Session
from sapper.server.storage.day_results import Day
from sapper.server.storage.fair_play import FairPlay
from sapper.server.storage.save_queue import SaveQueue
from sapper.server.storage.store import Change, SavedSession, Store
from sapper.translation import t, tn

__all__ = ["Sessions"]

_Result = TypeVar("_Result")

_log: Final = logging.getLogger(__name__)

_FINISHED: Final = "games-finished"
"""The kind of the message to the worker that measures games."""
_RELEASE_S: Final = 0.7
"""How long another worker may wait until a session is saved and its last jobs are done."""
_PAUSE_S: Final = 0.02


class Sessions:
    """Finds or loads the client of a session.

    Args:
        store: The session store.
        cluster: The other workers of the site (default: none).

    Attributes:
        measuring_pool: The process that measures finished games in idle time.
    """

    def __init__(self, store: Store, cluster: Cluster | None = None) -> None:
        self._store = store
        cluster = only_worker() if cluster is None else cluster
        self._bus, self._claims = cluster.bus, cluster.claims
        self._bus.on("history-changed", self._history_changed)
        self._claims.release_by(self._release_to_another)
        self._clients: OrderedDict[str, Client] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Client]] = {}
        # The sessions whose stored data is being changed, with the end of the change.
        self._changing: dict[str, asyncio.Event] = {}
        # The number of pending `open` calls by session, whose callers do not use the client yet.
        self._opening: Counter[str] = Counter()
        # The number of cells, by session, of big boards that are being dealt or loaded.
        self._coming: dict[str, int] = {}
        self._moves = WorkerPool(2, most=8, processes=2, name="moves")
        self._analyses = WorkerPool(1, most=8, name="analyses")
        # Long jobs that nothing is waiting for.
        self.measuring_pool = ProcessPool(1, name="measuring")
        measured_by = None if cluster.leads else partial(self._bus.broadcast, _FINISHED, {})
        fair_play = FairPlay(store.database)
        self._measuring = Measuring(store.history, self.measuring_pool, measured_by, fair_play)
        if cluster.leads:
            self._bus.on(_FINISHED, lambda _: self._measuring.expect())
        self._saving: SaveQueue[Change] | None = None
        self._saver: saving.Saver | None = None
        self._task: asyncio.Task[None] | None = None
        self._updates: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start saving."""
        self._saving = SaveQueue(self._store, self._saved_again, self._lose)
        self._saver = saving.Saver(self._saving, self._measuring)
        self._task = asyncio.get_running_loop().create_task(self._saving.run())
        self._measuring.start()

    async def stop(self) -> bool:
        """Save everything and stop the worker threads; return whether everything was saved."""
        assert self._saving is not None
        assert self._task is not None
        for client in self._clients.values():
            # Clocks have advanced since the last save.
            if client.session.now.actions and not client.busy:
                self._saving.add(saving.change(client.session))
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self._measuring.stop()
        self._moves.close()
        self._analyses.close()
        self.measuring_pool.close()
        finished = self._saving.finish()
        with suppress(OSError):
            await self._claims.release_all()
        return (self._store.settle() or not self._store.persistent) and finished

    def __len__(self) -> int:
        """Return the number of games in memory."""
        return len(self._clients)

    @property
    def moves(self) -> int:
        """The number of actions saved so far."""
        return 0 if self._saver is None else self._saver.moves

    @property
    def queues(self) -> dict[str, WorkerPool | ProcessPool]:
        """The pools of workers, by name."""
        return {
            "moves": self._moves,
            "heavy_moves": self._moves.heavy,
            "analyses": self._analyses,
            "heavy_analyses": self._analyses.heavy,
            "measuring": self.measuring_pool,
        }

    @property
    def save_queue(self) -> SaveQueue[Change]:
        """The queue of changes to save, available after `start`."""
        assert self._saving is not None
        return self._saving

    @property
    def trouble(self) -> Json | None:
        """Return the message that nothing is being saved, or None."""
        if not self._store.persistent and self._store.problem is not None:
            return saving_message(self._store.problem, trying=False)
        problem = None if self._saving is None else self._saving.problem
        return None if problem is None else saving_message(problem)

    async def open(self, session_id: str) -> Client:
        """Return the client of a session, kept in memory until `release`.

        Raises:
            OwnedElsewhere: If another worker has the session.
        """
        await self._until_unchanged(session_id)
        self._opening[session_id] += 1
        try:
            client = self._clients.get(session_id) or await self._loaded(session_id)
            client.users += 1
        finally:
            self._opening[session_id] -= 1
            if not self._opening[session_id]:
                del self._opening[session_id]
        return client

    async def _loaded(self, session_id: str) -> Client:
        loading = self._loading.get(session_id)
        if loading is None:
            loading = asyncio.get_running_loop().create_task(self._load(session_id))
            self._loading[session_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(session_id, None))
        return await asyncio.shield(loading)

    def release(self, client: Client) -> None:
        """Release one use of a client."""
        client.users -= 1
        if client.session.id in self._clients:
            self._clients.move_to_end(client.session.id)
        self._make_room()

    async def in_thread(self, work: Callable[[], _Result]) -> _Result:
        """Run a quick function for a page on a worker thread."""
        return await self._analyses.submit(work)

    async def daily_game(self, session_id: str, day: Day) -> Game | None:
        """Return the game of a session's result for a day, or None."""

        def load() -> Game | None:
            saved = self._store.daily_game(session_id, day)
            return None if saved is None else Game.from_json(json.loads(saved))

        return await self._moves.submit(load)

    async def started_days(self, guest: str | None) -> set[Day]:
        """Return the days whose boards a guest has started, as saved."""
        if guest is None:
            return set()
        # Games in memory continue while the database is unavailable.
        with suppress(OSError, sqlite3.Error):
            return await self._moves.submit(partial(self._store.starts, guest))
        return set()

    async def finished_game(self, session_id: str, key: str) -> Record | None:
        """Return a finished game of a session by its key in the history, or None."""
        return await self._moves.submit(partial(self._store.history.of(session_id).get, key))

    async def latest_game(self, session_id: str) -> Record | None:
        """Return the most recently finished game of a session, or None."""

        def find() -> Record | None:
            history = self._store.history.of(session_id)
            latest = history.rows(limit=1)
            return history.get(latest[0]["key"]) if latest else None

        return await self._moves.submit(find)

    async def _load(self, session_id: str) -> Client:
        token = await self._claims.claim(session_id)
        saved = await self._moves.submit(partial(self._store.load, session_id))
        notice = None
        if saved is None:
            session = await self._moves.submit(partial(self._new_session, session_id))
        else:
            session, notice = await self._restored(session_id, saved)
        session.token = token
        session.make_room = partial(self._make_big_room, session_id)
        session.daily_seed = self._store.daily_boards.seed
        assert self._saver is not None
        client = Client(session, self._saver.save, self._moves, self._analyses, notice)
        self._clients[session_id] = client
        self._make_room()
        return client

    def _new_session(self, session_id: str) -> Session:
        """Return a session without a saved game; its player may still have results."""
        session = Session(session_id)
        session.bests = self._store.bests(session_id)
        session.dailies = self._store.dailies(session_id)
        session.starts = self._store.starts(session_id)
        return session

    async def _restored(self, session_id: str, saved: SavedSession) -> tuple[Session, str | None]:
        """Load a saved session; set an unreadable one aside and notify the player.

        Raises:
            TooSlow: If loading exceeds its budget; the saved session is unchanged.
        """
        self._make_big_room(session_id, cells_of_save(saved.game))
        running = self._moves.submit(
            partial(saving.load, session_id, saved), heavy=is_heavy_save(saved.game)
        )
        late = asyncio.get_running_loop().call_later(
            limits.LOADING_BUDGET_S, self._moves.stop, running
        )
        try:
            return await running, None
        except BadSave as problem:
            problem_text = str(problem)
        except Cancelled:
            # Keep the saved session, because the machine may just be busy.
            raise TooSlow(
                tn(
                    "your saved game is taking longer than {n} second to load; it stays saved and "
                    "loads on your next visit",
                    "your saved game is taking longer than {n} seconds to load; it stays saved and "
                    "loads on your next visit",
                    round(limits.LOADING_BUDGET_S),
                )
            ) from None
        finally:
            late.cancel()
        name = await self._moves.submit(partial(self._store.set_aside, session_id))
        _log.warning("%s; it is now %s", problem_text, name)
        session = await self._moves.submit(partial(self._new_session, session_id))
        return session, f"{problem_text}; it is kept as {name}, and this is a new game"

    @property
    def ids(self) -> set[str]:
        """The sessions that are in memory or have unsaved changes."""
        assert self._saving is not None
        return {*self._clients, *self._loading, *self._saving.sessions}

    async def delete(self, session_id: str, erase: Callable[[], None]) -> None:
        """Drop a session from memory, and erase its stored data.

        Args:
            session_id: The session, whose windows have been asked to close.
            erase: Function that erases it from the store.
        """
        assert self._saving is not None
        await self._claims.claim(session_id, force=True)
        client = self._clients.pop(session_id, None)
        if client is not None:
            client.close()
        await self._saving.forget(session_id)
        await self._moves.submit(erase)
        await self._claims.forget(session_id)

    async def change(self, session_ids: Iterable[str], work: Callable[[], _Result]) -> _Result:
        """Save sessions and drop them from memory, then run a function that changes stored data.

        Their windows have been asked to close; until the end of the function, they wait.

        Args:
            session_ids: The sessions.
            work: The function.

        Raises:
            Busy: If a session cannot be saved now.
        """
        ids = sorted({*session_ids})
        await self._until_unchanged(*ids)
        done = asyncio.Event()
        self._changing.update(dict.fromkeys(ids, done))
        try:
            for session_id in ids:
                await self._claims.claim(session_id, force=True)
                await self._drop_soon(session_id)
            return await self._moves.submit(work)
        finally:
            for session_id in ids:
                del self._changing[session_id]
            done.set()

    async def _until_unchanged(self, *session_ids: str) -> None:
        while changes := [self._changing[one] for one in session_ids if one in self._changing]:
            await changes[0].wait()

    async def _drop_soon(self, session_id: str) -> None:
        deadline = asyncio.get_running_loop().time() + limits.CLAIM_BUDGET_S
        while await self._drop(session_id, force=True) is not Release.DONE:
            if asyncio.get_running_loop().time() > deadline:
                raise Busy(t("the server is too busy; try again in a moment"))
            await asyncio.sleep(_PAUSE_S)

    async def _release_to_another(self, session_id: str, force: bool) -> Release:
        """Save a session and drop it from memory, because another worker needs it."""
        if session_id in self._changing:
            return Release.IN_USE
        return await self._drop(session_id, force)

    async def _drop(self, session_id: str, force: bool) -> Release:
        """Save a session and drop it from memory, unless it is in use.

        Args:
            session_id: The session.
            force: Whether to close its windows instead of keeping it.
        """
        assert self._saving is not None
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _RELEASE_S
        while True:
            if session_id in self._opening or session_id in self._loading:
                return Release.IN_USE
            client = self._clients.get(session_id)
            if client is not None and client.users and not force:
                return Release.IN_USE
            is_late = loop.time() > deadline
            if not self._saving.holds(session_id) and (
                client is None or is_late or not client.busy
            ):
                if client is not None:
                    del self._clients[session_id]
                    client.close()
                return Release.DONE
            if is_late:
                return Release.BUSY
            await asyncio.sleep(0.01)

    def _lose(self, changes: list[Change]) -> None:
        """Drop sessions that another worker has claimed; their windows reconnect."""
        for change in changes:
            client = self._clients.get(change.session)
            if client is not None and client.session.token == change.token:
                _log.warning("another worker has claimed a session of this one")
                del self._clients[change.session]
                client.close()

    async def history_changed(self, session_id: str) -> None:
        """Update a session after games have been imported into its history or erased from it."""
        self._measuring.expect()
        await self._update_bests(session_id)
        await self._bus.broadcast("history-changed", {"session": session_id})

    def _history_changed(self, message: BusMessage) -> None:
        if message.sender != self._bus.worker:
            session_id = message.payload["session"]
            task = asyncio.get_running_loop().create_task(self._update_bests(session_id))
            self._updates.add(task)
            task.add_done_callback(self._updates.discard)

    async def _update_bests(self, session_id: str) -> None:
        if session_id in self._clients:
            bests = await self._moves.submit(partial(self._store.bests, session_id))
            if (client := self._clients.get(session_id)) is not None:
                client.session.bests = bests

    def tell(self, message: Json) -> None:
        """Send a message to all windows."""
        text = encode(message)
        for client in self._clients.values():
            for window in client.windows:
                window.put(text)

    def _saved_again(self) -> None:
        for client in self._clients.values():
            for window in client.windows:
                window.saved_again()

    def _make_big_room(self, session_id: str, cells: int) -> None:
        """Make room for a big board by dropping unused big boards.

        Raises:
            Busy: If too many of them are in use.
        """
        if cells <= limits.SMALL_CELLS:
            return
        big = self._big_boards()
        big.pop(session_id, None)
        surplus = cells + sum(big.values()) - limits.BIG_CELLS
        for other, size in big.items():
            client = self._clients.get(other)
            if surplus > 0 and client is not None and self._unused(other, client):
                surplus -= size
                del self._clients[other]
        if surplus > 0:
            note_refusal("big_board_cells")
            raise Busy(
                t(
                    "the server does not have enough memory for another large board; try a "
                    "smaller one"
                )
            )
        self._coming[session_id] = cells

    def _big_boards(self) -> dict[str, int]:
        """Return the cells of each session's big board, including boards that are being dealt."""
        boards = {
            session_id: len(client.session.now.cells)
            for session_id, client in self._clients.items()
            if client.session.big
        }
        for session_id, cells in list(self._coming.items()):
            client = self._clients.get(session_id)
            if session_id in self._loading or (client is not None and client.busy):
                boards[session_id] = max(cells, boards.get(session_id, 0))
            else:
                del self._coming[session_id]
        return boards

    def _unused(self, session_id: str, client: Client) -> bool:
        assert self._saving is not None
        needed = client.users or client.busy or session_id in self._opening
        return not (needed or self._saving.holds(session_id))

    def _make_room(self) -> None:
        """Drop the least recently used idle clients above the limit."""
        surplus = len(self._clients) - limits.SESSIONS_IN_MEMORY
        if surplus <= 0:
            return
        for session_id, client in list(self._clients.items()):
            if surplus <= 0:
                return
            if self._unused(session_id, client):
                del self._clients[session_id]
                surplus -= 1
