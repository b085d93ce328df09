"""Pointer paths are validated, packed, and stored with the action that ends them."""

from __future__ import annotations

import json
import pickle
import re
from typing import Any

import pytest

from sapper.errors import BadSave, BadSetting, IllegalAction
from sapper.game import Game, pointer_path
from sapper.game.pointer_path import MOST_POINTS, pack, points, unpack
from sapper.topology import topology

SHAPE = topology("rectangle", 3, 2)
PATH = [150, 8, 0, 50, 30, 8, 81, -4, 20]


def test_path_has_points_before_the_action() -> None:
    """Each point gives its time before the action and its position relative to the corner."""
    packed = pack(PATH, SHAPE)
    assert unpack(packed) == PATH
    assert len(packed) == 3 * pointer_path.POINT_BYTES
    assert points(packed).tolist() == [[150, 8, 0], [100, 38, 8], [19, 34, 28]]
    assert len(pack([0, 47, 31] + [0, 0, 0] * (MOST_POINTS - 1), SHAPE)) == 12 * MOST_POINTS


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, "3 whole numbers for each of at most 1,000 points, got None"),
        ([], "3 whole numbers for each"),
        ([1, 2], "3 whole numbers for each"),
        ([1, 2, 3.0], "3 whole numbers for each"),
        ([1, 2, True], "3 whole numbers for each"),
        ([0, 0, 0] * (MOST_POINTS + 1), "3 whole numbers for each"),
        ([10**12, 0, 0], "between -2^31 and 2^31"),
        ([10**5000, 0, 0], "between -2^31 and 2^31"),
        ([-1, 0, 0], "in order, all before the action"),
        ([5, 0, 0, 6, 0, 0], "in order, all before the action"),
        ([5, 0, 0, -1, 0, 0], "in order, all before the action"),
        ([5, 48, 0], "x of a pointer path must be between 0 and 47, got 48"),
        ([5, 0, 0, 0, 0, -1], "y of a pointer path must be between 0 and 31, got -1"),
        ([0, 2**31 - 1, 0] * 300, "x of a pointer path must be between"),
    ],
)
def test_invalid_path_is_rejected(values: Any, message: str) -> None:
    """The message gives the allowed values."""
    with pytest.raises(BadSetting, match=re.escape(message)) as problem:
        pack(values, SHAPE)
    assert len(str(problem.value)) < 200


def test_saved_game_keeps_its_paths() -> None:
    """Undone actions and copies keep their paths; a restarted game has none."""
    game = Game("3x2:1", first_click="any", seed=1)
    with pytest.raises(IllegalAction, match="needs the action that it ends with"):
        game.note_pointer(pack(PATH, SHAPE))
    game.flag((0, 0))
    game.flag((0, 0))
    game.note_pointer(pack(PATH, SHAPE))
    game.undo()
    game.note_pointer(pack(PATH[:3], SHAPE))
    saved = json.loads(json.dumps(game.to_json()))
    assert [len(action) for action in saved["actions"]] == [4, 5, 3]
    assert saved["actions"][1][-1] == PATH
    for again in (game, Game.from_json(saved), pickle.loads(pickle.dumps(game))):
        assert again.to_json() == saved
        assert again.pointer_points == len(PATH) // 3 + 1
        assert (again.action_count, again.log_from(1)) == (3, again.log[1:])
        assert dict(again.pointer_paths) == {1: pack(PATH, SHAPE), 2: pack(PATH[:3], SHAPE)}
    game.restart()
    assert not game.pointer_paths
    assert game.pointer_points == game.action_count == 0


@pytest.mark.parametrize("path", [[], [1, 2], [0, 48, 0], ["x"] * 3])
def test_saved_game_with_invalid_path_is_rejected(path: Any) -> None:
    """The message names the action."""
    game = Game("3x2:1", first_click="any", seed=1)
    game.flag((0, 0))
    saved = game.to_json()
    saved["actions"][0].append(path)
    with pytest.raises(BadSave, match=r"^action 1: .* of a pointer path|^action 1: a pointer path"):
        Game.from_json(saved)
