"""A bot that waits at gates, so that tests can stop a run at a known game."""

from __future__ import annotations

from pathlib import Path

__all__ = ["GatedBot"]

_BOT = """
import time
from pathlib import Path

from sapper.generation import substream
from sapper.solver.bots import begin, make_bot

GATES = {gates}
SEEDS = {{substream(seed, "bot"): gate for gate, seeds in GATES for seed in seeds}}


class Gated:
    def __init__(self):
        self._bot = make_bot("groups")

    def begin(self, level, seed):
        while seed in SEEDS and not Path(SEEDS[seed]).exists():
            time.sleep(0.01)
        begin(self._bot, level, seed)

    def choose(self, position):
        return self._bot.choose(position)
"""


class GatedBot:
    """The bot `groups`, which waits before some games until a gate opens.

    Only complete units are saved, so the games before a gate must fill one.

    Args:
        folder: The folder with the bot's file and gates.
        seeds: For each gate, the seeds of the games that wait for it.
    """

    def __init__(self, folder: Path, *seeds: range) -> None:
        self._gates = [folder / f"gate-{number}" for number in range(len(seeds))]
        file = folder / "gated_bot.py"
        pairs = [(str(gate), behind) for gate, behind in zip(self._gates, seeds, strict=True)]
        file.write_text(_BOT.format(gates=pairs))
        self.name = f"{file}:Gated"

    def open(self, gate: int) -> None:
        """Let the games that wait for this gate start."""
        self._gates[gate].touch()
