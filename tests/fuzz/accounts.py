"""Send valid, malformed and hostile account requests to a server.

    python tests/fuzz/accounts.py --seconds 900

Each case has its own server and a few browsers with software authenticators. A finding is an
internal error, an answer that is not JSON in the usual shape, a message that contains a secret, or
a browser that is signed in to an account whose passkey or code it did not send.
"""

from __future__ import annotations

import asyncio
import copy
import json
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from fuzzing import fuzz
from serving import serving

from sapper.server.http.visitors import SessionIds
from sapper.server.storage.store import Store

sys.path.append(str(Path(__file__).parents[1]))

from support.authenticators import SoftAuthenticator

_ORIGIN: Final = "http://localhost"
_NAMES: Final = [
    *(
        "Ann",
        "ann",
        "Аnn",
        "Bert",
        "B3rt",
        "admin",
        "",
        "x",
        "x" * 300,
        "小明",
        "a\u202eb",
        "\x00\x00",
    ),
    *("ﬃ", "Zoë", "Zoe\u0308", "\ud800\udfff", "'; DROP TABLE accounts", "I\u0307stanbul"),
]
_ODD: Final = [
    *(None, True, 0, -1, 1.5, 1e308, 2**70, "", "x", "\x00", [], {}, [1], "9" * 500, "=" * 7, "é"),
    *("AAAA", "e30", "../..", {"response": {}}),
]
_HOSTS: Final = [
    "localhost",
    "127.0.0.1",
    "localhost:8000",
    "localhost:x",
    "[::1]:9",
    "a@localhost",
]


class Finding(Exception):
    """A violation."""


class _Browser:
    """A browser, and the account it may be signed in to.

    Args:
        client: A client with its own cookies.
        number: The private key of its authenticator.
    """

    def __init__(self, client: httpx.AsyncClient, number: int) -> None:
        self.client = client
        self.device = SoftAuthenticator(number)
        # The possible names of the account on this authenticator, and of the account that is signed
        # in.
        self.own: set[str] = set()
        self.mine: set[str] = set()
        self.codes: list[str] = []
        self.recovers = self.own


