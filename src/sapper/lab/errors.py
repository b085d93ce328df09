"""Errors in a run, except those of its bot."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["BadRun", "DamagedFile", "LostWorkers"]


class BadRun(SapperError, ValueError):
    """A directory that contains no run or a different run, or cannot be written to."""

    code = "bad_run"


class DamagedFile(BadRun):
    """A run's file that is missing, truncated or corrupted."""

    code = "damaged"


class LostWorkers(SapperError):
    """Workers that cannot be reached, or keep dying."""

    code = "lost_workers"
