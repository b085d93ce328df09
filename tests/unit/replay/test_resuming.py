from __future__ import annotations

from pathlib import Path

import pytest

from sapper.errors import BadSetting
from sapper.game import Status
from sapper.replay import Playback, from_json, game_after, load

EXPERT = Path(__file__).parents[2] / "data" / "replays" / "expert.avf"
LOST = from_json(
    {
        "format": "sapper-replay/1",
        "board": {"rows": ["1*21", "112*", "0011"]},
        "clicks": [
            [500, "open", 0, 2],
            [1500, "flag", 1, 0],
            [2000, "open", 2, 0],
            [2500, "open", 3, 1],
        ],
    }
)


def test_game_resumes_with_position_mines_flags_and_time() -> None:
    """After three clicks, the flag, the mines and the clock of 1.5 s are those of the replay."""
    played = Playback(LOST)
    game = game_after(played, 3)
    assert game.position == played.position_after(3)
    assert game.position[0, 1] == "F"
    assert (game.status, game.clock.player_s) == (Status.PLAYING, 1.5)
    assert game.open((1, 3))
    assert game.status is Status.LOST
    assert game.board == LOST.board


def test_game_resumed_at_the_start_is_untouched() -> None:
    """In a game resumed at the start, nothing is open, and no time has passed."""
    game = game_after(Playback(LOST), 0)
    assert (game.status, game.clock.player_s) == (Status.READY, 0.0)
    assert game.position == Playback(LOST).position_after(0)


def test_game_can_be_resumed_at_every_moment() -> None:
    """The only exception is the last click of a won game."""
    played = Playback(load(EXPERT))
    count = len(played.steps)
    for steps in {0, 1, count // 3, count // 2, count - 1}:
        assert game_after(played, steps).position == played.position_after(steps)
    with pytest.raises(BadSetting, match=f"the game was won after {count} steps"):
        game_after(played, count)


@pytest.mark.parametrize("steps", [-1, 5])
def test_missing_steps_are_rejected(steps: int) -> None:
    """The message includes the number of steps."""
    with pytest.raises(BadSetting, match=f"steps must be between 0 and 4, got {steps}"):
        game_after(Playback(LOST), steps)
