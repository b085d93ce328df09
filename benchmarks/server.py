r"""Load-test the web app: kills, many players, and many assisted games on a busy machine.

    python benchmarks/server.py kills --rounds 100 --players 6 --pause 0
    python benchmarks/server.py kills --rounds 100 --players 20 --pause 0.2
    python benchmarks/server.py kills --rounds 100 --players 20 --pause 0.05 --database URL
    python benchmarks/server.py outages --rounds 20 --players 200 --pause 0.05 --database URL \
        --restart 'pg_ctl restart -m immediate -D DIRECTORY'
    python benchmarks/server.py kills --rounds 200 --players 200 --pause 0.05 --workers 2 \
        --database URL --redis URL
    python benchmarks/server.py outages --rounds 20 --players 200 --pause 0.05 --workers 2 \
        --database URL --redis URL --restart COMMAND
    python benchmarks/server.py players --players 2000 --pause 2 --seconds 60 --points 0 \
        --workers 2 --database URL --redis URL
    python benchmarks/server.py players --players 520 --seconds 600
    python benchmarks/server.py players --assisted --players 500 --seconds 7200 --busy 1
    python benchmarks/server.py assisted --players 500 --seconds 12 --busy 1
    python benchmarks/server.py assisted --players 500 --seconds 12 --busy 1 --thinking
    python benchmarks/server.py bots --players 8 --games 100000

Each load test starts a server in a separate process, on a free port of 127.0.0.1 and with a
separate directory. ``kills`` ends it with SIGKILL while players are active. Then ``kills`` and
``players`` check that the saved games file has every acknowledged action, and the history every
game with an acknowledged end. ``kills`` also compares the players' statistics at the end of all
rounds with those right after the kill. ``outages`` runs a command while players are active, which
should restart the database, and checks the same at the end. With ``--database``, saved games are in
PostgreSQL; the tables must exist. With ``--redis``, the server is `sapper serve` with some workers:
``kills`` then kills random workers, and ``outages`` may also restart Redis. The players reconnect
as the page does and, each time, compare the saved game with the answers: no answered move may be
missing, and none may be saved twice. ``assisted`` measures the time from a click to its answer and
to its overlay, alternately with and without two heavy games; with ``--thinking``, the players
compute the chances themselves, as the page does. ``bots`` runs bots in automatic mode,
and then checks that the history has every game.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from sapper.database.connection import Connection
from sapper.history import History, summarize
from sapper.server.storage.opening import open_postgresql
from server_load import (
    BotGames,
    HeavyGame,
    OtherWork,
    Player,
    Server,
    Starter,
    busy_cores,
    figures,
    quantile,
)
from server_workers import Site, worker_kills, worker_outages


@contextmanager
def saved(home: Path) -> Iterator[tuple[Connection, History]]:
    """Read the data saved by the server."""
    if address := os.environ.get("SAPPER_DATABASE"):
        with (
            closing(open_postgresql(address, lock=False)) as database,
            database.reading() as postgresql,
        ):
            yield postgresql, History(database)
    else:
        path = home / "play.sqlite3"
        with closing(sqlite3.connect(path)) as sqlite, History(path) as history:
            yield sqlite, history


def check(home: Path, players: list[Player]) -> tuple[int, int]:
    """Count the sessions that lost actions, and the acknowledged actions lost."""
    with saved(home) as (db, _):
        lost = [player.lost(db) for player in players]
    return sum(map(bool, lost)), sum(lost)


def result_figures(history: History, player: Player) -> dict[str, Any]:
    """Return a player's statistics, without values that the server measures after a game."""
    found = summarize(history.of(player.session)).to_json()
    measured = ("unmeasured", "forced_guesses", "needless_guesses", "risk", "losses", "efficiency")
    return {name: value for name, value in found.items() if name not in measured}


async def _for_a_while(
    server: Server | Site, players: list[Player], seconds: float, pause_s: float, **how: Any
) -> list[asyncio.Task[None]]:
    tasks = [asyncio.ensure_future(p.play(server.port, pause_s, **how)) for p in players]
    await asyncio.sleep(seconds)
    return tasks


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


