"""Turns: one per visitor and a few per address, in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from sapper.server import limits
from sapper.server.jobs.errors import Busy
from sapper.server.jobs.long_jobs import Turns, Who
from support.waiting import Turn

ADA, BEN, CAT, LOCAL = Who("ada", "a"), Who("ben", "a"), Who("cat", "a"), Who("dan", None)


def test_visitor_has_one_turn_at_a_time() -> None:
    """A visitor's second request waits for the first; those of other visitors do not."""

    async def scenario() -> None:
        turns = Turns(9)
        end = await turns.take(ADA)
        second = asyncio.ensure_future(turns.take(ADA))
        await turns.take(BEN)
        assert not second.done()
        end()
        end()
        await second

    asyncio.run(scenario())


def test_turns_per_address_are_limited() -> None:
    """Another visitor at the same address waits; the local machine is exempt."""

    async def scenario() -> None:
        turns = Turns(2)
        ends = [await turns.take(who) for who in (ADA, BEN)]
        third = asyncio.ensure_future(turns.take(CAT))
        for number in range(3):
            await turns.take(LOCAL._replace(visitor=f"{number}"))
        assert not third.done()
        ends[1]()
        await third

    asyncio.run(scenario())


def test_turns_follow_the_order_of_requests() -> None:
    """A cancelled request is skipped or, if it already has its turn, passes it on."""

    async def scenario() -> None:
        turns = Turns(1)
        end = await turns.take(ADA)
        waiting = [asyncio.ensure_future(turns.take(who)) for who in (BEN, CAT, ADA)]
        await Turn()
        waiting[0].cancel()
        await Turn()
        end()
        # The second task gets its turn but is cancelled before it runs again.
        waiting[1].cancel()
        last: Callable[[], None] = await waiting[2]
        last()
        await turns.take(BEN)

    asyncio.run(scenario())


def test_excess_waiting_jobs_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs that wait too long are also refused, and do not take a turn later."""
    monkeypatch.setattr(limits, "WAITING_TURNS", 1)

    async def scenario() -> None:
        turns = Turns(9)
        end = await turns.take(ADA)
        second = asyncio.ensure_future(turns.take(ADA))
        await Turn()
        with pytest.raises(Busy, match="too many long jobs"):
            await turns.take(ADA)
        end()
        monkeypatch.setattr(limits, "TURN_BUDGET_S", 0.0)
        with pytest.raises(Busy, match="still running"):
            await turns.take(ADA)
        (await second)()
        await turns.take(ADA)

    asyncio.run(scenario())
