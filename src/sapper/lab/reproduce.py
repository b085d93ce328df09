"""`reproduce`: repeat published experiments and compare the results."""

from __future__ import annotations

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.lab.experiments import EXPERIMENTS
from sapper.lab.results import ResultTable, Workload, published
from sapper.lab.scheduler import Watch

__all__ = ["EXPERIMENTS", "reproduce"]


def reproduce(
    name: str,
    n: int,
    workers: int | None = 1,
    dask: str | None = None,
    watch: Watch | None = None,
) -> list[ResultTable]:
    """Run an experiment and return its results next to the published figures.

    Args:
        name: One of `EXPERIMENTS`.
        n: Number of games or positions for each row.
        workers: As in `run`.
        dask: As in `run`.
        watch: As in `run`.

    Raises:
        BadSetting: If the experiment is unknown.
    """
    if name not in EXPERIMENTS:
        names = ", ".join(EXPERIMENTS)
        raise BadSetting(f"unknown experiment {shown(name)}; choose from: {names}")
    return EXPERIMENTS[name](Workload(n, workers, dask, watch), published()[name])
