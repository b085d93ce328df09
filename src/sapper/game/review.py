"""Review a game: which clicks were guesses, and why the last one was a mine.

Reviews use only the player's view before each click, so they work for every rule set.
"""

from __future__ import annotations

from sapper._util.cancel_flag import cancel_flag
from sapper.board import Board
from sapper.errors import IllegalAction, LimitReached
from sapper.game.guesses import STATES, Guess, Guesses, guess_at
from sapper.game.moments import Walk
from sapper.game.post_mortem import PostMortem, sentence
from sapper.game.trail import Trail
from sapper.generation import substream
from sapper.solver import Analysis, Limit, Solver, sample
from sapper.topology import Cell

__all__ = ["Reviewer"]


class Reviewer:
    """Finds the guesses in a round that may still grow, and explains its loss.

    Analyses are kept, so a review after every click costs one analysis. `sapper.coach` reviews the
    same moments with win chances and proofs.
    """

    def __init__(self) -> None:
        # Created on demand, so that a game without a review can be copied.
        self._solver: Solver | None = None
        self._reset()

    def _reset(self) -> None:
        self._walk = Walk()
        self._guesses: list[Guess] = []
        self._last: Analysis | None = None

    def guesses(self, trail: Trail) -> Guesses:
        """Return the guesses of a round.

        Args:
            trail: The round's trail; it continues the trail of the last review.

        Raises:
            Cancelled: If the thread's cancel flag is set; the next review starts over.
        """
        self._solver = self._solver or Solver()
        try:
            for moment in self._walk.moments(trail):
                if not moment.promised:
                    self._last = self._solver.analyze(moment.position, limit=_limit())
                    guess = guess_at(moment, self._last, trail)
                    self._guesses += [] if guess is None else [guess]
        except BaseException:
            self._reset()
            raise
        return Guesses(tuple(self._guesses))

    def post_mortem(self, trail: Trail, *, last_only: bool = False) -> PostMortem:
        """Explain why a round was lost.

        Args:
            trail: The round's trail.
            last_only: Whether to analyse only the last position, without counting guesses: on a
                board of a million cells, each analysis may take half a second.

        Raises:
            IllegalAction: If the round was not lost.
            Cancelled: If the thread's cancel flag is set.
        """
        if trail.board is None:
            raise IllegalAction("there is no loss to explain: the game is not lost")
        turn = trail.turns[-1]
        if last_only:
            self._walk.skip(trail, len(trail.turns) - 1)
        guess, analysis = self.guesses(trail).each[-1], self._last
        assert turn.exploded
        assert analysis is not None
        cell = guess.cell
        why = trail.why(analysis, turn.cell)
        return PostMortem(
            cell=cell,
            chord=None if turn.chord is None else analysis.position.topology.cell(turn.chord),
            p_mine=guess.p_mine,
            least=guess.least,
            safe=analysis.safe,
            board=trail.board,
            clear_board=None if cell in analysis.mined else self._with_clear(trail, analysis, cell),
            exact=analysis.exact,
            sentence=sentence(analysis, cell, guess.least, why),
            forbidden=guess.forbidden,
        )

    def _with_clear(self, trail: Trail, analysis: Analysis, cell: Cell) -> Board | None:
        seed = substream(trail.settings.seed, "review", self._walk.turns)
        try:
            return sample(analysis.position, n=1, seed=seed, safe=[cell], limit=_limit())[0]
        except LimitReached:
            return None


def _limit() -> Limit:
    return Limit(states=STATES, cancel=cancel_flag())
