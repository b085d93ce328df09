"""The provider, with which people sign in."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

import anyio
import anyio.to_thread

from sapper.server import limits
from sapper.server.sso.errors import (
    ProviderFailed,
    SignInRefused,
    UnknownKey,
    Untrusted,
    not_installed,
)
from sapper.server.sso.fetching import fetch_json
from sapper.server.sso.id_token import Person, person_of
from sapper.server.sso.metadata import Endpoints, Metadata
from sapper.server.sso.settings import SsoSettings
from sapper.translation import t

__all__ = ["Attempt", "Provider"]

_log: Final = logging.getLogger(__name__)

_TOKENS_BYTES: Final = 2**18
_CODES: Final = frozenset(
    (
        *("access_denied", "account_selection_required", "consent_required"),
        *("interaction_required", "invalid_client", "invalid_grant", "invalid_request"),
        *("invalid_scope", "login_required", "server_error", "temporarily_unavailable"),
        *("unauthorized_client", "unsupported_grant_type", "unsupported_response_type"),
    )
)
"""Error codes of the standards; others do not get into the log."""
_THREADS: Final = anyio.CapacityLimiter(2)
"""Number of threads that check tokens."""


class Attempt(NamedTuple):
    """A sign-in in progress.

    Attributes:
        state: The state in its URLs.
        redirect: The URL to which the provider sends the browser.
        secret: Derived from the state; only this site knows it.
    """

    state: str
    redirect: str
    secret: bytes

    @property
    def nonce(self) -> str:
        """The nonce that the id token must contain."""
        return self._derived(b"nonce")

    @property
    def verifier(self) -> str:
        """The secret that proves that this site began the sign-in (PKCE)."""
        return self._derived(b"verifier")

    def _derived(self, purpose: bytes) -> str:
        digest = hmac.digest(self.secret, purpose, hashlib.sha256)
        return urlsafe_b64encode(digest).rstrip(b"=").decode()


class Provider:
    """An OpenID provider. Belongs to one event loop.

    Args:
        settings: The provider, and this site as its client.

    Raises:
        MissingExtra: If the libraries are not installed.
    """

    def __init__(self, settings: SsoSettings) -> None:
        if any(find_spec(name) is None for name in ("authlib", "httpx", "joserfc")):
            raise not_installed()
        import httpx

        self.settings = settings
        # There is no timeout here, because `_bounded` limits the time.
        self._client = httpx.AsyncClient(timeout=None, follow_redirects=False)
        self._metadata = Metadata(self._client, settings, lambda: limits.PROVIDER_TIMEOUT_S)
        self._turns = asyncio.Semaphore(limits.PROVIDER_REQUESTS)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def address(self, attempt: Attempt) -> str:
        """Return the provider's URL where a browser signs in.

        Raises:
            ProviderFailed: If the provider does not respond.
        """
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
        from authlib.oauth2.rfc7636 import create_s256_code_challenge

        async with self._bounded():
            endpoints = await self._metadata.endpoints.get()
        return str(
            prepare_grant_uri(
                endpoints.authorization,
                self.settings.client_id,
                "code",
                attempt.redirect,
                self.settings.scopes,
                attempt.state,
                nonce=attempt.nonce,
                code_challenge=create_s256_code_challenge(attempt.verifier),
                code_challenge_method="S256",
            )
        )

    async def person(self, attempt: Attempt, code: str, issuer: str | None) -> Person:
        """Exchange a code, and return the person who signed in.

        Args:
            attempt: The sign-in.
            code: The code with which the provider sent the browser back.
            issuer: The issuer named by the provider, if any.

        Raises:
            ProviderFailed: If the provider does not respond, or its response is not as expected.
            SignInRefused: If the provider refuses the code.
        """
        async with self._bounded():
            endpoints = await self._metadata.endpoints.get()
            if issuer != self.settings.issuer and (issuer is not None or endpoints.names_issuer):
                raise Untrusted("the browser returned from another issuer")
            tokens = await self._exchange(endpoints, attempt, code)
            keys = await self._metadata.keys.get()
            try:
                return await self._check(tokens, keys, attempt)
            except UnknownKey:
                keys = await self._metadata.keys.get(stale=keys)
                return await self._check(tokens, keys, attempt)

    async def _exchange(self, endpoints: Endpoints, attempt: Attempt, code: str) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": attempt.redirect,
            "code_verifier": attempt.verifier,
        }
        answer = await fetch_json(
            self._client, "POST", endpoints.token, _TOKENS_BYTES, **self._signed(endpoints, form)
        )
        if answer.status != 200:
            self._note(f"the token endpoint has status {answer.status}", answer.content)
            if answer.content.get("error") == "invalid_grant":
                raise self.refusal()
            raise self._failure()
        return answer.content

    def _signed(self, endpoints: Endpoints, form: dict[str, str]) -> dict[str, Any]:
        """Return the request arguments that include the client secret."""
        from urllib.parse import quote_plus

        client, secret = self.settings.client_id, self.settings.client_secret
        # This method is preferred, because not all providers decode the encoded header.
        if endpoints.posts_secret:
            return {"data": {**form, "client_id": client, "client_secret": secret}}
        # RFC 6749, section 2.3.1, requires both to be URL-encoded first.
        return {"data": form, "auth": (quote_plus(client), quote_plus(secret))}

    async def _check(self, tokens: dict[str, Any], keys: Any, attempt: Attempt) -> Person:
        check = partial(
            person_of,
            tokens.get("id_token"),
            tokens.get("access_token"),
            keys,
            self.settings,
            attempt.nonce,
        )
        return await anyio.to_thread.run_sync(check, limiter=_THREADS)

    def refusal(self, error: str = "") -> SignInRefused:
        """Return the error for a sign-in that the provider refused.

        Args:
            error: Its error code.
        """
        if error == "access_denied":
            return SignInRefused(t("the sign-in with {provider} was cancelled", **self._named))
        if error:
            self._note("the provider sent the browser back", {"error": error})
        return SignInRefused(t("{provider} refused the sign-in; try again", **self._named))

    @property
    def _named(self) -> dict[str, str]:
        return {"provider": self.settings.name}

    @asynccontextmanager
    async def _bounded(self) -> AsyncIterator[None]:
        """Limit the time and number of requests, and replace errors with errors for players."""
        try:
            async with asyncio.timeout(limits.PROVIDER_TIMEOUT_S), self._turns:
                yield
        except TimeoutError:
            _log.warning("single sign-on: the provider does not respond in time")
            raise self._failure() from None
        except Untrusted as problem:
            _log.warning("single sign-on: %s", problem)
            raise self._failure() from None

    def _failure(self) -> ProviderFailed:
        return ProviderFailed(
            t("{provider} is not responding as expected; try again later", **self._named)
        )

    def _note(self, event: str, content: dict[str, Any]) -> None:
        error = content.get("error")
        known = error if isinstance(error, str) and error in _CODES else "another error"
        _log.warning("single sign-on: %s: %s", event, known)
