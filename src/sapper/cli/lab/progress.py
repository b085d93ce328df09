"""Progress bars for runs, on standard error if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sapper.cli.lab.words import percent

if TYPE_CHECKING:
    from sapper.lab.record import Recorder
    from sapper.lab.scheduler import Watch

__all__ = ["progress_bars"]


@contextmanager
def progress_bars() -> Iterator[Watch | None]:
    """Yield a callback that draws a bar per run, with the speed, win rate and interval so far."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}  {task.fields[figures]}"),
        TimeRemainingColumn(),
    ]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[int, TaskID] = {}

        def watch(recorders: Sequence[Recorder]) -> None:
            for number, recorder in enumerate(recorders):
                tally = recorder.tally
                if number not in tasks:
                    tasks[number] = bar.add_task(recorder.spec.match.name, figures="")
                figures = f"{percent(tally.wins, tally.games)}  {recorder.rate:,.0f} games/s"
                bar.update(
                    tasks[number], completed=tally.games, total=recorder.spec.games, figures=figures
                )

        yield watch
