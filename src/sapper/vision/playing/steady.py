"""Read the board of the current game once it is stable and consistent."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

import numpy as np

from sapper.errors import InconsistentPosition
from sapper.position import FLAGGED, UNOPENED, Position
from sapper.solver.bots.base import around
from sapper.solver.exact import Solver
from sapper.topology import topology
from sapper.vision.errors import Contradictory, Unreadable
from sapper.vision.looks import to_cells
from sapper.vision.playing.log import Log
from sapper.vision.playing.mine_total import MineTotal
from sapper.vision.playing.surface import PATIENCE, STILL, Surface, await_still
from sapper.vision.reading import SURE, Reading

__all__ = ["SteadyBoard"]

_SETTLED = PATIENCE / 2
"""Seconds after which covered cells around a zero count as permanently covered."""
_STAYS = 3
"""Longest duration of a message relative to the stated one; busy machines have doubled it."""
_COVERED = (UNOPENED + FLAGGED).encode()


class SteadyBoard:
    """Reads a program's board during a game.

    Args:
        surface: The program.
        total: The mine total of the game.
        log: Log that receives pictures of unreadable cells.
    """

    def __init__(self, surface: Surface, total: MineTotal, log: Log) -> None:
        self.last_position: Position | None = None
        """The last position of this game; opened cells keep their numbers."""
        self._surface, self._total, self._log = surface, total, log
        self._solver = Solver()
        self._half_drawn, self._half_drawn_at, self._opens_less = b"", 0.0, False

    def read(self, seconds: float = STILL) -> Reading:
        """Return the board once it is readable, consistent and unchanged for some seconds.

        Raises:
            Unreadable: If the board does not become readable even after windows over it have been
                closed.
        """
        patience = PATIENCE + _STAYS * self._surface.message
        attempt = 0
        while True:
            try:
                return await_still(self._surface.look, self._plausible, seconds, patience)
            except Unreadable:
                reading = self._surface.look()
                if not (self.is_covered(reading) and self._surface.uncover(attempt)):
                    self.keep_pictures(reading)
                    raise
            attempt += 1

    def is_covered(self, reading: Reading) -> bool:
        """Return whether something may cover the board: even opened cells are unreadable."""
        doubtful = self._doubtful(reading)
        if self.last_position is None:
            return bool(doubtful)
        return any(self._opened_before(index) is not None for index in doubtful)

    def keep_pictures(self, reading: Reading) -> None:
        """Save pictures of the unreadable cells."""
        for cell in reading.unreadable[:4]:
            image = self._surface.picture(cell)
            if image is not None:
                self._log.picture(image, f"unreadable-{cell.row}-{cell.col}")

    def position(self, reading: Reading) -> Position:
        """Return the position from a reading, with covered cells as they were before."""
        doubtful = self._doubtful(reading)
        if doubtful:
            looks, confidence = bytearray(reading.looks), reading.confidence.copy()
            for index in doubtful:
                before = self._opened_before(index)
                if before is not None:
                    looks[index], confidence.flat[index] = before, 1.0
            reading = replace(reading, looks=bytes(looks), confidence=confidence)
        position = replace(reading.position, mines=self._total.value)
        self.last_position = position
        return position

    def _plausible(self, reading: Reading) -> bool:
        """Return whether a reading is complete and consistent."""
        if any(self._opened_before(cell) is None for cell in self._doubtful(reading)):
            return False
        if reading.shows_mines:
            return True
        cells = to_cells(reading.looks)
        shape = topology("rectangle", reading.geometry.columns, reading.geometry.rows)
        unopened = UNOPENED.encode()[0]
        near = around(shape)
        half_drawn = any(
            look == ord("0") and any(cells[n] == unopened for n in near[at])
            for at, look in enumerate(cells)
        )
        if half_drawn and not self._stays(reading.looks):
            return False
        return self._consistent(reading)

    def _stays(self, looks: bytes) -> bool:
        """Return whether a board with unopened cells around a zero has been unchanged for long.

        Some programs do not open all cells around a zero.
        """
        if looks != self._half_drawn:
            self._half_drawn, self._half_drawn_at = looks, monotonic()
        self._opens_less = self._opens_less or monotonic() - self._half_drawn_at > _SETTLED
        return self._opens_less

    def _consistent(self, reading: Reading) -> bool:
        before = self.last_position
        try:
            self._solver.analyze(self.position(reading))
        except (InconsistentPosition, Contradictory):
            self.last_position = before
            return False
        return True

    def _doubtful(self, reading: Reading) -> list[int]:
        return [int(i) for i in np.flatnonzero(reading.confidence.ravel() < SURE)]

    def _opened_before(self, index: int) -> int | None:
        """Return the earlier content of an opened cell, which cannot change while covered."""
        if self.last_position is None or self.last_position.cells[index] in _COVERED:
            return None
        return self.last_position.cells[index]
