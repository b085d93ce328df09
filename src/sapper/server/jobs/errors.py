"""Reasons why a job is not done."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["Busy", "Superseded", "TooSlow"]


class Busy(SapperError, RuntimeError):
    """The server is too busy for another job, or already has one of this player's."""

    code = "busy"


class TooSlow(SapperError, RuntimeError):
    """A job that takes too long for a player to wait."""

    code = "too_slow"


class Superseded(SapperError, RuntimeError):
    """A job whose game was replaced by another one before it was done."""

    code = "superseded"
