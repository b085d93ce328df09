"""Engines: programs that play Minesweeper over the [engine protocol](engine-protocol.md)."""

from sapper.solver.bots.engine.bot import EngineBot
from sapper.solver.bots.engine.client import Engine
from sapper.solver.bots.engine.errors import EngineFailed
from sapper.solver.bots.engine.messages import PROTOCOL, Abilities
from sapper.solver.bots.engine.shared import SharedEngine, SharedGame

__all__ = [
    "PROTOCOL",
    "Abilities",
    "Engine",
    "EngineBot",
    "EngineFailed",
    "SharedEngine",
    "SharedGame",
]
