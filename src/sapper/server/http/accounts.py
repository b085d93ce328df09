"""The HTTP interface of accounts: claim a name, sign in, manage passkeys and logins, leave."""

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
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import BadMessage, Json, encode
from sapper.server.storage.accounts import Accounts, Challenge
from sapper.server.storage.player_data import account_json
from sapper.translation import t

__all__ = ["AccountApi", "in_thread", "json_body", "text_field"]

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
        clock: Seconds since 1970.
        random: Returns a number of random bytes.
    """

    def __init__(
        self,
        accounts: Accounts,
        visitors: Visitors,
        secret: bytes,
        sites: Iterable[str] | None,
        clock: Callable[[], float] = time.time,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.accounts, self.visitors = accounts, visitors
        self._sites = None if sites is None else tuple(sites)
        self._challenges = Challenges(secret, clock, random)
        self._key = hmac.digest(secret, b"ids of accounts", hashlib.sha256)
        self._random = random
        self._new_accounts = AddressRate(
            limits.NEW_ACCOUNTS_PER_S, limits.NEW_ACCOUNTS_BURST, "new_accounts"
        )

    # The state of a browser.

    async def state(self, request: Request) -> Response:
        """Return the account of the browser, if any, and whether passkeys work here."""
        signed_in = self.visitors.signed_in(request)
        account = None if signed_in is None else await self._view(signed_in)
        problem = self._problem(request)
        ban = self.visitors.ban_of(request)
        has_cookie = self.visitors.login_cookie in request.cookies
        ended = signed_in is None and ban is None and has_cookie
        body = {
            "account": account,
            "problem": problem,
            "signed_out": ended,
            "ban": None if ban is None else ban._asdict(),
        }
        response = Response(encode(body), media_type="application/json")
        if ended:
            self.visitors.sign_out(response)
        return response

    def _problem(self, request: Request) -> Json | None:
        """Return why passkeys do not work here, with an address where they do, or None."""
        try:
            passkeys.check_installed()
            self._party(request)
        except MissingExtra as problem:
            return {"message": str(problem), "address": None}
        except NoPasskeys as problem:
            origin = passkeys.local_address(request.headers.get("host", ""), request.url.scheme)
            return {"message": str(problem), "address": origin and f"{origin}/account"}
        return None

    async def _view(self, signed_in: SignedIn) -> Json:
        account = signed_in.account
        details = await in_thread(partial(self.accounts.details, account.id))
        return account_json(account, details, signed_in.login)

    def _party(self, request: Request) -> RelyingParty:
        host = request.headers.get("host", "")
        return passkeys.relying_party(host, request.url.scheme, self._sites)

    # Claim a name.

    async def claim_options(self, request: Request) -> Response:
        """Return the options for the first passkey of a name that is free."""
        passkeys.check_installed()
        self._expect_newcomer(request)
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
        guest = self._expect_newcomer(request)
        message = await json_body(request)
        name = await in_thread(partial(Name.of, text_field(message, "name")))
        if not self._new_accounts.try_take(address_of(request)):
            raise TooMany(t("too many new players from one address; try again later"))
        passkey, challenge, issued = await self._registered(request, message, _CLAIM, guest)
        codes, login = new_codes(self._random), self.visitors.new_login()
        create = partial(
            self.accounts.claim,
            self._account_id(issued),
            guest,
            name,
            passkey,
            _digests(codes),
            login.digest,
            _device(request),
            challenge,
        )
        account = await in_thread(create)
        response = await self._welcome(request, account, login.digest, login.cookie, codes=codes)
        self.visitors.renew_guest(request, response)
        return response

    def _expect_guest(self, request: Request) -> str:
        if self.visitors.signed_in(request) is not None:
            raise BadMessage("this browser is signed in")
        return self.visitors.session_of(request) or ""

    def _expect_newcomer(self, request: Request) -> str:
        if (ban := self.visitors.ban_of(request)) is not None:
            raise banned(ban)
        return self._expect_guest(request)

    def _account_id(self, challenge: bytes) -> str:
        """Return the id of the account that a challenge creates, to be stored in its passkey."""
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
            return passkey, _used(response.challenge, expires), response.challenge

        return await in_thread(check)

    def _options(self, request: Request, options: Json, cookie: str) -> Response:
        response = Response(encode({"options": options}), media_type="application/json")
        self.visitors.remember(request, response, cookie)
        return response

    # Sign in and out.

    async def sign_in_options(self, request: Request) -> Response:
        """Return the options for signing in with any passkey of the site."""
        passkeys.check_installed()
        self._expect_guest(request)
        cookie = self.visitors.cookie(request)
        challenge = self._challenges.issue(_SIGN_IN, self.visitors.session_id(cookie))
        party = self._party(request)
        options = await in_thread(partial(passkeys.sign_in_options, party, challenge))
        return self._options(request, options, cookie)

    async def sign_in(self, request: Request) -> Response:
        """Sign in with a passkey; one that was copied is locked and refused."""
        guest = self._expect_guest(request)
        message = await json_body(request)
        party, device, login = self._party(request), _device(request), self.visitors.new_login()

        def check() -> Account:
            response = passkeys.Response.of(message.get("credential"))
            expires = self._challenges.expiry_of(response.challenge, _SIGN_IN, guest)
            challenge = _used(response.challenge, expires)
            passkey = self.accounts.passkey(response.id)
            try:
                count = passkeys.check_sign_in(party, response, passkey)
            except CopiedPasskey:
                self.accounts.lock(passkey, challenge)
                raise
            return self.accounts.sign_in(passkey, count, login.digest, device, challenge)

        account = await in_thread(check)
        return await self._welcome(request, account, login.digest, login.cookie)

    async def recover(self, request: Request) -> Response:
        """Sign in with a recovery code."""
        self._expect_guest(request)
        message = await json_body(request)
        code, login = digest_of(text_field(message, "code")), self.visitors.new_login()
        recover = partial(self.accounts.recover, code, login.digest, _device(request))
        account = await in_thread(recover)
        return await self._welcome(request, account, login.digest, login.cookie)

    async def _welcome(
        self, request: Request, account: Account, digest: str, cookie: str, **further: Any
    ) -> Response:
        view = await self._view(SignedIn(account, digest))
        response = Response(encode({"account": view, **further}), media_type="application/json")
        self.visitors.sign_in(request, response, cookie)
        return response

    # Names, passkeys and codes of an account.

    def expect_account(self, request: Request) -> SignedIn:
        """Return the account of a browser.

        Raises:
            SignedOut: If it has none.
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
        add = partial(self.accounts.add_passkey, account, passkey, _device(request), challenge)
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
    """Return the JSON object in a body, which no message repeats: it may hold a recovery code."""
    try:
        return await json_of(request, _BODY_BYTES)
    except BadMessage:
        raise BadMessage("the body must be one JSON object") from None


def text_field(message: Json, key: str) -> str:
    """Return a short text in a message.

    Raises:
        BadMessage: If the field has another value.
    """
    value = message.get(key)
    problem = f"{key!r} must be a text of at most 200 characters"
    if not isinstance(value, str) or len(value) > 200:
        raise BadMessage(problem)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadMessage(problem) from None
    return value


def _used(challenge: bytes, expires_s: int) -> Challenge:
    return hashlib.sha256(challenge).hexdigest(), expires_s


def _digests(codes: Iterable[str]) -> list[str]:
    return [digest.hex() for code in codes if (digest := digest_of(code)) is not None]


def _device(request: Request) -> str:
    return device_of(request.headers.get("user-agent", ""))
