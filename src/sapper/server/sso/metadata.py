"""The provider's discovery document and keys, cached for a limited time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from sapper.server.sso.errors import Untrusted
from sapper.server.sso.fetching import fetch_json
from sapper.server.sso.id_token import keys_of
from sapper.server.sso.settings import SsoSettings, is_safe

if TYPE_CHECKING:
    import httpx

__all__ = ["Cached", "Endpoints", "Metadata"]

_LIFETIME_S: Final = 3_600.0
_DOCUMENT_BYTES: Final = 2**18
_PATH: Final = "/.well-known/openid-configuration"

_Value = TypeVar("_Value")


class Endpoints(NamedTuple):
    """The parts of the discovery document that are used.

    Attributes:
        authorization: The URL where browsers sign in.
        token: The URL where a code is exchanged for tokens.
        keys: The URL of the keys.
        posts_secret: Whether the client secret belongs in the body, not in a header.
        names_issuer: Whether responses to browsers name the issuer (RFC 9207).
    """

    authorization: str
    token: str
    keys: str
    posts_secret: bool
    names_issuer: bool


class Cached(Generic[_Value]):
    """A fetched value; concurrent requests share one fetch.

    Args:
        fetch: Fetches it.
        clock: Seconds on a monotonic clock.
    """

    def __init__(
        self, fetch: Callable[[], Awaitable[_Value]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetch, self._clock = fetch, clock
        self._value: _Value | None = None
        self._until = 0.0
        self._running: asyncio.Future[_Value] | None = None

    async def get(self, stale: _Value | None = None) -> _Value:
        """Return the value.

        Args:
            stale: An earlier value that must not be returned again.
        """
        value = self._value
        if value is not None and value is not stale and self._clock() < self._until:
            return value
        if self._running is None:
            self._running = asyncio.ensure_future(self._renew())
            self._running.add_done_callback(self._ended)
        return await asyncio.shield(self._running)

    async def _renew(self) -> _Value:
        self._value = value = await self._fetch()
        self._until = self._clock() + _LIFETIME_S
        return value

    def _ended(self, running: asyncio.Future[_Value]) -> None:
        self._running = None
        # All callers may have given up waiting, so retrieve the exception here.
        if not running.cancelled():
            running.exception()


class Metadata:
    """The discovery document and keys of a provider.

    Args:
        client: The HTTP client.
        settings: The provider.
        timeout_s: Function that returns the time limit of a fetch, in seconds.
    """

    def __init__(
        self, client: httpx.AsyncClient, settings: SsoSettings, timeout_s: Callable[[], float]
    ) -> None:
        self._client, self._settings, self._timeout_s = client, settings, timeout_s
        self.endpoints = Cached(partial(self._within, self._fetch_endpoints))
        self.keys = Cached(partial(self._within, self._fetch_keys))

    async def _within(self, fetch: Callable[[], Awaitable[Any]]) -> Any:
        async with asyncio.timeout(self._timeout_s()):
            return await fetch()

    async def _fetch_endpoints(self) -> Endpoints:
        found = await self._document(self._settings.issuer.rstrip("/") + _PATH)
        if found.get("issuer") != self._settings.issuer:
            raise Untrusted("the discovery document belongs to another issuer")
        names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        for name in names:
            if not is_safe(found.get(name)):
                raise Untrusted(f"{name} of the discovery document is not an https URL")
        authorization, token, keys = (found[name] for name in names)
        methods = found.get("token_endpoint_auth_methods_supported")
        posts = isinstance(methods, list) and "client_secret_post" in methods
        named = found.get("authorization_response_iss_parameter_supported") is True
        return Endpoints(authorization, token, keys, posts, named)

    async def _fetch_keys(self) -> Any:
        endpoints = await self.endpoints.get()
        return keys_of(await self._document(endpoints.keys))

    async def _document(self, url: str) -> dict[str, Any]:
        answer = await fetch_json(self._client, "GET", url, _DOCUMENT_BYTES)
        if answer.status != 200:
            raise Untrusted(f"{url} has status {answer.status}")
        return answer.content
