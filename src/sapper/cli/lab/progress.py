"""Progress bars for runs, on standard error if it is a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sapper.cli.lab.words import percent
from sapper.cli.terminal import progress_bars

if TYPE_CHECKING:
    from sapper.lab.record import Recorder
    from sapper.lab.scheduler import Watch

__all__ = ["run_bars"]


@contextmanager
def run_bars() -> Iterator[Watch | None]:
    """Yield a callback that draws a bar per run, with the speed, win rate and interval so far."""
    with progress_bars() as bars:

        def watch(recorders: Sequence[Recorder]) -> None:
            for number, recorder in enumerate(recorders):
                tally, games = recorder.tally, recorder.spec.games
                text = (
                    f"{tally.games:,}/{games:,}  {percent(tally.wins, tally.games)}  "
                    f"{recorder.rate:,.0f} games/s"
                )
                assert bars is not None
                bars.update(recorder.spec.match.name, tally.games, games, text, number)

        yield None if bars is None else watch
