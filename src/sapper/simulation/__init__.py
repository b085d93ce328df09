"""Whole games played by bots, and their results."""

from sapper.simulation.batch import Simulation, simulate
from sapper.simulation.match import Match, Played
from sapper.simulation.runner import BotRunner
from sapper.simulation.stepping import Step, steps

__all__ = ["BotRunner", "Match", "Played", "Simulation", "Step", "simulate", "steps"]
