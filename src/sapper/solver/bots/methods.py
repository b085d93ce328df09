"""The names of the methods that bots report with their choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sapper.translation import Text, t

__all__ = ["METHODS"]

METHODS: Final[Mapping[str, Text]] = {
    "any cell": t("any cell"),
    "any cell, unfinished": t("any cell, unfinished"),
    "corner": t("corner"),
    "end game": t("endgame"),
    "guess": t("guess"),
    "guess outside": t("guess outside"),
    "least risk": t("lowest risk"),
    "level 1": t("level 1"),
    "level 2": t("level 2"),
    "level 3": t("level 3"),
    "lookahead": t("lookahead"),
    "nothing left": t("nothing left"),
    "perfect play": t("perfect play"),
    "proved": t("proved"),
    "reduction": t("reduction"),
    "search": t("search"),
}
"""Descriptions of the built-in bots' methods, by the name in `Choice.by`."""
