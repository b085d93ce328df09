"""Actions that players and bots perform on cells."""

from __future__ import annotations

from dataclasses import dataclass

from sapper._util.names import member
from sapper.topology import Cell, as_cell, cell_name
from sapper.translation import LabelledEnum, Text, t

__all__ = ["Action", "ActionKind"]


class ActionKind(LabelledEnum):
    """An action on a cell, or undo."""

    OPEN = "open", t("open")
    FLAG = "flag", t("flag")
    QUESTION = "question", t("question mark")
    CHORD = "chord", t("chord")
    UNDO = "undo", t("undo")


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a player.

    Attributes:
        kind: The kind of action.
        cell: The cell; None for an undo.
        at_s: The player's clock in seconds.

    >>> Action("open", (2, 3))
    Action(kind=<ActionKind.OPEN: 'open'>, cell=Cell(row=2, col=3), at_s=0.0)

    Raises:
        BadSetting: If the kind is unknown, or the cell is not a row and a column.
    """

    kind: ActionKind
    cell: Cell | None
    at_s: float = 0.0

    def __post_init__(self) -> None:
        # Convert plain strings, which ``is`` would not recognise.
        if type(self.kind) is not ActionKind:
            object.__setattr__(self, "kind", member(ActionKind, self.kind, "kind"))
        if self.cell is not None and type(self.cell) is not Cell:
            object.__setattr__(self, "cell", as_cell(self.cell))

    @property
    def label(self) -> Text:
        """Return the action's name for players, with its cell."""
        if self.cell is None:
            return self.kind.label
        values = {"action": self.kind.label, "cell": cell_name(self.cell)}
        return Text("{action} {cell}", values)
