"""The logic of a Stable-Baselines3 `VecEnv` over the native games, without that library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import VectorEnv, VectorWrapper

from sapper._util.shortening import shown
from sapper.env.registering import make_vec
from sapper.env.spaces import check_options
from sapper.errors import BadSetting

__all__ = ["VecGames"]

Infos = list[dict[str, Any]]
Step = tuple[npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[np.bool_], Infos]

# Maps attribute names of the vector environment to those of a single game.
_OF_ONE = {
    "action_space": "single_action_space",
    "observation_space": "single_observation_space",
}
# Methods of a vector environment that return one result per game.
_PER_GAME = ("action_masks", "render")


class VecGames:
    """A vector environment in which games restart in the step that ends them.

    Args:
        id: One of `sapper.env.IDS`.
        num_envs: Number of games.
        wrappers: As in `make_vec`.
        settings: Settings of `MinesweeperVectorEnv` except ``autoreset_mode``.
    """

    def __init__(
        self,
        id: str,
        num_envs: int,
        wrappers: Iterable[Callable[[Any], Any]] = (),
        **settings: Any,
    ) -> None:
        if "autoreset_mode" in settings:
            raise BadSetting("autoreset_mode cannot be chosen: Stable-Baselines3 has only one")
        # Typed as Any, because other vector environments do not accept a list of seeds.
        self.envs: Any = make_vec(
            id, num_envs, wrappers=wrappers, autoreset_mode="SameStep", **settings
        )

    def reset(
        self, seeds: Sequence[int | None], options: Iterable[dict[str, Any]] = ()
    ) -> tuple[npt.NDArray[Any], Infos]:
        """Start new games, each with its seed or, for None, with the next seed of its stream.

        Raises:
            BadSetting: If a seed is invalid, or an option is given.
        """
        for given in options:
            check_options(given)
        observations, infos = self.envs.reset(seed=seeds)
        return observations, [{"action_mask": mask} for mask in infos["action_mask"]]

    def step(self, actions: npt.ArrayLike) -> Step:
        """Step every game; return observations, rewards, a mask of ended games, and infos.

        The info of an ended game describes its end with ``terminal_observation`` and ``won``; its
        observation is the first of the next game.
        """
        observations, rewards, terminated, truncated, infos = self.envs.step(actions)
        ended = terminated | truncated
        limited = (truncated & ~terminated).tolist()
        masks = infos["action_mask"]
        details: Infos = [
            {"action_mask": mask, "TimeLimit.truncated": cut}
            for mask, cut in zip(masks, limited, strict=True)
        ]
        for game in np.flatnonzero(ended).tolist():
            last = infos["final_info"]
            details[game]["action_mask"] = last["action_mask"][game]
            details[game]["won"] = bool(last["won"][game])
            details[game]["terminal_observation"] = infos["final_obs"][game]
        return observations, rewards.astype(np.float32), ended, details

    def attribute(self, name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return a list with the shared attribute for each of these games.

        Raises:
            AttributeError: If the attribute does not exist.
        """
        value = self._attribute(_OF_ONE.get(name, name))
        return [value for _ in self._games(indices)]

    def call(
        self, name: str, *args: Any, indices: int | Iterable[int] | None = None, **named: Any
    ) -> list[Any]:
        """Call a method of the vector environment; return its results for these games.

        Raises:
            BadSetting: If the method does not return one result per game.
        """
        if name not in _PER_GAME:
            methods = " and ".join(_PER_GAME)
            raise BadSetting(f"games in a batch have the methods {methods}, not {shown(name)}")
        results = self._attribute(name)(*args, **named)
        if results is None:
            results = [None] * self.envs.num_envs
        return [results[game] for game in self._games(indices)]

    def is_wrapped(self, kind: type) -> bool:
        """Return whether one of the wrappers has this class."""
        return any(isinstance(env, kind) for env in self._layers())

    def _layers(self) -> Iterator[VectorEnv[Any, Any, Any]]:
        """Yield the wrappers, outermost first, and then the environment."""
        env = self.envs
        yield env
        while isinstance(env, VectorWrapper):
            env = env.env
            yield env

    def _attribute(self, name: str) -> Any:
        # Wrappers only forward attributes that all vector environments have.
        for env in self._layers():
            if hasattr(env, name):
                return getattr(env, name)
        raise AttributeError(f"games in a batch have no attribute {shown(name)}")

    def _games(self, indices: int | Iterable[int] | None) -> Iterable[int]:
        if indices is None:
            return range(self.envs.num_envs)
        return [indices] if isinstance(indices, int) else indices
