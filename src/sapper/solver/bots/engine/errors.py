"""Engine errors."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["EngineFailed"]


class EngineFailed(SapperError, RuntimeError):
    """An engine could not be started, broke the protocol, took too long or ended.

    The message names the engine and repeats what it sent.
    """

    code = "engine_failed"
