"""`compare`: play bots on the same boards, and test whether one is better."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sapper.errors import BadSetting
from sapper.lab.margin_test import MarginTest, Outcomes
from sapper.lab.play import BOT_SECONDS
from sapper.lab.record import Recorder
from sapper.lab.scheduler import Scheduler, Watch, open_store, workers_for
from sapper.lab.spec import Spec
from sapper.lab.sprt import Sprt, SprtVerdict
from sapper.stats import Pairs, wilson

__all__ = ["Comparison", "compare", "pairs_of"]


@dataclass(frozen=True)
class Comparison:
    """Results of several bots on the same boards.

    Attributes:
        specs: One run per bot; the first bot is the baseline.
        wins: Number of boards won by each bot.
        boards: Number of boards played.
        pairs: For each bot but the first, its results paired with the first bot's.
        test: The sequential test; None if all boards were played without one.
        verdicts: For each bot but the first, the first conclusive verdict of the test; OPEN if
            there was none, None without a test.
        outcomes: For each bot but the first, the outcome of each board in order, as a `MarginTest`
            reads them.
    """

    specs: Sequence[Spec]
    wins: Sequence[int]
    boards: int
    pairs: Sequence[Pairs]
    test: Sprt | MarginTest | None
    verdicts: Sequence[SprtVerdict | None]
    outcomes: Sequence[Outcomes]

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """The interval of each other bot's difference in win rate from the first bot.

        With a `MarginTest`, the intervals are valid whenever the games stop; otherwise only for a
        number of boards fixed in advance.
        """
        if isinstance(self.test, MarginTest):
            return [self.test.interval(outcomes) for outcomes in self.outcomes]
        return [pairs.interval for pairs in self.pairs]

    @property
    def names(self) -> list[str]:
        """Names of the bots, with their options."""
        return [
            ",".join([spec.match.name, *(f"{k}={v}" for k, v in spec.match.bot_options.items())])
            for spec in self.specs
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        names, test = self.names, self.test
        return {
            **{k: v for k, v in self.specs[0].head().items() if k not in ("bot", "options")},
            "games": self.boards,
            "games_wanted": self.specs[0].games,
            "bots": [
                {
                    "bot": name,
                    "wins": wins,
                    "win_rate": wins / self.boards if self.boards else None,
                    "interval": list(wilson(wins, self.boards)),
                }
                for name, wins in zip(names, self.wins, strict=True)
            ],
            "pairs": [
                {
                    "first": names[0],
                    "second": name,
                    "both_won": pairs.both,
                    "only_first_won": pairs.first,
                    "only_second_won": pairs.second,
                    "neither_won": pairs.neither,
                    "difference": pairs.difference if pairs.games else None,
                    "interval": list(interval),
                    "p_value": pairs.p_value,
                    "verdict": verdict,
                }
                for name, pairs, interval, verdict in zip(
                    names[1:], self.pairs, self.intervals, self.verdicts, strict=True
                )
            ],
            "test": None if test is None else asdict(test),
        }


def compare(
    specs: Sequence[Spec],
    test: Sprt | MarginTest | None = None,
    batch: int = 500,
    *,
    workers: int | None = 1,
    dask: str | None = None,
    out: Path | str | None = None,
    resume: bool = False,
    bot_seconds: float = BOT_SECONDS,
    watch: Watch | None = None,
) -> Comparison:
    """Compare bots on the same boards.

    The test is evaluated after every batch, and play stops when it has a verdict on every bot. The
    stopping point depends only on the games, not on the number of workers.

    Args:
        specs: Runs that differ only in their bots.
        test: The sequential test that may end the comparison early, on discordant boards (`Sprt`)
            or on the difference in win rate (`MarginTest`); None plays all boards.
        batch: Number of boards between evaluations of the test.
        workers: As in `run`.
        dask: As in `run`.
        out: Directory where the runs are saved, with a subdirectory for each bot.
        resume: As in `run`.
        bot_seconds: As in `run`.
        watch: As in `run`.

    Raises:
        BadSetting: If there are fewer than two bots, or they would not play the same boards.
        BotFailed: If a bot raises an exception or its choice is invalid.
        BadRun: If a directory cannot be used.
        LostWorkers: If the workers cannot be reached, or die repeatedly.
    """
    _check(specs, batch)
    with ExitStack() as stack:
        recorders = []
        for number, spec in enumerate(specs, 1):
            store = None
            if out is not None:
                place = Path(out) / f"{number}-{_plain(spec.match.name)}"
                command = " ".join(sys.argv)
                store = stack.enter_context(open_store(place, spec, command, resume=resume))
            recorders.append(Recorder(spec, store, keep=False))
        backend = workers_for(specs, workers, dask, bot_seconds)
        with Scheduler(recorders, backend, watch) as scheduler:
            games = specs[0].games
            checkpoints = [*range(batch, games, batch), games] if test else [games]
            verdicts: list[SprtVerdict | None] = [SprtVerdict.OPEN if test else None] * (
                len(specs) - 1
            )
            for upto in checkpoints:
                scheduler.play(upto)
                pairs, outcomes = _pairs(recorders, upto), _outcomes(recorders, upto)
                # Keep verdicts that are final, even though more boards are played for the other
                # bots.
                verdicts = [
                    _verdict(test, counts, boards)
                    if test and verdict is SprtVerdict.OPEN
                    else verdict
                    for counts, boards, verdict in zip(pairs, outcomes, verdicts, strict=True)
                ]
                if SprtVerdict.OPEN not in verdicts:
                    break
        wins = [int((recorder.won[:upto] == 1).sum()) for recorder in recorders]
        return Comparison(specs, wins, upto, pairs, test, verdicts, outcomes)


def _verdict(test: Sprt | MarginTest, pairs: Pairs, outcomes: Outcomes) -> SprtVerdict:
    return test.verdict(pairs) if isinstance(test, Sprt) else test.verdict(outcomes)


def _check(specs: Sequence[Spec], batch: int) -> None:
    if len(specs) < 2:
        raise BadSetting("a comparison needs two or more bots")
    if batch < 1:
        raise BadSetting(f"batch must be 1 or more, got {batch}")
    heads = [{**spec.head(), "bot": "", "options": {}, "games": spec.games} for spec in specs]
    if any(head != heads[0] for head in heads):
        raise BadSetting("bots can only be compared on the same boards")


def _pairs(recorders: Sequence[Recorder], upto: int) -> list[Pairs]:
    """Return each bot's results paired with the first bot's, on the first `upto` boards."""
    won = [recorder.won[:upto] == 1 for recorder in recorders]
    return [pairs_of(won[0], other) for other in won[1:]]


def pairs_of(first: Any, second: Any) -> Pairs:
    """Count pairs of games, given boolean arrays of the boards that each bot won."""
    return Pairs(
        both=int((first & second).sum()),
        first=int((first & ~second).sum()),
        second=int((~first & second).sum()),
        neither=int((~first & ~second).sum()),
    )


def _outcomes(recorders: Sequence[Recorder], upto: int) -> list[Outcomes]:
    """Return the outcomes of each other bot against the first, on the first `upto` boards."""
    won = [(recorder.won[:upto] == 1).astype(np.int8) for recorder in recorders]
    return [other - won[0] for other in won[1:]]


def _plain(name: str) -> str:
    """Return a bot's name in a form suitable for a directory name."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name)
