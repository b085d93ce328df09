"""Compare the server's processor time for assisted players, by where the chances are computed.

    python benchmarks/assisted.py
    python benchmarks/assisted.py --players 490 --pause 3 --seconds 20 --rounds 3 --peer PYTHON

Every turn starts a server in a separate process, connects the players, and measures after some
seconds of play. In the turns `window`, the players compute the chances themselves, as the page
does; in `server`, the server sends them, as with ``sapper play --server-engine``. The turns `peer`
are like `server`, with the version that is installed in the environment of PYTHON. Every second
round has the opposite order, so that other load on the machine affects all turns equally.

A row has the acknowledged moves; quantiles of the time to an answer in milliseconds; milliseconds
of processor time per move: of the server's process, of its event loop, and of the server with its
worker processes; the same per player and second; and the number of cores that other programs and
this one used. Compile the modules of both environments first (``python -m compileall``): otherwise
the worker processes of one may compile them in every turn.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from server_load import OtherWork, Player, Server, Starter, quantile


class Load(NamedTuple):
    """The players of every turn, and the times they play."""

    players: int
    pause_s: float
    settle_s: float
    seconds: float


class Turn(NamedTuple):
    """The measurements of one turn."""

    moves: float
    p50_ms: float
    p95_ms: float
    server_ms: float
    loop_ms: float
    all_ms: float
    per_player_s: float
    others: float
    own: float


async def measured(python: str, thinks: bool, load: Load, seed: int) -> Turn:
    """Run the players on a separate server, and measure."""
    with tempfile.TemporaryDirectory() as folder, Starter(python=python) as starter:
        server = Server(starter, Path(folder))
        players = [
            Player(server.cookie(), "expert", seed + i, 40, thinks=thinks)
            for i in range(load.players)
        ]
        tasks = [
            asyncio.ensure_future(player.play(server.port, load.pause_s, assisted=True))
            for player in players
        ]
        while not all(player.total for player in players):
            await asyncio.sleep(0.1)
        await asyncio.sleep(load.settle_s)
        for player in players:
            player.answer_s.clear()
        other = OtherWork()
        ran, loop, _ = server.used()
        everything = server.used_by_all()
        began, own = time.monotonic(), time.process_time()
        await asyncio.sleep(load.seconds)
        passed, own = time.monotonic() - began, time.process_time() - own
        ran_now, loop_now, _ = server.used()
        everything = server.used_by_all() - everything
        answers = [s for player in players for s in player.answer_s]
        others = other.take()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        server.stop()
    if problems := [one for player in players for one in player.problems]:
        raise SystemExit(f"the server refused messages: {problems[:3]}")
    moves = len(answers)
    return Turn(
        moves,
        1000 * quantile(answers, 0.5),
        1000 * quantile(answers, 0.95),
        1000 * (ran_now - ran) / moves,
        1000 * (loop_now - loop) / moves,
        1000 * everything / moves,
        1000 * everything / load.players / passed,
        others,
        own / passed,
    )


def show(name: str, turn: Turn) -> None:
    """Print a row."""
    print(f"{name:>8}" + "".join(f"{value:13.3f}" for value in turn), flush=True)


def main() -> None:
    """Print a row for each turn, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, default=490)
    parser.add_argument("--pause", type=float, default=3.0, help="seconds from click to click")
    parser.add_argument("--seconds", type=float, default=20.0, help="measured in each turn")
    parser.add_argument("--settle", type=float, default=3.0, help="seconds of play before")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer", metavar="PYTHON", help="interpreter of another version")
    parser.add_argument("--only", nargs="*", metavar="TURN", help="run only these turns")
    given = parser.parse_args()
    load = Load(given.players, given.pause, given.settle, given.seconds)
    sorts = {"server": (sys.executable, False), "window": (sys.executable, True)}
    if given.peer:
        sorts = {"peer": (given.peer, False), **sorts}
    names = [name for name in sorts if not given.only or name in given.only]
    found: dict[str, list[Turn]] = {name: [] for name in names}
    print(f"{'turn':>8}" + "".join(f"{name:>13}" for name in Turn._fields))
    for number in range(given.rounds):
        for name in names[:: -1 if number % 2 else 1]:
            one = asyncio.run(measured(*sorts[name], load, 10_000 * number))
            found[name].append(one)
            show(name, one)
    print("medians:")
    for name, turns in found.items():
        show(name, Turn(*(median(values) for values in zip(*turns, strict=True))))
    print("load averages:", *(f"{one:.1f}" for one in os.getloadavg()))


if __name__ == "__main__":
    main()
