"""Analyze a replay: its metrics, guesses, risks and use of time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf, log10
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sapper import coach
from sapper.coach import Kind, Review
from sapper.game import Status
from sapper.position import EXPLODED, FLAGGED, Position
from sapper.replay.breakdown import break_down
from sapper.replay.choices import ReplayChoice
from sapper.replay.events import EventKind
from sapper.replay.play_metrics import PlayMetrics, measure_play
from sapper.replay.playback import Playback, ReplayStep
from sapper.replay.recording import Replay
from sapper.solver import Limit, analyze
from sapper.solver.analysis import share
from sapper.solver.limit import Cancel

__all__ = ["PHASES", "ReplayAnalysis", "ReplayChoice", "analyze_replay", "dwell_ms"]

PHASES: Final = 4
"""Number of phases of a game, divided by the share of solved 3BV."""

_SECONDS: Final = 0.5


@dataclass(frozen=True)
class ReplayAnalysis:
    """The result of an analysis.

    Attributes:
        played: The played replay.
        review: The review of the replay's decisions, with win chances only if requested.
    """

    played: Playback
    review: Review

    @cached_property
    def metrics(self) -> PlayMetrics:
        """Metrics of the play."""
        return measure_play(self.played)

    @cached_property
    def choices(self) -> tuple[ReplayChoice, ...]:
        """All clicks that opened cells."""
        return tuple(self._choices())

    def _choices(self) -> Iterator[ReplayChoice]:
        bbbv = max(1, self.metrics.board.bbbv)
        decisions = iter(self.review.decisions)
        before_ms, solved = self.played.started_ms, 0
        for step in self.played.opening_steps:
            mine = tuple(next(decisions) for _ in step.turns)
            phase = min(PHASES - 1, PHASES * solved // bbbv)
            yield ReplayChoice(step, mine, max(0, step.ms - before_ms), phase)
            before_ms, solved = step.ms, step.solved

    @property
    def guesses(self) -> tuple[ReplayChoice, ...]:
        """The clicks that were not proved safe."""
        return tuple(choice for choice in self.choices if choice.kind is not Kind.PROVED)

    @property
    def risk(self) -> float:
        """Probability of losing with the risks taken: 1 minus the product of the safeties."""
        safe = 1.0
        for choice in self.choices:
            safe *= 1.0 - choice.risk
        return 1.0 - safe

    @cached_property
    def pluck(self) -> float:
        """Pluck: the negative log of the probability that all clicks were safe; infinite if lost.

        The first click does not count. A chord counts with the probability that all its cells are
        safe.
        """
        if self.played.status is Status.LOST:
            return inf
        total = 0.0
        for number, choice in enumerate(self.choices):
            if not number or not choice.risk:
                continue
            safe = 1.0 - choice.decisions[0].p_mine
            if choice.decisions[0].chord is not None:
                place = self.played.steps.index(choice.step)
                safe = _chord_safety(self.played.position_after(place), choice.step)
            total -= log10(safe) if safe > 0 else -inf
        return total

    def by_phase(self) -> dict[str, list[float]]:
        """Seconds, risk taken (expected losses) and guesses in each quarter of the game."""
        sums = {name: [0.0] * PHASES for name in ("seconds", "risk", "guesses")}
        for choice in self.choices:
            sums["seconds"][choice.phase] += choice.thought_ms / 1000
            sums["risk"][choice.phase] += choice.risk
            sums["guesses"][choice.phase] += choice.kind is not Kind.PROVED
        return sums

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            **self.metrics.to_json(),
            "risk": self.risk,
            "pluck": None if self.pluck == inf else self.pluck,
            "by_phase": self.by_phase(),
            "by": break_down(self.choices, self.played.replay.board.topology),
            "guesses": [_guess_json(choice, self.played.started_ms) for choice in self.guesses],
        }


def _guess_json(choice: ReplayChoice, started_ms: int) -> dict[str, Any]:
    return {
        "at_s": (choice.step.ms - started_ms) / 1000,
        "thought_s": choice.thought_ms / 1000,
        "cell": list(choice.step.cell),
        "action": str(choice.step.action),
        "kind": str(choice.kind),
        "risk": choice.risk,
        "least": min(decision.least for decision in choice.decisions),
        "exploded": any(decision.exploded for decision in choice.decisions),
    }


def _chord_safety(position: Position, step: ReplayStep) -> float:
    """Return the probability that a chord is safe: that all flags around its number are correct."""
    shape = position.topology
    cells = bytearray(position.cells)
    for near in shape.neighbours(step.cell):
        index = shape.index(near)
        if cells[index] == ord(FLAGGED):
            cells[index] = ord(EXPLODED)
    limit = Limit(seconds=_SECONDS)
    right = analyze(position.showing(bytes(cells)), limit=limit)
    chance = share(right, analyze(position, limit=limit))
    return 1.0 if chance is None else chance


def analyze_replay(
    replay: Replay | Playback, *, win_chances: bool = False, cancel: Cancel | None = None
) -> ReplayAnalysis:
    """Analyse a replay: metrics, guesses and their exact risk.

    Args:
        replay: The replay.
        win_chances: Whether to also estimate the win chance at each decision, which takes seconds.
        cancel: Stops the analysis from another thread; it then raises `Cancelled`.
    """
    played = replay if isinstance(replay, Playback) else Playback(replay)
    work = coach.Reviewing(played.trail, played.status, cancel)
    for progress in work:
        # Progress reaches one half once all risks are known.
        if not win_chances and 2 * progress.done >= progress.total:
            break
    return ReplayAnalysis(played, work.result)


def dwell_ms(played: Playback) -> npt.NDArray[np.int64]:
    """Return how long the pointer was over each cell during the game, by row and column.

    Without a pointer path, the time before a click counts towards its cell.
    """
    replay = played.replay
    shape, events = replay.board.topology, replay.events
    times = np.zeros(shape.size, dtype=np.int64)
    start, end = played.started_ms, played.ended_ms
    during = np.clip(events.ms, start, end)
    cells = played.cells_at
    if replay.events.is_kind(EventKind.MOVE).any():
        spans, cells = np.diff(during, append=end), cells
    else:
        spans = np.diff(during, prepend=start)
    on = (cells >= 0) & (spans > 0)
    np.add.at(times, cells[on], spans[on])
    return times.reshape(shape.height, shape.width)
