"""Exact analysis: what is proved, what is likely, and how many arrangements fit."""

from sapper.solver.analysis import Analysis, Limit
from sapper.solver.deduction import Deduction, deduce
from sapper.solver.exact import Solver, analyze
from sapper.solver.hints import Hint, hint, hint_from
from sapper.solver.sampling import sample

__all__ = [
    "Analysis",
    "Deduction",
    "Hint",
    "Limit",
    "Solver",
    "analyze",
    "deduce",
    "hint",
    "hint_from",
    "sample",
]
