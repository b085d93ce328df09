"""Claims of sessions: a worker loads a session only after it owns it.

PostgreSQL stores the owner of each session. A worker that needs another worker's session asks the
owner to release it. The owner agrees if no window of the session is open, and saves it first. If
the owner has died, there is no need to ask. If the owner keeps the session, the request or the
window is forwarded to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Final, Protocol

from sapper.server import limits
from sapper.server.cluster.bus import Bus, BusFailed, BusMessage
from sapper.server.jobs.errors import Busy
from sapper.server.protocol import Json
from sapper.server.storage.ownership import Claim, Ownership
from sapper.translation import t

__all__ = ["Claims", "OwnClaims", "OwnedElsewhere", "Release", "SharedClaims"]

_ASK_S: Final = 1.0
_PAUSE_S: Final = 0.05


class OwnedElsewhere(Busy):
    """Another worker has the session, with open windows.

    Attributes:
        worker: Its name.
    """

    def __init__(self, worker: str) -> None:
        super().__init__(t("the server is too busy; try again in a moment"))
        self.worker = worker


class Release(StrEnum):
    """The answer of an owner that is asked to release a session."""

    DONE = "done"
    IN_USE = "in use"
    BUSY = "busy"


Releasing = Callable[[str, bool], Awaitable[Release]]
"""Releases a session from memory, even one with open windows if the second argument is true."""


class Claims(Protocol):
    """Claims sessions for this worker."""

    def release_by(self, releasing: Releasing, kind: str = "") -> None:
        """Set the function that releases sessions for other workers.

        Args:
            releasing: The function.
            kind: The part of the ids of these sessions before the colon; empty if they have none.
        """

    async def claim(self, session: str, *, force: bool = False) -> int:
        """Claim a session; return the token of the claim.

        Args:
            session: The session id.
            force: Whether the owner must release it even if it has open windows.

        Raises:
            OwnedElsewhere: If another worker keeps the session.
            Busy: If the owner does not answer.
        """

    async def forget(self, session: str) -> None:
        """Remove the claim of an erased session."""

    async def release_all(self) -> None:
        """Release all sessions, which have been saved."""


class OwnClaims:
    """The claims of a server that is the only one and owns everything."""

    def release_by(self, releasing: Releasing, kind: str = "") -> None:
        """Do nothing."""

    async def claim(self, session: str, *, force: bool = False) -> int:
        """Return 0."""
        return 0

    async def forget(self, session: str) -> None:
        """Do nothing."""

    async def release_all(self) -> None:
        """Do nothing."""


class SharedClaims:
    """The claims of one of several workers.

    Args:
        ownership: The sessions of this worker in the database.
        bus: The bus to the other workers.
    """

    def __init__(self, ownership: Ownership, bus: Bus) -> None:
        self._ownership, self._bus = ownership, bus
        self._releasing: dict[str, Releasing] = {}
        bus.answer("release", self._release)

    def release_by(self, releasing: Releasing, kind: str = "") -> None:
        """Set the function that releases sessions of a kind for other workers."""
        self._releasing[kind] = releasing

    async def claim(self, session: str, *, force: bool = False) -> int:
        """Claim a session; return the token of the claim.

        Raises:
            OwnedElsewhere: If another worker keeps the session.
            Busy: If the owner does not answer.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + limits.CLAIM_BUDGET_S
        while True:
            claim: Claim | None = await asyncio.to_thread(self._ownership.claim, session)
            assert claim is not None
            if claim.worker != self._bus.worker:
                claim = await self._transfer(session, claim, force)
            if claim is not None:
                return claim.token
            if loop.time() > deadline:
                raise _busy()
            await asyncio.sleep(_PAUSE_S)

    async def _transfer(self, session: str, claim: Claim, force: bool) -> Claim | None:
        """Take a session from its owner; return None to try again.

        Raises:
            OwnedElsewhere: If the owner keeps it.
            Busy: If the owner cannot be asked.
        """
        if not await self._bus.has_died(claim.worker):
            try:
                await self._bus.check()
            except BusFailed:
                raise _busy() from None
            question = {"session": session, "force": force}
            answer = await self._bus.ask(claim.worker, "release", question, _ASK_S)
            release = None if answer is None else answer["release"]
            if release == Release.IN_USE:
                raise OwnedElsewhere(claim.worker)
            if release != Release.DONE:
                return None
        return await asyncio.to_thread(self._ownership.take, session, claim)

    async def _release(self, message: BusMessage) -> Json:
        session, force = message.payload["session"], message.payload["force"]
        kind = session.rpartition(":")[0]
        return {"release": await self._releasing[kind](session, force)}

    async def forget(self, session: str) -> None:
        """Remove the claim of an erased session."""
        await asyncio.to_thread(self._ownership.forget, session)

    async def release_all(self) -> None:
        """Release all sessions, which have been saved."""
        await asyncio.to_thread(self._ownership.release_all)


def _busy() -> Busy:
    return Busy(t("your game is saved, but cannot be reached right now; try again in a moment"))
