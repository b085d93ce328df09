from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from sapper.env import MinesweeperEnv, MinesweeperVectorEnv
from sapper.errors import BadSetting, IllegalAction

LEVELS = ["4x4:3", "5x3@0.25", "6x6:5/torus", "6x6:6/hexagon"]


def same(one: Any, other: Any) -> bool:
    """Whether two observations, rewards or infos are equal, ignoring integer types."""
    if isinstance(one, tuple):
        return all(map(same, one, other))
    if isinstance(one, dict):
        assert sorted(one) == sorted(other)
        return all(same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray) and one.dtype == object:
        return all(
            (a is None) == (b is None) and (a is None or np.array_equal(a, b))
            for a, b in zip(one, other, strict=True)
        )
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("flags", [True, False])
def test_batch_matches_single_environments(level: str, flags: bool, mode: AutoresetMode) -> None:
    """Each step returns the same as Gymnasium's vector environment of single environments."""
    settings: dict[str, Any] = {"level": level, "flags": flags, "rewards": "dense", "max_steps": 9}
    batch = MinesweeperVectorEnv(5, **settings, autoreset_mode=mode)
    singles = SyncVectorEnv([lambda: MinesweeperEnv(**settings)] * 5, autoreset_mode=mode)
    assert batch.single_observation_space == singles.single_observation_space
    assert batch.action_space == singles.action_space
    assert batch.observation_space == singles.observation_space
    assert same(batch.reset(seed=11), singles.reset(seed=11))
    rng, ends = np.random.default_rng(0), 0
    for _ in range(150):
        actions = rng.integers(batch.single_action_space.n, size=5)
        ours, theirs = batch.step(actions), singles.step(actions)
        assert same(ours, theirs)
        ends += int((ours[2] | ours[3]).sum())
    assert ends > 20


def test_disabled_autoreset_requires_resets() -> None:
    """A finished game cannot be stepped under ``Disabled``; a mask selects the games to reset."""
    batch = MinesweeperVectorEnv(3, "2x1:1", autoreset_mode="Disabled")
    batch.reset(seed=1)
    _, rewards, terminated, _, info = batch.step([0, 2, 0])
    assert terminated.tolist() == [True, False, True]
    assert rewards.tolist() == [1, 0, 1]
    assert info["won"].tolist() == [True, False, True]
    with pytest.raises(IllegalAction, match="over"):
        batch.step([0, 0, 0])
    observations, _ = batch.reset(options={"reset_mask": terminated})
    assert observations.tolist() == [[[9, 9]], [[10, 9]], [[9, 9]]]
    batch.step([0, 0, 0])


def test_seeds_can_be_given_one_by_one() -> None:
    """Equal seeds give equal games, and other seeds give different ones."""
    batch = MinesweeperVectorEnv(3, "9x9:10", first_click="opening")
    batch.reset(seed=[5, 5, 6])
    observations = batch.step([40, 40, 40])[0]
    assert np.array_equal(observations[0], observations[1])
    assert not np.array_equal(observations[0], observations[2])
    with pytest.raises(BadSetting, match="2 seeds given for 3 games"):
        batch.reset(seed=[1, 2])


def test_games_without_a_seed_differ() -> None:
    """With `[None, None]`, all games of a new batch were the same."""
    batch = MinesweeperVectorEnv(3, "9x9:10", first_click="opening")
    batch.np_random = np.random.default_rng(1)
    batch.reset(seed=[5, None, None])
    observations = batch.step([40, 40, 40])[0]
    assert not np.array_equal(observations[1], observations[2])


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, copy.copy, lambda env: pickle.loads(pickle.dumps(env))]
)
def test_copies_continue_the_same_games(copied: Any) -> None:
    """A copy made in mid-game plays the same, independently."""
    batch = MinesweeperVectorEnv(4, "5x4:4", autoreset_mode="SameStep")
    assert same(copied(batch).reset(seed=2), batch.reset(seed=2))
    batch.step([0, 1, 2, 23])
    twin = copied(batch)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(40):
        actions = rng.integers(40, size=4)
        step = batch.step(actions)
        assert same(twin.step(actions), step)
        ends += int(step[2].sum())
    assert ends > 3


