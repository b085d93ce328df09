"""The overlays by name, and the validated marks of an overlay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from sapper._util.foreign_errors import defined_at, described, trace_of
from sapper._util.interrupt import is_interrupt
from sapper._util.registry import Registry, enter
from sapper._util.shortening import shown
from sapper.errors import BadCell, BadSetting, Cancelled, OverlayFailed
from sapper.overlays.base import Mark, Overlay
from sapper.overlays.chances import Chances, Risks, States
from sapper.position import FLAGGED, UNOPENED, Position
from sapper.solver import Analysis

__all__ = ["OVERLAYS", "marks_of", "register"]

OVERLAYS: Registry[type[Overlay]] = Registry({cls.name: cls for cls in (States, Chances, Risks)})
"""Every overlay by name. The built-in ones are listed here; `register` adds others."""

_UNOPENED: Final = (UNOPENED + FLAGGED).encode()
_RESERVED: Final = {"none": None, "marks": None}
"""Names that mean something else in messages."""
_Overlay = TypeVar("_Overlay", bound=type[Overlay])


def register(cls: _Overlay) -> _Overlay:
    """Add an overlay to `OVERLAYS` under its name; a decorator for its class.

    Raises:
        BadSetting: If the class is not an `Overlay` with a name, a label and `marks`, or its name
            is taken.
    """
    if not (isinstance(cls, type) and issubclass(cls, Overlay)):
        raise BadSetting(f"an overlay must be a subclass of Overlay, got {shown(cls)}")
    for attribute in ("name", "label"):
        value = getattr(cls, attribute, None)
        if not isinstance(value, str) or not value:
            raise BadSetting(
                f"{cls.__name__} needs an attribute {attribute} of type str, got {shown(value)}"
            )
    if missing := sorted(cls.__abstractmethods__):
        raise BadSetting(f"{cls.__name__} needs a method {missing[0]}(position, analysis)")
    enter({**OVERLAYS, **_RESERVED}, "overlay", cls.name, cls)
    OVERLAYS[cls.name] = cls
    return cls


def marks_of(name: str, position: Position, analysis: Analysis) -> dict[int, Mark]:
    """Return the marks of an overlay by index, without those of opened cells.

    Args:
        name: The name of the overlay.
        position: The position, with the player's flags.
        analysis: Its analysis, without flags.

    Raises:
        BadSetting: If there is no such overlay.
        OverlayFailed: If it raises an exception or returns something other than marks of cells.
    """
    cls = OVERLAYS.get(name)
    if cls is None:
        raise BadSetting(f"unknown overlay {shown(name)}; choose from: {', '.join(OVERLAYS)}")
    try:
        found = cls().marks(position, analysis)
    except Cancelled:
        raise
    except BaseException as problem:
        if is_interrupt(problem):
            raise
        message = f"overlay {name}: {described(problem)}"
        raise OverlayFailed(message, trace_of(problem)) from problem
    return _checked(found, position, f"overlay {name}: {defined_at(cls, 'marks')}")


def _checked(found: object, position: Position, where: str) -> dict[int, Mark]:
    if not isinstance(found, Mapping):
        raise OverlayFailed(f"{where}: returned {shown(found)}; expected cells and their marks")
    made: dict[int, Mark] = {}
    for cell, mark in found.items():
        if not isinstance(mark, Mark):
            raise OverlayFailed(f"{where}: returned {shown(mark)} for a cell; expected a Mark")
        try:
            index = position.topology.index(cell)
        except BadCell as problem:
            raise OverlayFailed(f"{where}: {problem}") from None
        # Opened cells show their number.
        if position.cells[index] in _UNOPENED:
            made[index] = mark
    return made
