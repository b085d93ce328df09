"""Whole games played by bots, and their results."""

from sapper.simulation.batch import Simulation, simulate
from sapper.simulation.match import Match, Played

__all__ = ["Match", "Played", "Simulation", "simulate"]
