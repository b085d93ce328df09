"""Actions: what players and bots do to cells."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sapper.topology import Cell

__all__ = ["Action", "ActionKind"]


class ActionKind(StrEnum):
    """An action on a cell, or undo."""

    OPEN = "open"
    FLAG = "flag"
    QUESTION = "question"
    CHORD = "chord"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a player.

    Attributes:
        kind: What is done.
        cell: Where; None for an undo.
        at_s: What the player's clock showed, in seconds.
    """

    kind: ActionKind
    cell: Cell | None
    at_s: float = 0.0
