"""Errors for jobs that were rejected, timed out or became obsolete."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["Busy", "Superseded", "TooSlow"]


class Busy(SapperError, RuntimeError):
    """The server is too busy for another job, or already has one for this player."""

    code = "busy"


class TooSlow(SapperError, RuntimeError):
    """A job takes longer than a player should wait."""

    code = "too_slow"


class Superseded(SapperError, RuntimeError):
    """The game of a job was replaced before the job was done."""

    code = "superseded"
