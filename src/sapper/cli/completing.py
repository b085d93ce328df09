"""Shell completion for the values of options and arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sapper.dealer import RULES
from sapper.errors import MissingExtra
from sapper.overlays import OVERLAYS
from sapper.rules import LEVELS, FirstClick
from sapper.solver.bots import bots
from sapper.topology import TOPOLOGIES

__all__ = [
    "Complete",
    "bot_names",
    "experiments",
    "first_clicks",
    "level_names",
    "one_of",
    "overlay_names",
    "rule_names",
    "themes",
    "topology_names",
]

Complete = Callable[[str], list[str]]
"""Returns the values with a given prefix."""


def one_of(names: Iterable[str] | Callable[[], Iterable[str]]) -> Complete:
    """Return a completer for these names, or for the names returned by a function when needed.

    >>> one_of(["beginner", "expert"])("be")
    ['beginner']
    """

    def complete(incomplete: str) -> list[str]:
        all_names = names() if callable(names) else names
        return [name for name in all_names if name.startswith(incomplete)]

    return complete


def _themes() -> list[str]:
    try:
        from sapper.vision.theme import themes
    except MissingExtra:
        return []
    return [*themes(), "none"]


def _experiments() -> list[str]:
    try:
        from sapper.lab.experiments import EXPERIMENTS
    except MissingExtra:
        return []
    return list(EXPERIMENTS)


bot_names = one_of(bots)
experiments = one_of(_experiments)
first_clicks = one_of(list(FirstClick))
level_names = one_of(LEVELS)
overlay_names = one_of(OVERLAYS)
rule_names = one_of(RULES)
themes = one_of(_themes)
topology_names = one_of(TOPOLOGIES)
