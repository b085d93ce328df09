"""Export everything stored about a player, with replays built in a worker process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread

from sapper.errors import LimitReached
from sapper.history import Record
from sapper.history.tables import Tables
from sapper.server import limits
from sapper.server.jobs.errors import TooSlow
from sapper.server.jobs.exporting import replays_of
from sapper.server.jobs.long_jobs import Turns, Who, run_within
from sapper.server.jobs.process_pool import ProcessPool
from sapper.server.storage.player_data import PlayerExport

__all__ = ["Exports"]

_BATCH_SIZE: Final = 20
_THREADS: Final = anyio.CapacityLimiter(2)
"""Number of threads that read games and write files."""


class Exports:
    """Writes zip files with everything about a player, one at a time per player.

    Args:
        database: The database.
    """

    def __init__(self, database: Tables) -> None:
        self._database = database
        self._pool = ProcessPool(1, idle=False, memory=limits.LONG_JOB_BYTES, name="exports")
        self._turns = Turns(limits.LONG_PER_ADDRESS)

    @property
    def queues(self) -> dict[str, ProcessPool]:
        """The pools of processes, by name."""
        return {"exports": self._pool}

    def close(self) -> None:
        """End the process."""
        self._pool.close()

    async def write(
        self, who: Who, player: str, account: str, further: dict[str, dict[str, Any]]
    ) -> Path:
        """Write the file of a player, which the caller removes.

        Args:
            who: The visitor.
            player: The session id.
            account: The id of the account.
            further: Further JSON objects, by file.

        Raises:
            Busy: If another export of the visitor takes too long.
        """
        end_turn = await self._turns.take(who)
        try:
            begin = partial(PlayerExport, self._database, player, account, further)
            export = await anyio.to_thread.run_sync(begin, limiter=_THREADS)
            try:
                await self._add_games(export)
            except BaseException:
                export.discard()
                raise
            return export.path
        finally:
            end_turn()

    async def _add_games(self, export: PlayerExport) -> None:
        take = partial(export.next_games, _BATCH_SIZE)
        while games := await anyio.to_thread.run_sync(take, limiter=_THREADS):
            add = partial(export.add, games, await self._replays(games))
            await anyio.to_thread.run_sync(add, limiter=_THREADS)
        await anyio.to_thread.run_sync(export.finish, limiter=_THREADS)

    async def _replays(self, games: Sequence[Record]) -> list[str | None]:
        """Return the replays of games, without those that need too much time or memory."""
        done = asyncio.Event()
        work = partial(replays_of, games)
        try:
            return await run_within(self._pool, done.set, work, limits.EXPORT_BUDGET_S)
        except (TooSlow, LimitReached):
            return [None] * len(games)
