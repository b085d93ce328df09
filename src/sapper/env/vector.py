"""`MinesweeperVectorEnv`: many games stepped together by the native core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sapper import dealer as dealers
from sapper._util.arguments import whole
from sapper._util.names import either
from sapper._util.shortening import shown
from sapper.env.native import make_batch, plays_natively, step_limit
from sapper.env.rendering import RENDER_MODES, check_render_mode, picture
from sapper.env.rewards import Rewards, rewards_of
from sapper.env.spaces import (
    Cells,
    actions,
    actions_of,
    check_options,
    observations,
    position_of,
)
from sapper.errors import BadSetting, IllegalAction
from sapper.generation import check_seed
from sapper.generation.seeds import SEEDS
from sapper.rules import FirstClick, Level

__all__ = ["MinesweeperVectorEnv"]

Bools = npt.NDArray[np.bool_]


class MinesweeperVectorEnv(VectorEnv[Cells, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """A vector of ``classic`` games, equivalent to `MinesweeperEnv` at a fraction of the cost.

    Observations and ``infos["action_mask"]`` have one row per game. After a reset with seed ``s``,
    game ``i`` plays the same games as a `MinesweeperEnv` that was reset with ``s + i``. When games
    end, ``infos["_won"]`` marks them, and ``infos["won"]`` marks the won ones. For other rule sets,
    use ``gymnasium.make_vec(..., vectorization_mode="sync")``.

    Args:
        num_envs: Number of games.
        level: A `Level` or its text.
        rules: ``classic``, the only rule set that the native core plays.
        first_click: The first-click promise; None for the rule set's default.
        rewards: A preset of `sapper.env.REWARDS`, values by name, or `Rewards`.
        flags: Whether to include actions that flag.
        max_steps: Number of steps after which a game is truncated; None for four per cell.
        render_mode: ``ansi`` or ``rgb_array``, for which `render` returns a tuple; or None.
        autoreset_mode: When a finished game restarts, as in `gymnasium.vector`. With ``SameStep``,
            ``infos["final_obs"]`` and ``infos["final_info"]`` describe its end.

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings are invalid.
    """

    def __init__(
        self,
        num_envs: int = 1,
        level: Level | str = "expert",
        rules: str = "classic",
        *,
        first_click: FirstClick | str | None = None,
        rewards: Rewards | Mapping[str, float] | str = "outcome",
        flags: bool = True,
        max_steps: int | None = None,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        check_render_mode(render_mode)
        num_envs = whole(num_envs, "num_envs", least=1)
        settings = dealers.settings(level, rules, first_click=first_click, seed=0)
        if not plays_natively(settings):
            raise BadSetting(
                f"rules {rules} are not stepped natively; "
                "use gymnasium.make_vec(..., vectorization_mode='sync')"
            )
        self.level, self.num_envs, self.render_mode = settings.level, num_envs, render_mode
        self.rewards = rewards_of(rewards, settings.level)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except (ValueError, RecursionError):
            modes = either([mode.value for mode in AutoresetMode])
            raise BadSetting(
                f"autoreset_mode must be {modes}, got {shown(autoreset_mode)}"
            ) from None
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = observations(settings.level)
        self.single_action_space = actions(settings.level, flags)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        most = step_limit(max_steps, settings.level)
        self._terms = (settings, num_envs, flags, most, self.rewards)
        self._batch = make_batch(*self._terms)
        self._shape = (num_envs, settings.level.height, settings.level.width)
        self._actions = (2 if flags else 1) * settings.level.width * settings.level.height
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._begun = False

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_batch": self._batch.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._batch = make_batch(*self._terms, state["_batch"])

    def __copy__(self) -> MinesweeperVectorEnv:
        """Return a copy with separate games, as `copy.deepcopy` does."""
        return deepcopy(self)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Cells, dict[str, Any]]:
        """Start new games: all of them, or those selected by ``options["reset_mask"]``.

        Args:
            seed: Seed of the first game, from which the others count up; or one seed per game.
            options: ``reset_mask`` is a boolean array that selects the games to reset.

        Raises:
            BadSetting: If the number of seeds or mask entries differs from the number of games, a
                seed is not an integer from 0 to 2**64 - 1, or another option is given.
        """
        mask = check_options(options, "reset_mask").get("reset_mask", self._all)
        try:
            selected = np.asarray(mask)
        except ValueError:
            selected = np.asarray(None)
        if selected.shape != self._all.shape or selected.dtype != np.bool_:
            raise BadSetting(f"reset_mask must be {self.num_envs} booleans, got {shown(mask)}")
        seeds = self._seeds(seed)
        for game in np.flatnonzero(selected).tolist():
            self._batch.reset(game, seeds[game])
        self._begun = True
        return self._observed(), self._info(self._batch.mask())

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Cells, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Step every game; see `MinesweeperEnv.step`.

        Raises:
            BadSetting: If the number of actions is wrong, or one is not an integer or out of range.
                No game is stepped in this case.
            IllegalAction: If called before `reset` or, with ``Disabled``, if a game is over.
        """
        if not self._begun:
            raise IllegalAction("call reset() before step(): no game is in progress")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._batch.over().any():
            raise IllegalAction("reset the games that are over before step()")
        chosen = actions_of(actions, self.num_envs, self._actions)
        step = self._batch.step_all(chosen, self.autoreset_mode.value)
        terminated, truncated = step.terminated, step.truncated
        info = self._info(step.mask)
        ended = terminated | truncated
        if ended.any():
            results = {"won": step.won, "_won": ended}
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                info |= self._finals(ended, step.last_cells, results)
            else:
                info |= results
        return step.cells.reshape(self._shape), step.rewards, terminated, truncated, info

    def action_masks(self) -> Bools:
        """Return one row per game, with True for every action that has an effect.

        Raises:
            IllegalAction: Before the first reset.
        """
        if not self._begun:
            raise IllegalAction("call reset() first: no game is in progress")
        return self._batch.mask().reshape(self.num_envs, -1).astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Return each game as text (``ansi``) or as a picture (``rgb_array``)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render mode: pass render_mode to make_vec()")
            return None
        mode = self.render_mode
        return tuple(picture(position_of(cells, self.level), mode) for cells in self._observed())

    def _observed(self) -> Cells:
        return self._batch.cells().reshape(self._shape)

    def _info(self, mask: Cells) -> dict[str, Any]:
        return {"action_mask": mask.reshape(self.num_envs, -1), "_action_mask": self._all.copy()}

    def _finals(self, ended: Bools, finals: Cells, info: dict[str, Any]) -> dict[str, Any]:
        last = np.full(self.num_envs, None, dtype=object)
        for game, cells in zip(
            np.flatnonzero(ended), finals.reshape(-1, *self._shape[1:]), strict=True
        ):
            last[game] = cells
        # A finished game has no valid actions.
        mask = np.zeros((self.num_envs, self._actions), dtype=np.int8)
        return {
            "final_obs": last,
            "_final_obs": ended,
            "final_info": {**info, "action_mask": mask, "_action_mask": ended},
            "_final_info": ended,
        }

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            if self._begun:
                return [None] * self.num_envs
            seed = int(self.np_random.integers(2**62))
        if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
            first = check_seed(seed)
            super().reset(seed=first)
            return [(first + game) % SEEDS for game in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise BadSetting(f"{len(seed)} seeds given for {self.num_envs} games")
        seeds = [None if one is None else check_seed(one) for one in seed]
        if self._begun:
            return seeds
        # Without seeds, games that have not started would all be the same.
        first = int(self.np_random.integers(2**62))
        return [first + game if one is None else one for game, one in enumerate(seeds)]
