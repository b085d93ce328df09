"""Import game files in jobs that report progress and can be cancelled."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from starlette.requests import Request

from sapper.history import History
from sapper.history.checked_games import CheckedGames
from sapper.server import limits
from sapper.server.http.endpoints import chunks_of
from sapper.server.instruments import note_refusal
from sapper.server.jobs.errors import Busy, TooSlow
from sapper.server.jobs.game_files import Checked, check_games
from sapper.server.jobs.long_jobs import Turns, Who, run_within
from sapper.server.jobs.process_pool import ProcessPool, ignore_result
from sapper.server.protocol import Json
from sapper.translation import t, tn

__all__ = ["Imports"]

_BATCH_SIZE: Final = 200
"""Number of games to add at once, small enough not to delay the saving of moves."""

Tell = Callable[[Json], object]


class Imports:
    """Checks the games in files in processes with limited memory, and adds them."""

    def __init__(self) -> None:
        self._pool = ProcessPool(
            limits.IMPORTS, idle=False, memory=limits.IMPORT_BYTES, name="imports"
        )
        self._turns = Turns(limits.LONG_PER_ADDRESS)
        self._running: Counter[str | None] = Counter()

    @property
    def queues(self) -> dict[str, ProcessPool]:
        """The pools of processes, by name."""
        return {"imports": self._pool}

    def close(self) -> None:
        """End the processes."""
        self._pool.close()

    async def start(
        self,
        request: Request,
        who: Who,
        history: History,
        tell: Tell,
        changed: Callable[[], Awaitable[None]],
    ) -> asyncio.Future[Json]:
        """Save the file in a request, and return a future for its import.

        Cancelling the future ends the import. The games of an export are added only if all are
        valid; rejected replays are listed in the result.

        Args:
            request: The request, with the file as its body.
            who: The visitor.
            history: The history to add the games to.
            changed: Called when games have been added.
            tell: Called with the number of ``games`` read so far and the ``share`` of the file
                read.

        Raises:
            Busy: If too many files are being imported.
            TooLarge: If the file is too large.
            Stalled: If no data arrives for some time.
        """
        self._check_room(who)
        folder = Path(tempfile.mkdtemp(prefix="sapper-import-"))
        try:
            with (folder / "given").open("wb") as file:
                async for chunk in chunks_of(request, limits.HISTORY_BYTES):
                    file.write(chunk)
            # Replace the visitor's other import only now: the upload might never have completed.
            self._check_room(who)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._running[who.address] += 1

        def clean_up(_: object) -> None:
            self._running[who.address] -= 1
            shutil.rmtree(folder, ignore_errors=True)

        content_type = request.headers.get("content-type", "")
        work = partial(check_games, folder / "given", folder / "checked", content_type)
        job = asyncio.ensure_future(
            self._run(work, folder / "checked", who, history, tell, changed)
        )
        job.add_done_callback(clean_up)
        job.add_done_callback(ignore_result)
        return job

    def _check_room(self, who: Who) -> None:
        own = 0 if who.address is None else self._running[who.address]
        if self._running.total() >= limits.FILES or own >= limits.FILES_PER_ADDRESS:
            note_refusal("imports")
            raise Busy(t("the server is too busy; try again in a moment"))

    async def _run(
        self,
        work: Callable[[], Checked],
        checked: Path,
        who: Who,
        history: History,
        tell: Tell,
        changed: Callable[[], Awaitable[None]],
    ) -> Json:
        end_turn = await self._turns.take(who)
        try:
            found = await run_within(
                self._pool, end_turn, work, limits.IMPORT_BUDGET_S, lambda text: tell(_read(text))
            )
        except TooSlow:
            raise TooSlow(
                tn(
                    "this file takes longer than {n} second to read; split it",
                    "this file takes longer than {n} seconds to read; split it",
                    round(limits.IMPORT_BUDGET_S),
                )
            ) from None
        adding = asyncio.ensure_future(asyncio.to_thread(_add, checked, history))
        try:
            added = await asyncio.shield(adding)
        finally:
            # A thread cannot be stopped: once it starts adding games, it adds all of them.
            await asyncio.wait({adding})
            await changed()
        return {**found, "added": added}


def _read(text: str) -> Json:
    numbers: Json = json.loads(text)
    return numbers


def _add(checked: Path, history: History) -> int:
    """Add checked games in batches; return the number of new ones."""
    added = 0
    with checked.open("rb") as file:
        games = CheckedGames(file).with_digests()
        while batch := list(islice(games, _BATCH_SIZE)):
            added += history.add_replays(batch)
    return added
