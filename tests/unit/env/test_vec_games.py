"""`VecGames`, which has everything in `SapperVecEnv` except the base class.

Stable-Baselines3 needs PyTorch, so no extra installs it, and the class itself is not tested here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from sapper.env import MineChances, MinesweeperEnv, OneHot, VectorOneHot
from sapper.env.vec_games import VecGames
from sapper.errors import BadSetting

SETTINGS: dict[str, Any] = {"level": "4x4:3", "rewards": "dense", "max_steps": 6}


def stepped(env: Any, action: int) -> tuple[Any, float, bool, dict[str, Any]]:
    """Return a single environment's step as a `VecEnv` reports it: finished games restart."""
    observation, reward, terminated, truncated, info = env.step(action)
    info["TimeLimit.truncated"] = truncated and not terminated
    if terminated or truncated:
        info["terminal_observation"] = observation
        observation, _ = env.reset()
    return observation, reward, terminated or truncated, info


@pytest.mark.parametrize("wrappers", [[], [OneHot], [OneHot, MineChances]])
def test_games_match_single_environments(wrappers: list[Any]) -> None:
    """Observations, rewards, ends and infos are those of single environments, at every step."""
    games = VecGames("sapper/Minesweeper-v0", 3, wrappers, **SETTINGS)
    singles: list[Any] = [MinesweeperEnv(**SETTINGS) for _ in range(3)]
    for wrap in wrappers:
        singles = [wrap(env) for env in singles]
    observations, infos = games.reset([5, 6, 7])
    for game, env in enumerate(singles):
        observation, info = env.reset(seed=5 + game)
        assert np.array_equal(observations[game], observation)
        assert np.array_equal(infos[game]["action_mask"], info["action_mask"])
    rng, ends, cuts = np.random.default_rng(0), 0, 0
    for _ in range(100):
        actions = rng.integers(32, size=3)
        observations, rewards, ended, infos = games.step(actions)
        assert rewards.dtype == np.float32
        for game, env in enumerate(singles):
            one, reward, end, info = stepped(env, int(actions[game]))
            assert np.array_equal(observations[game], one)
            assert (rewards[game], ended[game]) == (np.float32(reward), end)
            assert sorted(infos[game]) == sorted(info)
            for key, value in info.items():
                assert np.array_equal(infos[game][key], value), key
                assert type(infos[game][key]) is type(value), key
            ends, cuts = ends + end, cuts + info["TimeLimit.truncated"]
    assert ends > cuts > 10


def test_masks_are_called_as_a_method_of_each_game() -> None:
    """MaskablePPO looks for an ``action_masks`` attribute and calls it; wrappers hide it."""
    games = VecGames("sapper/Beginner-v0", 4, [OneHot, RecordEpisodeStatistics], flags=False)
    games.reset([1, 2, 3, 4])
    assert len(games.attribute("action_masks")) == 4
    games.step([0, 0, 0, 0])
    masks = games.call("action_masks")
    assert [mask.shape for mask in masks] == [(81,)] * 4
    assert {mask.dtype.name for mask in masks} == {"bool"}
    assert np.array_equal(games.call("action_masks", indices=[2])[0], masks[2])
    assert np.array_equal(games.call("action_masks", indices=1)[0], masks[1])


def test_attributes_are_those_of_one_game() -> None:
    """The space of a single game is repeated for each requested game."""
    games = VecGames("sapper/Beginner-v0", 3, [OneHot], render_mode="ansi")
    assert games.attribute("render_mode") == ["ansi"] * 3
    assert games.attribute("observation_space", [0, 2]) == [games.envs.single_observation_space] * 2
    assert games.attribute("action_space", 1) == [games.envs.single_action_space]
    with pytest.raises(AttributeError, match="no attribute 'mines'"):
        games.attribute("mines")


def test_every_game_is_rendered() -> None:
    """Each game gives a picture, or None without a render mode."""
    games = VecGames("sapper/Beginner-v0", 2, render_mode="rgb_array")
    games.reset([1, 2])
    assert [picture.shape for picture in games.call("render")] == [(144, 144, 3)] * 2
    plain = VecGames("sapper/Beginner-v0", 2)
    plain.reset([1, 2])
    with pytest.warns(UserWarning, match="render"):
        assert plain.call("render") == [None, None]


def test_wrappers_are_recognised() -> None:
    """Wrappers are found by class, including Stable-Baselines3's own ``Monitor``."""
    games = VecGames("sapper/Beginner-v0", 2, [OneHot])
    assert games.is_wrapped(VectorOneHot)
    assert not games.is_wrapped(RecordEpisodeStatistics)


def test_unsupported_calls_are_rejected() -> None:
    """The message lists the supported values, and no game changes."""
    games = VecGames("sapper/Beginner-v0", 2)
    with pytest.raises(BadSetting, match="have the methods action_masks and render, not 'clone'"):
        games.call("clone")
    with pytest.raises(BadSetting, match="unknown reset option 'mask'"):
        games.reset([1, 2], [{}, {"mask": 1}])
    with pytest.raises(BadSetting, match="an integer"):
        games.reset([1, 2.5])  # type: ignore[list-item]
    with pytest.raises(BadSetting, match="autoreset_mode cannot be chosen"):
        VecGames("sapper/Beginner-v0", 2, autoreset_mode="Disabled")
