"""The WebSockets of windows: their limits, and the messages between a window and its outbox."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeVar

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from sapper.errors import SapperError
from sapper.server import limits
from sapper.server.cluster.claims import OwnedElsewhere
from sapper.server.cluster.tunnel import FORWARDED, Tunnels
from sapper.server.http.address_limits import AddressLimits, TokenBucket
from sapper.server.http.endpoints import address_of
from sapper.server.http.errors import StoreFailed, TooMany
from sapper.server.http.visitors import Visitors
from sapper.server.http.windows import OpenWindows
from sapper.server.protocol import encode, error_body
from sapper.server.session.outbox import Outbox
from sapper.server.storage.network_bans import NetworkBanned
from sapper.translation import t

__all__ = ["Sockets", "exchange", "refuse"]

_log: Final = logging.getLogger(__name__)

_WINDOW_CLOSED: Final = (WebSocketDisconnect, RuntimeError)
"""Errors raised by sending to a closed or closing window."""

_Opened = TypeVar("_Opened")
Playing = Callable[[WebSocket, str, asyncio.Event], Awaitable[None]]
"""Serves a window, given the session id of its visitor and the event that asks it to close."""


class Sockets:
    """Admits windows, and finds what they show.

    Args:
        addresses: The limits per address.
        visitors: Identifies browsers.
        windows: The open windows.
        tunnels: The connections to other workers.
    """

    def __init__(
        self,
        addresses: AddressLimits,
        visitors: Visitors,
        windows: OpenWindows,
        tunnels: Tunnels,
    ) -> None:
        self._addresses, self._visitors = addresses, visitors
        self._windows, self._tunnels = windows, tunnels

    async def serve(self, websocket: WebSocket, playing: Playing, *, shared: bool = False) -> None:
        """Serve a window, or refuse it.

        Args:
            websocket: The window.
            playing: Serves it.
            shared: Whether it shows what visitors do together.
        """
        address = address_of(websocket)
        refusal = self._addresses.refusal(address)
        code, player = TooMany.code, ""
        if refusal is None:
            try:
                if shared:
                    self._visitors.check_may_meet_others(websocket)
                player = self._visitors.session_id(self._visitors.cookie(websocket))
            except (NetworkBanned, TooMany, StoreFailed) as problem:
                code, refusal = problem.code, str(problem)
        if refusal is not None:
            await websocket.accept()
            await refuse(websocket, code, refusal)
            return
        # Count the window before the first await, so that another cannot take the same place.
        self._addresses.opened(address)
        try:
            await websocket.accept()
            signed_in = self._visitors.signed_in(websocket)
            login, shared_from = signed_in.login if signed_in else "", address if shared else ""
            with self._windows.window(player, login, shared_from) as closing:
                await playing(websocket, player, closing)
        finally:
            self._addresses.closed(address)

    async def opened(
        self,
        websocket: WebSocket,
        opening: asyncio.Future[_Opened],
        closing: asyncio.Event,
        wait_text: str,
        release: Callable[[_Opened], None] = lambda _: None,
    ) -> _Opened | None:
        """Return a window's content; None if another worker served it or it cannot be shown.

        Args:
            websocket: The window.
            opening: Loads what it shows.
            closing: Asks the window to close.
            wait_text: The text to show if loading takes long.
            release: Called with what was loaded after the window was closed.
        """
        try:
            await asyncio.wait({opening}, timeout=limits.JOB_BUDGET_S)
            if not opening.done():
                await websocket.send_text(encode(error_body("busy", wait_text)))
            return await opening
        except OwnedElsewhere as elsewhere:
            if FORWARDED in websocket.scope:
                await refuse(websocket, elsewhere.code, str(elsewhere))
            else:
                await self._forward(websocket, elsewhere.worker, closing)
        except SapperError as problem:
            await refuse(websocket, problem.code, str(problem))
        except (OSError, sqlite3.Error) as problem:
            _log.warning("a window cannot be served: %s", problem)
            text = t("saved games cannot be read or written right now")
            await refuse(websocket, StoreFailed.code, text)
        except _WINDOW_CLOSED:
            opening.add_done_callback(lambda done: _release(done, release))
        return None

    async def _forward(self, websocket: WebSocket, worker: str, closing: asyncio.Event) -> None:
        """Pass messages between a window and the worker that has what it shows."""
        bucket = TokenBucket(limits.MESSAGES_PER_S, limits.MESSAGE_BURST)

        async def receive() -> Message:
            message = await websocket.receive()
            if (wait_s := bucket.take()) > 0:
                await asyncio.sleep(wait_s)
            return message

        forwarding = self._tunnels.forward(websocket.scope, receive, websocket.send, worker)
        tasks = [asyncio.ensure_future(forwarding), asyncio.create_task(closing.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def _release(opening: asyncio.Future[_Opened], release: Callable[[_Opened], None]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        release(opening.result())


async def refuse(websocket: WebSocket, code: str, reason: str) -> None:
    """Tell a window why it cannot be served, and close it."""
    with suppress(*_WINDOW_CLOSED):
        await websocket.send_text(encode(error_body(code, reason)))
        await websocket.close(1013)


async def exchange(
    websocket: WebSocket,
    outbox: Outbox,
    receive: Callable[[str | bytes | None], Awaitable[None]],
    closing: asyncio.Event,
    pause: Callable[[], float] | None = None,
) -> None:
    """Pass messages on until the window closes, leaves too much unread, or is asked to close.

    Args:
        websocket: The window.
        outbox: The messages to send to it.
        receive: Handles a message from it.
        closing: Asks it to close.
        pause: Called for each of its messages; returns the seconds to wait before handling it
            (default: as many as the usual rate needs).
    """
    pause = (
        TokenBucket(limits.MESSAGES_PER_S, limits.MESSAGE_BURST).take if pause is None else pause
    )
    tasks = [
        asyncio.create_task(_receive(websocket, receive, pause)),
        asyncio.create_task(_send(websocket, outbox)),
        asyncio.create_task(outbox.full.wait()),
        asyncio.create_task(closing.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _receive(
    websocket: WebSocket,
    receive: Callable[[str | bytes | None], Awaitable[None]],
    pause: Callable[[], float],
) -> None:
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        # Nothing is read while waiting, which slows down windows that send too fast.
        if (wait_s := pause()) > 0:
            await asyncio.sleep(wait_s)
        await receive(message.get("text", message.get("bytes")))


async def _send(websocket: WebSocket, outbox: Outbox) -> None:
    # A disconnect during a send means that the window was closed.
    with suppress(*_WINDOW_CLOSED):
        while True:
            await websocket.send_text(await outbox.get())
