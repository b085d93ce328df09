"""Limit the bytes of requests held in memory, per address and in total.

The bytes of a request count until its response starts. If the total exceeds the limit, the largest
unfinished request of the address with the most bytes is rejected, so addresses that send a lot or
never finish do not block others.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.server import limits
from sapper.server.http.address_limits import network_of
from sapper.server.http.endpoints import address_of_scope
from sapper.server.http.errors import TooMany
from sapper.server.instruments import note_refusal
from sapper.server.jobs.errors import Busy
from sapper.translation import t

__all__ = ["UploadLimits"]


class _Upload:
    """A request.

    Attributes:
        network: The client's effective address; None for this machine.
        size: Number of bytes so far.
        unfinished: Whether more data is expected.
        given_up: Whether the request is rejected at its next read.
        waiting: The pending wait for its next bytes.
    """

    def __init__(self, network: str | None) -> None:
        self.network: Final = network
        self.size = 0
        self.unfinished = True
        self.given_up = False
        self.waiting: asyncio.Timeout | None = None

    def give_up(self) -> None:
        """Make the upload's current or next read fail."""
        self.given_up = True
        if self.waiting is not None:
            self.waiting.reschedule(asyncio.get_running_loop().time())


class UploadLimits:
    """Counts the bytes of requests and rejects excess requests.

    Args:
        app: The wrapped application. Reading the body of a request raises `TooMany` or `Busy`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._uploads: set[_Upload] = set()
        self._held: Counter[str | None] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        upload = _Upload(network_of(address_of_scope(scope)))

        async def receiving() -> Message:
            message = await _next(upload, receive)
            if message["type"] == "http.request" and upload.unfinished:
                self._hold(upload, len(message.get("body", b"")))
                upload.unfinished = message.get("more_body", False)
            return message

        async def sending(message: Message) -> None:
            self._release(upload)
            await send(message)

        try:
            await self._app(scope, receiving, sending)
        finally:
            self._release(upload)

    def _hold(self, upload: _Upload, size: int) -> None:
        own = self._held[upload.network] + size
        if upload.network is not None and own > limits.UPLOADS_PER_ADDRESS:
            note_refusal("upload_bytes_per_address")
            raise TooMany(t("too much data from this address; try again in a moment"))
        while size and self._held.total() + size > limits.UPLOADS:
            largest = self._largest()
            if largest is None or largest is upload or self._held[largest.network] <= own:
                raise _busy()
            largest.give_up()
            self._release(largest)
        if size:
            self._uploads.add(upload)
            upload.size += size
            self._held[upload.network] = own

    def _largest(self) -> _Upload | None:
        """Return the largest unfinished upload of the address with the most bytes."""
        unfinished = (upload for upload in self._uploads if upload.unfinished)
        return max(unfinished, key=lambda one: (self._held[one.network], one.size), default=None)

    def _release(self, upload: _Upload) -> None:
        if upload in self._uploads:
            self._uploads.remove(upload)
            self._held[upload.network] -= upload.size
            if not self._held[upload.network]:
                del self._held[upload.network]


async def _next(upload: _Upload, receive: Receive) -> Message:
    if upload.given_up:
        raise _busy()
    try:
        async with asyncio.timeout(None) as upload.waiting:
            return await receive()
    except TimeoutError:
        raise _busy() from None
    finally:
        upload.waiting = None


def _busy() -> Busy:
    note_refusal("upload_bytes")
    return Busy(t("the server is receiving too many files; try again in a moment"))
