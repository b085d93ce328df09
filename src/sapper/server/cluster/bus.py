"""Messages between the workers of a site.

To send something to all workers, register a handler on each of them with ``bus.on(kind, handler)``
when the server starts, and call ``await bus.broadcast(kind, payload)``. A server without other
workers has a `LocalBus`, which calls the handlers directly.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple, Protocol

from sapper.errors import SapperError
from sapper.server.protocol import Json

__all__ = [
    "Answering",
    "Bus",
    "BusFailed",
    "BusMessage",
    "Dependent",
    "Handler",
    "LocalBus",
    "Registry",
]


class BusFailed(SapperError, OSError):
    """Messages cannot be passed at the moment."""

    code = "bus_failed"


class BusMessage(NamedTuple):
    """A message from a worker.

    Attributes:
        sender: The name of the worker.
        payload: The message as JSON.
        data: Binary data of the message.
    """

    sender: str
    payload: Json
    data: bytes = b""


Handler = Callable[[BusMessage], None]
"""Called on the event loop with each message of its kind; messages of a sender are in order."""
Answering = Callable[[BusMessage], Awaitable[Json]]
"""Returns the answer to a question."""


class Dependent(Protocol):
    """An object that depends on other workers."""

    def workers(self) -> set[str]:
        """Return the workers it currently depends on."""

    def lose(self, worker: str | None = None) -> None:
        """Handle the end of a worker or, for None, a possible loss of messages from any worker."""


class Registry:
    """The handlers of messages, by kind."""

    def __init__(self) -> None:
        self.handlers: Final[dict[str, list[Handler]]] = {}
        self.answers: Final[dict[str, Answering]] = {}

    def on(self, kind: str, handler: Handler) -> None:
        """Call a handler with each message of a kind."""
        self.handlers.setdefault(kind, []).append(handler)

    def answer(self, kind: str, answering: Answering) -> None:
        """Answer the questions of a kind."""
        self.answers[kind] = answering


class Bus(Protocol):
    """Passes messages between workers.

    Messages may be lost while Redis is unavailable, so nothing that must be kept depends on them.

    Attributes:
        worker: The name of this worker; empty if it is the only one.
    """

    worker: str

    def on(self, kind: str, handler: Handler) -> None:
        """Call a handler with each message of a kind."""

    def answer(self, kind: str, answering: Answering) -> None:
        """Answer the questions of a kind."""

    def watch(self, dependent: Dependent) -> None:
        """Notify an object when workers it depends on have exited."""

    async def start(self) -> None:
        """Start receiving messages."""

    async def stop(self) -> None:
        """Stop receiving messages."""

    async def check(self) -> None:
        """Check that messages can be sent.

        Raises:
            BusFailed: If they cannot.
        """

    async def broadcast(self, kind: str, payload: Json) -> None:
        """Send a message to all workers, including this one."""

    async def send(self, worker: str, kind: str, payload: Json, data: bytes = b"") -> None:
        """Send a message to a worker."""

    async def ask(self, worker: str, kind: str, payload: Json, timeout_s: float) -> Json | None:
        """Return the answer of a worker; None if it does not answer in time."""

    async def ask_all(self, kind: str, payload: Json, timeout_s: float) -> dict[str, Json]:
        """Return the answers of all workers that answer in time, by name."""

    async def has_died(self, worker: str) -> bool | None:
        """Return whether a worker has ended; None if unknown."""


class LocalBus(Registry):
    """The messages of a server that is the only worker."""

    worker = ""

    def watch(self, dependent: Dependent) -> None:
        """Do nothing."""

    async def start(self) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""

    async def check(self) -> None:
        """Do nothing, because the only worker can always reach itself."""

    async def broadcast(self, kind: str, payload: Json) -> None:
        """Call the handlers."""
        for handler in self.handlers.get(kind, ()):
            handler(BusMessage(self.worker, payload))

    async def send(self, worker: str, kind: str, payload: Json, data: bytes = b"") -> None:
        """Do nothing, because there is no other worker."""

    async def ask(self, worker: str, kind: str, payload: Json, timeout_s: float) -> Json | None:
        """Return None, because there is no other worker."""
        return None

    async def ask_all(self, kind: str, payload: Json, timeout_s: float) -> dict[str, Json]:
        """Return the answer of this worker."""
        return {self.worker: await self.answers[kind](BusMessage(self.worker, payload))}

    async def has_died(self, worker: str) -> bool | None:
        """Return True, because any other worker is from an earlier run."""
        return True
