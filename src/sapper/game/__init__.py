"""One game: its state, its clock, its events, its saved form, and the review of it."""

from sapper.game.game import Counts, Game
from sapper.game.round import Status

__all__ = ["Counts", "Game", "Status"]
