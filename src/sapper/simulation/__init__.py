"""Whole games played by bots, and their results."""

from typing import TYPE_CHECKING

from sapper._util.renamed import renamed_names
from sapper.simulation.batch import Simulation, simulate
from sapper.simulation.match import Match, Played
from sapper.simulation.runner import BotRunner
from sapper.simulation.stepping import SimulationStep, steps

__all__ = ["BotRunner", "Match", "Played", "Simulation", "SimulationStep", "simulate", "steps"]

if not TYPE_CHECKING:  # otherwise type checkers would accept any name
    __getattr__ = renamed_names(__name__, {"Step": "SimulationStep"})
