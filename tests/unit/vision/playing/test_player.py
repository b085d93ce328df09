"""Playing programs with known looks, using a simulated program."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from sapper import Game, vision
from sapper.solver.bots import make_bot
from sapper.topology import Cell
from sapper.vision import patience
from sapper.vision.playing import Player, player, steady, surface


class Program:
    """A no-guess program that reacts immediately but shows its total only at the second request."""

    name, flags_win, message = "simulated", False, 0.0
    hold = 0.0

    def __init__(self, seed: int) -> None:
        self._game = Game("9x9:10", "no-guess", seed=seed)
        self.asked = 0
        self.started = 0

    def look(self) -> vision.Reading:
        cells = self._game.position.cells
        sure = np.ones((9, 9))
        return vision.Reading(cells, sure, vision.Geometry(0, 0, 9, 9, 9), "none")

    def open(self, cell: Cell) -> None:
        self._game.open(cell)

    def flag(self, cell: Cell) -> None:
        self._game.flag(cell)

    def begin(self, attempt: int) -> bool:
        self.started += 1
        self._game.restart(seed=self.started)
        return True

    def uncover(self, attempt: int) -> bool:
        return False

    def total(self) -> int | None:
        self.asked += 1
        return None if self.asked == 1 else 10

    def picture(self, cell: Cell) -> None:
        return None


class Slow(Program):
    """A program that ignores buttons pressed for less than a tenth of a second."""

    ignored = 0

    def open(self, cell: Cell) -> None:
        if self.hold < 0.1:
            self.ignored += 1
        else:
            super().open(cell)


class Announcing(Program):
    """A program that covers its board with a message for a few seconds at the end of a game.

    Args:
        seconds: How long the message stays.
        clock: The time, which the player's pauses advance.
    """

    message = 4.0

    def __init__(self, seconds: float, clock: list[float]) -> None:
        super().__init__(1)
        self._seconds, self._clock, self._ended = seconds, clock, -inf

    def open(self, cell: Cell) -> None:
        super().open(cell)
        if self._game.over:
            self._ended = self._clock[0]

    def look(self) -> vision.Reading:
        reading = super().look()
        # The result of the last click is visible before the message appears.
        if self._ended < self._clock[0] < self._ended + self._seconds:
            reading.confidence[:] = 0.0
        return reading


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time in seconds, which only pauses advance."""
    now = [0.0]

    def pause(seconds: float) -> None:
        now[0] += max(seconds, 0.01)

    for module in (steady, surface, patience):
        monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setattr(patience, "sleep", pause)
    return now


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (player, steady, surface, patience):
        for pause in ("_NEW", "_SETTLED", "_SHORTEST", "STILL"):
            if hasattr(module, pause):
                monkeypatch.setattr(module, pause, 0.0)


@pytest.mark.slow
def test_late_total_is_read_before_a_guess() -> None:
    """On no-guess boards, only the first click is a guess."""
    without = 0
    for seed in range(10):
        outcome = Player(Program(seed), make_bot("exact")).play()
        assert (outcome.result, outcome.guesses) == ("won", 1)
        without += outcome.total_from is None
    assert 0 < without < 10


def test_ineffective_click_is_retried_slower(clock: list[float]) -> None:
    """The bot keeps the press duration that worked, so only the first click is ignored."""
    program = Slow(1)
    assert Player(program, make_bot("exact"), 10).play().result == "won"
    assert program.ignored == 1


def test_total_is_not_read_at_the_end_of_a_game() -> None:
    """Many programs hide the total at the end, and waiting for it would delay the next game."""
    program = Program(1)
    playing = Player(program, make_bot("exact"), 10)
    for game in range(3):
        assert playing.play().result == "won"
        assert (program.started, program.asked) == (game, game + 1)


def test_message_over_the_board_is_awaited(clock: list[float]) -> None:
    """KMines shows its win message for four seconds, or for nine on a busy machine."""
    playing = Player(Announcing(9.0, clock), make_bot("exact"), 10)
    for _ in range(3):
        assert playing.play().result == "won"


def test_permanent_message_is_an_error(clock: list[float]) -> None:
    """The error names the cells that the message covers."""
    playing = Player(Announcing(1e9, clock), make_bot("exact"), 10)
    with pytest.raises(vision.Unreadable, match=r"cells \(0, 0\), .* match no look"):
        playing.play()
    assert clock[0] < 60
