"""Sign in with a single sign-on provider, and choose a name at the first sign-in.

The provider sends the browser back to the Account page. That navigation starts on another site, so
it carries no cookies; the page's script sends the code and the state from the page's URL.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from sapper.server.accounts import passkeys
from sapper.server.accounts.challenges import Challenges, refused
from sapper.server.accounts.errors import BadName
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Identity, SignedIn
from sapper.server.http.accounts import AccountApi, device, in_thread, json_body, text_field, used
from sapper.server.protocol import BadMessage, Json, encode
from sapper.server.sso.provider import Attempt, Provider

__all__ = ["SsoApi"]

LIFETIME_S: Final = 900
"""How long a sign-in with the provider, or the choice of a name, may take, in seconds."""

_STATE: Final = "sign in with a provider"
_MOST: Final = 4_000
_ID_BYTES: Final = 18


class _Returned(NamedTuple):
    """A browser that returns from the provider.

    Attributes:
        attempt: The sign-in that it started.
        signed_in: Its account, if it already has one.
    """

    attempt: Attempt
    signed_in: SignedIn | None


class SsoApi:
    """Sign-ins with a provider.

    Args:
        api: The accounts.
        provider: The provider.
        secret: The key of the store.
        sites: The host names to serve; None for all.
        clock: Seconds since 1970.
        random: Function that returns a number of random bytes.
    """

    def __init__(
        self,
        api: AccountApi,
        provider: Provider,
        secret: bytes,
        sites: Iterable[str] | None,
        clock: Callable[[], float] = time.time,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._api, self._provider = api, provider
        self._accounts, self._visitors = api.accounts, api.visitors
        self._sites = None if sites is None else tuple(sites)
        self._challenges = Challenges(secret, clock, random)
        self._key = hmac.digest(secret, b"secrets of sign-ins with a provider", hashlib.sha256)
        self._random = random

    async def start(self, request: Request) -> Response:
        """Return the provider's URL where the browser signs in."""
        signed_in = self._visitors.signed_in(request)
        if signed_in is not None:
            await self._expect_unconnected(signed_in)
        cookie = self._visitors.cookie(request)
        bound_to = self._visitors.session_id(cookie)
        state = self._challenges.issue(_STATE, bound_to, LIFETIME_S)
        address = await self._provider.address(self._attempt(request, state))
        response = Response(encode({"address": address}), media_type="application/json")
        self._visitors.remember(request, response, cookie)
        return response

    async def _expect_unconnected(self, signed_in: SignedIn) -> None:
        details = await in_thread(partial(self._accounts.details, signed_in.account.id))
        issuer = self._provider.settings.issuer
        if any(identity.issuer == issuer for identity in details.identities):
            raise BadMessage("this browser is signed in")

    def _attempt(self, request: Request, state: bytes) -> Attempt:
        host = request.headers.get("host", "")
        party = passkeys.relying_party(host, request.url.scheme, self._sites)
        secret = hmac.digest(self._key, state, hashlib.sha256)
        return Attempt(_text(state), f"{party.origin}/account", secret)

    async def finish(self, request: Request) -> Response:
        """Sign in, or return a ticket for choosing a name."""
        message = await json_body(request)
        returned = await self._returned(request, message)
        if "error" in message:
            raise self._provider.refusal(text_field(message, "error"))
        issuer = text_field(message, "iss") if "iss" in message else None
        code = text_field(message, "code", _MOST)
        person = await self._provider.person(returned.attempt, code, issuer)
        identity = Identity(self._provider.settings.issuer, person.subject)
        if returned.signed_in is not None:
            return await self._connect(returned.signed_in, identity)
        login = self._visitors.new_login()
        sign_in = partial(
            self._accounts.sign_in_with_identity, identity, login.digest, device(request)
        )
        account = await in_thread(sign_in)
        if account is not None:
            return await self._api.welcome(request, account, login)
        name = await in_thread(partial(_first_allowed, person.names))
        ticket = self._ticket(identity, self._visitors.session_of(request) or "")
        body = {"account": None, "ticket": ticket, "name": name}
        return Response(encode(body), media_type="application/json")

    async def _returned(self, request: Request, message: Json) -> _Returned:
        """Check the state that a browser returns with, and record its use."""
        signed_in = self._visitors.signed_in(request)
        state = _bytes(text_field(message, "state"))
        bound_to = self._visitors.session_of(request) or ""
        expires = self._challenges.expiry_of(state, _STATE, bound_to)
        await in_thread(partial(self._accounts.use, used(state, expires)))
        return _Returned(self._attempt(request, state), signed_in)

    async def _connect(self, signed_in: SignedIn, identity: Identity) -> Response:
        await in_thread(partial(self._accounts.connect, signed_in.account.id, identity))
        body = await self._api.renewed(signed_in)
        return Response(encode(body), media_type="application/json")

    def _ticket(self, identity: Identity, guest: str) -> str:
        challenge = self._challenges.issue(_claim_of(identity), guest, LIFETIME_S)
        return f"{_text(challenge)}.{_text(identity.subject.encode())}"

    async def claim(self, request: Request) -> Response:
        """Create an account with the name that a person chose."""
        guest = self._api.expect_newcomer(request)
        message = await json_body(request)
        name = await in_thread(partial(Name.of, text_field(message, "name")))
        challenge, _, subject = text_field(message, "ticket", _MOST).partition(".")
        identity = Identity(
            self._provider.settings.issuer, _bytes(subject).decode("utf-8", "replace")
        )
        expires = self._challenges.expiry_of(_bytes(challenge), _claim_of(identity), guest)
        login, next_guest = self._visitors.new_login(), self._visitors.new_guest()
        create = partial(
            self._accounts.claim_with_identity,
            _text(self._random(_ID_BYTES)),
            guest,
            name,
            identity,
            login.digest,
            device(request),
            used(_bytes(challenge), expires),
            next_guest,
        )
        account = await in_thread(create)
        response = await self._api.welcome(request, account, login)
        self._visitors.become_guest(request, response, next_guest)
        return response


def _claim_of(identity: Identity) -> str:
    """Return the purpose of a ticket that only this person may use."""
    digest = hashlib.sha256("\0".join(identity).encode()).hexdigest()
    return f"claim a name as {digest}"


def _first_allowed(names: Iterable[str]) -> str:
    """Return the first allowed name, or an empty string."""
    for name in names:
        try:
            return Name.of(name).shown
        except BadName:
            continue
    return ""


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError:
        raise refused() from None
