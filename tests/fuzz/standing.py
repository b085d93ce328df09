"""Send valid, malformed and hostile requests about public games, leaderboards and profiles.

    python tests/fuzz/standing.py --seconds 900

Each case has its own server with a few players, some with names, and their finished games. A
finding is an internal error, an answer that is not in the usual shape, a session id or the server's
key in an answer, a game that was not shared, or a private profile.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import quote

import httpx
from fuzzing import fuzz
from serving import serving

from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.http.address_limits import AddressLimits
from sapper.server.http.visitors import SessionIds, Visitors
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.store import Store

sys.path.append(str(Path(__file__).parents[1]))

from support.standings import end_round, finish, won_game

_ORIGIN: Final = "http://localhost"
_NOW: Final = 1_790_000_000_000
_PLAYERS: Final = ("Ann", "Bert", "Zoë", "")
"""The players' names; the last one is a guest."""
_ODD: Final = [
    *(None, True, False, 0, -1, 1.5, 1e308, 2**70, "", "x", "\x00", [], {}, [1], "9" * 500, "é"),
    *("\ud800", "../..", "last", "'; DROP TABLE entries", {"a": {}}, "2026-13-01", "9x9:99"),
]
_QUERIES: Final = {
    "rules": ["classic", "no-guess", "kind", "x"],
    "level": ["beginner", "expert", "9x9:10", "1000x1000:5", "9x9:10/hexagon", "x"],
    "measure": ["time", "speed", "efficiency", "luck"],
    "period": ["all", "month", "day", "week"],
    "among": ["all", "followed", "none"],
    "day": ["2026-01-01", "today", "2999-01-01", "x"],
    "listed": ["1"],
}


class Finding(Exception):
    """A violation."""


class _Player:
    """A player with a browser.

    Args:
        name: The name; empty for a guest.
        session: The session id.
        client: The browser.
    """

    def __init__(self, name: str, session: str, client: httpx.AsyncClient) -> None:
        self.name, self.session, self.client = name, session, client
        self.games: list[str] = []
        self.private = False