async def kills(rounds: int, count: int, pause_s: float, points: int) -> None:
    """Kill the server repeatedly while players are active."""
    rng, sessions, moves, total, lost = random.Random(1), 0, 0, 0, 0
    everyone: list[tuple[Player, dict[str, Any]]] = []
    lost_games = 0
    with tempfile.TemporaryDirectory() as folder, Starter() as starter:
        home = Path(folder)
        for number in range(rounds):
            server = Server(starter, home)
            players = [
                Player(server.cookie(), "expert", 1000 * number + i, points) for i in range(count)
            ]
            tasks = await _for_a_while(server, players, rng.uniform(0.3, 1.2), pause_s)
            server.stop(signal.SIGKILL)
            await _end(tasks)
            bad, actions = check(home, players)
            sessions, lost = sessions + bad, lost + actions
            moves += sum(player.total for player in players)
            total += count
            with saved(home) as (_, history):
                lost_games += sum(player.lost_games(history) for player in players)
                everyone += [(player, result_figures(history, player)) for player in players]
        with saved(home) as (_, history):
            changed = sum(result_figures(history, player) != then for player, then in everyone)
    games = sum(len(player.finished) for player, _ in everyone)
    print(
        f"{rounds} kills, {total} sessions, {moves} acknowledged moves: "
        f"{lost} lost, in {sessions} sessions; {games} acknowledged games: {lost_games} missing, "
        f"changed or extra; statistics of {changed} players changed"
    )


async def outages(rounds: int, count: int, pause_s: float, points: int, command: str) -> None:
    """Run a command repeatedly while players are active, and then check that nothing is lost."""
    with tempfile.TemporaryDirectory() as folder, Starter() as starter:
        home = Path(folder)
        server = Server(starter, home)
        players = [Player(server.cookie(), "expert", i, points) for i in range(count)]
        tasks = await _for_a_while(server, players, 2.0, pause_s)
        longest = 0.0
        for _ in range(rounds):
            began = time.monotonic()
            restart = await asyncio.create_subprocess_shell(command, stdout=subprocess.DEVNULL)
            if await restart.wait():
                raise SystemExit(f"the command failed: {command}")
            longest = max(longest, time.monotonic() - began)
            # This is longer than the longest pause between attempts to save.
            await asyncio.sleep(7.0)
        await _end(tasks)
        server.stop()
        sessions, lost = check(home, players)
        games, wrong = missing_games(home, players)
        refused = sum(
            message.get("type") == "saving" and message["problem"] is not None
            for player in players
            for message in player.problems
        )
        moves = sum(player.total for player in players)
    print(
        f"{rounds} restarts of up to {longest:.1f} s, {moves} acknowledged moves: {lost} lost, in "
        f"{sessions} sessions; {games} acknowledged games: {wrong} missing, changed or extra; "
        f"{refused} times a window was told that its game is not saved"
    )


@contextmanager
def _running(
    busy: int, workers: int = 1, messages: str | None = None
) -> Iterator[tuple[Path, Starter, Server | Site]]:
    """Start a server in a separate directory, with stderr kept and some cores kept busy."""
    with tempfile.TemporaryDirectory() as folder, busy_cores(busy):
        home = Path(folder)
        with Starter(home / "errors") as starter:
            if messages is None:
                yield home, starter, Server(starter, home)
            else:
                database = os.environ["SAPPER_DATABASE"]
                yield home, starter, Site(home, workers, database, messages)


def missing_games(home: Path, players: list[Player]) -> tuple[int, int]:
    """Count the acknowledged games, and those that are missing, changed or extra in the history."""
    with saved(home) as (_, history):
        wrong = sum(player.lost_games(history) for player in players)
    return sum(len(player.finished) for player in players), wrong


async def many(
    count: int,
    seconds: float,
    pause_s: float,
    busy: int,
    points: int,
    is_assisted: bool,
    workers: int = 1,
    messages: str | None = None,
) -> None:
    """Run many players for a while; then check that every acknowledged action is in the file."""
    with _running(busy, workers, messages) as (home, starter, server):
        players = [Player(server.cookie(), "expert", i, points) for i in range(count)]
        started = time.monotonic()
        slot_s = max(10.0, seconds / 12)
        tasks = await _for_a_while(
            server, players, min(30.0, seconds / 4), pause_s, assisted=is_assisted
        )
        answers, overlays = array("d"), array("d")
        while (passed := time.monotonic() - started) < seconds:
            await asyncio.sleep(min(slot_s, seconds - passed))
            new = [s for player in players for s in player.answer_s]
            answers.extend(new)
            overlays.extend(s for player in players for s in player.overlay_s)
            for player in players:
                player.answer_s.clear()
                player.overlay_s.clear()
            alive = sum(not task.done() for task in tasks)
            print(
                f"{time.monotonic() - started:.0f} s: server {server.megabytes():.0f} MB, its "
                f"workers {server.megabytes_of_workers():.0f} MB; {alive} players; answers "
                f"{figures(new)}",
                flush=True,
            )
        await _end(tasks)
        bad, lost = check(home, players)
        server.stop()
        after_bad, after_lost = check(home, players)
        games, wrong = missing_games(home, players)
        problems = [one for player in players for one in player.problems]
        print(
            f"{count} players, {seconds:g} s, {sum(p.total for p in players)} acknowledged moves: "
            f"{lost} lost in {bad} sessions while running, {after_lost} in {after_bad} after the "
            f"end; {games} acknowledged games: {wrong} missing, changed or extra; "
            f"{len(problems)} problems {problems[:3]}; written to stderr: {starter.errors()!r:.500}"
        )
        print(f"answers: {figures(answers)}")
        if is_assisted:
            print(f"overlays: {figures(overlays)}")