def test_make_vec_makes_the_native_batch() -> None:
    """`gymnasium.make_vec` returns the native batch or, if requested, single environments."""
    assert isinstance(
        gymnasium.make_vec("sapper/Expert-v0", num_envs=2).unwrapped, MinesweeperVectorEnv
    )
    fair = gymnasium.make_vec(
        "sapper/Minesweeper-v0",
        num_envs=2,
        vectorization_mode="sync",
        level="5x5:5",
        rules="fair",
    )
    observations, info = fair.reset(seed=1)
    assert observations.shape == (2, 5, 5)
    assert info["action_mask"].shape == (2, 50)


def test_invalid_batches_and_steps_are_rejected() -> None:
    """Unsupported rules, zero games, and missing or unknown actions each raise an error."""
    with pytest.raises(BadSetting, match="rules fair are not stepped natively"):
        MinesweeperVectorEnv(2, rules="fair")
    with pytest.raises(BadSetting, match="num_envs must be a whole number of 1 or more, got 0"):
        MinesweeperVectorEnv(0)
    batch = MinesweeperVectorEnv(2, "3x3:1")
    with pytest.raises(IllegalAction, match="reset"):
        batch.step([0, 0])
    batch.reset(seed=1)
    for mask in ([True], [1, 0], "ab", [True, [True]]):
        with pytest.raises(BadSetting, match="reset_mask must be 2 booleans"):
            batch.reset(options={"reset_mask": mask})
    with pytest.raises(BadSetting, match="autoreset_mode must be NextStep, "):
        MinesweeperVectorEnv(2, autoreset_mode="Never")


BAD: list[Any] = [-1, 18, 1.5, "0", None, True, 2**63, 2**70]


@pytest.mark.parametrize("bad", BAD)
def test_bad_actions_are_rejected(bad: Any) -> None:
    """The error is that of a single environment, and no game changes; [True, 0] was accepted."""
    batch = MinesweeperVectorEnv(2, "3x3:1")
    before, _ = batch.reset(seed=1)
    for actions in ([0, bad], (bad, 0), np.array([bad, bad])):
        with pytest.raises(BadSetting, match="an action must be an integer from 0 to 17, got "):
            batch.step(actions)
    assert np.array_equal(batch.action_masks(), np.ones((2, 18)))
    assert (before == 9).all()


@pytest.mark.parametrize("shape", [(1,), (3,), (2, 1), (1, 2), ()])
def test_actions_with_a_wrong_shape_are_rejected(shape: tuple[int, ...]) -> None:
    """There must be one action per game; an array of shape (2, 1) was accepted."""
    batch = MinesweeperVectorEnv(2, "3x3:1")
    batch.reset(seed=1)
    for actions in (np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64).tolist()):
        with pytest.raises(BadSetting, match="actions must be 2 integers, one per game, got"):
            batch.step(actions)
    with pytest.raises(BadSetting, match="actions must be 2 integers, one per game, got"):
        batch.step([[1, 2], [3]])  # type: ignore[list-item]


@pytest.mark.parametrize("seed", [-1, 1.5, True, "7", 2**64, np.float64(1)])
def test_bad_seeds_are_rejected(seed: Any) -> None:
    """The error is that of a single environment, for a single seed or one per game."""
    batch = MinesweeperVectorEnv(2, "3x3:1")
    for given in (seed, [seed, 1], np.array([seed, seed])):
        with pytest.raises(BadSetting, match=r"seed must be an integer from 0 to 2\*\*64 - 1, got"):
            batch.reset(seed=given)
    batch.reset(seed=np.array([1, 2]))  # type: ignore[arg-type]


def test_action_masks_are_the_masks_as_booleans() -> None:
    """The Boolean masks have one row per game, before and after a step."""
    batch = MinesweeperVectorEnv(2, "3x3:1")
    with pytest.raises(IllegalAction, match="reset"):
        batch.action_masks()
    for act in (lambda: batch.reset(seed=1), lambda: batch.step([9, 10])):
        info = act()[-1]
        assert batch.action_masks().dtype == np.bool_
        assert np.array_equal(batch.action_masks(), info["action_mask"])


def test_every_game_is_rendered() -> None:
    """`render` returns one string or picture per game."""
    batch = MinesweeperVectorEnv(2, "3x2:1", render_mode="ansi")
    batch.reset(seed=1)
    assert batch.render() == ("...\n...\n",) * 2
    batch = MinesweeperVectorEnv(2, "3x2:1", render_mode="rgb_array")
    batch.reset(seed=1)
    assert [frame.shape for frame in batch.render() or ()] == [(32, 48, 3)] * 2
