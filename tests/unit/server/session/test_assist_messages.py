"""Hint messages include the proof's steps or two example boards."""

from sapper.dealer import settings
from sapper.position import Position
from sapper.server.protocol import Json
from sapper.server.session.assist_messages import hint_message, look
from sapper.topology import Cell


def _hint(position: Position) -> Json:
    level = f"{position.topology.width}x{position.topology.height}:{position.mines}"
    played = settings(level, "classic", seed=1)
    return hint_message(look(position.without_flags()), position, played, 1, None)


def test_hint_includes_proof_steps() -> None:
    """Messages count from 1, cells from 0; a wrong flag makes no difference."""
    for shown in ("012...", "012F.."):
        told = _hint(Position.parse(f"{shown}\n02.432\n02.22.\n01112.", mines=6))
        assert told["cell"] == [0, 5]
        assert [(step["numbers"], step["mined"], step["safe"]) for step in told["steps"]] == [
            ([[1, 3]], [[0, 3], [0, 4], [1, 2], [2, 2]], []),
            ([[2, 4]], [[2, 5], [3, 5]], []),
            ([[1, 5]], [], [[0, 5]]),
        ]
        last = "The 2 at row 2, column 6 already has its mines, so row 1, column 6 is clear."
        assert told["steps"][-1]["text"] == last
        assert "ways" not in told


def test_hint_has_the_name_of_its_pattern() -> None:
    """A hint with a proof by one number names no pattern."""
    named = _hint(Position.parse("....\n1221\n0000", mines=2))
    assert "1-2" in named["pattern"]["title"]
    assert [1, 0] in named["pattern"]["numbers"]
    assert _hint(Position.parse("*1.\n110\n000", mines=1))["pattern"] is None


def test_a_guess_has_two_arrangements_that_fit() -> None:
    """Only one arrangement has a mine in the cell; both match every number."""
    position = Position.parse("....\n.2..\n....", mines=3)
    told = _hint(position)
    shape, cell = position.topology, Cell(*told["cell"])
    assert not told["proved"]
    assert "steps" not in told
    for way, mined in (("mined", True), ("clear", False)):
        mines = set(told["ways"][way])
        assert len(mines) == 3
        assert (shape.index(cell) in mines) == mined
        assert shape.index(Cell(1, 1)) not in mines
        assert sum(shape.index(at) in mines for at in shape.neighbours(Cell(1, 1))) == 2


def test_winning_guess_mentions_the_least_risky_cell() -> None:
    """The message gives the risk and the win chance of both cells."""
    told = _hint(Position.parse("01110\n02.20\n13.31\n..3..\n.....", mines=6))
    least = told["least_risky"]
    assert least["cell"] != told["cell"]
    assert least["p_mine"] < told["p_mine"]
    assert least["win_chance"] < told["win_chance"]
    assert told["kind"] == "exact"


def test_a_guess_on_a_very_large_board_has_no_arrangements() -> None:
    """Drawing arrangements would take much longer than the hint."""
    told = _hint(Position.parse("\n".join(["." * 60] * 60), mines=500))
    assert told["ways"] is None
