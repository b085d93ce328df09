"""Satisfiability: a formula builder and budget shared by all queries about mines."""

from sapper.solver.sat.clauses import exactly
from sapper.solver.sat.formula import Formula

__all__ = ["Formula", "exactly"]
