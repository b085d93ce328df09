"""Limits on the work of an analysis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from sapper._core import Cancel
from sapper._util.arguments import number, whole
from sapper._util.shortening import shown
from sapper._util.work import Work, check_cancel
from sapper.errors import BadSetting, WrongType

__all__ = ["Cancel", "Limit", "check_seconds", "checked"]


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits on the work of an analysis before it falls back to estimates.

    Attributes:
        states: The maximum number of states to count, over all components; None for the engine's
            bound, which keeps memory under about two gigabytes.
        seconds: The wall-clock limit, or None. It is kept to within 20 % and 50 ms on boards of
            up to a million cells.
        cancel: Stops the analysis, for example from another thread; it then raises `Cancelled`.

    Raises:
        BadSetting: If a limit is negative or not a number.
        WrongType: If `cancel` is not a `Cancel`.
    """

    states: int | None = None
    seconds: float | None = None
    cancel: Cancel | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.states is not None:
            object.__setattr__(self, "states", whole(self.states, "states", most=2**64 - 1))
        object.__setattr__(self, "seconds", check_seconds(self.seconds))
        check_cancel(self.cancel)

    def work(self) -> Work:
        """Return the deadline and cancel flag of work that begins now."""
        return Work(self.seconds, self.cancel)


def check_seconds(seconds: object, *, above: bool = False) -> float | None:
    """Return a time limit; reject values that are not at least 0 (or above 0, with `above`).

    Raises:
        BadSetting: If the value is rejected; None is accepted.
    """
    if seconds is None:
        return None
    given = number(seconds)
    if given is None or not (given > 0 or (given == 0 and not above)):
        allowed = "above 0" if above else "0 or more"
        raise BadSetting(f"seconds must be a number {allowed}, got {shown(seconds)}")
    return given


_DEFAULT: Final = Limit()


def checked(limit: Limit | None) -> Limit:
    """Return the given limit, or the default for None.

    Raises:
        WrongType: If the value is neither a limit nor None.
    """
    if limit is None:
        return _DEFAULT
    if not isinstance(limit, Limit):
        raise WrongType(f"expected a Limit, got {shown(limit)}")
    return limit
