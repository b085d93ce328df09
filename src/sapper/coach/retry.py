"""Return to a decision in a game, and continue from there."""

from __future__ import annotations

from sapper._util.arguments import expect, whole
from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.game import Game

__all__ = ["game_before"]


def game_before(game: Game, decision: int) -> Game:
    """Return the game as it was before a decision, with the flags and time at that point.

    The mines are the same: a board placed beforehand is kept, and under other rules the same moves
    get the same deals.

    Args:
        game: The game, finished or not; it is not modified.
        decision: The index of a decision in its review.

    >>> game = Game("9x9:10", first_click="opening", seed=7)
    >>> _ = game.open((4, 4)), game.open((0, 0))
    >>> before = game_before(game, 1)
    >>> before.position.number((4, 4)), before.position[0, 0], len(before.log)
    (0, '.', 1)

    Raises:
        BadSetting: If there is no such decision.
    """
    expect(game, Game, "a Game")
    decision = whole(decision, "a decision")
    saved = game.to_json()
    actions = saved["actions"]
    # Replay the game only to count decisions: actions that open nothing do not count, and a chord
    # may count several times.
    played = Game.from_json({**saved, "clock": _clock(0.0), "actions": []})
    for kept, action in enumerate(game.log):
        played.play(action)
        if sum(not turn.undone for turn in played.trail().turns) > decision >= 0:
            seconds = game.log[kept - 1].at_s if kept else 0.0
            return Game.from_json({**saved, "clock": _clock(seconds), "actions": actions[:kept]})
    count = sum(not turn.undone for turn in played.trail().turns)
    raise BadSetting(f"the game has {count} decisions, counted from 0, got {shown(decision)}")


def _clock(seconds: float) -> dict[str, object]:
    return {"player_s": seconds, "running": False, "solver_s": 0.0}
