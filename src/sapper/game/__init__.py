"""One game: its state, clock, events, saved form and review."""

from sapper.game.counts import Counts
from sapper.game.game import Game
from sapper.game.round import Status

__all__ = ["Counts", "Game", "Status"]
