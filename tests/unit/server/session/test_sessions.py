"""Sessions are loaded into memory once and kept while they are in use."""

from __future__ import annotations

import asyncio

import pytest

from sapper.server import limits
from sapper.server.session.sessions import Sessions
from sapper.server.storage.store import Store
from support.waiting import Turn

ONE, OTHER = "s" * 24, "t" * 24


def test_a_session_that_is_being_opened_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the session were evicted, a second window would get a copy."""
    monkeypatch.setattr(limits, "SESSIONS_IN_MEMORY", 0)

    async def scenario() -> None:
        with Store(None) as store:
            sessions = Sessions(store)
            await sessions.start()
            other = await sessions.open(OTHER)
            opening = asyncio.ensure_future(sessions.open(ONE))
            while not opening.done():
                # Closing one of its windows makes room.
                other.users += 1
                sessions.release(other)
                await Turn()
            assert await sessions.open(ONE) is opening.result()
            await sessions.stop()

    asyncio.run(scenario())
