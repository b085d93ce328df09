"""Input that is nested too deeply for Python to print it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sapper.board import Board
from sapper.coach.trainer import Puzzle
from sapper.errors import SapperError
from sapper.game import Game
from sapper.position import Position
from sapper.replay import from_json


@pytest.mark.parametrize("key", ["", "rows", "mines", "width", "format"])
@pytest.mark.parametrize(
    "read",
    [Position.from_json, Board.from_json, Game.from_json, Puzzle.from_json, from_json],
)
def test_deeply_nested_input_is_refused(read: Callable[[Any], Any], key: str) -> None:
    """The message about it was a `RecursionError` of its own."""
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(SapperError):
        read({"rows": ["?"], key: nested} if key else nested)
