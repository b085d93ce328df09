"""A second implementation of the allowed clicks in each rule set, straight from the rules.

It shares no code with the dealers except the analysis, which has its own tests.
"""

from __future__ import annotations

from collections.abc import Callable

from sapper.position import Position
from sapper.solver import Analysis
from sapper.topology import Cell

__all__ = ["ALLOWED", "allowed_fair", "allowed_kaboom", "allowed_kind", "is_frontier"]


def is_frontier(position: Position, cell: Cell) -> bool:
    """Whether an unopened cell touches a number."""
    return any(position.number(near) is not None for near in position.topology.neighbours(cell))


def _components(position: Position) -> list[set[Cell]]:
    """Return the components: sets of unopened cells around numbers, merged where they overlap."""
    merged: list[set[Cell]] = []
    for number in position.topology.cells():
        if position.number(number) is None:
            continue
        around = {c for c in position.topology.neighbours(number) if position.is_unopened(c)}
        if around:
            apart = [part for part in merged if not part & around]
            together = [part for part in merged if part & around]
            merged = [*apart, around.union(*together)]
    return merged


def allowed_fair(known: Analysis, **options: bool | str) -> set[Cell]:
    """Return the safe cells or, if there are none, all cells that can be safe."""
    return set(known.safe) or set(known.position.unopened_cells()) - known.mined


def allowed_kind(known: Analysis, **options: bool | str) -> set[Cell]:
    """Return the cells that can be safe."""
    return set(known.position.unopened_cells()) - known.mined


def allowed_kaboom(known: Analysis, **options: bool | str) -> set[Cell]:
    """Return every click that Kaboom allows, applying its rules in order."""
    position = known.position
    unopened = position.unopened_cells()
    edge = {cell for cell in unopened if is_frontier(position, cell)}
    outside = set(unopened) - edge
    if not edge:
        return outside - known.mined
    safe_edge, clear_outside = edge & known.safe, outside & known.safe
    forbidding = safe_edge | (clear_outside if options.get("known_outside_is_safe") else set())
    found = set(safe_edge)
    parts = _components(position) if options.get("judge") == "local" else [edge]
    for cell in edge - known.safe - known.mined:
        if options.get("judge") == "local":
            forbidden = any(cell in part and part & safe_edge for part in parts)
        else:
            forbidden = bool(forbidding)
        if not forbidden:
            found.add(cell)
    for cell in outside - known.mined:
        anywhere = options.get("guess_anywhere") and (
            options.get("judge") == "local" or not forbidding
        )
        if clear_outside or edge <= known.mined or anywhere:
            found.add(cell)
    return found


ALLOWED: dict[str, Callable[..., set[Cell]]] = {
    "fair": allowed_fair,
    "kaboom": allowed_kaboom,
    "kind": allowed_kind,
}
"""Each rule set's allowed clicks, by its name."""
