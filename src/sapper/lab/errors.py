"""What can go wrong with a run, besides its bot."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["BadRun", "LostWorkers"]


class BadRun(SapperError, ValueError):
    """A directory that holds no run, another one than was asked for, or cannot be written."""

    code = "bad_run"


class LostWorkers(SapperError):
    """Workers that cannot be reached, or die again and again."""

    code = "lost_workers"
