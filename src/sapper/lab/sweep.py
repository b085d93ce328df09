"""`sweep`: how a bot's results change with density or board size."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.lab.play import BOT_SECONDS
from sapper.lab.record import Recorder
from sapper.lab.scheduler import Scheduler, Watch, open_store, workers_for
from sapper.lab.spec import Spec
from sapper.lab.tally import Tally

__all__ = ["SweepPoint", "spread", "sweep", "to_json"]


@dataclass(frozen=True)
class SweepPoint:
    """One level of a sweep.

    Attributes:
        spec: The games of this level.
        tally: The results.
    """

    spec: Spec
    tally: Tally

    @property
    def density(self) -> float:
        """Mean number of mines per cell."""
        level = self.spec.match.settings.level
        if level.density is not None:
            return level.density
        return (level.mines or 0) / level.shape().size

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.spec.match.settings.level.shape().size

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        # With fewer than two games, the interval is nan, which JSON cannot represent.
        guesses, *around = (end if isfinite(end) else None for end in self.tally.per_game())
        return {
            "level": str(self.spec.match.settings.level),
            "density": self.density,
            "cells": self.cells,
            **self.tally.to_json(),
            "guesses_per_game": guesses,
            "guesses_interval": around,
        }


def spread(text: str) -> list[float]:
    """Parse numbers like ``0.05,0.1,0.15`` or ``FIRST:LAST:STEP``, which includes both ends.

    >>> spread("0.05:0.2:0.05")
    [0.05, 0.1, 0.15, 0.2]

    Raises:
        BadSetting: If the text has neither form, or more than 1000 numbers.
    """
    try:
        if ":" not in text:
            numbers = [float(part) for part in text.split(",")]
            if not all(map(isfinite, numbers)):
                raise ValueError
            return numbers
        first, last, step = map(float, text.split(":"))
        # Round the density, so that 0.1 + 0.2 appears as 0.3 in the name of a level.
        count = round((last - first) / step) + 1
        if not (0 < count <= 1000 and step > 0):
            raise ValueError
        return [round(first + i * step, 9) for i in range(count) if first + i * step <= last + 1e-9]
    except (ValueError, ZeroDivisionError, OverflowError):
        raise BadSetting(
            f"numbers must be like 0.05,0.1 or FIRST:LAST:STEP, got {shown(text)}"
        ) from None


def sweep(
    specs: Sequence[Spec],
    *,
    workers: int | None = 1,
    dask: str | None = None,
    out: Path | str | None = None,
    resume: bool = False,
    bot_seconds: float = BOT_SECONDS,
    watch: Watch | None = None,
) -> list[SweepPoint]:
    """Play runs that differ in their level on the same workers; arguments as in `run`."""
    with ExitStack() as stack:
        recorders = []
        for spec in specs:
            store = None
            if out is not None:
                name = str(spec.match.settings.level).replace(":", "-").replace("/", "-")
                command = " ".join(sys.argv)
                store = stack.enter_context(
                    open_store(Path(out) / name, spec, command, resume=resume)
                )
            recorders.append(Recorder(spec, store, keep=False))
        backend = workers_for(specs, workers, dask, bot_seconds)
        with Scheduler(recorders, backend, watch) as scheduler:
            scheduler.play()
        return [SweepPoint(spec, rec.tally) for spec, rec in zip(specs, recorders, strict=True)]


def to_json(points: Sequence[SweepPoint]) -> dict[str, Any]:
    """Return the figures of all points and their common settings as JSON."""
    head = points[0].spec.head() if points else {}
    common = {name: value for name, value in head.items() if name != "level"}
    return {**common, "points": [point.to_json() for point in points]}
