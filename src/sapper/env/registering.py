"""Register the environments with Gymnasium, and make vector environments with wrappers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import gymnasium
from gymnasium.vector import VectorEnv

from sapper.env.vector_wrappers import VectorMineChances, VectorOneHot
from sapper.env.wrappers import FlagFree, MineChances, OneHot
from sapper.errors import BadSetting

__all__ = ["IDS", "make_vec", "register"]

IDS: Final = {
    "sapper/Beginner-v0": "beginner",
    "sapper/Intermediate-v0": "intermediate",
    "sapper/Expert-v0": "expert",
    "sapper/Minesweeper-v0": "expert",
}
"""Environment ids with their levels; ``sapper/Minesweeper-v0`` is for other levels."""

_VECTOR_FORMS: Final[dict[Any, Callable[[Any], Any]]] = {
    OneHot: VectorOneHot,
    MineChances: VectorMineChances,
}


def register() -> None:
    """Register every environment; later calls have no effect."""
    for name, level in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="sapper.env.minesweeper:MinesweeperEnv",
                vector_entry_point="sapper.env.vector:MinesweeperVectorEnv",
                kwargs={"level": level},
            )


def make_vec(
    id: str,
    num_envs: int = 1,
    *,
    wrappers: Iterable[Callable[[Any], Any]] = (),
    **settings: Any,
) -> VectorEnv[Any, Any, Any]:
    """Make the native vector environment with wrappers, which `gymnasium.make_vec` rejects.

    Args:
        id: One of `IDS`.
        num_envs: Number of games.
        wrappers: Wrappers of vector environments, innermost first. `OneHot` and `MineChances` are
            replaced by their vector forms.
        settings: Settings of `MinesweeperVectorEnv`.

    Raises:
        BadSetting: If a wrapper is for single environments.
    """
    env = gymnasium.make_vec(id, num_envs, vectorization_mode="vector_entry_point", **settings)
    for wrapper in wrappers:
        if wrapper is FlagFree:
            raise BadSetting("FlagFree has no vector form: pass flags=False")
        form: Any = _VECTOR_FORMS.get(wrapper, wrapper)
        if isinstance(form, type) and issubclass(form, gymnasium.Wrapper):
            raise BadSetting(f"{form.__name__} wraps single environments, not vector ones")
        env = form(env)
    return env
