"""Going back to a decision."""

from __future__ import annotations

from sapper.coach.retry import game_before
from sapper.game import Game


def test_retry_restores_the_clock() -> None:
    """After an action with a pointer path, the clock shows the time of the previous action."""
    game = Game("9x9:10", first_click="opening", seed=7)
    game.open((4, 4))
    game.open((0, 0))
    saved = game.to_json()
    saved["clock"]["player_s"] = 9.5
    for seconds, action in zip((1.5, 2.5), saved["actions"], strict=True):
        action[3] = seconds
    for path in ([], [[5, 4, 4]]):
        saved["actions"][0][4:] = path
        before = game_before(Game.from_json(saved), 1)
        assert before.clock.player_s == 1.5
        assert len(before.log) == 1
