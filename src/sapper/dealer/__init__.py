"""Dealers decide where the mines are; one file per rule set."""

from sapper.dealer.base import Dealer, LivePosition, Reveal
from sapper.dealer.registry import DEALERS, RULES, make, register, rules_label, settings

__all__ = [
    "DEALERS",
    "RULES",
    "Dealer",
    "LivePosition",
    "Reveal",
    "make",
    "register",
    "rules_label",
    "settings",
]
