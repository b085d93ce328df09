"""Automatic play in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from sapper import Game
from sapper.tui.autoplay import Autoplay
from sapper.tui.bot_player import BotPlayer


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
