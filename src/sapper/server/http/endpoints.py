"""Common parts of the HTTP interfaces: bounded requests, JSON errors, and rate limits per address.

Each interface's module has a function that takes its dependencies, such as a `WorkerPool`, and
returns its routes; `sapper.server.app` collects them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from sapper._util.shortening import shown
from sapper.community import RoomFull
from sapper.errors import Cancelled, LimitReached, MissingExtra, SapperError
from sapper.server import limits
from sapper.server.accounts.errors import (
    BadCode,
    BadPasskey,
    Banned,
    ChallengeRefused,
    CopiedPasskey,
    NameTaken,
    SignedOut,
    TooSoon,
)
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.errors import Forbidden, NoGame, Stalled, StoreFailed, TooLarge, TooMany
from sapper.server.instruments import note_refusal
from sapper.server.jobs.errors import Busy, TooSlow
from sapper.server.jobs.process_pool import ignore_result
from sapper.server.protocol import BadMessage, Json, encode, error_body
from sapper.server.rooms.errors import NoRoom, TooManyRooms
from sapper.server.sso.errors import ProviderFailed, SignInRefused
from sapper.server.storage.network_bans import NetworkBanned
from sapper.translation import t

__all__ = [
    "Answer",
    "address_of",
    "address_of_scope",
    "body_of",
    "chunks_of",
    "endpoint",
    "json_of",
    "unless_gone",
]

_log: Final = logging.getLogger(__name__)


_STATUS: Final[dict[type[Exception], int]] = {
    SignedOut: 401,
    BadCode: 403,
    Banned: 403,
    BadPasskey: 403,
    ChallengeRefused: 403,
    CopiedPasskey: 403,
    NetworkBanned: 403,
    NameTaken: 409,
    TooSoon: 409,
    Forbidden: 403,
    NoGame: 404,
    Stalled: 408,
    TooMany: 429,
    TooLarge: 413,
    Busy: 503,
    StoreFailed: 503,
    TooSlow: 503,
    Cancelled: 503,
    LimitReached: 503,
    MissingExtra: 501,
    SignInRefused: 403,
    NoRoom: 404,
    RoomFull: 409,
    TooManyRooms: 429,
    ProviderFailed: 503,
}

Answer = Callable[[Request], Awaitable[Any]]


def endpoint(answer: Answer, rate: AddressRate | None = None) -> Callable[..., Awaitable[Response]]:
    """Return a Starlette endpoint for a function that returns JSON or raises a `SapperError`.

    Args:
        answer: The function, called with the request; it may also return a `Response`.
        rate: Rate limit per address; excess requests get status 429.
    """

    async def respond(request: Request) -> Response:
        try:
            if rate is not None and not rate.try_take(address_of(request)):
                raise TooMany(t("too many requests from one address; try again in a moment"))
            result = await answer(request)
        except SapperError as problem:
            return _refusal(problem)
        except (OSError, sqlite3.Error) as problem:
            _log.warning("%s: %s", request.url.path, problem)
            return _refusal(StoreFailed(t("saved games cannot be read or written right now")))
        except ClientDisconnect:
            return Response(status_code=400)
        except asyncio.CancelledError:
            body = error_body("stopping", "the server is stopping")
            return JSONResponse(body, status_code=503)
        if isinstance(result, Response):
            return result
        # Not `JSONResponse`, because strings may contain characters that UTF-8 cannot encode.
        return Response(encode(result), media_type="application/json")

    return respond


def _refusal(problem: SapperError) -> Response:
    status = next((code for kind, code in _STATUS.items() if isinstance(problem, kind)), 400)
    body = encode(error_body(problem.code, str(problem)))
    return Response(body, status_code=status, media_type="application/json")


async def body_of(request: Request, most: int) -> bytes:
    """Return the body of a request.

    Args:
        request: The request.
        most: Maximum number of bytes to read.

    Raises:
        TooLarge: If the body is longer.
        Stalled: If no data arrives for some time.
    """
    body = bytearray()
    async for chunk in chunks_of(request, most):
        body += chunk
    return bytes(body)


async def chunks_of(request: Request, most: int) -> AsyncIterator[bytes]:
    """Yield the body of a request as it arrives; see `body_of`."""
    size, chunks = 0, request.stream()
    while True:
        try:
            async with asyncio.timeout(limits.BODY_TIMEOUT_S):
                chunk = await anext(chunks)
        except StopAsyncIteration:
            return
        except TimeoutError:
            note_refusal("body_timeout")
            waited = f"{limits.BODY_TIMEOUT_S:g} seconds"
            raise Stalled(f"nothing of the request arrived for {waited}") from None
        size += len(chunk)
        if size > most:
            note_refusal("body_bytes")
            raise TooLarge(f"a request here has at most {most} bytes")
        yield chunk


async def json_of(request: Request, most: int) -> Json:
    """Return the JSON object in the body of a request.

    Raises:
        TooLarge: If the body is longer than `most` bytes.
        Stalled: If no data arrives for some time.
        BadMessage: If the body is not a JSON object.
    """
    body = await body_of(request, most)
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise BadMessage(f"the body must be one JSON object, got {shown(body)}") from None
    if not isinstance(message, dict):
        raise BadMessage(f"the body must be one JSON object, got {shown(body)}")
    return message


def address_of(connection: HTTPConnection) -> str:
    """Return the network address of the client."""
    return address_of_scope(connection.scope)


def address_of_scope(scope: Scope) -> str:
    """Return the network address of the client of a request or WebSocket."""
    client = scope.get("client")
    return str(client[0]) if client else ""


async def unless_gone(request: Request, work: Any) -> Any:
    """Await a coroutine or future; cancel it when the browser closes the request.

    Args:
        request: The request, whose body has been read.
        work: The awaitable.

    Raises:
        ClientDisconnect: If the browser closes the request.
    """
    running: asyncio.Future[Any] = asyncio.ensure_future(work)
    closed = asyncio.ensure_future(_until_closed(request))
    try:
        await asyncio.wait({running, closed}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise ClientDisconnect
        return running.result()
    finally:
        closed.cancel()
        running.cancel()
        running.add_done_callback(ignore_result)


async def _until_closed(request: Request) -> None:
    """Wait until the client closes the request."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
