"""A site with several workers, and players that survive them, for ``benchmarks/server.py``."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import redis
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from sapper.database.connection import DatabaseFailed
from sapper.history import History
from sapper.server.storage.opening import open_postgresql
from sapper.server.storage.postgresql_database import PostgresqlDatabase
from server_load import figures, megabytes_of_children, open_window, sent_actions, session_of

__all__ = ["Site", "worker_kills", "worker_outages"]

_LOST: Final = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, DatabaseFailed)


class Site:
    """`sapper serve` with several workers, in separate processes.

    Args:
        home: Its directory.
        workers: Number of workers.
        database: Address of the database.
        messages: Address of Redis.
    """

    def __init__(self, home: Path, workers: int, database: str, messages: str) -> None:
        self.home, self._redis, self._count = home, messages, workers
        options = ["--database", database, "--redis", messages, "--workers", str(workers)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "sapper", "serve", "--port", "0", *options],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "SAPPER_HOME": str(home)},
        )
        assert self._process.stdout is not None
        found = re.search(r":(\d+)/", self._process.stdout.readline())
        if found is None:
            raise SystemExit("the site did not start")
        self.port, self.pid = int(found[1]), self._process.pid

    def cookie(self) -> str:
        """Return a cookie for a new session."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/") as page:
            return str(page.headers["Set-Cookie"]).partition(";")[0]

    def workers(self) -> list[int]:
        """Return the process ids of its workers."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == self.pid:
                    found.append(int(stat.parent.name))
        return found

    def megabytes(self) -> float:
        """Return the resident memory of the supervisor and the workers, without shared pages."""
        return megabytes_of_children(self.pid, levels=1)

    def megabytes_of_workers(self) -> float:
        """Return the resident memory of the processes for heavy jobs, without shared pages."""
        return megabytes_of_children(self.pid) - self.megabytes()

    async def kill(self, rng: random.Random) -> None:
        """Kill a random worker, and wait until its replacement starts."""
        before = set(await asyncio.to_thread(self.workers))
        victim = rng.choice(sorted(before))
        os.kill(victim, signal.SIGKILL)
        while len(set(await asyncio.to_thread(self.workers)) - {victim}) < self._count:
            await asyncio.sleep(0.02)

    async def until_all_serve(self) -> None:
        """Wait until every worker has a heartbeat; no other site may use this Redis server."""
        while not await asyncio.to_thread(self._all_serve):
            await asyncio.sleep(0.05)

    def _all_serve(self) -> bool:
        client = redis.Redis.from_url(self._redis)
        try:
            found = list(client.scan_iter("sapper:*:alive:*"))
            return len(found) >= self._count
        except redis.RedisError:
            return False
        finally:
            client.close()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the site."""
        self._process.send_signal(how)
        self._process.wait()


