"""Registers the environments with Gymnasium."""

from __future__ import annotations

from typing import Final

import gymnasium

__all__ = ["IDS", "register"]

IDS: Final = {
    "sapper/Beginner-v0": "beginner",
    "sapper/Intermediate-v0": "intermediate",
    "sapper/Expert-v0": "expert",
    "sapper/Minesweeper-v0": "expert",
}
"""Every environment's id and its level; ``sapper/Minesweeper-v0`` is for other levels."""


def register() -> None:
    """Register every environment, once."""
    for name, level in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="sapper.env.minesweeper:MinesweeperEnv",
                vector_entry_point="sapper.env.vector:MinesweeperVectorEnv",
                kwargs={"level": level},
            )
