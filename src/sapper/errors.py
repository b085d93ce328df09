"""All errors raised by Sapper, with one base class and stable codes."""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "BadBoard",
    "BadCell",
    "BadLevel",
    "BadPosition",
    "BadReplay",
    "BadSave",
    "BadSetting",
    "BotFailed",
    "Cancelled",
    "IllegalAction",
    "InconsistentPosition",
    "LimitReached",
    "MissingExtra",
    "OverlayFailed",
    "SapperError",
    "WrongType",
]


class SapperError(Exception):
    """The base class of all Sapper errors.

    Attributes:
        code: A stable identifier for programs, the same on the command line and over HTTP.
    """

    code: ClassVar[str] = "error"

    def to_json(self) -> dict[str, str]:
        """Return the JSON form of an error: ``{"code": ..., "message": ...}``."""
        return {"code": self.code, "message": str(self)}


class BadPosition(SapperError, ValueError):
    """The text, JSON form or arguments do not describe a position."""

    code = "bad_position"


class BadBoard(SapperError, ValueError):
    """The text, JSON form or arguments do not describe a board."""

    code = "bad_board"


class BadLevel(SapperError, ValueError):
    """A level that cannot be parsed, or a board that cannot exist."""

    code = "bad_level"


class BadSetting(SapperError, ValueError):
    """An unknown name, or incompatible settings."""

    code = "bad_setting"


class BadCell(BadSetting):
    """A cell off the board, or a value that is not a cell.

    A subclass of `BadSetting` for compatibility with version 1.0.
    """

    code = "bad_cell"


class BadSave(SapperError, ValueError):
    """A saved game that cannot be loaded."""

    code = "bad_save"


class BadReplay(SapperError, ValueError):
    """A replay file that cannot be read, or a replay that a format cannot represent."""

    code = "bad_replay"


class IllegalAction(SapperError, ValueError):
    """An action that the rules do not currently allow."""

    code = "illegal_action"


class InconsistentPosition(SapperError, ValueError):
    """No arrangement of mines fits the position.

    Attributes:
        cause: ``"number"`` (a single number is impossible), ``"component"`` (numbers contradict
            each other) or ``"total"`` (only the mine total is at fault).
        cells: The numbers at fault as (row, col); empty if the total is at fault.
    """

    code = "inconsistent_position"

    def __init__(
        self, message: str, cause: str = "component", cells: tuple[tuple[int, int], ...] = ()
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.cells = cells

    def to_json(self) -> dict[str, str]:
        """Return the JSON form of the error, with its cause."""
        return {**super().to_json(), "cause": self.cause}


class BotFailed(SapperError, ValueError):
    """A bot raised an exception or returned an invalid action.

    The message names the bot, the seed of the game, the number of the bot's choice, and the file
    and line.

    Attributes:
        trace: If the bot raised an exception, the calls in its files that led to it, one or two
            lines each.
        timed_out: Whether the bot exceeded its time limit.
    """

    code = "bot_failed"

    def __init__(self, message: str = "", trace: str = "", *, timed_out: bool = False) -> None:
        super().__init__(message)
        self.trace, self.timed_out = trace, timed_out


class OverlayFailed(SapperError, ValueError):
    """An overlay raised an exception or returned something other than marks of cells.

    The message names the overlay, the file and the line.

    Attributes:
        trace: If the overlay raised an exception, the calls in its files that led to it.
    """

    code = "overlay_failed"

    def __init__(self, message: str = "", trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


class LimitReached(SapperError, ValueError):
    """A limit ran out before there was a result."""

    code = "limit_reached"


class WrongType(SapperError, TypeError):
    """An argument of the wrong type."""

    code = "wrong_type"


class Cancelled(SapperError):
    """A call was stopped by its `Cancel` flag before there was a result."""

    code = "cancelled"


class MissingExtra(SapperError, ImportError):
    """An optional part of Sapper is not installed; the message contains the pip command."""

    code = "missing_extra"