class Tally:
    """The findings of all players' checks.

    Attributes:
        counts: The numbers of lost and repeated actions, and of wrong games.
        back_s: Seconds from each lost connection to the next answered move.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.back_s: list[float] = []

    def __str__(self) -> str:
        names = ("acknowledged moves lost", "moves saved twice or never made", "games wrong")
        return ", ".join(f"{self.counts[name]} {name}" for name in names)


class _Sent(NamedTuple):
    """A message that a player has sent.

    Attributes:
        what: The move, or the seed of a new game.
        is_answered: Whether the server has confirmed it; if not, it may or may not be saved.
    """

    what: list[Any] | int
    is_answered: bool


def _explains(sent: list[_Sent], saved: list[list[Any]]) -> tuple[int, int]:
    """Count the moves that were answered but are not saved, and those saved but not sent.

    Both are 0 if the saved moves are all answered ones and some of the others, in their order.
    """
    ends = {0}
    for move in sent:
        after = {end + 1 for end in ends if saved[end : end + 1] == [move.what]}
        ends = after if move.is_answered else ends | after
    if len(saved) in ends:
        return 0, 0
    answered = Counter(json.dumps(move.what) for move in sent if move.is_answered)
    all_sent, found = (
        Counter(json.dumps(move.what) for move in sent),
        Counter(map(json.dumps, saved)),
    )
    # At least one, because equal counts mean that only the order is wrong.
    return max(1, (answered - found).total()), (found - all_sent).total()


class Survivor:
    """A window that plays at random, reconnects as the page does, and checks what was saved.

    At the first answer after a lost connection, it compares the saved game with the messages it has
    sent.

    Args:
        cookie: Its session cookie.
        seed: The seed of its choices.
        tally: Collects the results.
        database: The database, which may be restarted.
    """

    def __init__(self, cookie: str, seed: int, tally: Tally, database: PostgresqlDatabase) -> None:
        self.total = 0
        self.stopping = False
        self._cookie, self._tally, self._database = cookie, tally, database
        self._random = random.Random(seed)
        self._sent: list[_Sent] = []
        self._finished: list[list[_Sent]] = []
        self._cells: list[str] = []
        self._width, self._over, self._number = 1, True, 0
        self._is_checked, self._lost_s = True, 0.0

    @property
    def session(self) -> str:
        """The session id."""
        return session_of(self._cookie)

    async def play(self, port: int, pause_s: float) -> None:
        """Play until `stopping`."""
        attempt = 0
        while not self.stopping:
            with suppress(*_LOST):
                async with open_window(port, self._cookie) as line:
                    if (welcome := await self._welcome(line)) is not None:
                        attempt = 0
                        self._resume(welcome)
                        await self._play(line, pause_s)
            self._lost_s = self._lost_s or time.monotonic()
            # As in js/connection.js.
            await asyncio.sleep(min(4.0, 0.2 * 1.7**attempt))
            attempt += 1

    async def _welcome(self, line: ClientConnection) -> dict[str, Any] | None:
        """Return the first state, or None if the server refuses the window."""
        with suppress(ConnectionClosed):
            while True:
                message: dict[str, Any] = json.loads(await line.recv())
                if message.get("type") == "welcome":
                    return message
        return None

    def _resume(self, welcome: dict[str, Any]) -> None:
        """Continue the game that the server has."""
        if not any(one.is_answered for one in self._sent):
            # The seed of the first game is not known, so begin another one.
            self._sent, self._over = [], True
            return
        was_over = self._over
        self._show(welcome["game"])
        if self._over and not was_over:
            self._finished.append(self._game())
        self._is_checked = self._over

    def _show(self, game: dict[str, Any]) -> None:
        self._cells, self._width = list("".join(game["rows"])), game["width"]
        self._over = game["status"] in ("won", "lost")

    async def _play(self, line: ClientConnection, pause_s: float) -> None:
        while not self.stopping:
            if self._over:
                await self._new(line)
            else:
                await self._move(line)
            await asyncio.sleep(2 * pause_s * self._random.random())

    async def _new(self, line: ClientConnection) -> None:
        seed = self._random.getrandbits(32)
        self._sent.append(_Sent(seed, is_answered=False))
        told = await self._ask(line, type="new", settings={"level": "expert"}, seed=seed)
        if "game" in told:
            self._sent = [_Sent(seed, is_answered=True)]
            self._is_checked = True
            self._show(told["game"])

    async def _move(self, line: ClientConnection) -> None:
        unopened = [at for at, char in enumerate(self._cells) if char == "."]
        cell = divmod(self._random.choice(unopened or [0]), self._width)
        kind = "mark" if self._random.random() < 0.5 else "open"
        self._sent.append(_Sent([kind, *cell], is_answered=False))
        told = await self._ask(line, type=kind, cell=list(cell))
        if "turn" not in told:
            return
        self.total += 1
        if self._lost_s:
            self._tally.back_s.append(time.monotonic() - self._lost_s)
            self._lost_s = 0.0
        move = self._sent.pop()
        if told["event"].get("tried") in ("open", "mark"):
            self._sent.append(move._replace(is_answered=True))
        if not self._is_checked:
            self.check()
        if told["status"] in ("won", "lost"):
            self._over = True
            self._finished.append(self._game())

    async def _ask(self, line: ClientConnection, **message: Any) -> dict[str, Any]:
        self._number += 1
        name = str(self._number)
        await line.send(json.dumps({**message, "id": name}))
        while True:
            told: dict[str, Any] = json.loads(await line.recv())
            for index, char in told.get("cells", []):
                self._cells[index] = char
            if told.get("re") == name:
                return told

    def _game(self, seed: int | None = None) -> list[_Sent]:
        """Return the moves sent since a game began (default: the last one)."""
        begins = [
            at
            for at, one in enumerate(self._sent)
            if isinstance(one.what, int) and seed in (None, one.what)
        ]
        moves = self._sent[begins[-1] + 1 :] if begins else []
        return [move for move in moves if not isinstance(move.what, int)]

    def check(self) -> None:
        """Compare the saved game with the sent messages, and continue with the saved ones."""
        if self._over or not self._sent:
            return
        seed, saved = self._saved()
        self._is_checked = True
        moves = self._game(seed)
        lost, extra = _explains(moves, saved)
        if seed not in [one.what for one in self._sent]:
            lost, extra = max(1, sum(move.is_answered for move in moves)), len(saved)
        if lost or extra:
            self._tally.counts["acknowledged moves lost"] += lost
            self._tally.counts["moves saved twice or never made"] += extra
            print(f"{self.session}: {seed} {saved[-8:]}; sent: {self._sent[-10:]}", flush=True)
        self._sent = [_Sent(seed, is_answered=True)]
        self._sent += [_Sent(move, is_answered=True) for move in saved]

    def _saved(self) -> tuple[int, list[list[Any]]]:
        find_actions = "SELECT action FROM actions WHERE session = ? ORDER BY number"
        with self._database.reading() as db:
            row = db.execute("SELECT game FROM sessions WHERE id = ?", (self.session,)).fetchone()
            rows = db.execute(find_actions, (self.session,)).fetchall()
        seed = -1 if row is None else json.loads(row[0])["seed"]
        return seed, sent_actions([json.loads(text) for (text,) in rows])

    def check_games(self, history: History) -> int:
        """Compare the history with the finished games; return their number."""
        saved = [sent_actions(one.moves["actions"]) for one in history.of(self.session).records()]
        # In the order of play, each game is found near the start.
        saved.reverse()
        for game in self._finished:
            found = next((one for one in saved if _explains(game, one) == (0, 0)), None)
            if found is None:
                self._tally.counts["games wrong"] += 1
            else:
                saved.remove(found)
        # The last moves, without their answers, may have ended the last game.
        last = [one for one in saved if not self._over and _explains(self._game(), one) == (0, 0)]
        self._tally.counts["games wrong"] += len(saved) - len(last[:1])
        return len(self._finished)


class _Game:
    """A running site with players; everything is checked when the block ends."""

    def __init__(
        self, count: int, pause_s: float, workers: int, addresses: tuple[str, str]
    ) -> None:
        self._count, self._pause_s, self._workers = count, pause_s, workers
        self._addresses = addresses
        self.tally = Tally()

    async def __aenter__(self) -> Site:
        self._folder = tempfile.TemporaryDirectory()
        self.site = Site(Path(self._folder.name), self._workers, *self._addresses)
        self._database = open_postgresql(self._addresses[0], lock=False)
        self._players = [
            Survivor(self.site.cookie(), number, self.tally, self._database)
            for number in range(self._count)
        ]
        self._began = time.monotonic()
        self._tasks = [
            asyncio.ensure_future(player.play(self.site.port, self._pause_s))
            for player in self._players
        ]
        await asyncio.sleep(2.0)
        return self.site

    async def __aexit__(self, *_: object) -> None:
        for player in self._players:
            player.stopping = True
        await asyncio.gather(*self._tasks)
        self.seconds = time.monotonic() - self._began
        self.site.stop()
        history = History(self._database)
        for player in self._players:
            player.check()
        self.games = sum(player.check_games(history) for player in self._players)
        self.moves = sum(player.total for player in self._players)
        self._database.close()
        self._folder.cleanup()

    def __str__(self) -> str:
        return (
            f"{self._count} players, {self._workers} workers, {self.seconds:.0f} s: "
            f"{self.moves} acknowledged moves ({self.moves / self.seconds:.0f}/s), {self.games} "
            f"finished games; {self.tally}\n"
            f"from a lost connection to the next answer: {figures(self.tally.back_s)}"
        )


async def worker_kills(
    rounds: int, count: int, pause_s: float, workers: int, database: str, messages: str
) -> None:
    """Kill random workers repeatedly while players are active."""
    rng = random.Random(1)
    game = _Game(count, pause_s, workers, (database, messages))
    async with game as site:
        for number in range(rounds):
            await site.until_all_serve()
            await asyncio.sleep(rng.uniform(0.0, 0.5))
            await site.kill(rng)
            if number % 20 == 19:
                print(f"{number + 1} kills; {game.tally}", flush=True)
        await site.until_all_serve()
    print(f"{rounds} kills of workers; {game}")


async def worker_outages(
    rounds: int,
    count: int,
    pause_s: float,
    workers: int,
    database: str,
    messages: str,
    command: str,
) -> None:
    """Run a command repeatedly while players are active, such as one that restarts Redis."""
    game = _Game(count, pause_s, workers, (database, messages))
    async with game as site:
        for number in range(rounds):
            restart = await asyncio.create_subprocess_shell(command, stdout=subprocess.DEVNULL)
            if await restart.wait():
                raise SystemExit(f"the command failed: {command}")
            await site.until_all_serve()
            # This is longer than the longest pause between attempts to save.
            await asyncio.sleep(3.0)
            print(f"{number + 1} restarts; {game.tally}", flush=True)
    print(f"{rounds} restarts; {game}")
