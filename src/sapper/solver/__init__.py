"""Exact analysis: proofs, probabilities, and the number of arrangements that fit."""

from sapper.solver.analysis import Analysis
from sapper.solver.conflicts import Conflict, conflict
from sapper.solver.deduction import Deduction, deduce
from sapper.solver.exact import Solver, analyze
from sapper.solver.hints import Hint, hint, hint_from
from sapper.solver.limit import Limit
from sapper.solver.sampling import both_ways, sample
from sapper.solver.steps import ProofStep, proof_steps
from sapper.solver.winning import win_chance

__all__ = [
    "Analysis",
    "Conflict",
    "Deduction",
    "Hint",
    "Limit",
    "ProofStep",
    "Solver",
    "analyze",
    "both_ways",
    "conflict",
    "deduce",
    "hint",
    "hint_from",
    "proof_steps",
    "sample",
    "win_chance",
]
