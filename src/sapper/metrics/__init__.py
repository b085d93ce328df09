"""Metrics of a board that do not depend on play."""

from sapper.metrics.boards import BoardMetrics, bbbv, groups, islands, measure, openings, solved
from sapper.metrics.estimates import hzini, rzini, zini

__all__ = [
    "BoardMetrics",
    "bbbv",
    "groups",
    "hzini",
    "islands",
    "measure",
    "openings",
    "rzini",
    "solved",
    "zini",
]
