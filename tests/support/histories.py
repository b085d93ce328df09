"""Records of finished games, either made up or actually played."""

from __future__ import annotations

from functools import cache
from random import Random

from sapper.history import Record
from sapper.simulation import Match

__all__ = ["made_up", "played"]


def made_up(number: int, seed: int = 0) -> Record:
    """Return a made-up record; equal numbers give equal records."""
    rng = Random(f"{seed} {number}")
    won = rng.random() < 0.4
    time_ms, bbbv = rng.randint(5_000, 300_000), rng.randint(80, 250)
    finished_ms = 1_700_000_000_000 + number * 20_000_000 + rng.randint(0, 900_000)
    return Record(
        finished_ms=finished_ms,
        started_ms=finished_ms - time_ms,
        player=rng.choice(["", "", "Ada"]),
        bot=rng.choice(["", "", "exact"]),
        rules=rng.choice(["classic", "no-guess"]),
        variant="",
        level=rng.choice(["expert", "beginner"]),
        first_click="safe",
        won=won,
        helped=rng.choice(["", "", "hints"]),
        time_ms=time_ms,
        bbbv=bbbv,
        solved=bbbv if won else rng.choice([None, rng.randint(0, bbbv)]),
        clicks=rng.randint(50, 400),
        effective=50,
        forced_guesses=rng.randint(0, 3),
        needless_guesses=rng.randint(0, 2),
        risk=rng.random(),
        moves={"format": "none", "number": number},
    )


@cache
def played(seed: int, **about: str) -> Record:
    """Return the record of a bot's game, with fixed times because clocks vary."""
    game = Match("exact", "beginner").game(seed)
    return Record.of_game(game, 1_700_000_000_000 + seed, **about)
