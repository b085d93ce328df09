"""Building blocks for experiments: games, published figures, and result tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any

from sapper.lab.record import Recorder
from sapper.lab.scheduler import Scheduler, Watch, workers_for
from sapper.lab.spec import Spec
from sapper.lab.tally import Tally
from sapper.simulation.match import Match

__all__ = ["ResultTable", "Workload", "published"]


@dataclass(frozen=True)
class ResultTable:
    """One table of an experiment.

    Attributes:
        title: Description of the measurement.
        columns: Heading of each column.
        rows: The cells, as text.
        notes: Remarks.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the table as JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Workload:
    """The number of games of an experiment and the workers that play them."""

    n: int
    workers: int | None
    dask: str | None
    watch: Watch | None

    def recorders(self, matches: Sequence[Match]) -> list[Recorder]:
        """Play matches together, from seed 1."""
        specs = [Spec(match, 1, self.n) for match in matches]
        recorders = [Recorder(spec, None) for spec in specs]
        with Scheduler(
            recorders, workers_for(specs, self.workers, self.dask), self.watch
        ) as scheduler:
            scheduler.play()
        return recorders

    def tallies(self, matches: Sequence[Match]) -> list[Tally]:
        """Return the tallies of matches."""
        return [recorder.tally for recorder in self.recorders(matches)]


@cache
def published() -> dict[str, Any]:
    """Return figures that were published or measured with the original programs."""
    text = resources.files("sapper.lab").joinpath("published.json").read_text("utf-8")
    figures: dict[str, Any] = json.loads(text)
    return figures
