"""Several games of an engine at once."""

from __future__ import annotations

import shlex
import sys

import pytest

from sapper import simulate
from sapper.errors import BotFailed
from sapper.lab.play import Unit, UnitPlayer
from sapper.lab.spec import Spec
from sapper.simulation import Match
from support.engines import FIRST, engine

_EXACT = f"engine:{shlex.join([sys.executable, '-m', 'sapper', 'engine', '--bot', 'exact'])}"
_LATE = f"""
waiting = globals().setdefault("waiting", [])
waiting.append(message)
games = globals().setdefault("games", set())
games.add(message["game"])
if len(waiting) == 3 or sum(len(r) for r in message["rows"]) == 0:
    for message in reversed(waiting):
        id = message["id"]
        {FIRST.replace(chr(10), chr(10) + "        ")}
    waiting.clear()
""".strip()
"""Answers three requests at once, in reverse order."""


@pytest.mark.parametrize("level", ["8x8:12", "6x6@0.15/torus"])
def test_games_at_once_are_the_games_one_by_one(level: str) -> None:
    """The results do not depend on how many games the engine plays at once."""
    match = Match(_EXACT, level, start=(0, 0))
    assert match.together
    assert match.play(range(20)) == [match.play([seed])[0] for seed in range(20)]


def test_answers_may_arrive_in_any_order() -> None:
    """The engine waits for three games, so one at a time would exceed the time limit."""
    bot = f"engine:{engine(_LATE, games=3)}"
    one_by_one = f"engine:{engine(FIRST)}"
    options = {"level": "4x4:0", "start": None, "seed": 1}
    found = simulate(bot, n=3, bot_options={"seconds": 5}, **options)  # type: ignore[arg-type]
    assert found.rows == simulate(one_by_one, n=3, **options).rows  # type: ignore[arg-type]


def test_the_first_failing_game_is_reported_and_earlier_ones_are_kept() -> None:
    """The engine fails in one of eight simultaneous games, after later games have finished."""
    crash = "if message['rows'][0][0] == '3':\n    sys.exit(3)\n" + FIRST
    bot = f"engine:{engine(crash, games=8)}"
    spec = Spec(Match(bot, "4x4:8"), seed=1, games=60)
    done = UnitPlayer(spec).play(Unit(0, 0, 60), 60)
    assert isinstance(done.failure, BotFailed)
    assert f"game {1 + done.reached}, choice 1" in str(done.failure)
    assert 0 < done.reached < 60


def test_failing_games_are_forfeited_one_by_one() -> None:
    """The other games have the same results as without the failures."""
    crash = "if message['rows'][0][0] == '3':\n    sys.exit(3)\n" + FIRST
    options = {"level": "4x4:8", "n": 12, "seed": 1}
    plain = simulate(f"engine:{engine(FIRST)}", **options)  # type: ignore[arg-type]
    found = simulate(
        f"engine:{engine(crash, games=8)}",
        bot_options={"forfeit": True},
        **options,  # type: ignore[arg-type]
    )
    failed = [row.last_by == "failed" for row in found.rows]
    assert any(failed)
    for row, same, lost in zip(found.rows, plain.rows, failed, strict=True):
        assert row == same or (lost and row.result == "lost")
