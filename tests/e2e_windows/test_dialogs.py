"""Dialogs at the end of a game are closed, whichever program opened them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sapper.solver.bots import make_bot
from sapper.vision.unthemed import UnthemedPlayer, UnthemedSurface, choose_board
from support.desktop import Desktop

GAME = Path(__file__).parents[1] / "support" / "x11_game.py"


@pytest.mark.parametrize(
    ("dialog", "managed"),
    [("own", False), ("other", True)],
    ids=["own", "other"],
)
def test_dialog_over_a_finished_board_is_closed(
    desktop: Desktop, need: Callable[..., None], dialog: str, managed: bool
) -> None:
    """The board under the dialog is read first, so that no cell look gets a wrong name."""
    if managed:
        need("openbox")
        desktop.manage()
    desktop.start(sys.executable, str(GAME), "9x9", "10", dialog)
    desktop.window("x11_game")
    surface = UnthemedSurface(desktop.screen, choose_board(desktop.screen, "x11_game"))
    told: list[str] = []
    player = UnthemedPlayer(surface, make_bot("exact"), 10, tell=told.append)
    results = [player.play().result for _ in range(2)]
    assert set(results) <= {"won", "lost"}
    assert not [line for line in told if "doubted" in line]
