from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from sapper.env import (
    FlagFree,
    MineChances,
    MinesweeperEnv,
    MinesweeperVectorEnv,
    OneHot,
    VectorMineChances,
    VectorOneHot,
    make_vec,
)
from sapper.errors import BadSetting


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("level", ["4x4:3", "5x4@0.2/triangle"])
@pytest.mark.parametrize("wrappers", [[OneHot], [MineChances], [OneHot, MineChances]])
def test_vector_wrappers_match_single_wrappers(
    wrappers: list[Any], level: str, mode: AutoresetMode
) -> None:
    """Vector and single wrappers agree at every step and on the final observations."""

    def single() -> gymnasium.Env[Any, Any]:
        env: Any = MinesweeperEnv(level)
        for wrapper in wrappers:
            env = wrapper(env)
        return env

    singles: Any = SyncVectorEnv([single] * 3, autoreset_mode=mode)
    batch = make_vec(
        "sapper/Minesweeper-v0", 3, wrappers=wrappers, level=level, autoreset_mode=mode
    )
    assert batch.single_observation_space == singles.single_observation_space
    assert batch.observation_space == singles.observation_space
    assert np.array_equal(batch.reset(seed=1)[0], singles.reset(seed=1)[0])
    rng, ends = np.random.default_rng(0), 0
    for _ in range(40):
        actions = rng.integers(batch.single_action_space.n, size=3)  # type: ignore[attr-defined]
        ours, theirs = batch.step(actions), singles.step(actions)
        assert ours[0] in batch.observation_space
        assert np.array_equal(ours[0], theirs[0])
        assert np.array_equal(ours[2], theirs[2])
        for game in np.flatnonzero(ours[4].get("_final_obs", [])):
            ends += 1
            assert np.array_equal(ours[4]["final_obs"][game], theirs[4]["final_obs"][game])
    assert ends > 3 or mode is AutoresetMode.NEXT_STEP


def test_make_vec_accepts_all_wrappers() -> None:
    """Gymnasium's vector wrappers and Sapper's both work, and games stay native."""
    env = make_vec("sapper/Beginner-v0", 2, wrappers=[OneHot, RecordEpisodeStatistics])
    assert isinstance(env.unwrapped, MinesweeperVectorEnv)
    assert env.reset(seed=1)[0].shape == (2, 12, 9, 9)
    twin = make_vec("sapper/Beginner-v0", 2, wrappers=[VectorOneHot, VectorMineChances])
    assert twin.reset(seed=1)[0].shape == (2, 13, 9, 9)


def test_unsupported_wrappers_are_rejected() -> None:
    """The error suggests an alternative."""
    with pytest.raises(BadSetting, match="FlagFree has no vector form: pass flags=False"):
        make_vec("sapper/Beginner-v0", 2, wrappers=[FlagFree])
    with pytest.raises(BadSetting, match="FlattenObservation wraps single environments"):
        make_vec("sapper/Beginner-v0", 2, wrappers=[gymnasium.wrappers.FlattenObservation])
    with pytest.raises(BadSetting, match="sapper vector environments only"):
        VectorOneHot(gymnasium.make_vec("CartPole-v1", 2))
