"""One game: its state, clock, events, saved form and review."""

from sapper.game.game import Counts, Game
from sapper.game.round import Status

__all__ = ["Counts", "Game", "Status"]
