"""The routes of accounts, and the requests that affect open windows."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from sapper.server import limits
from sapper.server.http.account_export import Exports
from sapper.server.http.accounts import AccountApi, in_thread, json_body, text_field
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import Answer, endpoint, unless_gone
from sapper.server.http.sso import SsoApi
from sapper.server.http.windows import OpenWindows
from sapper.server.protocol import BadMessage, Json, encode
from sapper.server.session.sessions import Sessions
from sapper.translation import t

__all__ = ["account_routes"]


class _Windows:
    """Requests that affect open windows: the start and end of logins, and deleting accounts.

    Args:
        api: The accounts.
        windows: The open windows.
        exports: Exports everything stored about a player.
        sessions: The sessions in memory.
    """

    def __init__(
        self, api: AccountApi, windows: OpenWindows, exports: Exports, sessions: Sessions
    ) -> None:
        self._api, self._windows, self._exports, self._sessions = api, windows, exports, sessions
        self._accounts, self._visitors = api.accounts, api.visitors

    def signing_in(self, sign_in: Answer) -> Answer:
        """Return an endpoint that signs a guest in and makes its windows reconnect."""

        async def answer(request: Request) -> Response:
            guest = self._visitors.session_of(request)
            response: Response = await sign_in(request)
            if guest is not None:
                response.background = BackgroundTask(self._windows.close, guest, login="")
            return response

        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the login of this browser."""
        signed_in = self._api.expect_account(request)
        account = signed_in.account
        await in_thread(partial(self._accounts.end_login, account.id, signed_in.login))
        return self._out(account.player, signed_in.login)

    def _out(self, player: str, login: str | None = None) -> Response:
        response = Response(encode({"account": None}), media_type="application/json")
        self._visitors.sign_out(response)
        response.background = BackgroundTask(self._windows.close, player, login=login)
        return response

    async def end_session(self, request: Request) -> Json:
        """End a login of the account, and close its windows."""
        signed_in = self._api.expect_account(request)
        login = text_field(await json_body(request), "id")
        if login == signed_in.login:
            raise BadMessage("'id' must be another session than this one")
        await in_thread(partial(self._accounts.end_login, signed_in.account.id, login))
        await self._windows.close(signed_in.account.player, login=login)
        return await self._api.renewed(signed_in)

    async def end_other_sessions(self, request: Request) -> Json:
        """End all other logins of the account, and close their windows."""
        signed_in = self._api.expect_account(request)
        end = partial(self._accounts.end_other_logins, signed_in.account.id, signed_in.login)
        await in_thread(end)
        await self._windows.close(signed_in.account.player, other_than=signed_in.login)
        return await self._api.renewed(signed_in)

    async def export(self, request: Request) -> Response:
        """Return everything stored about the account as a zip file."""
        signed_in = self._api.expect_account(request)
        view = (await self._api.renewed(signed_in))["account"]
        who, account = self._visitors.who(request), signed_in.account
        writing = self._exports.write(who, account.player, account.id, {"account.json": view})
        path = await unless_gone(request, writing)
        erase = BackgroundTask(os.unlink, path)
        return FileResponse(path, filename="sapper-account.zip", background=erase)

    async def delete(self, request: Request) -> Response:
        """Delete the account with all its games; the request must include its name."""
        account = self._api.expect_account(request).account
        message = await json_body(request)
        if text_field(message, "name").strip() != account.name:
            raise BadMessage(t("type the name of the account to delete it"))
        await self._windows.close(account.player)
        await self._sessions.delete(account.player, partial(self._accounts.delete, account))
        return self._out(account.player)


def account_routes(
    api: AccountApi,
    windows: OpenWindows,
    exports: Exports,
    sessions: Sessions,
    sso: SsoApi | None = None,
) -> list[Route]:
    """Return the routes.

    Args:
        api: Claims and sign-ins.
        windows: The open windows; those of a login close when it ends.
        exports: Exports everything stored about a player.
        sessions: The sessions in memory.
        sso: Sign-ins with a provider, which replace passkeys.
    """
    joint = _Windows(api, windows, exports, sessions)
    rate = AddressRate(limits.ACCOUNT_REQUESTS_PER_S, limits.ACCOUNT_REQUESTS_BURST, "accounts")
    attempts = AddressRate(limits.SIGN_INS_PER_S, limits.SIGN_INS_BURST, "sign_ins")

    def route(
        path: str,
        answer: Callable[[Request], Awaitable[Any]],
        method: str = "POST",
        limit: AddressRate = rate,
    ) -> Route:
        return Route(f"/api/account{path}", endpoint(answer, limit), methods=[method])

    def with_passkeys(answer: Answer) -> Answer:
        return answer if sso is None else api.without_passkeys

    signing_in = (
        []
        if sso is None
        else [
            route("/sso/start", sso.start),
            route("/sso/finish", joint.signing_in(sso.finish)),
            route("/sso/claim", joint.signing_in(sso.claim)),
        ]
    )
    return [
        *signing_in,
        route("", api.state, "GET"),
        route("/claim/options", with_passkeys(api.claim_options), limit=attempts),
        route("/claim", with_passkeys(joint.signing_in(api.claim)), limit=attempts),
        route("/sign-in/options", with_passkeys(api.sign_in_options), limit=attempts),
        route("/sign-in", with_passkeys(joint.signing_in(api.sign_in)), limit=attempts),
        route("/recover", with_passkeys(joint.signing_in(api.recover)), limit=attempts),
        route("/rename", api.rename),
        route("/passkeys/options", with_passkeys(api.passkey_options)),
        route("/passkeys", with_passkeys(api.add_passkey)),
        route("/passkeys/remove", with_passkeys(api.remove_passkey)),
        route("/codes", with_passkeys(api.replace_codes)),
        route("/sign-out", joint.sign_out),
        route("/sessions/end", joint.end_session),
        route("/sessions/end-others", joint.end_other_sessions),
        route("/export", joint.export, "GET"),
        route("/delete", joint.delete),
    ]
