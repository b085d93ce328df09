"""Continue a game from a moment of its replay."""

from __future__ import annotations

from sapper import dealer
from sapper.errors import BadSetting
from sapper.game import Game, Status
from sapper.replay.playback import Playback
from sapper.rules import FirstClick, Level

__all__ = ["game_after"]


def game_after(played: Playback, steps: int) -> Game:
    """Return a game that continues after a number of steps of a replay.

    The game has the same mines, and the flags and clock time of that moment.

    Args:
        played: The replay.
        steps: Number of steps to keep.

    Raises:
        BadSetting: If the replay has fewer steps, or the game is over after them.
    """
    if not 0 <= steps <= len(played.steps):
        raise BadSetting(f"steps must be between 0 and {len(played.steps)}, got {steps}")
    if steps == len(played.steps) and played.status in (Status.WON, Status.LOST):
        raise BadSetting(f"the game was {played.status} after {steps} steps; go on from before")
    board = played.replay.board
    shape = board.topology
    position = played.position_after(steps)
    level = Level(shape.width, shape.height, position.mines, position.density, shape.name)
    settings = dealer.settings(
        level,
        first_click=FirstClick.ANY,
        win=played.replay.win,
        chord=played.replay.chord,
    )
    game = Game.begin(settings, position, board)
    started = any(step.turns for step in played.steps[:steps])
    spent_ms = played.steps[steps - 1].ms - played.started_ms if started else 0
    game.clock.player.set(max(0, spent_ms) / 1000)
    return game