class _Case:
    def __init__(self, rng: Random, store: Store, transport: httpx.ASGITransport) -> None:
        self._rng, self._store = rng, store
        self._players = [self._player(name, transport) for name in _PLAYERS]
        self._pages: set[str] = set()
        self._gone: set[str] = set()
        self._secrets = [store.secret().hex(), *(one.session for one in self._players)]
        self._codes: list[str] = []
        for number in range(rng.randrange(1, 8)):
            self._finish(rng.choice(self._players), number)
        sessions = [one.session for one in self._players]
        places = {session: rng.randrange(1, 4) for session in sessions}
        end_round(store.database, RoundEnded("r", "race", "expert", True, _NOW, places, {}))

    def _player(self, name: str, transport: httpx.ASGITransport) -> _Player:
        session = f"session-{name or 'guest'}".encode().hex()[:24].ljust(24, "a")
        ids = SessionIds(self._store.secret())
        cookies = {"sapper": ids.sign(session)}
        if name:
            visitors = Visitors(self._store.secret(), AddressLimits())
            login = visitors.new_login()
            passkey = NewPasskey(name.encode(), b"key", 0, ())
            self._store.accounts.claim(
                f"id-{name}", session, Name.of(name), passkey, [], login.digest, "", (name, 0)
            )
            cookies = {visitors.login_cookie: login.cookie}
        client = httpx.AsyncClient(transport=transport, base_url=_ORIGIN, cookies=cookies)
        return _Player(name, session, client)

    def _finish(self, player: _Player, number: int) -> None:
        helped = self._rng.choice(["", "", "hint"])
        time_ms = self._rng.randrange(1, 100_000)
        game = won_game("beginner", self._rng.randrange(3))
        at = _NOW + number
        record = finish(self._store, player.session, game, at, time_ms, helped=helped)
        player.games.append(record.key)

    async def run(self) -> None:
        """Send some requests."""
        acts = [self._share, self._watch, self._board, self._profile, self._change, self._odd]
        for _ in range(self._rng.randrange(5, 40)):
            act = self._rng.choices([*acts, self._tournament], [5, 5, 4, 4, 4, 3, 2])[0]
            await act(self._rng.choice(self._players))

    async def _share(self, player: _Player) -> None:
        owner = self._rng.choice(self._players)
        game = self._rng.choice([*owner.games, "last", "x", quote("é/..")])
        path = f"/api/history/games/{game}/share"
        method = self._rng.choice(["GET", "POST", "POST", "DELETE"])
        before = await self._ask(player, "GET", path)
        body = {"listed": self._rng.choice([True, False])} if method == "POST" else None
        found = await self._ask(player, method, path, self._spoiled(body))
        if found is None:
            return
        if found["id"] and found["game"] not in player.games:
            raise Finding(f"shared a game of somebody else: {found}")
        if method == "DELETE" and before and before["id"]:
            self._gone.add(before["id"])
            self._pages.discard(before["id"])
        elif found["id"]:
            self._pages.add(found["id"])

    async def _watch(self, player: _Player) -> None:
        page = self._rng.choice([*self._pages, *self._gone, "x", quote("\x00"), "A" * 500])
        kind = self._rng.choice(["/api/games/{}", "/g/{}", "/g/{}.svg"])
        answer = await player.client.get(kind.format(page))
        self._seen(answer)
        # On a busy machine, a picture may take too long.
        if answer.status_code != 503 and (answer.status_code == 200) != (page in self._pages):
            raise Finding(f"{answer.request.url}: {answer.status_code}")

    async def _board(self, player: _Player) -> None:
        names = self._rng.sample(sorted(_QUERIES), self._rng.randrange(len(_QUERIES)))
        query = {name: self._rng.choice(_QUERIES[name]) for name in names}
        if self._rng.random() < 0.2:
            query["level"] = str(self._rng.choice(_ODD)).encode("utf-8", "replace").decode()
        found = await self._ask(player, "GET", "/api/leaderboard", params=query)
        for row in found["rows"] if found else ():
            if row["game"]:
                self._pages.add(row["game"])
            if not row["name"] or row["own"] != (row["name"] == player.name):
                raise Finding(f"a wrong row: {row}")

    async def _profile(self, player: _Player) -> None:
        owner = self._rng.choice(self._players)
        name = self._rng.choice(
            [owner.name, owner.name.upper(), "Nobody", "x" * 300, "\x00", "a/b"]
        )
        path = quote(name, safe="")
        if self._rng.random() < 0.3:
            self._seen(await player.client.get(f"/@{path}"))
            return
        found = await self._ask(player, "GET", f"/api/profiles/{path}")
        if found and owner.private and owner is not player and found["name"] == owner.name:
            raise Finding(f"a private profile is shown to {player.name!r}")

    async def _change(self, player: _Player) -> None:
        owner = self._rng.choice(self._players)
        wanted = self._rng.choice([True, False])
        act = self._rng.choice(["private", "follow", "unfollow", "following", "erase"])
        if act == "private":
            found = await self._ask(player, "POST", "/api/account/private", {"private": wanted})
            player.private = wanted if found else player.private
        elif act == "following":
            await self._ask(player, "GET", "/api/following")
        elif act == "erase":
            await self._erase(player)
        else:
            path = f"/api/profiles/{quote(owner.name or 'x')}/{act}"
            await self._ask(player, "POST", path, self._spoiled({}))

    async def _erase(self, player: _Player) -> None:
        if await self._ask(player, "POST", "/api/history/erase", {"games": len(player.games)}):
            player.games.clear()
            # Every known page is checked again.
            for page in list(self._pages):
                answer = await player.client.get(f"/api/games/{page}")
                if answer.status_code != 200:
                    self._pages.discard(page)
                    self._gone.add(page)

    async def _tournament(self, player: _Player) -> None:
        body = self._spoiled({"name": "Friday", "minutes": 5, "level": "beginner", "rated": True})
        found = await self._ask(player, "POST", "/api/tournaments", body)
        if found:
            self._codes.append(found["code"])
        code = self._rng.choice([*self._codes, "x", quote("é")])
        await self._ask(player, "GET", "/api/tournaments")
        await self._ask(player, "GET", f"/api/tournaments/{code}")
        act = self._rng.choice(["join", "pause"])
        await self._ask(player, "POST", f"/api/tournaments/{code}/{act}", {})

    async def _odd(self, player: _Player) -> None:
        path = self._rng.choice(
            [
                *("/api/leaderboard", "/api/account/private", "/api/tournaments", "/api/games/x"),
                *("/g/", "/@", "/t/x", "/api/profiles/", "/api/history/games/last/share"),
            ]
        )
        method = self._rng.choice(["GET", "POST", "DELETE", "PUT"])
        content = self._rng.randbytes(self._rng.randrange(2_500))
        self._seen(await player.client.request(method, path, content=content))

    def _spoiled(self, body: Any) -> Any:
        """Return a body, sometimes with unusual values."""
        if not isinstance(body, dict) or self._rng.random() < 0.6:
            return body
        key = self._rng.choice([*body, "more"])
        return {**body, key: self._rng.choice(_ODD)}

    async def _ask(
        self, player: _Player, method: str, path: str, body: Any = None, params: Any = None
    ) -> Any:
        content = None if body is None else json.dumps(body).encode()
        answer = await player.client.request(method, path, content=content, params=params)
        return self._seen(answer)

    def _seen(self, answer: httpx.Response) -> Any:
        """Check an answer; return it if the request succeeded with JSON."""
        if answer.status_code >= 500 and answer.status_code != 503:
            raise Finding(f"{answer.request.url}: {answer.status_code} {answer.text:.400}")
        if any(secret in answer.text for secret in self._secrets):
            raise Finding(f"{answer.request.url}: a secret in {answer.text:.400}")
        if "json" not in answer.headers.get("content-type", ""):
            return None
        found = answer.json()
        if answer.status_code == 200:
            return found
        if set(found) != {"error"} or set(found["error"]) != {"code", "message"}:
            raise Finding(f"not the shape of an error: {answer.text:.400}")
        return None


def case(rng: Random) -> None:
    """Run a server for some requests."""
    with Store(None) as store:
        asyncio.run(_served(rng, store))


async def _served(rng: Random, store: Store) -> None:
    async with serving(store) as transport:
        await _Case(rng, store, transport).run()


if __name__ == "__main__":
    fuzz(case, __doc__)
