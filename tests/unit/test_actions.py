"""Actions: the moves that players and bots make on cells."""

import pytest

from sapper import Action, ActionKind, Cell, Position, simulate
from sapper.errors import BadSetting


def test_action_accepts_kinds_and_cells_in_any_form() -> None:
    """The kind may be given by name, the cell as any pair."""
    action = Action("open", [2, 3])  # type: ignore[arg-type]
    assert action == Action(ActionKind.OPEN, Cell(2, 3))
    assert action.kind is ActionKind.OPEN
    assert isinstance(action.cell, Cell)
    assert len({action, Action(ActionKind.OPEN, Cell(2, 3))}) == 1


@pytest.mark.parametrize(
    ("kind", "cell", "said"),
    [
        ("fly", (0, 0), "kind must be open, flag, question, chord or undo, got 'fly'"),
        (None, (0, 0), "kind must be .* got None"),
        ("open", 3, r"a cell is \(row, col\), got 3"),
        ("open", (1, 2, 3), r"a cell is \(row, col\), got \(1, 2, 3\)"),
        ("open", (0.5, 0), r"a cell is \(row, col\), got \(0.5, 0\)"),
    ],
)
def test_invalid_action_is_rejected(kind: str, cell: object, said: str) -> None:
    """The error repeats the value."""
    with pytest.raises(BadSetting, match=said):
        Action(kind, cell)  # type: ignore[arg-type]


class Named:
    """A bot that opens the first unopened cell and names its action's kind."""

    def choose(self, position: Position) -> Action:
        return Action("open", position.unopened_cells()[0])  # type: ignore[arg-type]


def test_action_kind_can_be_a_name() -> None:
    """[#17] Bots that named the kind set question marks and got stuck."""
    assert {row.result for row in simulate(Named(), "9x9:10", n=3, seed=1).rows} <= {"won", "lost"}
