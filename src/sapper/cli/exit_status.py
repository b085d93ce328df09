"""The exit statuses of `sapper`; docs/cli.md lists them from here."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ExitStatus"]


class ExitStatus(IntEnum):
    """An exit status and its meaning.

    Statuses above 128 follow the shell convention for signals: 128 plus the signal's number.
    """

    meaning: str

    DONE = 0, "done"
    NEGATIVE = 1, "negative answer: no arrangement fits, nothing to open, or problems found"
    BAD_INPUT = 2, "bad input"
    INTERRUPTED = 130, "interrupted by Ctrl-C"
    BROKEN_PIPE = 141, "output pipe closed"

    def __new__(cls, value: int, meaning: str) -> ExitStatus:
        """Create a status from its number and its meaning."""
        status = int.__new__(cls, value)
        status._value_ = value
        status.meaning = meaning
        return status
