"""The vector forms of the wrappers of single environments."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from sapper._util.shortening import shown
from sapper.env.spaces import position_of
from sapper.env.vector import MinesweeperVectorEnv
from sapper.env.wrappers import chance_plane, chance_space, plane_space, plane_values
from sapper.errors import BadSetting
from sapper.solver import Solver

__all__ = ["VectorMineChances", "VectorOneHot"]

_Env = VectorEnv[Any, Any, Any]


class _Observing(VectorWrapper[Any, Any, Any, Any, Any]):
    """Converts observations, including the final ones of games that ended in the step."""

    def __init__(self, env: _Env) -> None:
        super().__init__(env)
        game = env.unwrapped
        if not isinstance(game, MinesweeperVectorEnv):
            raise BadSetting(f"this wraps sapper vector environments only, got {shown(env)}")
        self._level = game.level

    @abstractmethod
    def observations(self, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Convert observations."""

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Start new games."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self.observations(observations), infos

    def step(self, actions: Any) -> tuple[npt.NDArray[Any], Any, Any, Any, dict[str, Any]]:
        """Step every game."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        if "final_obs" in infos:
            last = infos["final_obs"].copy()
            for game in np.flatnonzero(infos["_final_obs"]).tolist():
                last[game] = self.observations(last[game][None])[0]
            infos = {**infos, "final_obs": last}
        return self.observations(observations), rewards, terminated, truncated, infos


class VectorOneHot(_Observing):
    """`OneHot` for every game: observations have the shape ``(games, 12, rows, columns)``."""

    def __init__(self, env: _Env) -> None:
        super().__init__(env)
        self._values = plane_values(self._level)
        self.single_observation_space = plane_space(self._level)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def observations(self, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Convert observations to planes."""
        planes: npt.NDArray[np.int8] = np.equal(observations[:, None], self._values).astype(np.int8)
        return planes


class VectorMineChances(_Observing):
    """`MineChances` for every game, alone or around `VectorOneHot`.

    The games are analysed one after another, which takes most of the time of a step.
    """

    def __init__(self, env: _Env) -> None:
        super().__init__(env)
        self.single_observation_space = chance_space(env.single_observation_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self._solver = Solver()

    def observations(self, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Add the planes of chances to observations."""
        if observations.ndim == 3:
            codes, planes = observations, observations[:, None]
        else:
            codes, planes = observations.argmax(axis=1).astype(np.int8), observations
        positions = (position_of(cells, self._level) for cells in codes)
        chances = np.stack([chance_plane(position, self._solver) for position in positions])
        return np.concatenate([planes.astype(np.float32), chances[:, None]], axis=1)
