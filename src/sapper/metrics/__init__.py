"""Metrics of a board that do not depend on play."""

from sapper.metrics.boards import BoardMetrics, groups, islands, measure, openings, solved
from sapper.metrics.boards import bbbv as bbbv
from sapper.metrics.estimates import hzini, rzini, zini

__all__ = [
    "BoardMetrics",
    "groups",
    "hzini",
    "islands",
    "measure",
    "openings",
    "rzini",
    "solved",
    "zini",
]
