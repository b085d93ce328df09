"""Values of options and arguments that the shell completes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sapper.dealer import RULES
from sapper.errors import MissingExtra
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
    "rule_names",
    "themes",
    "topology_names",
]

Complete = Callable[[str], list[str]]
"""Returns the values with a given prefix."""


def one_of(names: Iterable[str] | Callable[[], Iterable[str]]) -> Complete:
    """Return a completion by these names, or by those from a function called on demand.

    >>> one_of(["beginner", "expert"])("be")
    ['beginner']
    """

    # Typer finds the parameter by its type.
    def complete(incomplete: str) -> list[str]:
        found = names() if callable(names) else names
        return [name for name in found if name.startswith(incomplete)]

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
rule_names = one_of(RULES)
themes = one_of(_themes)
topology_names = one_of(TOPOLOGIES)
