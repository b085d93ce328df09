"""``kaboom``: no layout at all; a guess is deadly unless there was nothing better."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from sapper.dealer.frontier import component, frontier
from sapper.dealer.lazy import LazyDealer
from sapper.position import Position
from sapper.rules import Option, OptionValue, Rules, Start
from sapper.solver import Analysis

__all__ = ["GLOBAL", "LOCAL", "KaboomDealer", "opens"]

GLOBAL = "global"
LOCAL = "local"


def opens(
    position: Position,
    known: Analysis,
    cell: int,
    *,
    guess_anywhere: OptionValue = False,
    judge: OptionValue = GLOBAL,
    known_outside_is_safe: OptionValue = False,
) -> bool:
    """Whether Kaboom opens an unopened cell, given by index; if not, it is a mine.

    Args:
        position: What the player sees.
        known: The analysis of it.
        cell: The clicked cell, by index.
        guess_anywhere: Whether cells that touch no number may be guessed at whenever no safe
            cell is left, and not only when all others are mines.
        judge: ``global``: a safe frontier cell anywhere forbids every guess. ``local``: only
            guesses in its own component.
        known_outside_is_safe: Whether cells that touch no number forbid guesses when the mine
            total proves them clear.
    """
    place = position.topology.cell(cell)
    if place in known.safe:
        return True
    if place in known.mined:
        return False
    edge, index = frontier(position), position.topology.index
    if not edge.any():
        return True
    in_frontier = bool(edge[cell])
    if not in_frontier and not guess_anywhere and len(known.mined) < edge.sum():
        return False
    # All outside cells are alike, so where this one is unknown none of them is safe.
    if judge == LOCAL:
        return not in_frontier or known.safe.isdisjoint(
            map(position.topology.cell, component(position, cell))
        )
    safe: Collection[object] = known.safe
    return not safe if known_outside_is_safe else not any(edge[index(s)] for s in known.safe)


class KaboomDealer(LazyDealer):
    """Cruel but fair: a player who never clicks what the rules forbid never dies."""

    rules: ClassVar[Rules] = Rules(
        name="kaboom",
        summary="No mines are laid: a guess kills if a safe cell exists, and never otherwise.",
        starts=(Start.SAFE, Start.OPENING),
        options=(
            Option(
                "guess_anywhere",
                False,
                "Cells that touch no number may be guessed at whenever no safe cell is left.",
            ),
            Option(
                "judge",
                GLOBAL,
                "Whether a safe cell anywhere forbids a guess, or only one of the same component.",
                (GLOBAL, LOCAL),
            ),
            Option(
                "known_outside_is_safe",
                False,
                "Cells that touch no number forbid guesses when the mine total proves them clear.",
            ),
        ),
        start_reason="with nothing open every guess is allowed, so the first click is safe",
    )

    def opens(self, position: Position, known: Analysis, cell: int) -> bool:
        """Whether the rules allow the click."""
        return opens(position, known, cell, **self.settings.options)
