"""Run valid and invalid operator commands beside a server that has accounts and open windows.

    python tests/fuzz/administration.py --seconds 900

Each case has its own server on an SQLite file. A finding is an exit status or output that no
command produces, a message that contains a secret, an internal error of the server, a banned or
deleted player who is signed in, or an account that the commands and the pages show differently.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final
from unicodedata import normalize
from unittest import mock

import httpx
from fuzzing import fuzz
from serving import serving

from sapper.server.storage.store import Store

sys.path.append(str(Path(__file__).parents[1]))

from support.authenticators import SoftAuthenticator
from support.program import Result, sapper

_ORIGIN: Final = "http://localhost"
_PASSWORD: Final = "hunter2"
_NAMES: Final = ["Ann", "Bert", "Zoë", "小明"]
_TEXTS: Final = [
    *("", " ", "x", "ann", "ANN", "Ａnn", "Аnn", "admin", "a\u202eb", "x" * 250, "--", "-x", "\t"),
    *(
        "'; DROP TABLE accounts",
        "[bold]x[/bold]",
        "%s{0}",
        "\ud800",
        "é",
        "🙂",
        "A" * 24,
        "\x1b[31m",
    ),
]
_MOMENTS: Final = [
    *("7d", "1s", "0d", "999999d", "9999999d", "2130-01-31", "2130-01-31T18:00", "1970-01-01"),
    *("9999-12-31", "0001-01-01", "2130-02-30", "", "soon", "10", "-5m", "1e3s", "٣d", "\ud800"),
]
_NETWORKS: Final = [
    *("203.0.113.9", "203.0.113.9/24", "::ffff:203.0.113.9", "2001:db8::7", "2001:DB8::/64"),
    *("127.0.0.1", "::/0", "0.0.0.0/0", "203.0.113.9/33", "fe80::1%eth0", "::1/129", "9" * 40),
]
_URLS: Final = [
    f"postgresql://ann:{_PASSWORD}@127.0.0.1:1/games",
    f"postgresql://ann:a/b@{_PASSWORD}@127.0.0.1:1/games",
    f"postgresql://127.0.0.1:1/games?password={_PASSWORD}",
    f"postgresql://ann:{_PASSWORD}%zz@[::1/games",
    f"postgresql://ann:{_PASSWORD}",
    f"mysql://ann:{_PASSWORD}@host",
]
_KEYS: Final = [
    *("host", "port", "proxy", "site", "metrics_from", "engine", "database", "database_file"),
    *("redis", "redis_file", "workers", "log_format", "log_addresses", "prot", "", "a.b", "config"),
]
_VALUES: Final = [
    *(
        "1",
        "-1",
        "65536",
        "true",
        "1.5",
        "nan",
        "'x'",
        "[]",
        "['x']",
        "[1]",
        "{a = 1}",
        "1979-01-01",
    ),
    *("", '"', "'" + "x" * 400 + "'", '"\\u0000"', '"json"', "['10.0.0.0/8', '::1']"),
]


class Finding(Exception):
    """A violation."""


class _Case:
    def __init__(
        self, rng: Random, store: Store, folder: Path, transport: httpx.ASGITransport
    ) -> None:
        self._rng, self._folder, self._store = rng, folder, store
        self._transport = transport
        self._secrets = {store.secret().hex(), _PASSWORD}
        self._clients: dict[str, httpx.AsyncClient] = {}
        self._names: dict[str, str] = {}
        self._banned: set[str] = set()
        self._deleted: set[str] = set()
        self._networks_banned: set[str] = set()
        self.starts: list[tuple[dict[str, str], list[str], bytes]] = []

    async def run(self) -> None:
        """Claim some names and run some commands."""
        for number, name in enumerate(self._rng.sample(_NAMES, self._rng.randrange(1, 4))):
            await self._claim(name, SoftAuthenticator(number + 1))
        acts = [
            *(self._people, self._ban, self._rename, self._delete),
            *(self._announce, self._serve, self._networks),
        ]
        for _ in range(self._rng.randrange(3, 15)):
            self._rng.choices(acts, [4, 4, 2, 1, 3, 3, 3])[0]()
            await self._check(self._rng.choice(list(self._clients)))

    async def _claim(self, name: str, device: SoftAuthenticator) -> None:
        client = httpx.AsyncClient(transport=self._transport, base_url=_ORIGIN)
        options = (await client.post("/api/account/claim/options", json={"name": name})).json()
        credential = device.create(options["options"], _ORIGIN)
        body = {"name": name, "credential": credential}
        found = (await client.post("/api/account/claim", json=body)).json()
        self._secrets |= set(found["codes"])
        self._clients[name], self._names[name] = client, name

    def _who(self) -> tuple[str | None, str]:
        """Return a person's key and an argument that finds the person, or None and any text."""
        there = [key for key in self._clients if key not in self._deleted]
        if there and self._rng.random() < 0.7:
            key = self._rng.choice(there)
            return key, self._names[key]
        return None, self._rng.choice(_TEXTS)

    def _people(self) -> None:
        _, text = self._who()
        file = self._rng.choice([self._folder / "export.zip", self._folder, Path("/dev/full/x")])
        self._run(
            "admin",
            "people",
            *self._rng.choice(
                [
                    ["list", "--json"],
                    ["list", "--search", text, "--sort", self._rng.choice(["seen", "games", "x"])],
                    ["list", "--banned", "--limit", self._rng.choice(["1", "0", "x", "9" * 30])],
                    ["show", text],
                    ["show", text, "--json"],
                    ["export", text, str(file)],
                    ["unban", text, self._rng.choice(["--yes", "--database"])],
                    [self._rng.choice(_TEXTS)],
                ]
            ),
        )

    def _ban(self) -> None:
        key, text = self._who()
        if self._rng.random() < 0.3:
            result = self._run("admin", "people", "unban", text)
            if result.code == 0:
                self._banned.discard(self._key_of(key, text))
            return
        arguments = ["--reason", self._rng.choice([*_TEXTS, "Offensive name"])]
        if self._rng.random() < 0.5:
            arguments += ["--until", self._rng.choice([m for m in _MOMENTS if m != "1s"])]
        result = self._run("admin", "people", "ban", text, *arguments)
        if result.code == 0:
            self._banned.add(self._key_of(key, text))

    def _rename(self) -> None:
        key, text = self._who()
        result = self._run("admin", "people", "rename", text, self._rng.choice([*_NAMES, *_TEXTS]))
        if result.code == 0:
            self._names[self._key_of(key, text)] = result.out.split(" to ")[1].strip()[:-1]

    def _delete(self) -> None:
        key, text = self._who()
        yes = ["--yes"] if self._rng.random() < 0.7 else []
        if self._run("admin", "people", "delete", text, *yes).code == 0:
            self._deleted.add(self._key_of(key, text))

    def _key_of(self, key: str | None, text: str) -> str:
        if key is not None:
            return key
        for own, name in self._names.items():
            if own not in self._deleted and _folded(name) == _folded(text):
                return own
        raise Finding(f"a command found {text!r}")

    def _announce(self) -> None:
        arguments = [self._rng.choice(_TEXTS)] if self._rng.random() < 0.8 else []
        for option in ("--in", "--for"):
            if self._rng.random() < 0.4:
                arguments += [option, self._rng.choice(_MOMENTS)]
        if self._rng.random() < 0.4:
            arguments.append("--restart")
        self._run("admin", "announce", *arguments)
        if self._rng.random() < 0.5:
            listed = self._run("admin", "announcements", "--json").out.splitlines()
            ids = [json.loads(line)["id"] for line in listed]
            self._run("admin", "withdraw", *self._rng.sample([*ids, *_TEXTS], 1))

    def _networks(self) -> None:
        """Ban and unban networks, and compare the list with what the commands reported."""
        network = self._rng.choice([*_NETWORKS, *_TEXTS])
        if self._rng.random() < 0.3:
            result = self._run("admin", "networks", "unban", network)
            if result.code == 0:
                self._networks_banned.remove(result.out.split()[0])
        else:
            arguments = ["--reason", self._rng.choice([*_TEXTS, "Spam"])]
            if self._rng.random() < 0.5:
                arguments += ["--until", self._rng.choice([m for m in _MOMENTS if m != "1s"])]
            result = self._run("admin", "networks", "ban", network, *arguments)
            if result.code == 0:
                self._networks_banned.add(result.out.split()[3])
        lines = self._run("admin", "networks", "list", "--json").out.splitlines()
        listed = {json.loads(line)["network"] for line in lines}
        if listed != self._networks_banned:
            raise Finding(f"{listed} are banned, not {self._networks_banned}")

    def _serve(self) -> None:
        """Print settings from random sources, or refuse them; no server starts."""
        file = self._folder / "settings.toml"
        lines = [
            f"{self._rng.choice(_KEYS)} = {self._rng.choice([*_VALUES, *map(json.dumps, _URLS)])}"
            for _ in range(self._rng.randrange(4))
        ]
        content = "\n".join(lines).encode()
        if content and self._rng.random() < 0.2:
            at = self._rng.randrange(len(content))
            content = content[:at] + self._rng.randbytes(2) + content[at + 1 :]
        file.write_bytes(content)
        arguments = ["--config", str(file)] if self._rng.random() < 0.8 else []
        if self._rng.random() < 0.3:
            arguments += [self._rng.choice(["--database", "--redis"]), self._rng.choice(_URLS)]
        if self._rng.random() < 0.1:
            arguments.append(self._rng.choice(_URLS))
        name = f"SAPPER_SERVE_{self._rng.choice(_KEYS).upper()}"
        value = self._rng.choice([*_VALUES, *_URLS]).replace("\0", "")
        given = {name: value} if self._rng.random() < 0.5 else {}
        with mock.patch.dict(os.environ, given):
            self._run("serve", *arguments, "--show-config")
        # The server is started later, outside the event loop.
        self.starts.append(({**given, "SAPPER_SERVE_PORT": "0"}, arguments, content))

    def _run(self, *arguments: str) -> Result:
        return checked(self._secrets, *arguments)

    async def _check(self, key: str) -> None:
        answer = await self._clients[key].get("/api/account")
        if answer.status_code != 200:
            raise Finding(f"{answer.status_code} {answer.text:.400}")
        state = answer.json()
        account, ban = state["account"], state["ban"]
        if key in self._deleted:
            if account is not None or ban is not None:
                raise Finding(f"{key} is deleted, but {account or ban}")
        elif key in self._banned:
            if account is not None or ban is None:
                raise Finding(f"{key} is banned, but {account}")
            body = {"name": "Fritz"}
            refusal = await self._clients[key].post("/api/account/claim/options", json=body)
            if refusal.status_code != 403:
                raise Finding(f"{key} is banned, but {refusal.text:.300}")
        elif account is None or account["name"] != self._names[key]:
            raise Finding(f"{key} is {self._names[key]}, but {account}")


