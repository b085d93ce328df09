"""Ways to start a new game."""

from __future__ import annotations

import numpy as np
import pytest

from sapper.errors import BadSetting
from sapper.vision.geometry import Geometry
from sapper.vision.new_game import NewGameStep, face_above, parse_way


@pytest.mark.parametrize(
    ("way", "step"),
    [
        ("key F2", NewGameStep("key", "F2")),
        ("Control_L+n", NewGameStep("key", "Control_L+n")),
        ('click "New game"', NewGameStep("text", "New game")),
        ("click New game", NewGameStep("text", "New game")),
        ("click 120 40", NewGameStep("point", x=120, y=40)),
        ("click -8,9", NewGameStep("point", x=-8, y=9)),
        ("face", NewGameStep("face")),
        ("reload", NewGameStep("reload")),
    ],
)
def test_a_way_is_parsed(way: str, step: NewGameStep) -> None:
    """The word ``key`` may be omitted, and so may the quotes around text."""
    assert parse_way(way) == (step,)


def test_steps_are_joined_by_then() -> None:
    """A menu takes several clicks, which are joined by "then" and parsed in order."""
    assert parse_way('click "Menu" then face') == (NewGameStep("text", "Menu"), NewGameStep("face"))


@pytest.mark.parametrize("way", ["", "click", 'click ""', "press x", "key", "F2 then "])
def test_invalid_ways_are_rejected(way: str) -> None:
    """The error lists the valid forms."""
    with pytest.raises(BadSetting, match="a new game must start by key K"):
        parse_way(way)


def test_face_is_above_the_middle_of_the_board() -> None:
    """A low header is clicked in its centre, a page at the nearest drawing that is not a frame."""
    image = np.full((700, 600, 3), 200, dtype=np.uint8)
    at = Geometry(100, 60, 20, 9, 9)
    assert face_above(image, at) == 30
    at = Geometry(100, 400, 20, 9, 9)
    image[340:364, 180:204] = 90
    image[390:392] = 0
    assert face_above(image, at) == 352
