"""The HTTP interface of accounts: claim a name, sign in, manage passkeys and logins, leave."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from sapper.errors import MissingExtra
from sapper.server import limits
from sapper.server.accounts import passkeys
from sapper.server.accounts.challenges import Challenges
from sapper.server.accounts.devices import device_of
from sapper.server.accounts.errors import CopiedPasskey, NoPasskeys, SignedOut
from sapper.server.accounts.names import Name
from sapper.server.accounts.passkeys import RelyingParty
from sapper.server.accounts.records import Account, NewPasskey, Passkey, SignedIn
from sapper.server.accounts.recovery import digest_of, new_codes
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import Answer, TooMany, address_of, endpoint, json_of
from sapper.server.http.visitors import Visitors
from sapper.server.http.windows import OpenWindows
from sapper.server.protocol import BadMessage, Json, encode
from sapper.server.session.sessions import Sessions
from sapper.server.storage.accounts import RENAME_DAYS, Accounts, Challenge
from sapper.server.storage.player_data import PlayerData
from sapper.translation import t

__all__ = ["AccountApi", "account_routes"]

_BODY_BYTES: Final = 20_000
_DAY_MS: Final = 86_400_000
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
        ended = signed_in is None and self.visitors.login_cookie in request.cookies
        body = {"account": account, "problem": problem, "signed_out": ended}
        response = Response(encode(body), media_type="application/json")
        if ended:
            self.visitors.sign_out(response)
        return response

    def _problem(self, request: Request) -> Json | None:
        """Return why there are no passkeys here, with an address where there are, or None."""
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
        renamed = account.renamed_ms
        return {
            "name": account.name,
            "created_ms": account.created_ms,
            "rename_from_ms": None if renamed is None else renamed + RENAME_DAYS * _DAY_MS,
            "passkeys": [_passkey_json(passkey) for passkey in details.passkeys],
            "codes": details.codes,
            "sessions": [
                {
                    "id": login.digest,
                    "device": login.device,
                    "created_ms": login.created_ms,
                    "seen_ms": login.seen_ms,
                    "current": login.digest == signed_in.login,
                }
                for login in details.logins
            ],
        }

    def _party(self, request: Request) -> RelyingParty:
        host = request.headers.get("host", "")
        return passkeys.relying_party(host, request.url.scheme, self._sites)

    # Claim a name.

    async def claim_options(self, request: Request) -> Response:
        """Return the options for the first passkey of a name that is free."""
        passkeys.check_installed()
        self._expect_guest(request)
        message = await _json_of(request)
        name = await in_thread(partial(Name.of, _text(message, "name")))
        await in_thread(partial(self.accounts.check_free, name))
        cookie = self.visitors.cookie(request)
        challenge = self._challenges.issue(_CLAIM, self.visitors.session_id(cookie))
        account, party = self._account_id(challenge), self._party(request)
        options = await in_thread(
            partial(passkeys.registration_options, party, challenge, account, name.shown)
        )
        return self._options(request, options, cookie)

    async def claim(self, request: Request) -> Response:
        """Create an account for the guest; its recovery codes are in this answer only."""
        guest = self._expect_guest(request)
        message = await _json_of(request)
        name = await in_thread(partial(Name.of, _text(message, "name")))
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

    def _account_id(self, challenge: bytes) -> str:
        """Return the id of the account that a challenge creates, which its passkey keeps."""
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
        message = await _json_of(request)
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
        message = await _json_of(request)
        code, login = digest_of(_text(message, "code")), self.visitors.new_login()
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
            raise SignedOut(t("you are not signed in"))
        return signed_in

    async def rename(self, request: Request) -> Json:
        """Rename the account."""
        signed_in = self.expect_account(request)
        message = await _json_of(request)
        name = await in_thread(partial(Name.of, _text(message, "name")))
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
        message = await _json_of(request)
        account = signed_in.account.id
        passkey, challenge, _ = await self._registered(request, message, _ADD, account)
        add = partial(self.accounts.add_passkey, account, passkey, _device(request), challenge)
        await in_thread(add)
        return await self.renewed(signed_in)

    async def remove_passkey(self, request: Request) -> Json:
        """Remove a passkey of the account."""
        signed_in = self.expect_account(request)
        passkey = _text(await _json_of(request), "id")
        await in_thread(partial(self.accounts.remove_passkey, signed_in.account.id, passkey))
        return await self.renewed(signed_in)

    async def replace_codes(self, request: Request) -> Json:
        """Replace the recovery codes; the new ones are in this answer only."""
        signed_in = self.expect_account(request)
        codes = new_codes(self._random)
        replace = partial(self.accounts.replace_codes, signed_in.account.id, _digests(codes))
        await in_thread(replace)
        return {**await self.renewed(signed_in), "codes": codes}

    async def renewed(self, signed_in: SignedIn) -> Json:
        """Return the account after a change."""
        current = await in_thread(partial(self.accounts.signed_in, signed_in.login))
        if current is None:
            raise SignedOut(t("you are not signed in"))
        return {"account": await self._view(current)}


class _Windows:
    """What also concerns the open windows: the begin and end of logins, and of accounts.

    Args:
        api: The accounts.
        windows: The open windows.
        data: What is stored about players.
        sessions: The sessions in memory.
    """

    def __init__(
        self, api: AccountApi, windows: OpenWindows, data: PlayerData, sessions: Sessions
    ) -> None:
        self._api, self._windows, self._data, self._sessions = api, windows, data, sessions
        self._accounts, self._visitors = api.accounts, api.visitors

    def signing_in(self, sign_in: Answer) -> Answer:
        """Return an endpoint that signs a guest in and lets its windows connect again."""

        async def answer(request: Request) -> Response:
            guest = self._visitors.session_of(request)
            response: Response = await sign_in(request)
            if guest is not None:
                response.background = BackgroundTask(self._close, guest, "".__eq__)
            return response

        return answer

    async def _close(self, player: str, ended: Callable[[str], bool]) -> None:
        # On the event loop, not in a thread.
        self._windows.close(player, ended)

    async def sign_out(self, request: Request) -> Response:
        """End the login of this browser."""
        signed_in = self._api.expect_account(request)
        account = signed_in.account
        await in_thread(partial(self._accounts.end_login, account.id, signed_in.login))
        return self._out(account.player, signed_in.login.__eq__)

    def _out(self, player: str, ended: Callable[[str], bool]) -> Response:
        response = Response(encode({"account": None}), media_type="application/json")
        self._visitors.sign_out(response)
        response.background = BackgroundTask(self._close, player, ended)
        return response

    async def end_session(self, request: Request) -> Json:
        """End a login of the account, and close its windows."""
        signed_in = self._api.expect_account(request)
        login = _text(await _json_of(request), "id")
        if login == signed_in.login:
            raise BadMessage("'id' must be another session than this one")
        await in_thread(partial(self._accounts.end_login, signed_in.account.id, login))
        self._windows.close(signed_in.account.player, login.__eq__)
        return await self._api.renewed(signed_in)

    async def end_other_sessions(self, request: Request) -> Json:
        """End all other logins of the account, and close their windows."""
        signed_in = self._api.expect_account(request)
        end = partial(self._accounts.end_other_logins, signed_in.account.id, signed_in.login)
        await in_thread(end)
        self._windows.close(signed_in.account.player, signed_in.login.__ne__)
        return await self._api.renewed(signed_in)

    async def export(self, request: Request) -> Response:
        """Return everything stored about the account as a zip file."""
        signed_in = self._api.expect_account(request)
        view = (await self._api.renewed(signed_in))["account"]
        write = partial(self._data.export, signed_in.account.player, {"account.json": view})
        path = await anyio.to_thread.run_sync(write, limiter=_EXPORTS)
        erase = BackgroundTask(os.unlink, path)
        return FileResponse(path, filename="sapper-account.zip", background=erase)

    async def delete(self, request: Request) -> Response:
        """Delete the account with all its games; the request must give its name."""
        account = self._api.expect_account(request).account
        message = await _json_of(request)
        if _text(message, "name").strip() != account.name:
            raise BadMessage(t("type the name of the account to delete it"))
        self._windows.close(account.player, lambda login: True)
        await self._sessions.delete(account.player, partial(self._accounts.delete, account))
        return self._out(account.player, lambda login: True)


def account_routes(
    api: AccountApi, windows: OpenWindows, data: PlayerData, sessions: Sessions
) -> list[Route]:
    """Return the routes.

    Args:
        api: Claims and sign-ins.
        windows: The open windows, some of which close when a login ends.
        data: What is stored about players.
        sessions: The sessions in memory.
    """
    joint = _Windows(api, windows, data, sessions)
    rate = AddressRate(limits.ACCOUNT_REQUESTS_PER_S, limits.ACCOUNT_REQUESTS_BURST, "accounts")
    attempts = AddressRate(limits.SIGN_INS_PER_S, limits.SIGN_INS_BURST, "sign_ins")

    def route(
        path: str,
        answer: Callable[[Request], Awaitable[Any]],
        method: str = "POST",
        limit: AddressRate = rate,
    ) -> Route:
        return Route(f"/api/account{path}", endpoint(answer, limit), methods=[method])

    return [
        route("", api.state, "GET"),
        route("/claim/options", api.claim_options, limit=attempts),
        route("/claim", joint.signing_in(api.claim), limit=attempts),
        route("/sign-in/options", api.sign_in_options, limit=attempts),
        route("/sign-in", joint.signing_in(api.sign_in), limit=attempts),
        route("/recover", joint.signing_in(api.recover), limit=attempts),
        route("/rename", api.rename),
        route("/passkeys/options", api.passkey_options),
        route("/passkeys", api.add_passkey),
        route("/passkeys/remove", api.remove_passkey),
        route("/codes", api.replace_codes),
        route("/sign-out", joint.sign_out),
        route("/sessions/end", joint.end_session),
        route("/sessions/end-others", joint.end_other_sessions),
        route("/export", joint.export, "GET"),
        route("/delete", joint.delete),
    ]


async def in_thread(work: Callable[[], _Result]) -> _Result:
    """Run something short in a thread."""
    return await anyio.to_thread.run_sync(work, limiter=_THREADS)


async def _json_of(request: Request) -> Json:
    """Return the JSON object in a body, which no message repeats: it may hold a recovery code."""
    try:
        return await json_of(request, _BODY_BYTES)
    except BadMessage:
        raise BadMessage("the body must be one JSON object") from None


def _text(message: Json, key: str) -> str:
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


def _passkey_json(passkey: Passkey) -> Json:
    return {
        "id": urlsafe_b64encode(passkey.key.id).rstrip(b"=").decode(),
        "device": passkey.device,
        "created_ms": passkey.created_ms,
        "used_ms": passkey.used_ms,
        "locked_ms": passkey.locked_ms,
    }
