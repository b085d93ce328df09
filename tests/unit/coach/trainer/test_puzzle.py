"""Puzzles and their JSON form."""

import json
import math
from typing import Any

import pytest

from sapper.coach.trainer import BadPuzzle, Puzzle, puzzles
from sapper.coach.trainer.puzzle import read_puzzles

FORM = next(iter(puzzles().values())).to_json()


def test_puzzle_round_trips_through_json() -> None:
    """A puzzle is unchanged after a JSON round trip."""
    puzzle = Puzzle.from_json(json.loads(json.dumps(FORM)))
    assert puzzle == puzzles()[FORM["id"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rating": math.inf}, "'rating' must be an integer"),
        ({"rating": 1.5}, "'rating' must be an integer"),
        ({"rating": True}, "'rating' must be an integer"),
        ({"game": 7}, "'game' text"),
        ({"rows": "..."}, "'rows' must be a list of strings"),
        ({"question": "x" * 1000}, "'x{118}…$"),
        ({"need": None}, "None is not a valid Need"),
    ],
)
def test_broken_puzzle_is_rejected(change: dict[str, Any], message: str) -> None:
    """The error is short and states the fault."""
    with pytest.raises(BadPuzzle, match=message):
        Puzzle.from_json(FORM | change)


def test_missing_part_is_reported() -> None:
    """The error names the line and the missing part."""
    whole = json.dumps(FORM)
    lacking = json.dumps({key: value for key, value in FORM.items() if key != "need"})
    with pytest.raises(BadPuzzle, match="line 3: a puzzle needs 'need'"):
        list(read_puzzles([whole, "", lacking]))
