"""Send valid, malformed and hostile single sign-on requests to a server with a real provider.

    python tests/fuzz/sso.py --seconds 900

Each case has its own server and a few browsers; the provider answers over HTTP, sometimes with
invalid tokens or garbage. A finding is an internal error, an answer that is not JSON in the usual
shape, a message or log line that contains a secret or a token, a sign-in without a valid answer
from the provider to the same browser, or a browser that is signed in to another person's account.
"""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx
from fuzzing import fuzz
from serving import serving

from sapper.server.http.visitors import SessionIds
from sapper.server.sso.settings import SsoSettings
from sapper.server.storage.store import Store

sys.path.append(str(Path(__file__).parents[1]))

from support import openid_provider
from support.openid_provider import CLIENT, SECRET, OpenIdProvider, public_pem_as_secret, unsigned

_ORIGIN: Final = "http://localhost"
_PEOPLE: Final = ["ann", "bert", "x" * 255, "x\0", "Zoë \U0001f600", "a.b.c", "0"]
_NAMES: Final = ["Ann", "ann", "Bert", "admin", "", "x" * 300, "小明", "a\u202eb", "Zoë"]
_ODD: Final = [
    *(None, True, 0, -1, 1.5, 2**70, "", "x", "\x00", [], {}, [1], "9" * 5000, "=" * 7, "é", "."),
    *("access_denied", "https://evil.example/", "eyJhbGciOiJub25lIn0.e30.", "\ud800"),
]
_PATHS: Final = ["/.well-known/openid-configuration", "/keys", "/token"]


class Finding(Exception):
    """A violation."""


class _Log(logging.Handler):
    """Collects the log lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


_LOG: Final = _Log()
logging.getLogger("sapper").addHandler(_LOG)
logging.getLogger("sapper").propagate = False


_RUNNING: Final = openid_provider.running()


@cache
def _provider() -> OpenIdProvider:
    """Return this process's provider, which ends with the process."""
    return _RUNNING.__enter__()


@dataclass
class _Attempt:
    """A browser's sign-in.

    Attributes:
        browser: The browser.
        state: Its state.
        code: The provider's code, or None.
        person: The person who signed in.
        good: Whether its token is valid.
        used: Whether the state was sent back.
    """

    browser: httpx.AsyncClient
    state: str
    code: str | None
    person: str
    good: bool
    used: bool = False


