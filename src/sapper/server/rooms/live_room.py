"""A room in memory: its windows, its timer, and the order of its events."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from sapper.errors import Cancelled, SapperError
from sapper.server import limits
from sapper.server.instruments import note_refusal
from sapper.server.jobs.errors import Busy
from sapper.server.jobs.workers import WorkerPool
from sapper.server.messages.incoming import fields_in, parse, reply_id
from sapper.server.messages.room_incoming import ROOM_INCOMING
from sapper.server.protocol import BadMessage, Json, encode, error_body
from sapper.server.rooms.events import STARTS
from sapper.server.rooms.hosted_room import HostedRoom
from sapper.server.rooms.requests import (
    Delivery,
    Request,
    RoomWindow,
    handle,
    passed_on,
)
from sapper.server.session.outbox import saving_message
from sapper.server.storage.rooms import RoomChange
from sapper.server.storage.save_queue import SaveQueue, Ticket, settled_ticket
from sapper.translation import t
from sapper.web.language import translated_to

__all__ = ["LiveRoom"]

_log: Final = logging.getLogger(__name__)

_BUSY_S: Final = 0.1
_CHANGES: Final = ("join", "take_part")


class _Outcome(NamedTuple):
    """The result of a batch of events.

    Attributes:
        deliveries: The messages to send.
        problems: The errors to send.
        change: The changes to save, or None.
        due_ms: When something is due, by the room's clock, or None.
    """

    deliveries: list[Delivery]
    problems: list[tuple[Request, SapperError]]
    change: RoomChange | None
    due_ms: int | None


class LiveRoom:
    """Runs a room: its events one after another, on a worker thread.

    Args:
        hosted: The room.
        pool: The worker threads.
        queue: Saves its changes.
        dropped: Called once the room has been removed or cannot continue.

    Attributes:
        hosted: The room.
    """

    def __init__(
        self,
        hosted: HostedRoom,
        pool: WorkerPool,
        queue: SaveQueue[RoomChange],
        dropped: Callable[[LiveRoom], None],
    ) -> None:
        self.hosted = hosted
        self._pool, self._queue = pool, queue
        self._dropped = dropped
        self._loop = asyncio.get_running_loop()
        self._base_s = self._loop.time() - hosted.room.time_ms / 1000
        self._windows: dict[str, set[RoomWindow]] = {}
        self._requests: list[Request] = []
        self._wake = asyncio.Event()
        self._ticket: Ticket = settled_ticket()
        self._due_ms: int | None = 0
        self._asked_s = self._left_s = self._loop.time()
        self._members: Delivery | None = None
        self._members_timer: asyncio.TimerHandle | None = None
        self._members_s = 0.0
        self._closed = False
        self._task = self._loop.create_task(self._run())

    def _now_ms(self) -> int:
        return int((self._loop.time() - self._base_s) * 1000)

    # Windows.

    @property
    def windows(self) -> int:
        """The number of open windows."""
        return sum(map(len, self._windows.values()))

    def check_room(self, visitor: str) -> None:
        """Check that a visitor may open another window. Others never keep out a player.

        Raises:
            Busy: If there are too many.
        """
        if len(self._windows.get(visitor, ())) >= limits.ROOM_WINDOWS_PER_VISITOR:
            note_refusal("room_windows_per_visitor")
            raise Busy(t("this room is open in too many windows; close one of them"))
        members = self.hosted.room.members
        plays = visitor in members and members[visitor].plays
        if self.windows >= limits.ROOM_WINDOWS and not plays:
            note_refusal("room_windows")
            raise Busy(t("too many people are in this room; try again later"))

    def enter(self, window: RoomWindow) -> RoomWindow:
        """Add a window, which gets the view, and return it."""
        self._windows.setdefault(window.visitor, set()).add(window)
        if self._queue.problem is not None:
            window.outbox.warn(saving_message(self._queue.problem))
        self._ask(window, "enter", {})
        return window

    def leave(self, window: RoomWindow) -> None:
        """Remove a window that has closed."""
        windows = self._windows.get(window.visitor, set())
        windows.discard(window)
        if not windows and self._windows.pop(window.visitor, None) is not None:
            self._left_s = self._loop.time()
            self._ask(window, "away", {})

    def receive(self, text: str | bytes | None, window: RoomWindow) -> None:
        """Handle a message from a window; its answer or an error follows."""
        re = None
        try:
            message = parse(text, limits.ROOM_MESSAGE_CHARACTERS)
            re = reply_id(message)
            kind, fields = fields_in(message, ROOM_INCOMING)
        except BadMessage as problem:
            self._refuse(window, problem, re)
        else:
            if kind.name in _CHANGES and not window.may_change():
                text = t("you join rooms too often; try again in a moment")
                self._refuse(window, Busy(text), re)
                return
            self._asked_s = self._loop.time()
            self._ask(window, kind.name, dict(fields), re)

    def _ask(self, window: RoomWindow, kind: str, fields: Json, re: str | None = None) -> None:
        self._requests.append(Request(self._now_ms(), kind, fields, window, re))
        self._wake.set()

    def _refuse(self, window: RoomWindow, problem: SapperError, re: str | None) -> None:
        """Send a window an error."""
        body = error_body(problem.code, str(problem), re)
        window.outbox.put(encode(translated_to(window.language, body)))

    def tell(self, message: Json) -> None:
        """Send a message to all windows that have the view."""
        text = encode(message)
        for windows in self._windows.values():
            for window in windows:
                if window.has_view:
                    window.outbox.put(text)

    def forget(self, alias: str) -> None:
        """Replace an erased player; see `HostedRoom.forget`."""
        self._ask(RoomWindow("", None, "en"), "forget", {"alias": alias})

    def saved_again(self) -> None:
        """Tell the windows that saving works again."""
        for windows in self._windows.values():
            for window in windows:
                window.outbox.saved_again()

    def close(self, text: str | None = None) -> None:
        """Stop, and close all windows, which then reconnect.

        Args:
            text: A last message for them.
        """
        self._closed = True
        self._task.cancel()
        for windows in self._windows.values():
            for window in windows:
                if text is None:
                    window.outbox.close()
                else:
                    window.outbox.put(text)

    async def stop(self) -> None:
        """Stop before the server ends, and save the room."""
        self.close()
        await asyncio.gather(self._task, return_exceptions=True)
        self.hosted.save_whole()
        if (change := self.hosted.change()) is not None:
            self._queue.add(change)

    # Events.

    async def _run(self) -> None:
        try:
            while True:
                await self._wait()
                if self._is_over():
                    break
                await self._handle(self._next_batch())
            self.remove()
        except asyncio.CancelledError:
            raise
        except Exception:
            # Its windows reconnect and load the room as it was last saved.
            _log.exception("a room cannot continue")
            self._dropped(self)
            self.close()

    async def _wait(self) -> None:
        """Wait until there are requests, or something is due."""
        if self._requests:
            return
        self._wake.clear()
        left_s = self._deadline_s() - self._loop.time()
        if self._due_ms is not None:
            left_s = min(left_s, (self._due_ms - self._now_ms()) / 1000)
        if left_s > 0:
            try:
                async with asyncio.timeout(left_s):
                    await self._wake.wait()
            except TimeoutError:
                pass

    def _deadline_s(self) -> float:
        """Return when the room is removed if nothing happens."""
        quiet_s = self._asked_s + limits.ROOM_QUIET_S
        is_idle = not self._windows and self._due_ms is None
        return min(quiet_s, self._left_s + limits.ROOM_IDLE_S) if is_idle else quiet_s

    def _is_over(self) -> bool:
        return not self._requests and self._loop.time() >= self._deadline_s()

    def _next_batch(self) -> list[Request]:
        """Return the next requests; one that may take long is alone."""
        alone = [at for at, one in enumerate(self._requests) if one.kind in STARTS]
        size = len(self._requests) if not alone else max(1, alone[0])
        batch, self._requests = self._requests[:size], self._requests[size:]
        return batch

    async def _handle(self, requests: list[Request]) -> None:
        try:
            job = self._pool.submit(partial(self._work, requests, self._now_ms()))
        except Busy:
            self._requests = requests + self._requests
            await asyncio.sleep(_BUSY_S)
            return
        late = self._loop.call_later(limits.ROOM_BUDGET_S, self._pool.stop, job)
        try:
            # The room must not change while this task ends.
            outcome = await asyncio.shield(job)
        except asyncio.CancelledError:
            await asyncio.wait({job})
            raise
        finally:
            late.cancel()
        self._publish(outcome)

    def _work(self, requests: list[Request], now_ms: int) -> _Outcome:
        """Apply events; this runs on a worker thread."""
        hosted = self.hosted
        deliveries: list[Delivery] = []
        problems: list[tuple[Request, SapperError]] = []
        for request in requests:
            made, problem = handle(hosted, request)
            deliveries += made
            if problem is not None:
                problems.append((request, problem))
        try:
            deliveries += passed_on(hosted, hosted.tick(now_ms))
            deliveries += passed_on(hosted, hosted.start_if_due(now_ms))
        except Cancelled:
            hosted.save_whole()
        except SapperError as problem:
            _log.error("the race of a tournament cannot start: %s", problem)
        hosted.note_ended(int(time.time() * 1000))
        return _Outcome(deliveries, problems, hosted.change(), hosted.due_ms())

    def _publish(self, outcome: _Outcome) -> None:
        if outcome.change is not None:
            self._ticket = self._queue.add(outcome.change)
        self._due_ms = outcome.due_ms
        for one in outcome.deliveries:
            self._deliver(one)
        for request, problem in outcome.problems:
            self._refuse(request.window, problem, request.re)

    def _deliver(self, one: Delivery) -> None:
        ticket = None if self._ticket.settled and self._ticket.problem is None else self._ticket
        if one.only is not None:
            self._answer(one.only, one.for_window(one.only), ticket)
            return
        if one.lists_members and not self._may_list(one):
            if one.asker is not None:
                one.asker.outbox.put(one.for_window(one.asker), ticket)
            return
        for visitor in one.to:
            for window in self._windows.get(visitor, ()):
                if window.has_view:
                    window.outbox.put(one.for_window(window), ticket)

    def _may_list(self, one: Delivery) -> bool:
        """Return whether a list of members may be sent now; if not, it is sent later.

        If many people join at once, everyone gets a few lists instead of one for each of them.
        """
        now_s = self._loop.time()
        if self._members_timer is None and now_s >= self._members_s:
            pause_s = limits.ROOM_MEMBERS_S + limits.ROOM_MEMBERS_EACH_S * len(one.to)
            self._members_s = now_s + pause_s
            return True
        self._members = one._replace(asker=None)
        if self._members_timer is None:
            self._members_timer = self._loop.call_at(self._members_s, self._list_members)
        return False

    def _list_members(self) -> None:
        self._members_timer = None
        members, self._members = self._members, None
        if members is not None and not self._closed:
            self._deliver(members)

    def _answer(self, window: RoomWindow, text: str, ticket: Ticket | None) -> None:
        window.outbox.put(text, ticket)
        if not window.has_view and window.notice is not None:
            window.outbox.put(window.notice, ticket)
        window.has_view = True

    def remove(self) -> None:
        """Remove the room, because nobody uses it, or an operator has deleted it."""
        info = self.hosted.info
        self._queue.add(RoomChange(info.code, self.hosted.token, removed=True))
        self._dropped(self)
        self.close(encode({"type": "closed", "now_ms": self._now_ms()}))
