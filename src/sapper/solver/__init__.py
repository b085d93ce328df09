"""Exact analysis: what is proved, what is likely, and how many arrangements fit."""

from sapper.solver.analysis import Analysis, Limit
from sapper.solver.hint import Hint, hint, hint_from
from sapper.solver.reference import analyze

__all__ = ["Analysis", "Hint", "Limit", "analyze", "hint", "hint_from"]
