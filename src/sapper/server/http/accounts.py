"""The HTTP interface of accounts: claim a name, sign in, manage passkeys and logins, and leave."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from sapper.errors import MissingExtra
from sapper.server import limits
from sapper.server.accounts import passkeys
from sapper.server.accounts.challenges import Challenges
from sapper.server.accounts.devices import device_of
from sapper.server.accounts.errors import CopiedPasskey, NoPasskeys, banned, signed_out
from sapper.server.accounts.names import Name
from sapper.server.accounts.passkeys import RelyingParty
from sapper.server.accounts.records import Account, NewPasskey, SignedIn
from sapper.server.accounts.recovery import digest_of, new_codes
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import address_of, json_of
from sapper.server.http.errors import TooMany
from sapper.server.http.visitors import Login, Visitors
from sapper.server.protocol import BadMessage, Json, encode
from sapper.server.storage.accounts import Accounts, Challenge
from sapper.server.storage.player_data import account_json
from sapper.translation import t

__all__ = ["AccountApi", "device", "in_thread", "json_body", "text_field", "used"]

_BODY_BYTES: Final = 20_000
_THREADS: Final = anyio.CapacityLimiter(2)
"""Number of threads that check passkeys."""
_EXPORTS: Final = anyio.CapacityLimiter(1)
"""Number of threads that write exports."""

_CLAIM: Final = "claim"
_SIGN_IN: Final = "sign in"
_ADD: Final = "add a passkey"

_Result = TypeVar("_Result")


class AccountApi:
    """Claims and sign-ins.

    Args:
        accounts: The stored accounts.
        visitors: Identifies browsers.
        secret: The key of the store.
        sites: The host names to serve; None for all.
        provider: Name of the provider that people sign in with instead of passkeys, or None.
        clock: Seconds since 1970.
        random: Function that returns a number of random bytes.
    """

    def __init__(
        self,
        accounts: Accounts,
        visitors: Visitors,
        secret: bytes,
        sites: Iterable[str] | None,
        provider: str | None = None,
        clock: Callable[[], float] = time.time,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.accounts, self.visitors = accounts, visitors
        self._sites = None if sites is None else tuple(sites)
        self._provider = provider
        self._challenges = Challenges(secret, clock, random)
        self._key = hmac.digest(secret, b"ids of accounts", hashlib.sha256)
        self._random = random
        self._new_accounts = AddressRate(
            limits.NEW_ACCOUNTS_PER_S, limits.NEW_ACCOUNTS_BURST, "new_accounts"
        )

    # The state of a browser.

    async def state(self, request: Request) -> Response:
        """Return the account of the browser, if any, and whether people can sign in here."""
        signed_in = self.visitors.signed_in(request)
        account = None if signed_in is None else await self._view(signed_in)
        problem = self._problem(request)
        ban = self.visitors.ban_of(request)
        has_cookie = self.visitors.login_cookie in request.cookies
        ended = signed_in is None and ban is None and has_cookie
        body = {
            "account": account,
            "problem": problem,
            "provider": self._provider,
            "signed_out": ended,
            "ban": None if ban is None else ban._asdict(),
        }
        response = Response(encode(body), media_type="application/json")
        if ended:
            self.visitors.sign_out(response)
        return response

    def _problem(self, request: Request) -> Json | None:
        """Return why people cannot sign in here, with an address where they can, or None."""
        try:
            if self._provider is None:
                passkeys.check_installed()
            self._party(request)
        except MissingExtra as problem:
            return {"message": str(problem), "address": None}
        except NoPasskeys as problem:
            host = request.headers.get("host", "")
            origin = passkeys.local_address(host, request.url.scheme)
            return {"message": str(problem), "address": origin and f"{origin}/account"}
        return None

    async def _view(self, signed_in: SignedIn) -> Json:
        account = signed_in.account
        details = await in_thread(partial(self.accounts.details, account.id))
        return account_json(account, details, signed_in.login)

    def _party(self, request: Request) -> RelyingParty:
        return passkeys.relying_party(
            request.headers.get("host", ""), request.url.scheme, self._sites
        )

    async def without_passkeys(self, _: Request) -> Response:
        """Refuse a request about passkeys or recovery codes: people sign in with the provider."""
        name = self._provider or ""
        raise NoPasskeys(t("on this site, sign in with {provider}", provider=name))

    # Claim a name.

    async def claim_options(self, request: Request) -> Response:
        """Return the options for the first passkey of an available name."""
        passkeys.check_installed()
        self.expect_newcomer(request)
        message = await json_body(request)
        name = await in_thread(partial(Name.of, text_field(message, "name")))
        await in_thread(partial(self.accounts.check_free, name))
        cookie = self.visitors.cookie(request)
        challenge = self._challenges.issue(_CLAIM, self.visitors.session_id(cookie))
        account, party = self._account_id(challenge), self._party(request)
        options = await in_thread(
            partial(passkeys.registration_options, party, challenge, account, name.shown)
        )
        return self._options(request, options, cookie)

    async def claim(self, request: Request) -> Response:
        """Create an account for the guest; only this answer contains its recovery codes."""
        guest = self.expect_newcomer(request)
        message = await json_body(request)
        name = await in_thread(partial(Name.of, text_field(message, "name")))
        if not self._new_accounts.try_take(address_of(request)):
            raise TooMany(t("too many new players from one address; try again later"))
        passkey, challenge, issued = await self._registered(request, message, _CLAIM, guest)
        codes, login = new_codes(self._random), self.visitors.new_login()
        next_guest = self.visitors.new_guest()
        create = partial(
            self.accounts.claim,
            self._account_id(issued),
            guest,
            name,
            passkey,
            _digests(codes),
            login.digest,
            device(request),
            challenge,
            next_guest,
        )
        account = await in_thread(create)
        response = await self.welcome(request, account, login, codes=codes)
        self.visitors.become_guest(request, response, next_guest)
        return response

    def expect_guest(self, request: Request) -> str:
        """Return the session of a guest."""
        if self.visitors.signed_in(request) is not None:
            raise BadMessage("this browser is signed in")
        return self.visitors.session_of(request) or ""

    def expect_newcomer(self, request: Request) -> str:
        """Return the session of a guest that may have an account."""
        if (ban := self.visitors.ban_of(request)) is not None:
            raise banned(ban)
        guest = self.expect_guest(request)
        self.visitors.check_may_meet_others(request)
        return guest

    def _account_id(self, challenge: bytes) -> str:
        """Return the id of the account that a challenge creates, which is stored in its passkey."""
        digest = hmac.digest(self._key, challenge, hashlib.sha256)
        return urlsafe_b64encode(digest[:18]).decode()

    async def _registered(
        self, request: Request, message: Json, purpose: str, bound_to: str
    ) -> tuple[NewPasskey, Challenge, bytes]:
        """Return the passkey in a message, and the challenge that it answers."""
        party = self._party(request)

        def check() -> tuple[NewPasskey, Challenge, bytes]:
            response = passkeys.Response.of(message.get("credential"))
            expires = self._challenges.expiry_of(response.challenge, purpose, bound_to)
            passkey = passkeys.check_registration(party, response)
            return passkey, used(response.challenge, expires), response.challenge

        return await in_thread(check)

    def _options(self, request: Request, options: Json, cookie: str) -> Response:
        response = Response(encode({"options": options}), media_type="application/json")
        self.visitors.remember(request, response, cookie)
        return response

    # Sign in and out.

    async def sign_in_options(self, request: Request) -> Response:
        """Return the options for signing in with any passkey of the site."""
        passkeys.check_installed()
        self.expect_guest(request)
        cookie = self.visitors.cookie(request)
        challenge = self._challenges.issue(_SIGN_IN, self.visitors.session_id(cookie))
        party = self._party(request)
        options = await in_thread(partial(passkeys.sign_in_options, party, challenge))
        return self._options(request, options, cookie)

    async def sign_in(self, request: Request) -> Response:
        """Sign in with a passkey; a copied one is locked and refused."""
        guest = self.expect_guest(request)
        message = await json_body(request)
        party, name, login = self._party(request), device(request), self.visitors.new_login()

        def check() -> Account:
            response = passkeys.Response.of(message.get("credential"))
            expires = self._challenges.expiry_of(response.challenge, _SIGN_IN, guest)
            challenge = used(response.challenge, expires)
            passkey = self.accounts.passkey(response.id)
            try:
                count = passkeys.check_sign_in(party, response, passkey)
            except CopiedPasskey:
                self.accounts.lock(passkey, challenge)
                raise
            return self.accounts.sign_in(passkey, count, login.digest, name, challenge)

        account = await in_thread(check)
        return await self.welcome(request, account, login)

    async def recover(self, request: Request) -> Response:
        """Sign in with a recovery code."""
        self.expect_guest(request)
        message = await json_body(request)
        code, login = digest_of(text_field(message, "code")), self.visitors.new_login()
        recover = partial(self.accounts.recover, code, login.digest, device(request))
        account = await in_thread(recover)
        return await self.welcome(request, account, login)

    async def welcome(
        self, request: Request, account: Account, login: Login, **further: Any
    ) -> Response:
        """Return the response to a sign-in.

        Args:
            request: The request.
            account: The account.
            login: The new login.
            further: Further fields.
        """
        view = await self._view(SignedIn(account, login.digest))
        response = Response(encode({"account": view, **further}), media_type="application/json")
        self.visitors.sign_in(request, response, login.cookie)
        return response

    # Names, passkeys and codes of an account.

    def expect_account(self, request: Request) -> SignedIn:
        """Return the account of a browser.

        Raises:
            SignedOut: If the browser has no account.
        """
        signed_in = self.visitors.signed_in(request)
        if signed_in is None:
            raise signed_out()
        return signed_in

    async def rename(self, request: Request) -> Json:
        """Rename the account."""
        signed_in = self.expect_account(request)
        message = await json_body(request)
        name = await in_thread(partial(Name.of, text_field(message, "name")))
        await in_thread(partial(self.accounts.rename, signed_in.account, name))
        return await self.renewed(signed_in)

    async def passkey_options(self, request: Request) -> Json:
        """Return the options for another passkey of the account."""
        account = self.expect_account(request).account
        details = await in_thread(partial(self.accounts.details, account.id))
        challenge = self._challenges.issue(_ADD, account.id)
        party = self._party(request)
        make = partial(
            passkeys.registration_options,
            party,
            challenge,
            account.id,
            account.name,
            details.passkeys,
        )
        return {"options": await in_thread(make)}

    async def add_passkey(self, request: Request) -> Json:
        """Add a passkey to the account."""
        signed_in = self.expect_account(request)
        message = await json_body(request)
        account = signed_in.account.id
        passkey, challenge, _ = await self._registered(request, message, _ADD, account)
        add = partial(self.accounts.add_passkey, account, passkey, device(request), challenge)
        await in_thread(add)
        return await self.renewed(signed_in)

    async def remove_passkey(self, request: Request) -> Json:
        """Remove a passkey of the account."""
        signed_in = self.expect_account(request)
        passkey = text_field(await json_body(request), "id")
        await in_thread(partial(self.accounts.remove_passkey, signed_in.account.id, passkey))
        return await self.renewed(signed_in)

    async def replace_codes(self, request: Request) -> Json:
        """Replace the recovery codes; only this answer contains the new ones."""
        signed_in = self.expect_account(request)
        codes = new_codes(self._random)
        replace = partial(self.accounts.replace_codes, signed_in.account.id, _digests(codes))
        await in_thread(replace)
        return {**await self.renewed(signed_in), "codes": codes}

    async def renewed(self, signed_in: SignedIn) -> Json:
        """Return the account after a change."""
        current = await in_thread(partial(self.accounts.signed_in, signed_in.login))
        if current is None:
            raise signed_out()
        return {"account": await self._view(current)}


async def in_thread(work: Callable[[], _Result]) -> _Result:
    """Run a short function in a thread."""
    return await anyio.to_thread.run_sync(work, limiter=_THREADS)


async def json_body(request: Request) -> Json:
    """Return the JSON object in a body; errors do not quote it: it may contain a recovery code."""
    try:
        return await json_of(request, _BODY_BYTES)
    except BadMessage:
        raise BadMessage("the body must be one JSON object") from None


def text_field(message: Json, key: str, most: int = 200) -> str:
    """Return a string from a message.

    Args:
        message: The message.
        key: The key of the text.
        most: Maximum number of characters.

    Raises:
        BadMessage: If the field has any other value.
    """
    value = message.get(key)
    problem = f"{key!r} must be a text of at most {most} characters"
    if not isinstance(value, str) or len(value) > most:
        raise BadMessage(problem)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadMessage(problem) from None
    return value


def used(challenge: bytes, expires_s: int) -> Challenge:
    """Return a challenge that was answered."""
    return hashlib.sha256(challenge).hexdigest(), expires_s


def _digests(codes: Iterable[str]) -> list[str]:
    return [digest.hex() for code in codes if (digest := digest_of(code)) is not None]


def device(request: Request) -> str:
    """Return the browser and system of a request."""
    return device_of(request.headers.get("user-agent", ""))
