"""Engines as bots: in simulations, by name, and after failures."""

from __future__ import annotations

import pickle
import shlex
import sys
from pathlib import Path

import pytest

from sapper import Action, Position, make_bot, simulate
from sapper.errors import BadSetting, BotFailed
from sapper.generation import substream
from sapper.rules import Level, Settings
from sapper.simulation import BotRunner, Match
from sapper.solver.bots.engine import EngineBot
from support.engines import FIRST, engine
from support.marks import slow

_EXACT = f"engine:{shlex.join([sys.executable, '-m', 'sapper', 'engine', '--bot', 'exact'])}"


def test_a_bot_served_as_an_engine_plays_the_same_games() -> None:
    """Wins and boards are the same as for the bot itself."""
    settings = {"level": "8x8:12", "n": 30, "seed": 5}
    served = simulate(_EXACT, **settings)  # type: ignore[arg-type]
    own = simulate("exact", **settings)  # type: ignore[arg-type]
    assert served.wins == own.wins
    assert [(row.result, row.bbbv) for row in served.rows] == [
        (row.result, row.bbbv) for row in own.rows
    ]


@pytest.mark.parametrize("level", ["5x5:4/hexagon", slow("5x5@0.15/torus"), slow("5x5:?")])
def test_a_served_bot_plays_every_kind_of_board(level: str) -> None:
    """Hexagons, a torus with a density and an unknown total are all supported."""
    if level.endswith("?"):
        bot = EngineBot(_EXACT.removeprefix("engine:"))
        bot.begin(Level.parse(level), 1)
        shape = Level.parse(level).shape()
        assert bot.choose(Position.unopened(shape)).actions
        bot.close()
    else:
        assert simulate(_EXACT, level, n=3, seed=1).games == 3


def test_an_engine_is_told_the_rules_but_not_the_seed_of_the_mines() -> None:
    """The seed of the mines stays secret, but the rules are sent."""
    program = """
import json, sys
print('{"type": "hello", "protocol": 1, "name": "test"}', flush=True)
game = next(message for message in map(json.loads, sys.stdin) if message["type"] == "game")
sys.exit(" ".join(str(game[name]) for name in ("rules", "first_click", "win", "seed")))
"""
    match = Match(f"engine:{shlex.join([sys.executable, '-c', program])}", first_click="opening")
    with pytest.raises(BotFailed) as raised:
        match.play([5])
    *rules, seed = str(raised.value).split()[-4:]
    assert rules == ["classic", "opening", "open"]
    assert int(seed) == substream(5, "bot") != 5


def test_settings_for_bots_have_no_seed() -> None:
    """A bot that receives the seed could deal the board itself."""
    seen: list[Settings | None] = []

    class Curious:
        def begin_game(self, level: Level, seed: int, settings: Settings | None) -> None:
            seen.append(settings)

        def choose(self, position: Position) -> list[Action]:
            return []

    match = Match(Curious, "beginner")
    match.play([77, 78])
    assert [settings.seed for settings in seen if settings is not None] == [0, 0]


def test_a_bot_is_told_how_each_game_ended() -> None:
    """The method `end_game` receives each result."""
    ends: list[str] = []

    class Ended:
        def choose(self, position: Position) -> list[Action]:
            return []

        def end_game(self, result: str) -> None:
            ends.append(result)

    Match(Ended, "beginner").play([1])
    Match(Ended, "2x1:1").play([1])
    assert ends == ["aborted", "won"]


def test_a_failed_engine_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    """An engine that exits once still plays the next game."""
    file = tmp_path / "failed"
    command = engine(
        f"""
if not os.path.exists({str(file)!r}):
    open({str(file)!r}, "w").close()
    sys.exit(1)
{FIRST}""".strip()
    )
    bot = EngineBot(command)
    runner = BotRunner(bot, "test")
    match = Match(bot, "4x4:2")
    with pytest.raises(BotFailed, match="it ended with exit status 1"):
        match.play([1], runner)
    assert len(match.play([1], runner)) == 1


def test_errors_name_the_bot_the_game_and_the_choice() -> None:
    """The message includes the game's seed, the choice's number and the engine's mistake."""
    command = engine('send(type="choice", id=id, actions=[["open", 99, 0]])')
    with pytest.raises(BotFailed) as raised:
        simulate(f"engine:{command}", "8x8:60", n=1, seed=4)
    assert "game 4, choice 1: engine " in str(raised.value)
    assert "it chose to open (99, 0)" in str(raised.value)


def test_a_copy_starts_a_process_of_its_own() -> None:
    """A pickled bot plays, too."""
    bot = pickle.loads(pickle.dumps(EngineBot(engine(FIRST), seconds=5)))
    assert simulate(bot, "4x4:2", n=2, seed=1).games == 2


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"seconds": 0}, "seconds must be a positive number, got 0"),
        ({"memory_mb": None}, "memory_mb must be a positive number, got None"),
        ({"nodes": 1.5}, "nodes must be a positive number, got 1.5"),
        ({"cpu_s": True}, "cpu_s must be a positive number, got True"),
        ({"forfeit": 1}, "forfeit must be true or false, got 1"),
        ({"colour": 1}, "unexpected keyword argument 'colour'|unknown"),
    ],
)
def test_invalid_limits_are_refused(options: dict[str, object], reason: str) -> None:
    """The message names the option and repeats the value."""
    with pytest.raises(BadSetting, match=reason):
        make_bot(f"engine:{sys.executable}", **options)


def test_an_unknown_program_is_refused_before_the_first_game() -> None:
    """The error is raised when the match is created."""
    with pytest.raises(BadSetting, match="no program 'no-such-engine'"):
        Match("engine:no-such-engine --fast")


def test_a_failed_game_may_count_as_lost(caplog: pytest.LogCaptureFixture) -> None:
    """With the option `forfeit`, a failed game counts as lost, and the run continues."""
    command = engine(f'if len(message["rows"][0]) == 3: sys.exit(1)\n{FIRST}')
    made = simulate(f"engine:{command}", "3x3:2", n=3, seed=1, bot_options={"forfeit": True})
    assert [row.result for row in made.rows] == ["lost"] * 3
    assert made.lost_by == {"failed": 3}
    assert "it ended with exit status 1; the game counts as lost" in caplog.text


def test_a_system_without_process_groups_refuses_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is raised when the bot is created."""
    monkeypatch.delattr("select.poll")
    with pytest.raises(BadSetting, match="not supported on Windows"):
        make_bot(_EXACT)
