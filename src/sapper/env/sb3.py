"""`SapperVecEnv`: the native vector environment as a `VecEnv` of Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper._util.shortening import shown
from sapper.env.vec_games import Step, VecGames
from sapper.errors import BadSetting, MissingExtra

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError:
    raise MissingExtra(
        "Stable-Baselines3 is not installed: pip install stable-baselines3 sb3-contrib"
    ) from None

__all__ = ["SapperVecEnv"]

Indices = int | Iterable[int] | None


class SapperVecEnv(VecEnv):  # type: ignore[misc]  # it is no dependency, so its types are unknown
    """Games for training with Stable-Baselines3, stepped together by the native core.

    ``MaskablePPO`` in sb3-contrib uses its ``action_masks``.

    Args:
        id: One of `sapper.env.IDS`.
        num_envs: Number of games.
        wrappers: Wrappers of vector environments, as in `sapper.env.make_vec`.
        settings: Settings of `sapper.env.MinesweeperVectorEnv`, such as ``flags=False``.

    Raises:
        BadSetting: If the settings are invalid.
    """

    def __init__(
        self,
        id: str,
        num_envs: int = 1,
        *,
        wrappers: Iterable[Callable[[Any], Any]] = (),
        **settings: Any,
    ) -> None:
        self._games = VecGames(id, num_envs, wrappers, **settings)
        self._actions: npt.ArrayLike = ()
        envs = self._games.envs
        super().__init__(num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> npt.NDArray[Any]:
        """Start new games with the seeds given to `seed` since the last reset."""
        observations, self.reset_infos = self._games.reset(self._seeds, self._options)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> Step:
        """Step every game; finished games restart, and their infos describe the end."""
        return self._games.step(self._actions)

    def close(self) -> None:
        """Close the games."""
        self._games.envs.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return a list with an attribute for each game."""
        return self._games.attribute(attr_name, indices)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Raise an error, because the settings of native games are fixed."""
        raise BadSetting(f"{shown(attr_name)} cannot be set: give settings when the games are made")

    def env_method(
        self, method_name: str, *args: Any, indices: Indices = None, **named: Any
    ) -> list[Any]:
        """Return the result of ``action_masks`` or ``render`` for each game."""
        return self._games.call(method_name, *args, indices=indices, **named)

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Return whether each game has a wrapper of this class."""
        wrapped = self._games.is_wrapped(wrapper_class)
        return [wrapped for _ in self._games.attribute("num_envs", indices)]

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """Return a picture of each game, or None without ``render_mode="rgb_array"``."""
        return self._games.call("render")
