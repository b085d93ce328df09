"""A bot whose board's looks are learned during play, in a program that is simulated."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from sapper import Game, Status, Topology, vision
from sapper.solver.bots import make_bot
from sapper.topology import Cell
from sapper.vision.errors import Contradictory
from sapper.vision.playing import player, surface
from sapper.vision.unthemed import UnthemedPlayer, explorer
from sapper.vision.unthemed.gallery import Looks

CODES = "0123456789.F*"
"""The meaning of every look, which only the program knows."""


class Program:
    """A program that reacts at once; for `pressed` readings, its last cell seems to be a 3."""

    name, flags_win, ways, unopened = "simulated", False, 1, CODES.index(".")

    def __init__(self) -> None:
        self._game = Game("9x9:10", "no-guess", seed=1)
        self._games = 1
        self._names: dict[int, str] = {}
        self.pressed = 0
        self.last_click: tuple[Looks, int] | None = None

    @property
    def shape(self) -> Topology:
        return self._game.position.topology

    @property
    def _over(self) -> bool:
        return self._game.status in (Status.WON, Status.LOST)

    def looks(self) -> Looks:
        shown = self._game.position.cells.decode().replace("?", ".")
        return np.array([CODES.index(look) for look in shown], dtype=np.int64)

    def look(self) -> vision.Reading:
        looks = [self._names.get(look, " ") for look in self.looks().tolist()]
        if self.pressed:
            self.pressed -= 1
            looks[-1] = "3"
        sure = np.array([float(look != " ") for look in looks]).reshape(9, 9)
        text = "".join(looks).replace(" ", ".")
        return vision.Reading(text.encode(), sure, vision.Geometry(0, 0, 9, 9, 9), "none")

    def name_looks(self, names: dict[int, str]) -> None:
        self._names = dict(names)

    def keep_way(self, attempt: int) -> None:
        pass

    def open(self, cell: Cell) -> None:
        self.last_click = self.looks(), self.shape.index(cell)
        if not self._over:
            self._game.open(cell)

    def flag(self, cell: Cell) -> None:
        if not self._over:
            self._game.flag(cell)

    def begin(self, attempt: int) -> bool:
        self.last_click = None
        self._games += 1
        self._game.restart(seed=self._games)
        return True

    def total(self) -> None:
        return None

    def picture(self, cell: Cell) -> None:
        return None


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The simulated program, for which nobody waits."""
    for name, seconds in (("_STILL", 0.0), ("_STRANGE", 0.0), ("_PATIENCE", 0.01)):
        monkeypatch.setattr(explorer, name, seconds)
    monkeypatch.setattr(player, "await_still", partial(surface.await_still, seconds=0.5))
    return Program()


def test_names_that_contradict_the_board_are_learned_again(program: Any) -> None:
    """Zeros that are taken for threes end neither the run nor the learning."""
    playing = UnthemedPlayer(program, make_bot("exact"), 10)
    playing.explorer.learn(30)
    names = playing.explorer.naming.names
    names |= {CODES.index("0"): "3", CODES.index("3"): "0"}
    program.name_looks(names)
    assert playing.play().result == "won"
    assert all(CODES[look] == name for look, name in playing.explorer.naming.names.items())


def test_a_wrong_mine_total_is_what_the_error_names(program: Any) -> None:
    """Learning the names again does not help there."""
    playing = UnthemedPlayer(program, make_bot("exact"), 60)
    with pytest.raises(Contradictory, match="contradict each other, or the mine total"):
        playing.play()


def test_a_cell_that_is_drawn_as_pressed_is_waited_for(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number that cannot be right for a moment does not end the bot's game."""
    playing = UnthemedPlayer(program, make_bot("exact"), 10)
    playing.explorer.learn(30)
    games = playing.explorer.games
    program.begin(0)
    monkeypatch.setattr(player, "await_still", partial(surface.await_still, seconds=60.0))
    program.pressed = 30
    assert playing.play().result == "won"
    assert (program.pressed, playing.explorer.games) == (0, games)
