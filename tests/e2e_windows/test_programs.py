"""Whole games in third-party programs, which are read by their pixels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sapper.vision.playing import Player, WindowGame
from sapper.vision.screen import Screen
from support.desktop import Desktop
from support.losing_bot import LosingBot
from support.screens import contradictions

Need = Callable[..., None]


def checked(player: Player) -> WindowGame:
    """Play a game and, once all mines are known, check every number."""
    outcome = player.play()
    if outcome.result == "won":
        assert contradictions(outcome.position) == []
    return outcome


def won_within(player: Player, mines: int, games: int) -> None:
    """Win at least one of several games; mine totals are read from the window."""
    for _ in range(games):
        outcome = checked(player)
        assert (outcome.position.mines, outcome.total_from) == (mines, "read")
        if outcome.result == "won":
            return
    pytest.fail(f"none of {games} games was won")


def test_games_of_sgt_mines_are_all_won(
    desktop: Desktop, need: Need, backend: Screen | None
) -> None:
    """Boards in sgt-mines need no guess, so the exact bot wins every game."""
    need("sgt-mines")
    # Do not set a seed: after a seeded game, sgt-mines deals the usual 25 mines instead of 40.
    desktop.start("sgt-mines", "16x16n40")
    player = desktop.player("sgt-mines", on=backend)
    outcomes = [checked(player) for _ in range(2)]
    # Without the total, some of these boards need a guess.
    assert [(one.result, one.total_from) for one in outcomes] == [("won", "read")] * 2


def test_xdemineur_games_run_one_after_another(
    desktop: Desktop, need: Need, backend: Screen | None
) -> None:
    """After a win or a loss, the next game starts without help."""
    need("xdemineur")
    desktop.start("xdemineur", "-geometry", "16x16", "-m", "40")
    bot = LosingBot()
    player = desktop.player("xdemineur", on=backend, bot=bot)
    followed = set[str]()
    last = checked(player).result
    # The bot wins about three quarters of the games that it does not lose on purpose, so it is
    # practically impossible that it wins none of 15.
    for _ in range(30):
        followed.add(last)
        bot.losing = not bot.losing
        last = checked(player).result
        if followed == {"won", "lost"}:
            return
    pytest.fail(f"only games that were {followed} were followed by another")


@pytest.mark.parametrize("level", ["-1", "-3"])
def test_a_game_of_xbomb_is_won(desktop: Desktop, need: Need, level: str) -> None:
    """The bot wins an easy game with large cells and finishes a hard one with small cells."""
    need("xbomb")
    desktop.start("xbomb", "-square", level)
    mines, games = {"-1": (10, 8), "-3": (99, 25)}[level]
    won_within(desktop.player("xbomb"), mines, games)


@pytest.mark.parametrize(
    ("kind", "command", "mines"),
    [("gnome-mines", "gnome-mines --medium", 40), ("kmines", "kmines", 10)],
)
def test_game_on_a_full_desktop_is_won(
    desktop: Desktop, need: Need, kind: str, command: str, mines: int
) -> None:
    """The desktop has a window manager and a message bus; games have dialogs and animations."""
    need("openbox", "dbus-run-session", kind)
    desktop.manage()
    desktop.start("dbus-run-session", "--", *command.split())
    won_within(desktop.player(kind), mines, 8)


@pytest.mark.parametrize("size", [(300, 362), (500, 560)], ids=["small", "large"])
def test_other_scales_can_be_read(desktop: Desktop, need: Need, size: tuple[int, int]) -> None:
    """Sgt-mines scales with its window, so its cells can be larger or smaller than the theme's."""
    need("sgt-mines")
    desktop.start("sgt-mines", "9x9n10#1")
    window = desktop.window("sgt-mines")
    desktop.screen.resize(window, *size)
    player = desktop.player("sgt-mines", 10)
    assert checked(player).result == "won"


def test_games_are_logged(desktop: Desktop, need: Need, tmp_path: Path) -> None:
    """The log records every position, choice and result."""
    import json

    need("xdemineur")
    desktop.start("xdemineur", "-geometry", "12x12", "-m", "10")
    outcome = desktop.player("xdemineur", log=tmp_path).play()
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines[:1] + lines[-1:]] == ["begin", "end"]
    assert (lines[0]["mines"], lines[0]["mines_from"]) == (10, "read")
    assert lines[-1]["result"] == outcome.result
    assert lines[-1]["rows"] == outcome.position.rows
    assert all(len(line["rows"]) == 12 for line in lines[1:-1])
