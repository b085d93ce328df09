"""Wrappers of `MinesweeperEnv` for other observations and fewer actions."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from sapper._util.shortening import shown
from sapper.env.minesweeper import MinesweeperEnv
from sapper.env.spaces import action_of, observations
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.rules import Level
from sapper.solver import Solver

__all__ = [
    "FlagFree",
    "MineChances",
    "OneHot",
    "chance_plane",
    "chance_space",
    "plane_space",
    "plane_values",
]

_Env = gymnasium.Env[Any, Any]


def plane_values(level: Level) -> npt.NDArray[np.int8]:
    """Return the value of each plane of `OneHot` as a three-dimensional array."""
    return np.arange(int(observations(level).high.max()) + 1, dtype=np.int8)[:, None, None]


def plane_space(level: Level) -> spaces.Box[np.int8]:
    """Return the observation space of `OneHot`."""
    return spaces.Box(0, 1, (len(plane_values(level)), level.height, level.width), np.int8)


def chance_space(inner: gymnasium.Space[Any]) -> spaces.Box[np.float32]:
    """Return the observation space of `MineChances` for the space of its environment."""
    assert isinstance(inner, spaces.Box)
    planes = 1 if len(inner.shape) == 2 else inner.shape[0]
    high = np.full((planes + 1, *inner.shape[-2:]), np.max(inner.high), dtype=np.float32)
    high[-1] = 1
    return spaces.Box(np.zeros_like(high), high, dtype=np.float32)


def chance_plane(position: Position, solver: Solver) -> npt.NDArray[np.float32]:
    """Return the plane that `MineChances` adds."""
    chances = np.nan_to_num(solver.analyze(position).p_mine)
    mines = np.frombuffer(position.cells, dtype=np.uint8) == ord("*")
    chances[mines.reshape(chances.shape)] = 1
    return chances.astype(np.float32)


class OneHot(gymnasium.ObservationWrapper[npt.NDArray[np.int8], Any, Any], RecordConstructorArgs):
    """Observe a plane of zeros and ones for each possible value of a cell, usually 12.

    The shape is ``(12, rows, columns)``, with planes in the order of values.
    """

    def __init__(self, env: _Env) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        level = _base(env).level
        self._values = plane_values(level)
        self.observation_space = plane_space(level)

    def observation(self, observation: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Convert an observation to planes."""
        return np.equal(observation, self._values).astype(np.int8)


class MineChances(
    gymnasium.ObservationWrapper[npt.NDArray[np.float32], Any, Any], RecordConstructorArgs
):
    """Add a plane with the exact chance, from 0 to 1, that each unopened cell is a mine.

    Opened cells have 0, an opened mine has 1. Around `OneHot`, this is the 13th plane; otherwise it
    is the second, after the observation. A step takes as long as `sapper.analyze`, tens of
    microseconds on common levels. If a position is too wide to count, the chances are estimates.
    Under rules that place mines during the game, they describe the possible boards, not the choices
    of the rules.
    """

    def __init__(self, env: _Env) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        self._game = _base(env)
        self.observation_space = chance_space(env.observation_space)
        self._solver = Solver()

    def observation(self, observation: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """Add the plane of chances to an observation."""
        rows = observation.reshape(-1, *observation.shape[-2:]).astype(np.float32)
        chances = chance_plane(self._game.position, self._solver)
        return np.concatenate([rows, chances[None]])


class FlagFree(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Remove the actions that flag, so that each action opens a cell.

    Use it for environments that cannot be created with ``flags=False``.
    """

    def __init__(self, env: _Env) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        level = _base(env).level
        self._cells = level.height * level.width
        self.action_space = spaces.Discrete(self._cells)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a new game."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, self._opening(info)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Open a cell.

        Raises:
            BadSetting: If the cell does not exist.
        """
        opened = action_of(action, self._cells)
        observation, reward, terminated, truncated, info = self.env.step(opened)
        return observation, reward, terminated, truncated, self._opening(info)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return True for every cell that can be opened."""
        masks: npt.NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks[: self._cells]

    def _opening(self, info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "action_mask": info["action_mask"][: self._cells]}


def _base(env: _Env) -> MinesweeperEnv:
    """Return the game inside an environment."""
    game = env.unwrapped
    if not isinstance(game, MinesweeperEnv):
        raise BadSetting(f"this wraps sapper environments only, got {shown(env)}")
    return game