class _Case:
    def __init__(self, rng: Random, store: Store, transport: httpx.ASGITransport) -> None:
        self._rng, self._secret = rng, store.secret()
        self._ids = SessionIds(self._secret)
        self._browsers = [
            _Browser(httpx.AsyncClient(transport=transport, base_url=_ORIGIN), number + 1)
            for number in range(3)
        ]
        self._sent: list[tuple[str, Any, _Browser]] = []
        self._secrets = {self._secret.hex()}

    async def run(self) -> None:
        """Send some requests."""
        for _ in range(self._rng.randrange(3, 25)):
            browser = self._rng.choice(self._browsers)
            act = self._rng.choices(
                [self._claim, self._sign_in, self._other, self._replay, self._cookie],
                [4, 3, 8, 2, 1],
            )[0]
            await act(browser)
            await self._check(browser)

    async def _claim(self, browser: _Browser) -> None:
        name = self._rng.choice(_NAMES)
        options = await self._ask(browser, "claim/options", {"name": name})
        if options is None:
            return
        credential = browser.device.create(options["options"], self._origin())
        found = await self._ask(
            browser, "claim", {"name": name, "credential": self._spoiled(credential)}
        )
        if found is not None:
            browser.own = browser.mine = {found["account"]["name"]}
            self._note_codes(browser, found["codes"])

    def _note_codes(self, browser: _Browser, codes: list[str]) -> None:
        browser.codes, browser.recovers = codes, browser.mine
        self._secrets |= set(codes)

    async def _sign_in(self, browser: _Browser) -> None:
        if self._rng.random() < 0.7:
            await self._ask(browser, "sign-out", {})
        options = await self._ask(browser, "sign-in/options", {})
        if options is None:
            return
        owner = self._rng.choice(self._browsers)
        credential = owner.device.sign(options["options"], self._origin())
        body = {"credential": self._spoiled(credential)}
        if await self._ask(browser, "sign-in", body) is not None:
            browser.mine = owner.own

    async def _other(self, browser: _Browser) -> None:
        path = self._rng.choice(
            [
                *("rename", "passkeys/options", "passkeys", "passkeys/remove", "codes", "recover"),
                *("sign-out", "sessions/end", "sessions/end-others", "delete", "export", ""),
            ]
        )
        if path in ("export", ""):
            self._seen(await browser.client.get(f"/api/account/{path}".rstrip("/")))
            return
        code = self._rng.choice(browser.codes or ["x"])
        body = {
            "name": self._rng.choice([*browser.mine, *_NAMES]),
            "id": self._rng.choice(["x", "A" * 22, "é"]),
            "code": code,
        }
        found = await self._ask(browser, path, self._spoiled(body))
        if found is None:
            return
        if path == "rename":
            browser.mine.add(found["account"]["name"])
        if path == "codes":
            self._note_codes(browser, found["codes"])
        if path == "recover":
            browser.mine = browser.recovers

    async def _replay(self, browser: _Browser) -> None:
        if not self._sent:
            return
        path, body, sender = self._rng.choice(self._sent)
        if path in ("recover", "rename", "codes"):
            return
        found = await self._ask(browser, path, body)
        if found is None or path not in ("claim", "sign-in"):
            return
        # The first attempt may have been refused because of its host, in which case the challenge
        # is still valid.
        if sender is not browser:
            raise Finding(f"a response of another browser is accepted for {path}")
        name = found["account"]["name"]
        if path == "claim":
            browser.own = browser.mine = {name}
            self._note_codes(browser, found["codes"])
        else:
            browser.mine = next(each.own for each in self._browsers if name in each.own)

    async def _cookie(self, browser: _Browser) -> None:
        names = [cookie.name for cookie in browser.client.cookies.jar]
        if names:
            forged = self._rng.choice(["", "x", "é", "a" * 24, self._ids.sign("a" * 24), "=;,"])
            name = self._rng.choice(names)
            browser.client.cookies.clear()
            # The client itself refuses a cookie with a non-ASCII letter.
            browser.client.cookies.set(name, forged.encode("ascii", "replace").decode())

    def _origin(self) -> str:
        return self._rng.choice([*[_ORIGIN] * 6, "https://evil.example", "null", ""])

    def _spoiled(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of a body, sometimes with unusual values."""
        made = copy.deepcopy(body)
        while self._rng.random() < 0.25:
            where = made
            while True:
                key = self._rng.choice(list(where))
                if isinstance(where[key], dict) and where[key] and self._rng.random() < 0.7:
                    where = where[key]
                    continue
                where[key] = copy.deepcopy(self._rng.choice(_ODD))
                break
        return made

    async def _ask(self, browser: _Browser, path: str, body: Any) -> Any:
        self._sent.append((path, body, browser))
        content = json.dumps(body).encode()
        if self._rng.random() < 0.03:
            at = self._rng.randrange(len(content))
            content = content[:at] + self._rng.randbytes(2) + content[at + 1 :]
        host = "localhost" if self._rng.random() < 0.95 else self._rng.choice(_HOSTS)
        answer = await browser.client.post(
            f"/api/account/{path}", content=content, headers={"host": host}
        )
        return self._seen(answer)

    def _seen(self, answer: httpx.Response) -> Any:
        """Check an answer; return it if the request succeeded."""
        if answer.status_code >= 500:
            raise Finding(f"{answer.request.url}: {answer.status_code} {answer.text:.400}")
        if answer.headers["content-type"] == "application/zip":
            return None
        found = answer.json()
        if answer.status_code == 200:
            return found
        if set(found) != {"error"} or set(found["error"]) != {"code", "message"}:
            raise Finding(f"not the shape of an error: {answer.text:.400}")
        if any(secret in answer.text for secret in self._secrets):
            raise Finding(f"a secret in a message: {answer.text:.400}")
        return None

    async def _check(self, browser: _Browser) -> None:
        state = self._seen(await browser.client.get("/api/account"))
        account = state and state["account"]
        if account is not None and account["name"] not in browser.mine:
            raise Finding(f"signed in as {account['name']!r} instead of {browser.mine}")


def case(rng: Random) -> None:
    """Run a server for some requests."""
    with Store(None) as store:
        asyncio.run(_served(rng, store))


async def _served(rng: Random, store: Store) -> None:
    async with serving(store) as transport:
        await _Case(rng, store, transport).run()


if __name__ == "__main__":
    fuzz(case, __doc__)
