"""Exact analysis: what is proved, what is likely, and how many arrangements fit."""

from sapper.solver.analysis import Analysis, Limit

__all__ = ["Analysis", "Limit"]