def checked(secrets: set[str], *arguments: str) -> Result:
    """Run a command, and check how it ended."""
    result = sapper(*arguments)
    if result.code not in (0, 1, 2):
        raise Finding(f"{arguments}: status {result.code}, {result.err:.400}")
    lines = result.err.splitlines()
    if any(not line.startswith("sapper: ") or len(line) > 301 for line in lines):
        raise Finding(f"{arguments}: {result.err:.600}")
    if (result.code == 2) != bool(lines):
        raise Finding(f"{arguments}: status {result.code} with {result.err!r}")
    if any(secret in result.out + result.err for secret in secrets):
        raise Finding(f"{arguments}: a secret in {result.out:.300} {result.err:.300}")
    return result


def _folded(text: str) -> str:
    return normalize("NFKC", text).strip().casefold()


def case(rng: Random) -> None:
    """Run a server, and commands at the same time."""
    with tempfile.TemporaryDirectory() as folder, _home(folder), Store(Path(folder)) as store:
        for given, arguments, content in asyncio.run(_served(rng, store, Path(folder))):
            (Path(folder) / "settings.toml").write_bytes(content)
            with mock.patch.dict(os.environ, given):
                # None of these databases can be reached, so the server must not start.
                url = rng.choice(_URLS)
                if checked({_PASSWORD}, "serve", *arguments, "--database", url).code != 2:
                    raise Finding(f"a server with {arguments} has run")


@contextmanager
def _home(folder: str) -> Iterator[None]:
    with mock.patch.dict(os.environ, {"SAPPER_HOME": folder}):
        os.environ.pop("SAPPER_DATABASE", None)
        yield


async def _served(
    rng: Random, store: Store, folder: Path
) -> list[tuple[dict[str, str], list[str], bytes]]:
    async with serving(store) as transport:
        running = _Case(rng, store, folder, transport)
        await running.run()
    return running.starts


if __name__ == "__main__":
    fuzz(case, __doc__)
