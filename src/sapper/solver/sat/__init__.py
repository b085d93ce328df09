"""Satisfiability: one formula builder and one budget for every question about mines."""

from sapper.solver.sat.clauses import exactly
from sapper.solver.sat.formula import Formula

__all__ = ["Formula", "exactly"]