async def assisted(
    count: int,
    seconds: float,
    pause_s: float,
    busy: int,
    rounds: int,
    settle_s: float,
    points: int,
    thinks: bool,
) -> None:
    """Run assisted games on a busy machine, alternately with and without two heavy games."""
    with tempfile.TemporaryDirectory() as folder, Starter() as starter, busy_cores(busy):
        server = Server(starter, Path(folder))
        players = [
            Player(server.cookie(), "expert", i, points, thinks=thinks) for i in range(count)
        ]
        tasks = await _for_a_while(server, players, min(20.0, seconds), pause_s, assisted=True)
        heavy = [HeavyGame("deal"), HeavyGame("judge")]
        tasks += [asyncio.ensure_future(game.play(server)) for game in heavy]
        answers: dict[bool, list[float]] = {False: [], True: []}
        overlays: dict[bool, list[float]] = {False: [], True: []}
        of_turns: dict[bool, list[float]] = {False: [], True: []}
        costs: dict[bool, list[float]] = {False: [], True: []}
        other = OtherWork()
        # The order is balanced, so that other load on the machine affects both equally.
        for beside in ([False, True, True, False] * rounds)[: 2 * rounds]:
            for game in heavy if beside else ():
                game.start()
            await asyncio.sleep(settle_s)
            for player in players:
                player.answer_s.clear()
                player.overlay_s.clear()
            other.take()
            before, began = server.used(), time.monotonic()
            await asyncio.sleep(seconds)
            while not any(player.answer_s for player in players):
                # Every turn gets an answer, however short it is and however busy the machine is.
                await asyncio.sleep(0.01)
                if any(task.done() for task in tasks):
                    raise SystemExit("the players have lost the server")
            passed = time.monotonic() - began
            here = [s for player in players for s in player.answer_s]
            where, others = "beside" if beside else "alone", other.take()
            ran, loop_ran, loop_waited = (
                (b - a) / passed for a, b in zip(before, server.used(), strict=True)
            )
            print(
                f"  {where}: {figures(here)}; server {ran:.2f} cores, its loop {loop_ran:.2f} and "
                f"waits {loop_waited:.2f}, other programs {others:.2f}",
                flush=True,
            )
            costs[beside].append(ran * passed / len(here))
            of_turns[beside].append(quantile(here, 0.95))
            answers[beside] += here
            overlays[beside] += [s for player in players for s in player.overlay_s]
            for game in heavy if beside else ():
                await game.stop()
        for beside, what in ((False, "alone"), (True, "beside two heavy games")):
            print(f"{what}: answers {figures(answers[beside])}")
            if not thinks:
                print(f"{what}: overlays {figures(overlays[beside])}")
        alone, with_heavy = (quantile(answers[beside], 0.95) for beside in (False, True))
        print(
            f"95th percentile of answers: {1000 * alone:.1f} ms alone, {1000 * with_heavy:.1f} ms "
            f"beside heavy games, {100 * (with_heavy / alone - 1):+.0f} %"
        )
        alone, with_heavy = (median(of_turns[beside]) for beside in (False, True))
        print(
            f"median of the turns' 95th percentiles: {1000 * alone:.1f} ms alone, "
            f"{1000 * with_heavy:.1f} ms beside, {100 * (with_heavy / alone - 1):+.0f} %"
        )
        alone, with_heavy = (median(costs[beside]) for beside in (False, True))
        print(
            f"the server's processor time per answer: {1000 * alone:.2f} ms alone, "
            f"{1000 * with_heavy:.2f} ms beside, {100 * (with_heavy / alone - 1):+.0f} %"
        )
        given = ", ".join(f"{game.answered} (refused: {dict(game.refused)})" for game in heavy)
        print(f"messages of the heavy games answered: {given}")
        await _end(tasks)
        print(f"problems: {[one for player in players for one in player.problems][:3]}")
        server.stop()


