"""Play games of any rule set in Python, as `sapper._core.GameBatch` does for ``classic``."""

from __future__ import annotations

from dataclasses import replace
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from sapper.board import Board
from sapper.dealer import RULES
from sapper.env.rewards import Rewards
from sapper.env.spaces import Cells, EnvStep, action_of, observed
from sapper.env.states import InformationState, draws, is_started
from sapper.game import Game, Status
from sapper.generation import substream
from sapper.position import NUMBERS
from sapper.rules import FirstClick, Settings

__all__ = ["RuleGame"]

_UNOPENED, _FLAGGED = b".F"


class RuleGame:
    """One game at a time; a new game gets the next seed of its stream.

    Args:
        settings: Settings of the games, apart from the seed.
        flags: Whether to include actions that flag.
        max_steps: Number of steps after which a game is truncated.
        rewards: The rewards for events.
    """

    def __init__(self, settings: Settings, flags: bool, max_steps: int, rewards: Rewards) -> None:
        self._settings = replace(settings, undo=False)
        self._flags, self._max_steps, self._rewards = flags, max_steps, rewards
        self._seed, self._episode, self._steps = settings.seed, 0, 0
        self.game = Game.begin(self._settings)

    def reset(self, seed: int | None) -> None:
        """Start a new game; a seed restarts the stream of seeds."""
        if seed is not None:
            self._seed, self._episode = seed, 0
        drawn = substream(self._seed, "episode", self._episode)
        self.game = Game.begin(replace(self._settings, seed=drawn))
        self._episode, self._steps = self._episode + 1, 0

    def place(self, state: InformationState, seed: int) -> None:
        """Continue from a state; the rules choose among the boards that fit it.

        Raises:
            BadSetting: If the game of the state is already won.
            LimitReached: If the position is too wide to count the boards.
        """
        settings = self._settings
        if is_started(state.position) and FirstClick.ANY in RULES[settings.rules].first_clicks:
            # The first click has been made, so its promise no longer limits the mine total.
            settings = replace(settings, first_click=FirstClick.ANY)
        for drawn in draws(seed):
            game = Game.begin(replace(settings, seed=drawn), state.position)
            if not game.over:
                break
        self.game = game
        self._seed, self._episode, self._steps = seed, 0, state.steps

    def step(self, action: SupportsIndex) -> EnvStep:
        """Perform an action, and return what Gymnasium's ``Env.step`` does.

        Raises:
            BadSetting: If the action does not exist.
        """
        mask = self.mask()
        reward = self._act(action_of(action, mask.size), mask)
        self._steps += 1
        won, over = self.game.status is Status.WON, self.game.over
        truncated = not over and self._steps >= self._max_steps
        mask = np.zeros_like(mask) if truncated else self.mask()
        info = {"action_mask": mask} | ({"won": won} if over or truncated else {})
        return self.cells(), reward, over, truncated, info

    def cells(self) -> Cells:
        """Return the observation."""
        return observed(self.game.position)

    def mask(self) -> Cells:
        """Return 1 for every action that has an effect."""
        cells = self._cells()
        open_mask = cells == _UNOPENED
        parts = [open_mask, open_mask | (cells == _FLAGGED)] if self._flags else [open_mask]
        mask = np.concatenate(parts).astype(np.int8)
        return np.zeros_like(mask) if self.game.over else mask

    def steps(self) -> int:
        """Return the number of steps of the game so far."""
        return self._steps

    def board(self) -> Board | None:
        """Return the mines after the end of the game."""
        return self.game.board if self.game.over else None

    def _act(self, action: int, mask: Cells) -> float:
        rewards, game = self._rewards, self.game
        if not mask[action]:
            return rewards.invalid
        shape = game.level.shape()
        cell = action % shape.size
        if action >= shape.size:
            game.flag(shape.cell(cell))
            return rewards.flag + (rewards.win if game.status is Status.WON else 0.0)
        before, first = self._opened(), game.status is Status.READY
        near = self._cells()[shape.graph.neighbours(cell)]
        floating = not first and not np.any((near >= NUMBERS[0]) & (near <= NUMBERS[-1]))
        game.open(shape.cell(cell))
        if game.status is Status.LOST:
            return rewards.loss
        reward = rewards.open + rewards.cell * (self._opened() - before)
        reward += rewards.floating if floating else 0.0
        return reward + (rewards.win if game.status is Status.WON else 0.0)

    def _cells(self) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self.game.position.cells, dtype=np.uint8)

    def _opened(self) -> int:
        cells = self.game.position.cells
        return sum(map(cells.count, NUMBERS))
