"""Train MaskablePPO on Beginner boards, 64 at a time in the native core.

    pip install '.[env,lab]' -r examples/maskable_ppo.txt
    python examples/maskable_ppo.py
    python examples/maskable_ppo_curve.py

The second command trains for about a quarter of an hour on one core, and saves the agent in the
folder ppo every 51,200 steps. The third plays the saved agents and draws the learning curve.
"""

import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import CheckpointCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from sapper.env import OneHot
from sapper.env.sb3 import SapperVecEnv

STEPS = 1_024_000


class Surroundings(BaseFeaturesExtractor):
    """Describe every cell by 32 features of the 5x5 cells around it."""

    def __init__(self, space: Box) -> None:
        planes, height, width = space.shape
        super().__init__(space, 32 * height * width)
        layers = (nn.Conv2d(size, 32, 3, padding=1) for size in (planes, 32))
        self._maps = nn.Sequential(next(layers), nn.ReLU(), next(layers), nn.ReLU(), nn.Flatten())

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Return the features of all cells."""
        return self._maps(planes)


class CellPolicy(MaskableActorCriticPolicy):
    """Score each cell from its own features, with the same weights everywhere on the board."""

    def _build(self, lr_schedule) -> None:
        super()._build(lr_schedule)
        maps = nn.Unflatten(1, (32, *self.observation_space.shape[1:]))
        self.action_net = nn.Sequential(maps, nn.Conv2d(32, 1, 1), nn.Flatten())
        rate = lr_schedule(1)
        self.optimizer = self.optimizer_class(self.parameters(), rate, **self.optimizer_kwargs)


if __name__ == "__main__":
    torch.set_num_threads(1)  # Networks this small are slower with several threads.
    rewards = {"open": 0.2, "loss": -1}
    envs = SapperVecEnv("sapper/Beginner-v0", 64, wrappers=[OneHot], flags=False, rewards=rewards)
    network = {"features_extractor_class": Surroundings, "net_arch": []}
    # What matters is whether this cell is a mine, so distant rewards get little weight.
    model = MaskablePPO(
        CellPolicy, envs, 1e-3, n_steps=32, batch_size=256, n_epochs=4, gamma=0.5, seed=1,
        device="cpu", policy_kwargs=network,
    )  # fmt: skip
    model.save("ppo/rl_model_0_steps")
    model.learn(STEPS, CheckpointCallback(800, "ppo"))