async def bots(count: int, games: int, bot: str, level: str, busy: int) -> None:
    """Run bots in automatic mode; then check that every game is in the history."""
    with _running(busy) as (home, starter, server):
        windows = [BotGames(server.cookie(), bot, level) for _ in range(count)]
        started = time.monotonic()
        tasks = [asyncio.ensure_future(window.play(server.port)) for window in windows]
        step = max(1, games // 20)
        shown = 0
        while (ended := sum(len(window.ended) for window in windows)) < games:
            if ended - shown >= step or not shown:
                shown = ended
                print(
                    f"{ended} games, {time.monotonic() - started:.0f} s: server "
                    f"{server.megabytes():.0f} MB, its workers "
                    f"{server.megabytes_of_workers():.0f} MB, file "
                    f"{(home / 'play.sqlite3').stat().st_size / 1e6:.1f} MB",
                    flush=True,
                )
            if any(task.done() for task in tasks):
                break
            await asyncio.sleep(0.2)
        passed = time.monotonic() - started
        await _end(tasks)
        memory = server.megabytes(), server.megabytes_of_workers()
        server.stop()
        with saved(home) as (_, history):
            wrong = sum(window.wrong_games(history) for window in windows)
            unmeasured = sum(history.of(window.session).unmeasured() for window in windows)
        ended = sum(len(window.ended) for window in windows)
        wins = sum(sum(window.ended.values()) for window in windows)
        problems = [one for window in windows for one in window.problems]
        print(
            f"{count} windows of {bot} at {level}: {ended} games ({wins} won, {unmeasured} not yet "
            f"measured), {sum(window.actions for window in windows)} actions, {passed:.0f} s; "
            f"{wrong} games missing, changed or extra; {len(problems)} problems {problems[:2]}; "
            f"server {memory[0]:.0f} MB, its workers {memory[1]:.0f} MB; written to stderr: "
            f"{starter.errors()!r:.500}"
        )


def main() -> None:
    """Run one of the load tests."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("load", choices=["kills", "outages", "players", "assisted", "bots"])
    parser.add_argument("--rounds", type=int, help="kills (100), or turns of each sort (4)")
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60.0, help="of play, or of each turn")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds from click to click")
    parser.add_argument("--settle", type=float, default=2.0, help="seconds before each turn")
    parser.add_argument("--points", type=int, default=40, help="of the pointer's path per move")
    parser.add_argument("--busy", type=int, default=0, help="cores kept busy")
    parser.add_argument("--assisted", action="store_true", help="players: with the chances shown")
    parser.add_argument("--thinking", action="store_true", help="assisted: chances in the page")
    parser.add_argument("--games", type=int, default=100_000, help="bots: all in all")
    parser.add_argument("--bot", default="exact", help="bots: which one")
    parser.add_argument("--level", default="beginner", help="bots: what it plays")
    parser.add_argument("--database", metavar="URL", help="PostgreSQL (default: an SQLite file)")
    parser.add_argument("--restart", metavar="COMMAND", help="outages: what restarts the database")
    parser.add_argument("--redis", metavar="URL", help="sapper serve, with messages in Redis")
    parser.add_argument("--workers", type=int, default=1, help="with --redis: worker processes")
    given = parser.parse_args()
    if given.redis and not given.database:
        parser.error("--redis needs --database")
    if given.database:
        os.environ["SAPPER_DATABASE"] = given.database
    several = (given.workers, given.database, given.redis)
    if given.load == "kills" and given.redis:
        rounds = given.rounds or 100
        asyncio.run(worker_kills(rounds, given.players, given.pause, *several))
    elif given.load == "kills":
        asyncio.run(kills(given.rounds or 100, given.players, given.pause, given.points))
    elif given.load == "outages":
        if not given.restart:
            parser.error("outages needs --restart")
        rounds = given.rounds or 20
        if given.redis:
            restarting = worker_outages(rounds, given.players, given.pause, *several, given.restart)
            asyncio.run(restarting)
            return
        asyncio.run(outages(rounds, given.players, given.pause, given.points, given.restart))
    elif given.load == "players":
        asyncio.run(
            many(
                given.players,
                given.seconds,
                given.pause,
                given.busy,
                given.points,
                given.assisted,
                given.workers,
                given.redis,
            )
        )
    elif given.load == "bots":
        asyncio.run(bots(given.players, given.games, given.bot, given.level, given.busy))
    else:
        asyncio.run(
            assisted(
                given.players,
                given.seconds,
                given.pause,
                given.busy,
                given.rounds or 4,
                given.settle,
                given.points,
                given.thinking,
            )
        )


if __name__ == "__main__":
    main()
