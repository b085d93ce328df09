"""Errors in a run, other than those of its bot."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["BadRun", "DamagedFile", "LostWorkers"]


class BadRun(SapperError, ValueError):
    """A directory that has no run, has a different run, or cannot be written."""

    code = "bad_run"


class DamagedFile(BadRun):
    """A file of a run that is missing, truncated or corrupted."""

    code = "damaged"


class LostWorkers(SapperError):
    """Workers that cannot be reached, or keep dying."""

    code = "lost_workers"
