"""Input that is nested too deeply for Python to print."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from sapper import simulate
from sapper.board import Board
from sapper.coach.trainer import Puzzle
from sapper.dealer import settings
from sapper.env import MinesweeperEnv, MinesweeperVectorEnv
from sapper.errors import BadSave, SapperError
from sapper.game import Game
from sapper.history import Record
from sapper.lab.errors import BadRun
from sapper.lab.spec import Spec, parse_option
from sapper.position import Position
from sapper.replay import from_json
from sapper.rules import Level
from sapper.simulation import Match
from sapper.topology import as_cell


@cache
def deep() -> Any:
    """Return a list nested 100,000 deep."""
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    return nested


@pytest.mark.parametrize("key", ["", "rows", "mines", "width", "format"])
@pytest.mark.parametrize(
    "read",
    [Position.from_json, Board.from_json, Game.from_json, Puzzle.from_json, from_json],
)
def test_deeply_nested_input_is_rejected(read: Callable[[Any], Any], key: str) -> None:
    """The error message raised a `RecursionError`."""
    nested = deep()
    with pytest.raises(SapperError):
        read({"rows": ["?"], key: nested} if key else nested)


def test_every_entry_of_a_lab_run_may_be_nested() -> None:
    """A damaged run.json raises `BadRun`, whichever entry is too deep."""
    good = Spec(Match("exact", "beginner"), 1, 10).to_json()
    unread = {"sapper_version", "bot_sha256"}
    assert len(good) > 10
    for key in good.keys() - unread:
        with pytest.raises(BadRun):
            Spec.from_json({**good, "format": 1, key: deep()}, "here")
        with pytest.raises(BadRun):
            Spec.from_json({**good, key: deep()}, "here")
    with pytest.raises(BadRun, match=r"from sapper \[\[\["):
        Spec.from_json({**good, "format": 1, "sapper_version": deep()}, "here")
    text = "[" * 100_000
    assert parse_option(f"depth={text}") == ("depth", text)


def test_every_entry_of_a_game_in_the_history_may_be_nested() -> None:
    """A record is refused when it is read or when its key, which covers all moves, is computed."""
    game = Match("exact", "beginner").game(1)
    good = json.loads(json.dumps(Record.of_game(game, 10**12, started_ms=0).to_json()))
    assert len(good) > 15
    for key in good:
        with pytest.raises(BadSave):
            Record.from_json({**good, key: deep()})
    for key in (*good["moves"], "unknown"):
        with pytest.raises(BadSave, match="nested too deeply"):
            _ = Record.from_json({**good, "moves": {**good["moves"], key: deep()}}).key


@pytest.mark.parametrize(
    "call",
    [
        lambda given: settings("beginner", given),
        lambda given: settings("beginner", first_click=given),
        lambda given: settings("beginner", win=given),
        lambda given: settings("beginner", "kaboom", judge=given),
        lambda given: Level(given, 9, 9),
        lambda given: Level(9, 9, given),
        lambda given: Level(9, 9, density=given),
        lambda given: Level(9, 9, 10, density=given),
        lambda given: Level(9, 9, 10, topology=given),
        lambda given: simulate(given, "beginner", seed=1),
        lambda given: simulate("exact", "beginner", start=given, seed=1),
        as_cell,
        lambda given: MinesweeperEnv("beginner", render_mode=given),
        lambda given: MinesweeperVectorEnv(2, "beginner", autoreset_mode=given),
        lambda given: started_env(MinesweeperEnv("beginner")).step(given),
        lambda given: started_env(MinesweeperEnv("beginner")).restore(given),
        lambda given: started_env(MinesweeperVectorEnv(2, "beginner")).step(given),
        lambda given: started_env(MinesweeperVectorEnv(2, "beginner")).step([given, 1]),
        lambda given: MinesweeperVectorEnv(2, "beginner").reset(options={"reset_mask": given}),
    ],
)
def test_deeply_nested_setting_is_rejected(call: Callable[[Any], Any]) -> None:
    """Nested settings, cells, bots and actions raise Sapper's own errors."""
    with pytest.raises(SapperError):
        call(deep())


def started_env(env: Any) -> Any:
    """Return the environment after a reset."""
    env.reset(seed=1)
    return env
