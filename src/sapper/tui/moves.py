"""Perform actions: immediately, or in the background if the rules require an analysis."""

from __future__ import annotations

from collections.abc import Callable

from sapper._core import Cancel
from sapper._util.cancel_flag import cancelled_by
from sapper.actions import Action, ActionKind
from sapper.dealer import RULES
from sapper.game import Game
from sapper.tui.background import Background

__all__ = ["Moves"]


class Moves:
    """Performs one action at a time.

    Args:
        failed: Shows an error.
    """

    def __init__(self, failed: Callable[[Exception], object]) -> None:
        self._failed = failed
        self._running: Background[bool] = Background()

    @property
    def busy(self) -> bool:
        """Whether an action is in progress."""
        return self._running.busy

    def cancel(self) -> None:
        """Cancel the action in progress."""
        self._running.cancel()

    def perform(self, game: Game, action: Action, done: Callable[[bool], object]) -> None:
        """Perform an action unless another one is in progress.

        Args:
            game: The game.
            action: The action.
            done: Called with whether it had an effect.
        """
        reasons = RULES[game.rules].reasons
        if reasons == "never" or action.kind in (ActionKind.FLAG, ActionKind.UNDO):
            done(_play(game, action, None))
        elif not self.busy:
            self._running.run(lambda cancel: _play(game, action, cancel), done, self._failed)


def _play(game: Game, action: Action, cancel: Cancel | None) -> bool:
    """Perform an action if the game still accepts it."""
    if game.over and action.kind is not ActionKind.UNDO:
        return False
    if cancel is None:
        return game.play(action)
    with cancelled_by(cancel):
        return game.play(action)