class _Case:
    def __init__(self, rng: Random, store: Store, transport: httpx.ASGITransport) -> None:
        self._rng, self._provider = rng, _provider()
        self._ids = SessionIds(store.secret())
        self._browsers = [
            httpx.AsyncClient(transport=transport, base_url=_ORIGIN) for _ in range(3)
        ]
        self._attempts: list[_Attempt] = []
        self._tickets: dict[str, tuple[httpx.AsyncClient, str]] = {}
        self._names: dict[str, set[str]] = {}
        self._signed_in: dict[int, str] = {}
        self._bodies: list[tuple[str, dict[str, Any]]] = []
        self._reached = True
        self._secrets = {SECRET, store.secret().hex()}

    async def run(self) -> None:
        """Send some requests."""
        provider, rng = self._provider, self._rng
        provider.documents.clear()
        provider.change = None
        for _ in range(rng.randrange(3, 20)):
            if rng.random() < 0.1:
                path = rng.choice(_PATHS)
                provider.documents[path] = (
                    rng.choice([200, 200, 302, 400, 500]),
                    {},
                    self._rubbish(),
                )
            if rng.random() < 0.3:
                provider.documents.clear()
            if rng.random() < 0.05:
                provider.rotate("EC")
            browser = rng.choice(self._browsers)
            act = rng.choices(
                [self._start, self._finish, self._claim, self._other, self._cookie], [6, 6, 4, 2, 1]
            )[0]
            await act(browser)
            await self._check(browser)

    def _rubbish(self) -> bytes:
        rng = self._rng
        document = json.dumps(self._spoiled(self._provider.configuration()))
        return rng.choice([b"", b"{}", b"[]", b"<html>", rng.randbytes(30), document.encode()])

    async def _start(self, browser: httpx.AsyncClient) -> None:
        found = await self._ask(browser, "sso/start", {})
        if found is None:
            return
        address = found["address"]
        person = self._rng.choice(_PEOPLE)
        self._provider.person = (
            None
            if self._rng.random() < 0.1
            else {"sub": person, "preferred_username": self._rng.choice(_NAMES)}
        )
        if not address.startswith(self._provider.issuer):
            return
        async with httpx.AsyncClient(trust_env=False) as outside:
            answer = await outside.get(address)
        back = parse_qs(urlsplit(answer.headers.get("location", "")).query)
        state = parse_qs(urlsplit(address).query)["state"][0]
        code = back.get("code", [None])[0]
        self._attempts.append(_Attempt(browser, state, code, person, good=True))

    def _bad_token(self, header: dict[str, Any], claims: dict[str, Any]) -> str | None:
        rng, key = self._rng, self._provider.signing_key
        match rng.randrange(6):
            case 0:
                return unsigned(header, claims)
            case 1:
                return public_pem_as_secret(key, header, claims)
            case 2:
                return str(
                    rng.choice(["", "x", "a.b.c", "." * 50, "eyJhbGciOiJSUzI1NiJ9.e30.AAAA"])
                )
            case 3:
                header["kid"] = rng.choice(["other", "", 5])
            case 4:
                del claims[rng.choice(["iss", "sub", "aud", "exp", "iat", "nonce"])]
            case _:
                # An empty access token hash counts as missing, and the hash is optional.
                odd = ["x", "", 5, [], {}, ["x"]]
                name = rng.choice(["iss", "aud", "nonce", "at_hash"])
                claims[name] = "x" if name == "at_hash" else rng.choice(odd)
        if header.get("kid") == 5:
            return unsigned(header, claims)
        return None

    async def _finish(self, browser: httpx.AsyncClient) -> None:
        if not self._attempts:
            return
        rng = self._rng
        attempt = rng.choice(self._attempts[-4:])
        body: dict[str, Any] = {"state": attempt.state, "iss": self._provider.issuer}
        if attempt.code is None:
            body["error"] = "access_denied"
        else:
            other = rng.choice(self._attempts)
            body["code"] = attempt.code if rng.random() < 0.8 else other.code or "x"
        if rng.random() < 0.8:
            browser = attempt.browser
        bad = rng.random() < 0.25
        self._provider.change = self._bad_token if bad else None
        body = self._spoiled(body)
        found = await self._ask(browser, "sso/finish", body)
        self._provider.change = None
        right = (
            body.get("state") == attempt.state
            and body.get("code") == attempt.code
            and attempt.browser is browser
            and not attempt.used
        )
        if body.get("state") == attempt.state and attempt.browser is browser:
            attempt.used |= self._reached
        if found is None:
            return
        if not right or bad:
            raise Finding(f"a sign-in is accepted: {body}, {attempt}, bad token: {bad}")
        if found["account"] is None:
            self._tickets[found["ticket"]] = (browser, attempt.person)
        else:
            self._signed_in[id(browser)] = attempt.person

    async def _claim(self, browser: httpx.AsyncClient) -> None:
        if not self._tickets:
            return
        ticket = self._rng.choice(list(self._tickets))
        owner, person = self._tickets[ticket]
        if self._rng.random() < 0.8:
            browser = owner
        body = self._spoiled({"ticket": ticket, "name": self._rng.choice(_NAMES)})
        found = await self._ask(browser, "sso/claim", body)
        if found is None:
            return
        if body["ticket"] != ticket or browser is not owner or self._names.get(person):
            raise Finding(f"a claim is accepted: {body}")
        self._names[person] = {found["account"]["name"]}
        self._signed_in[id(browser)] = person

    async def _other(self, browser: httpx.AsyncClient) -> None:
        person = self._signed_in.get(id(browser), "")
        path = self._rng.choice(
            ["rename", "delete", "sign-out", "sessions/end-others", "codes", "claim", "recover", ""]
        )
        if path == "" or (self._bodies and self._rng.random() < 0.3):
            path, body = self._rng.choice(self._bodies or [("sso/start", {})])
            if path.startswith("sso/"):
                # The request is replayed in another browser; everything in it has been sent before.
                found = await self._ask(browser, path, body)
                if found is not None and path != "sso/start":
                    self._expect_first_use(browser, path, body, found)
            return
        names = sorted(self._names.get(person, ()))
        name = self._rng.choice([*names, *_NAMES])
        found = await self._ask(browser, path, self._spoiled({"name": name}))
        if found is None:
            return
        if path in ("codes", "claim", "recover"):
            raise Finding(f"{path} is accepted")
        if path == "rename":
            self._names[person] = {found["account"]["name"]}
        if path == "delete":
            del self._names[person]
            for key in [key for key, value in self._signed_in.items() if value == person]:
                del self._signed_in[key]
        if path == "sign-out":
            del self._signed_in[id(browser)]

    def _expect_first_use(
        self, browser: httpx.AsyncClient, path: str, body: dict[str, Any], found: Any
    ) -> None:
        """Check that a replayed request succeeds only if the original was refused."""
        if path == "sso/finish":
            [attempt] = [each for each in self._attempts if each.state == body["state"]]
            if attempt.used or attempt.browser is not browser or body["code"] != attempt.code:
                raise Finding(f"a replayed sign-in is accepted: {body}")
            attempt.used = True
            if found["account"] is None:
                self._tickets[found["ticket"]] = (browser, attempt.person)
            else:
                self._signed_in[id(browser)] = attempt.person
            return
        owner, person = self._tickets[body["ticket"]]
        if owner is not browser or self._names.get(person):
            raise Finding(f"a replayed claim is accepted: {body}")
        self._names[person] = {found["account"]["name"]}
        self._signed_in[id(browser)] = person

    async def _cookie(self, browser: httpx.AsyncClient) -> None:
        names = [cookie.name for cookie in browser.cookies.jar]
        if names:
            forged = self._rng.choice(["", "x", "a" * 24, self._ids.sign("a" * 24), "=;,"])
            name = self._rng.choice(names)
            browser.cookies.clear()
            browser.cookies.set(name, forged)
            self._signed_in.pop(id(browser), None)
            for attempt in self._attempts:
                attempt.used |= attempt.browser is browser
            self._tickets = {
                ticket: found for ticket, found in self._tickets.items() if found[0] is not browser
            }

    def _spoiled(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of an object, sometimes with unusual values."""
        made = copy.deepcopy(body)
        while self._rng.random() < 0.2 and made:
            key = self._rng.choice(list(made))
            if self._rng.random() < 0.2:
                del made[key]
            elif isinstance(made[key], str) and self._rng.random() < 0.4:
                at = self._rng.randrange(len(made[key]) + 1)
                made[key] = made[key][:at] + self._rng.choice("A=.é0_") + made[key][at + 1 :]
            else:
                made[key] = copy.deepcopy(self._rng.choice(_ODD))
        return made

    async def _ask(self, browser: httpx.AsyncClient, path: str, body: dict[str, Any]) -> Any:
        self._bodies.append((path, body))
        content = json.dumps(body).encode()
        # A request to another host is rejected, so its state is never used.
        self._reached = self._rng.random() < 0.97
        host = "localhost" if self._reached else "evil.example"
        answer = await browser.post(f"/api/account/{path}", content=content, headers={"host": host})
        return self._seen(answer)

    def _seen(self, answer: httpx.Response) -> Any:
        """Check an answer and the log; return the answer if the request succeeded."""
        log, _LOG.lines[:] = "\n".join(_LOG.lines), []
        if answer.status_code >= 500 and answer.status_code != 503:
            raise Finding(f"{answer.request.url}: {answer.status_code} {answer.text:.400} {log}")
        found = answer.json()
        for secret in self._secrets:
            if secret in answer.text or secret in log:
                raise Finding(f"a secret in a message: {answer.text:.400} {log}")
        if "eyJ" in log or "access token" in log + answer.text:
            raise Finding(f"a token in a message: {answer.text:.400} {log}")
        if answer.status_code == 200:
            return found
        if set(found) != {"error"} or set(found["error"]) != {"code", "message"}:
            raise Finding(f"not the shape of an error: {answer.text:.400}")
        return None

    async def _check(self, browser: httpx.AsyncClient) -> None:
        state = self._seen(await browser.get("/api/account"))
        account = state and state["account"]
        person = self._signed_in.get(id(browser), "")
        if account is not None and account["name"] not in self._names.get(person, ()):
            raise Finding(f"signed in as {account['name']!r} instead of {person!r}")
        if account is not None and [one["subject"] for one in account["identities"]] != [person]:
            raise Finding(f"{account['identities']} instead of {person!r}")


def case(rng: Random) -> None:
    """Run a server for some requests."""
    with Store(None) as store:
        asyncio.run(_served(rng, store))


async def _served(rng: Random, store: Store) -> None:
    settings = SsoSettings(_provider().issuer, CLIENT, SECRET, "Club login")
    async with serving(store, sso=settings) as transport:
        await _Case(rng, store, transport).run()


if __name__ == "__main__":
    fuzz(case, __doc__)
