from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sapper
from sapper.env import FlagFree, MineChances, MinesweeperEnv, OneHot
from sapper.errors import BadSetting


@pytest.mark.parametrize(
    "wrap", [OneHot, MineChances, FlagFree, lambda env: MineChances(OneHot(FlagFree(env)))]
)
@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
def test_environment_passes_check_env(wrap: type[gymnasium.Wrapper]) -> None:
    """`check_env` passes for each wrapper and for all of them together."""
    check_env(wrap(gymnasium.make("sapper/Minesweeper-v0", level="5x5:5").unwrapped))


def test_one_hot_planes_name_every_value() -> None:
    """Each cell has a one only in the plane for its value."""
    inner = MinesweeperEnv("5x4:4")
    env = OneHot(inner)
    env.reset(seed=1)
    planes = env.step(7)[0]
    assert planes.shape == (12, 4, 5)
    assert (planes.sum(axis=0) == 1).all()
    position = inner.position
    for cell in position.topology.cells():
        assert "012345678.F*"[int(planes[:, cell.row, cell.col].argmax())] == position[cell]


def test_chance_plane_matches_the_analysis() -> None:
    """Throughout a game, the last plane contains the exact chances, with 0 for open cells."""
    inner = MinesweeperEnv("6x6:7", flags=False)
    env = MineChances(inner)
    over, steps = False, 0
    planes, info = env.reset(seed=2)
    while not over:
        assert planes in env.observation_space
        expected = np.nan_to_num(sapper.analyze(inner.position).p_mine)
        assert np.allclose(planes[1], expected)
        actions = np.flatnonzero(info["action_mask"])
        action = actions[planes[1].ravel()[actions].argmin()]
        planes, _, over, _, info = env.step(action)
        steps += 1
    row, col = divmod(int(action), 6)
    assert info["won"] or planes[1, row, col] == 1
    assert steps > 1


def test_the_chances_know_that_the_game_goes_on() -> None:
    """The middle cell is a mine; a mine in the last cell too would have ended the game."""
    inner = MinesweeperEnv("3x1@0.5", flags=False)
    env = MineChances(inner)
    env.reset(seed=9)
    planes, _, over, _, _ = env.step(0)
    assert (inner.position.rows, over) == (["1.."], False)
    assert planes[1].tolist() == [[0, 1, 0]]
    _, _, over, _, info = env.step(2)
    assert over
    assert info["won"]


def test_flag_free_actions_only_open() -> None:
    """The wrapper has the same actions as an environment without flags."""
    wrapped = FlagFree(MinesweeperEnv("4x4:3"))
    plain = MinesweeperEnv("4x4:3", flags=False)
    assert wrapped.action_space == plain.action_space
    assert np.array_equal(
        wrapped.reset(seed=3)[1]["action_mask"], plain.reset(seed=3)[1]["action_mask"]
    )
    one, other = wrapped.step(5), plain.step(5)
    assert np.array_equal(one[0], other[0])
    assert np.array_equal(one[4]["action_mask"], other[4]["action_mask"])
    assert np.array_equal(wrapped.action_masks(), plain.action_masks())
    for action in (16, True, 0.0):
        with pytest.raises(BadSetting, match=f"an action must be .* from 0 to 15, got {action}"):
            wrapped.step(action)


def test_other_environments_are_rejected() -> None:
    """The wrappers need one of Sapper's environments."""
    with pytest.raises(BadSetting, match="sapper environments only"):
        OneHot(gymnasium.make("CartPole-v1"))
