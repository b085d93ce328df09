"""Turns: one long job at a time for each visitor, and a few for each address."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from typing import Final, NamedTuple

from sapper.server import limits
from sapper.server.job_future import Busy
from sapper.translation import t

__all__ = ["Turns", "Who"]


class Who(NamedTuple):
    """The visitor that asks for a job.

    Attributes:
        visitor: Names the browser; the address where it has no cookie.
        address: The network that all its visitors share; None for this machine's own addresses,
            behind which a reverse proxy may have anybody.
    """

    visitor: str
    address: str | None


class Turns:
    """Hands out turns in the order of requests.

    Args:
        for_address: The most turns of one address at the same time.
    """

    def __init__(self, for_address: int) -> None:
        self._for_address: Final = for_address
        self._taken: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._waiting: deque[tuple[Who, asyncio.Future[None]]] = deque()

    async def take(self, who: Who) -> Callable[[], None]:
        """Wait for a turn; return the function that ends it.

        Raises:
            Busy: If too many jobs of this visitor wait, or the others take too long.
        """
        if sum(other.visitor == who.visitor for other, _ in self._waiting) >= limits.WAITING_TURNS:
            raise Busy(t("this browser has too many long jobs waiting; close some"))
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((who, turn))
        self._hand_out()
        try:
            await asyncio.wait({turn}, timeout=limits.TURN_BUDGET_S)
        except asyncio.CancelledError:
            if not self._withdraw(who, turn):
                self._end(who)
            raise
        if self._withdraw(who, turn):
            raise Busy(t("this browser is still running another long job; try again later"))
        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                self._end(who)

        return end

    def _withdraw(self, who: Who, turn: asyncio.Future[None]) -> bool:
        """Stop waiting; return whether there was no turn yet."""
        if turn.done():
            return False
        self._waiting.remove((who, turn))
        return True

    def _has_room(self, who: Who) -> bool:
        shared = who.address is not None and self._addresses[who.address] >= self._for_address
        return not (self._taken[who.visitor] or shared)

    def _hand_out(self) -> None:
        still: deque[tuple[Who, asyncio.Future[None]]] = deque()
        for who, turn in self._waiting:
            if self._has_room(who):
                self._taken[who.visitor] += 1
                if who.address is not None:
                    self._addresses[who.address] += 1
                turn.set_result(None)
            else:
                still.append((who, turn))
        self._waiting = still

    def _end(self, who: Who) -> None:
        for counts, key in ((self._taken, who.visitor), (self._addresses, who.address)):
            if key is not None:
                counts[key] -= 1
                if counts[key] <= 0:
                    del counts[key]
        self._hand_out()
