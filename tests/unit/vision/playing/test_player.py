"""The player of programs whose looks are known, in a program that is simulated."""

from __future__ import annotations

import numpy as np
import pytest

from sapper import Game, vision
from sapper.solver.bots import make_bot
from sapper.topology import Cell
from sapper.vision.playing import Player, player, steady, surface


class Program:
    """A no-guess program that reacts at once, and shows its total only when asked again."""

    name, flags_win = "simulated", False

    def __init__(self, seed: int) -> None:
        self._game = Game("9x9:10", "no-guess", seed=seed)
        self._asked = 0

    def look(self) -> vision.Reading:
        cells = self._game.position.cells
        sure = np.ones((9, 9))
        return vision.Reading(cells, sure, vision.Geometry(0, 0, 9, 9, 9), "none")

    def open(self, cell: Cell) -> None:
        self._game.open(cell)

    def flag(self, cell: Cell) -> None:
        self._game.flag(cell)

    def begin(self, attempt: int) -> bool:
        return False

    def uncover(self, attempt: int) -> bool:
        return False

    def total(self) -> int | None:
        self._asked += 1
        return None if self._asked == 1 else 10

    def picture(self, cell: Cell) -> None:
        return None


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (player, steady, surface):
        for pause in ("_NEW", "_POLL", "_SETTLED", "STILL"):
            if hasattr(module, pause):
                monkeypatch.setattr(module, pause, 0.0)


def test_a_total_that_was_not_shown_at_first_is_read_before_a_guess() -> None:
    """On no-guess boards only the first click is then a guess."""
    without = 0
    for seed in range(10):
        outcome = Player(Program(seed), make_bot("exact")).play()
        assert (outcome.result, outcome.guesses) == ("won", 1)
        without += outcome.total_from is None
    assert 0 < without < 10
