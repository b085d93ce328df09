"""Errors of HTTP requests."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = [
    "Forbidden",
    "NoGame",
    "Stalled",
    "StoreFailed",
    "TooLarge",
    "TooMany",
]


class TooMany(SapperError, RuntimeError):
    """An address has exceeded its request rate."""

    code = "too_many"


class Forbidden(SapperError, PermissionError):
    """The request is not for this visitor."""

    code = "forbidden"


class NoGame(SapperError, LookupError):
    """The game does not exist."""

    code = "no_game"


class StoreFailed(SapperError, RuntimeError):
    """The saved games file is unusable, for example because the disk is full."""

    code = "store_failed"


class Stalled(SapperError, TimeoutError):
    """The body of a request did not arrive."""

    code = "stalled"


class TooLarge(SapperError, ValueError):
    """The body of a request is too long."""

    code = "too_large"
