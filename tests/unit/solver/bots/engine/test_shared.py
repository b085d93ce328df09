"""Engines that the apps share between games."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator

import pytest

from sapper import Position
from sapper.errors import BadSetting
from sapper.rules import Level, Settings
from sapper.solver.bots import Choice, as_choice, begin, bots, make_bot
from sapper.solver.bots.engine import EngineFailed, SharedEngine, SharedGame
from sapper.solver.bots.named_engines import add_engines
from support.engines import FIRST, engine

_LEVEL = Level.parse("3x3:1")
_COUNTED = """
seen = globals().setdefault("seen", {})
game = message["game"]
seen[game] = seen.get(game, 0) + 1
send(type="choice", id=id, actions=[["open", 0, 0]], by=f"{os.getpid()} {game} {seen[game]}")
""".strip()
"""Reports its process, the game's number and the number of the choice in it."""


@pytest.fixture
def add() -> Iterator[object]:
    """Add engines as ``test``, and remove them afterwards."""
    yield lambda command, **how: add_engines([f"test={command}"], **how)
    del bots["test"]


def _position(rows: str = "...\n...\n...") -> Position:
    return Position.parse(rows, mines=1)


def _choose(bot: object, position: Position) -> Choice:
    return as_choice(bot.choose(position))  # type: ignore[attr-defined]


@pytest.mark.parametrize("games", [1, 8])
def test_games_share_a_process_and_keep_their_numbers(add: object, games: int) -> None:
    """With games=1, each choice in another game starts that game again in the same process."""
    add(engine(_COUNTED, games=games))  # type: ignore[operator]
    one, other = make_bot("test"), make_bot("test")
    said: list[list[str]] = []
    for _ in range(2):
        for bot in (one, other):
            if not said or len(said) == 1:
                begin(bot, _LEVEL, 1)
            said.append(_choose(bot, _position()).by.split())
    assert len({process for process, _, _ in said}) == 1
    numbers = [(game, count) for _, game, count in said]
    again = [("3", "1"), ("4", "1")] if games == 1 else [("1", "2"), ("2", "2")]
    assert numbers == [("1", "1"), ("2", "1"), *again]


def test_a_game_starts_again_after_undo(add: object) -> None:
    """Engines may rely on opened cells staying open, so a closed cell needs a new game."""
    add(engine(_COUNTED, games=8))  # type: ignore[operator]
    bot = make_bot("test")
    begin(bot, _LEVEL, 1)
    numbers = [
        _choose(bot, _position(rows)).by.split()[1]
        for rows in ("...\n...\n..1", "F..\n.1.\n..1", "...\n...\n..1")
    ]
    assert numbers == ["1", "1", "2"]


def test_a_failed_process_is_replaced_and_strangers_see_no_details(
    add: object, caplog: pytest.LogCaptureFixture
) -> None:
    """The log gives the reason, which may contain a path; the player's message does not."""
    crash = 'sys.stderr.write("/secret/path is broken"); sys.exit(3)'
    add(engine(f"if message['game'] == 1:\n    {crash}\n{FIRST}"), public=True)  # type: ignore[operator]
    bot = make_bot("test")
    begin(bot, _LEVEL, 1)
    # Each new process numbers its games from where the last one stopped.
    with caplog.at_level(logging.WARNING), pytest.raises(EngineFailed) as raised:
        _choose(bot, _position())
    assert str(raised.value) == "the engine failed; try again, or choose another bot"
    assert "engine test: it ended with exit status 3: /secret/path is broken" in caplog.text
    assert _choose(bot, _position()).actions


def test_the_operator_sees_the_details(add: object) -> None:
    """In the terminal, the player is the operator."""
    add(engine('sys.exit("no such file")'))  # type: ignore[operator]
    bot = make_bot("test")
    begin(bot, _LEVEL, 1)
    with pytest.raises(EngineFailed, match=r"engine test: .*no such file"):
        _choose(bot, _position())


def test_rules_that_an_engine_does_not_play_are_named(add: object) -> None:
    """This is not a failure: the process continues, and the player gets a message."""
    add(engine(FIRST), public=True)  # type: ignore[operator]
    bot = make_bot("test")
    begin(bot, _LEVEL, 1, Settings(_LEVEL, rules="kaboom"))
    with pytest.raises(EngineFailed, match="engine test: it plays the rules classic, not kaboom"):
        _choose(bot, _position())


@pytest.mark.slow
def test_a_busy_engine_is_reported_and_disturbs_nobody() -> None:
    """Two choices that never end leave no process for a third, which does not wait forever."""
    shared = SharedEngine("test", engine("time.sleep(60)"), seconds=1, wait_s=0.01)
    problems: list[str] = []

    def ask() -> None:
        with pytest.raises(EngineFailed) as raised:
            shared.choose(SharedGame(_LEVEL, 1), _position())
        problems.append(str(raised.value))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shared.close()
    assert problems[0] == "all its processes are busy; try again in a moment"
    assert problems[1:] == ["engine test: it did not answer within 1 s"] * 2


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("jsm", "NAME=COMMAND, got 'jsm'"),
        (f"={sys.executable}", "the name of a bot must be"),
        ("jsm= ", "NAME=COMMAND"),
        ("exact=true", "there is a bot 'exact' already"),
        ("jsm=no-such-program", "no program 'no-such-program'"),
        (f"jsm={sys.executable} '", "no closing quotation"),
    ],
)
def test_a_bad_engine_option_is_refused(spec: str, reason: str) -> None:
    """No bot is added."""
    before = dict(bots)
    with pytest.raises(BadSetting, match=reason):
        add_engines([spec])
    assert bots == before
