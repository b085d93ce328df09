"""All rooms in memory: create them, load them, and remove unused ones."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from sapper.community import Race, RaceSettings
from sapper.errors import BadSave, SapperError
from sapper.server import limits
from sapper.server.cluster.claims import Release
from sapper.server.cluster.membership import Cluster, only_worker
from sapper.server.instruments import note_refusal
from sapper.server.jobs.errors import Busy
from sapper.server.jobs.process_pool import ProcessPool
from sapper.server.jobs.workers import WorkerPool
from sapper.server.protocol import Json
from sapper.server.rooms.codes import new_code
from sapper.server.rooms.errors import NoRoom, TooManyRooms
from sapper.server.rooms.hosted_room import HostedRoom
from sapper.server.rooms.live_room import LiveRoom
from sapper.server.rooms.making import Wanted, made_room, tournament_room
from sapper.server.storage.rooms import Ended, RoomChange, RoomStore, claim_of
from sapper.server.storage.save_queue import SaveQueue
from sapper.server.storage.schema import SCHEMA
from sapper.server.storage.store import Store
from sapper.translation import t

__all__ = ["RoomHub"]

_log: Final = logging.getLogger(__name__)

_Result = TypeVar("_Result")

_SWEEP_S: Final = 5.0
"""Seconds between two searches for rooms whose worker has ended."""
_PAUSE_S: Final = 0.01
_TOURNAMENT_WAIT_MS: Final = 15_000


class RoomHub:
    """Finds, loads and creates rooms.

    Args:
        store: The store.
        cluster: The other workers of the site (default: none).
    """

    def __init__(self, store: Store, cluster: Cluster | None = None) -> None:
        cluster = only_worker() if cluster is None else cluster
        self._bus, self._claims = cluster.bus, cluster.claims
        self._claims.release_by(self._release, "room")
        self._store = RoomStore(store.database, store.ownership, record=SCHEMA.round_ended)
        self._rooms: dict[str, LiveRoom] = {}
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        self._pool = WorkerPool(2, most=8, name="rooms")
        self._queue: SaveQueue[RoomChange] = SaveQueue(self._store, self._saved_again, self._lose)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start saving, and look for rooms that no worker has."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._queue.run()), loop.create_task(self._sweep())]

    async def stop(self) -> bool:
        """Save all rooms and stop; return whether everything was saved."""
        for task in (*self._tasks[1:], *self._loading.values()):
            task.cancel()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        await asyncio.gather(*(room.stop() for room in self._rooms.values()))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.close()
        return self._queue.finish()

    def __len__(self) -> int:
        """Return the number of rooms in memory."""
        return len(self._rooms)

    @property
    def queues(self) -> dict[str, WorkerPool | ProcessPool]:
        """The pool of worker threads, by name."""
        return {"rooms": self._pool}

    async def in_thread(self, work: Callable[[], _Result]) -> _Result:
        """Run a quick function on a worker thread."""
        return await self._pool.submit(work)

    # New rooms.

    async def make(self, maker: str, name: str, language: str, wanted: Wanted) -> str:
        """Create a room; return its code.

        Args:
            maker: The session id of its maker.
            name: The name of the maker.
            language: The maker's language code.
            wanted: The room.

        Raises:
            RoomFull: If it has no room for all bots.
            TooManyRooms: If the visitor or the server has too many rooms.
        """
        self._check_number()
        if await self.in_thread(partial(self._store.made_by, maker)) >= limits.ROOMS_PER_VISITOR:
            note_refusal("rooms_per_visitor")
            raise TooManyRooms(t("you have too many open rooms; rooms close when they are empty"))
        code = await self._new_code()
        hosted = made_room(code, maker, name, language, wanted)
        await self._add(hosted)
        return code

    async def create_for(
        self, settings: RaceSettings, seed: int, players: dict[str, str], tournament: str, race: int
    ) -> str:
        """Create the room of a tournament's race; return its code.

        Its players are members, and the race starts when all are connected or after 15 seconds.

        Args:
            settings: The settings of the race.
            seed: The seed of the room.
            players: The names of the players by session id.
            tournament: The tournament's code.
            race: The number of the race in the tournament.

        Raises:
            TooManyRooms: If the server has too many rooms.
        """
        self._check_number()
        code = await self._new_code()
        made = Race(settings, seed)
        hosted = tournament_room(code, made, players, tournament, race, _TOURNAMENT_WAIT_MS)
        await self._add(hosted)
        return code

    async def exists(self, code: str) -> bool:
        """Return whether there is a room with a code."""
        return code in self._rooms or await self.in_thread(partial(self._store.exists, code))

    def _check_number(self) -> None:
        if len(self._rooms) + len(self._loading) >= limits.ROOMS:
            note_refusal("rooms")
            raise TooManyRooms(t("too many rooms are open; try again later"))

    async def _new_code(self) -> str:
        while True:
            code = new_code()
            if not await self.in_thread(partial(self._store.is_used, code)):
                return code

    async def _add(self, hosted: HostedRoom) -> None:
        """Save a new room, and keep it in memory."""
        hosted.token = await self._claims.claim(claim_of(hosted.info.code))
        change = hosted.change()
        assert change is not None
        ticket = self._queue.add(change)
        self._open(hosted)
        await ticket.wait()

    def _open(self, hosted: HostedRoom) -> LiveRoom:
        room = LiveRoom(hosted, self._pool, self._queue, self._drop)
        self._rooms[hosted.info.code] = room
        return room

    # Rooms in memory.

    async def open(self, code: str) -> LiveRoom:
        """Return a room, loading it if necessary.

        Raises:
            Busy: If its owner does not answer.
            NoRoom: If no room has this code.
            OwnedElsewhere: If another worker has the room.
        """
        if (room := self._rooms.get(code)) is not None:
            return room
        loading = self._loading.get(code)
        if loading is None:
            loading = asyncio.get_running_loop().create_task(self._load(code))
            self._loading[code] = loading
            loading.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(loading)

    async def _load(self, code: str) -> LiveRoom:
        await self._until_saved(code)
        if not await self.in_thread(partial(self._store.exists, code)):
            raise NoRoom(t("no room has the code {code}", code=code))
        token = await self._claims.claim(claim_of(code))
        saved = await self.in_thread(partial(self._store.load, code))
        if saved is None:
            raise NoRoom(t("no room has the code {code}", code=code))
        try:
            hosted = await self.in_thread(partial(HostedRoom.load, saved))
        except BadSave as problem:
            _log.error("the room %s cannot be loaded and is removed: %s", code, problem)
            self._queue.add(RoomChange(code, token, removed=True))
            raise NoRoom(t("no room has the code {code}", code=code)) from None
        hosted.token = token
        return self._open(hosted)

    async def _until_saved(self, code: str) -> None:
        """Wait until changes of a room that was in memory before are saved.

        Raises:
            Busy: If this takes too long.
        """
        deadline = asyncio.get_running_loop().time() + limits.CLAIM_BUDGET_S
        while self._queue.holds(claim_of(code)):
            if asyncio.get_running_loop().time() > deadline:
                raise Busy(t("the server is too busy; try again in a moment"))
            await asyncio.sleep(_PAUSE_S)

    def _drop(self, room: LiveRoom) -> None:
        if self._rooms.get(room.hosted.info.code) is room:
            del self._rooms[room.hosted.info.code]

    def _lose(self, changes: list[RoomChange]) -> None:
        """Drop rooms that another worker has claimed; their windows reconnect."""
        for change in changes:
            room = self._rooms.get(change.code)
            if room is not None and room.hosted.token == change.token:
                _log.warning("another worker has claimed a room of this one")
                self._drop(room)
                room.close()

    async def _release(self, claim: str, force: bool) -> Release:
        """Return whether another worker may take a room: only if it is not in memory."""
        code = claim.rpartition(":")[2]
        if code in self._rooms or code in self._loading:
            return Release.IN_USE
        return Release.BUSY if self._queue.holds(claim) else Release.DONE

    async def forget(self, alias: str) -> None:
        """Replace an erased player in all rooms in memory; see `HostedRoom.forget`."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        for room in self._rooms.values():
            room.forget(alias)

    def remove(self, codes: set[str]) -> None:
        """Close the rooms in memory that an operator has deleted."""
        for code in codes & set(self._rooms):
            self._rooms[code].remove()

    def tell(self, message: Json) -> None:
        """Send a message to all windows."""
        for room in self._rooms.values():
            room.tell(message)

    def _saved_again(self) -> None:
        for room in self._rooms.values():
            room.saved_again()

    async def _sweep(self) -> None:
        """Load the rooms whose worker has ended, so that their games continue or are removed."""
        seen: set[str] = set()
        while True:
            try:
                found = await self._unowned()
                for code in found if not self._bus.worker else ():
                    await self._adopt(code)
                for code in found & seen:
                    await self._adopt(code)
                seen = found
            except (OSError, sqlite3.Error):
                # The queue already reports that the database is unavailable.
                pass
            await asyncio.sleep(_SWEEP_S)

    async def _adopt(self, code: str) -> None:
        with suppress(SapperError):
            await self.open(code)

    async def _unowned(self) -> set[str]:
        owners = await self.in_thread(self._store.owners)
        others = {code: worker for code, worker in owners.items() if code not in self._rooms}
        ended = {
            worker: worker in ("", self._bus.worker) or bool(await self._bus.has_died(worker))
            for worker in set(others.values())
        }
        return {code for code, worker in others.items() if ended[worker]}

    # Lists.

    async def listed(self) -> list[Json]:
        """Return the entries of public rooms with people in them, newest first."""
        found = await self.in_thread(partial(self._store.listed, limits.ROOMS_LISTED))
        return [json.loads(summary) for summary in found]

    async def recording(self, code: str, game: int | None = None) -> tuple[int, Ended]:
        """Return the number of a room's last finished game, and a game (default: the last).

        Raises:
            NoRoom: If there is no such game.
        """
        found = await self.in_thread(partial(self._store.recording, code, game))
        if found is None:
            raise NoRoom(t("no finished game was found in the room {code}", code=code))
        return found
