"""Games played by the native core, and their settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, SupportsIndex

from sapper._core import GameBatch
from sapper._util.arguments import whole
from sapper.board import Board
from sapper.env.rewards import Rewards
from sapper.env.spaces import EnvStep, observed
from sapper.env.states import InformationState, draws, is_started
from sapper.position import NUMBERS
from sapper.rules import Level, Settings, Win
from sapper.solver import sample

__all__ = ["NativeGame", "make_batch", "plays_natively", "step_limit"]


def plays_natively(settings: Settings) -> bool:
    """Return whether the native core supports these rules: ``classic``, won by opening."""
    return settings.rules == "classic" and settings.win is Win.OPEN


def step_limit(max_steps: int | None, level: Level) -> int:
    """Return the number of steps after which a game is truncated, by default four per cell.

    Raises:
        BadSetting: If `max_steps` is not a whole number from 1 to 2**32 - 1.
    """
    if max_steps is None:
        return 4 * level.width * level.height
    return whole(max_steps, "max_steps", least=1, most=2**32 - 1)


def make_batch(
    settings: Settings,
    games: int,
    flags: bool,
    max_steps: int,
    rewards: Rewards,
    saved: bytes | None = None,
) -> GameBatch:
    """Return native games with these settings, continued from a saved state if one is given."""
    level = settings.level
    batch = GameBatch(
        level.shape().graph,
        games,
        level.mines,
        level.density,
        str(settings.first_click),
        flags,
        max_steps,
        rewards,
    )
    if saved is not None:
        batch.restore(saved)
    return batch


class NativeGame:
    """A native batch with a single game and the methods of `RuleGame`."""

    def __init__(self, settings: Settings, flags: bool, max_steps: int, rewards: Rewards) -> None:
        self._terms = (settings, 1, flags, max_steps, rewards)
        self._use(make_batch(*self._terms))

    def _use(self, batch: GameBatch) -> None:
        self._batch = batch
        # Bind these directly, because a wrapper method would slow down a step of two microseconds.
        self.cells, self.mask = batch.cells, batch.mask
        self.step: Callable[[SupportsIndex], EnvStep] = partial(
            batch.step, 0, self._terms[0].level.height
        )

    def __getstate__(self) -> dict[str, Any]:
        return {"terms": self._terms, "saved": self._batch.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._terms = state["terms"]
        self._use(make_batch(*self._terms, state["saved"]))

    def reset(self, seed: int | None) -> None:
        """Start a new game; a seed restarts the stream of games."""
        self._batch.reset(0, seed)

    def place(self, state: InformationState, seed: int) -> None:
        """Continue from a state, with a board drawn from all that fit it.

        Raises:
            BadSetting: If the game of the state is already won.
            LimitReached: If the position is too wide to count the boards.
        """
        seen = state.position
        if not is_started(seen):
            self._batch.place(0, observed(seen).ravel(), None, state.steps, seed)
            return
        closed = [index for index, char in enumerate(seen.cells) if char not in NUMBERS]
        for drawn in draws(seed):
            mined = sample(seen, n=1, seed=drawn)[0].mined
            if not all(mined[index] for index in closed):
                self._batch.place(0, observed(seen).ravel(), mined, state.steps, seed)
                return

    def steps(self) -> int:
        """Return the number of steps of the game so far."""
        return self._batch.steps(0)

    def board(self) -> Board | None:
        """Return the mines after the end of the game."""
        mined = self._batch.mined(0)
        return None if mined is None else Board(self._terms[0].level.shape(), mined)
