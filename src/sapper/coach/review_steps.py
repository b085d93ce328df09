"""Review a game: find the risk, the best cell and the verdict of every decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from sapper._util.arguments import check_callable, whole
from sapper._util.shortening import shown
from sapper._util.work import Work
from sapper.coach.decisions import Decision, Kind, Value, verdict
from sapper.coach.pattern_name import missed_pattern
from sapper.coach.review_result import Review
from sapper.coach.values import Values
from sapper.dealer.registry import DEALERS
from sapper.errors import WrongType
from sapper.game import Game, Status
from sapper.game.guesses import STATES, guess_at
from sapper.game.moments import Moment, moments
from sapper.game.trail import Trail
from sapper.position import Position
from sapper.solver import Analysis, Limit, Solver, proof_steps
from sapper.solver.deduction import easiest
from sapper.solver.limit import Cancel

__all__ = ["Progress", "Reviewing", "review"]

_KEPT: Final = 200
"""Analyses of guesses kept until their win chances are computed; others are repeated."""
_PROOF_S: Final = 10.0
"""The budget for finding one proof.

Common ones take less than a millisecond; the limit is far higher, so that a busy machine gives the
same review.
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a review.

    Attributes:
        done: Steps done.
        total: The total number of steps: two for each decision, its risks and its win chances.
        decision: The latest decision.
    """

    done: int
    total: int
    decision: Decision


class Reviewing:
    """A review in progress: iterate over its steps, and read `result` at any time.

    The risks and exact verdicts of all decisions come first and take a few milliseconds on common
    boards; the win chances follow.

    >>> game = Game("9x9:10", first_click="opening", seed=7)
    >>> _ = game.open((4, 4)), game.open((0, 0))
    >>> work = Reviewing(game)
    >>> [step.done for step in work], work.result.decisions[0].kind.value
    ([1, 2, 3, 4], 'proved')

    Args:
        game: The game, or its trail, which can be reviewed while the game continues.
        status: The status of the game, if a trail is given.
        cancel: Stops the review from another thread, which then raises `Cancelled`.
    """

    def __init__(
        self, game: Game | Trail, status: Status | None = None, cancel: Cancel | None = None
    ) -> None:
        if not isinstance(game, (Game, Trail)):
            raise WrongType(f"expected a Game or a Trail, got {shown(game)}")
        if isinstance(game, Game):
            self._trail, self._status = game.trail(), game.status
        else:
            lost = game.board is not None
            self._trail = game
            self._status = status or (Status.LOST if lost else Status.PLAYING)
        self._limit = Limit(states=STATES, cancel=cancel)
        self._solver = Solver()
        self._decisions: list[Decision] = []
        self._known: dict[int, Analysis] = {}
        """Analyses of guesses, kept from the risks to the win chances."""
        self._end: Value | None = None
        if self._status in (Status.WON, Status.LOST):
            self._end = Value(float(self._status is Status.WON), "exact")

    @property
    def total(self) -> int:
        """The total number of steps."""
        return 2 * sum(not turn.undone for turn in self._trail.turns)

    @property
    def result(self) -> Review:
        """The review so far."""
        rules = self._trail.settings.rules
        return Review(self._status, rules, tuple(self._decisions), self._end, self._trail)

    def __iter__(self) -> Iterator[Progress]:
        """Do the work step by step."""
        total, done = self.total, 0
        self._decisions.clear()
        self._known.clear()
        for index, moment in enumerate(moments(self._trail)):
            # Check the flag here: an analysis would check it, but a decision may not need one.
            Work(cancel=self._limit.cancel).is_late()
            self._decisions.append(self._risks(index, moment))
            done += 1
            yield Progress(done, total, self._decisions[-1])
        last = max((d.index for d in self._decisions if not d.undone), default=-1)
        values = Values(self._limit, self._solver)
        guessed = False
        # Replay the game again, because keeping every position of a long game would take more
        # memory.
        for index, moment in enumerate(moments(self._trail)):
            after = self._after(values, self._decisions[index], moment, last=index == last)
            decision = replace(self._decisions[index], after=after)
            decision = self._chances(values, decision, moment.position, guessed=guessed)
            guessed = decision.is_guess
            self._decisions[index] = decision
            done += 1
            if index == last and self._end is None:
                self._end = decision.after
            yield Progress(done, total, decision)

    def decision(self, index: int) -> tuple[Decision, Position]:
        """Return a single decision, as in the review, and the player's view before it.

        `Decision.after` is not set.

        Raises:
            BadSetting: If there is no such decision.
        """
        index = whole(index, "a decision", most=self.total // 2 - 1)
        moment = next(islice(moments(self._trail), index, None))
        values = Values(self._limit, self._solver)
        decision = self._risks(index, moment)
        return self._chances(values, decision, moment.position, guessed=True), moment.position

    def _risks(self, index: int, moment: Moment) -> Decision:
        """The exact part of a verdict: proofs and risks."""
        turn, shape = moment.turn, moment.position.topology
        cell = shape.cell(turn.cell)
        chord = None if turn.chord is None else shape.cell(turn.chord)
        decision = Decision(
            index=index,
            cell=cell,
            kind=Kind.PROVED,
            chord=chord,
            p_mine=0.0,
            least=0.0,
            exact=True,
            exploded=turn.exploded,
            undone=moment.undone,
            promised=moment.promised,
        )
        if moment.promised:
            return decision
        known = self._solver.analyze(moment.position, limit=self._limit)
        guess = guess_at(moment, known, self._trail)
        if guess is None:
            return replace(decision, exact=known.exact)
        settings = self._trail.settings
        decision = replace(
            decision,
            p_mine=guess.p_mine,
            least=guess.least,
            exact=known.exact,
            safe=tuple(sorted(known.safe)),
            granted=turn.cell in DEALERS[settings.rules].granted(known, settings),
            forbidden=guess.forbidden,
        )
        differ = float(np.nanmax(known.p_mine)) - decision.least > 1e-6
        judged = replace(decision, kind=verdict(decision, mined=cell in known.mined, choice=differ))
        if judged.is_guess and len(self._known) < _KEPT:
            self._known[index] = known
        return judged

    def _chances(
        self, values: Values, decision: Decision, position: Position, *, guessed: bool
    ) -> Decision:
        """The win chances of a decision, and its final verdict."""
        if decision.promised:
            # There was no choice, so use the chance after the click, which is the first known one.
            return replace(decision, before=decision.after, chosen=decision.after)
        if not decision.is_guess:
            # Opening any cell proved safe costs nothing.
            before = values.of(position, sample=guessed or decision.index == 0)
            return replace(decision, before=before, chosen=before)
        known = self._known.pop(decision.index, None)
        if known is None:
            known = self._solver.analyze(position, limit=self._limit)
        decision = self._compared(values, decision, known)
        if decision.safe:
            late = Work(_PROOF_S, self._limit.cancel)
            proof = easiest(position, sorted(known.safe_indices), late)
            steps = () if proof is None else proof_steps(position, proof)
            # All cells proved safe are equally good, so name the one that is easiest to find.
            best = decision.safe[0] if proof is None else proof.cell
            pattern = missed_pattern(position, decision.safe, best)
            return replace(
                decision, proof=proof, steps=steps, pattern=pattern, best=best, best_p_mine=0.0
            )
        return decision

    def _compared(self, values: Values, decision: Decision, analysis: Analysis) -> Decision:
        """The decision with the best cell, the win chances and the resulting verdict."""
        found = values.choice(analysis, decision.cell)
        if found is None:
            least = int(np.nanargmin(analysis.p_mine))
            cell = analysis.position.topology.cell(min(analysis.safe_indices, default=least))
            return replace(decision, best=cell, best_p_mine=float(analysis.p_mine[cell]))
        judged = replace(
            decision,
            best=found.best.cell,
            best_p_mine=found.best.p_mine,
            before=found.before,
            chosen=found.chosen,
        )
        mined = decision.cell in analysis.mined
        return replace(judged, kind=verdict(judged, mined=mined, choice=found.differ))

    def _after(
        self, values: Values, decision: Decision, moment: Moment, *, last: bool
    ) -> Value | None:
        if decision.exploded:
            return Value(0.0, "exact")
        if last and self._status is Status.WON:
            return Value(1.0, "exact")
        sample = decision.is_guess or decision.promised or last
        return values.of(moment.after, sample=sample)


def review(
    game: Game | Trail,
    *,
    progress: Callable[[Progress], object] | None = None,
    cancel: Cancel | None = None,
) -> Review:
    """Review a game, finished or not: verdicts, win chances and proofs of all decisions.

    For the guesses and their risks alone, use `Game.guesses`, which is fast enough for use during
    play.

    Args:
        game: The game, or its trail.
        progress: Called after each step, for a progress bar.
        cancel: Stops the review from another thread, which then raises `Cancelled`.

    Raises:
        Cancelled: If the flag is set.
        WrongType: If an argument is of the wrong type.
    """
    if progress is not None:
        check_callable(progress, "progress")
    work = Reviewing(game, cancel=cancel)
    for step in work:
        if progress is not None:
            progress(step)
    return work.result
