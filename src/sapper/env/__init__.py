"""Gymnasium environments: ``sapper/Expert-v0`` and others, registered on import.

>>> import gymnasium
>>> import sapper.env
>>> env = gymnasium.make("sapper/Beginner-v0")
>>> observation, info = env.reset(seed=7)
>>> observation.shape, int(info["action_mask"].sum())
((9, 9), 162)
"""

# Import this first: its error says what to install if Gymnasium is missing.
from sapper.env.spaces import CellCode

# isort: split
from sapper.env.minesweeper import MinesweeperEnv
from sapper.env.registering import IDS, make_vec, register
from sapper.env.rewards import REWARDS, Rewards
from sapper.env.states import InformationState
from sapper.env.vector import MinesweeperVectorEnv
from sapper.env.vector_wrappers import VectorMineChances, VectorOneHot
from sapper.env.wrappers import FlagFree, MineChances, OneHot

__all__ = [
    "IDS",
    "REWARDS",
    "CellCode",
    "FlagFree",
    "InformationState",
    "MineChances",
    "MinesweeperEnv",
    "MinesweeperVectorEnv",
    "OneHot",
    "Rewards",
    "VectorMineChances",
    "VectorOneHot",
    "make_vec",
]

register()
