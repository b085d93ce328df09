"""Automatic play in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from sapper import Game
from sapper.errors import BotFailed
from sapper.solver.bots import bots
from sapper.solver.bots.named_engines import add_engines
from sapper.tui.autoplay import Autoplay
from sapper.tui.bot_player import BotPlayer
from support.engines import FIRST, engine


def test_bot_waits_for_the_current_action() -> None:
    """P is pressed before the move of the previous key is done."""
    later: list[Callable[[], None]] = []
    asked: list[bool] = []
    table = SimpleNamespace(
        game=Game("beginner", seed=1),
        acting=True,
        call_after=lambda _, callback: later.append(callback),
        fail=print,
    )
    auto = Autoplay(table, BotPlayer())  # type: ignore[arg-type]
    auto._choices.run = lambda *_: asked.append(True)  # type: ignore[method-assign]
    auto.toggle()
    assert not asked
    later.pop()()
    assert not asked
    table.acting = False
    later.pop()()
    assert asked
    assert not later


def test_an_engine_plays_as_a_bot_and_receives_the_rules() -> None:
    """The engine is in the list of bots; it refuses rules that it does not play."""
    add_engines([f"added={engine(FIRST)}"])
    try:
        player = BotPlayer("grandmaster")
        while player.name != "added":
            player.change()
        game = Game("6x6:6", seed=1)
        assert player.choose(game.position, game, game.settings).actions
        kaboom = Game("6x6:6", "kaboom", seed=1)
        with pytest.raises(BotFailed, match="it plays the rules classic, not kaboom"):
            player.choose(kaboom.position, kaboom, kaboom.settings)
    finally:
        del bots["added"]
