"""Every error Sapper raises on purpose: one base class, each with a stable code."""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "BadBoard",
    "BadLevel",
    "BadPosition",
    "BadSave",
    "BadSetting",
    "BotFailed",
    "Cancelled",
    "IllegalAction",
    "InconsistentPosition",
    "LimitReached",
    "MissingExtra",
    "SapperError",
]


class SapperError(Exception):
    """The base of all of Sapper's errors.

    Attributes:
        code: A stable name for programs, the same on the command line and over HTTP.
    """

    code: ClassVar[str] = "error"

    def to_json(self) -> dict[str, str]:
        """The one JSON shape of an error: ``{"code": ..., "message": ...}``."""
        return {"code": self.code, "message": str(self)}


class BadPosition(SapperError, ValueError):
    """A text or JSON form that does not describe a position."""

    code = "bad_position"


class BadBoard(SapperError, ValueError):
    """A text or JSON form that does not describe a board."""

    code = "bad_board"


class BadLevel(SapperError, ValueError):
    """A level that cannot be parsed, or a board that cannot exist."""

    code = "bad_level"


class BadSetting(SapperError, ValueError):
    """An unknown name, or a combination of settings that makes no game."""

    code = "bad_setting"


class BadSave(SapperError, ValueError):
    """A saved game that cannot be loaded."""

    code = "bad_save"


class IllegalAction(SapperError, ValueError):
    """An action that the rules of the game do not allow now."""

    code = "illegal_action"


class InconsistentPosition(SapperError, ValueError):
    """No arrangement of mines fits the position.

    Attributes:
        cause: ``"number"`` (one number cannot be, whatever lies elsewhere), ``"component"``
            (numbers that contradict each other) or ``"total"`` (only the mine total is at fault).
        cells: The numbers at fault as (row, col), empty when the total is.
    """

    code = "inconsistent_position"

    def __init__(
        self, message: str, cause: str = "component", cells: tuple[tuple[int, int], ...] = ()
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.cells = cells

    def to_json(self) -> dict[str, str]:
        """The JSON shape of every error, with the cause added."""
        return {**super().to_json(), "cause": self.cause}


class BotFailed(SapperError, ValueError):
    """A bot raised, or what it answered cannot be done; the message names bot and game."""

    code = "bot_failed"


class LimitReached(SapperError, ValueError):
    """A limit ran out before there was an answer, and no lesser answer would be honest."""

    code = "limit_reached"


class Cancelled(SapperError):
    """A call was stopped by its `Cancel` flag before there was an answer."""

    code = "cancelled"


class MissingExtra(SapperError, ImportError):
    """A part of Sapper that was not installed; the message says by which command it is."""

    code = "missing_extra"
