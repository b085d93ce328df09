"""Patterns that players know by name: their proofs, and their locations in a position."""

from sapper.coach.patterns.definitions import BadPattern, Elsewhere, Family, Form, Pattern
from sapper.coach.patterns.explaining import Explanation, explanations, pattern_for
from sapper.coach.patterns.occurrence import Occurrence
from sapper.coach.patterns.proving import prove
from sapper.coach.patterns.reading import pattern, patterns, read_pattern
from sapper.coach.patterns.recognition import recognise

__all__ = [
    "BadPattern",
    "Elsewhere",
    "Explanation",
    "Family",
    "Form",
    "Occurrence",
    "Pattern",
    "explanations",
    "pattern",
    "pattern_for",
    "patterns",
    "prove",
    "read_pattern",
    "recognise",
]
