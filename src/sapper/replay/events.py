"""Mouse events of a replay: their kinds, and columns of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from sapper.errors import BadReplay

__all__ = ["KINDS", "Event", "EventKind", "Events"]


class EventKind(StrEnum):
    """Kinds of events. The two-letter values are from RawVF and EVF files."""

    MOVE = "mv"
    """The pointer moved."""
    LEFT_DOWN = "lc"
    LEFT_UP = "lr"
    RIGHT_DOWN = "rc"
    RIGHT_UP = "rr"
    MIDDLE_DOWN = "mc"
    MIDDLE_UP = "mr"
    PRE_FLAG = "pf"
    """A flag was set before the recording started."""
    SECOND_DOWN = "cc"
    """The second of two buttons was pressed; the file does not record which."""
    LEFT_CHANGE = "l"
    """The left button was pressed or released; the file does not record which."""
    RIGHT_CHANGE = "r"
    MIDDLE_CHANGE = "m"
    SHIFT_LEFT_DOWN = "sc"
    """The left button was pressed with Shift, so its release chords."""
    OPEN = "open"
    """A cell was opened, by mouse or otherwise."""
    FLAG = "flag"
    """A flag was set or removed."""
    CHORD = "chord"
    QUESTION = "question"
    """A question mark was set or removed."""
    MARKS_CHANGE = "mt"
    """The setting for question marks was switched on or off."""


KINDS: Final = (None, *EventKind)
"""Event kinds indexed by code. Codes 1 to 12 are those of EVF files."""
_CODES = {kind: code for code, kind in enumerate(KINDS) if kind is not None}


class Event(NamedTuple):
    """One event.

    Attributes:
        ms: Milliseconds since the start of the recording.
        kind: The kind of event.
        x: Pixels from the left border of the board; negative to the left of it.
        y: Pixels from the top border of the board.
    """

    ms: int
    kind: EventKind
    x: int
    y: int


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """Events in order, with one array per column.

    Attributes:
        ms: Milliseconds since the start of the recording.
        kind: Codes, which are indices into `KINDS`.
        x: Pixels from the left border of the board.
        y: Pixels from the top border of the board.
    """

    ms: npt.NDArray[np.int64]
    kind: npt.NDArray[np.uint8]
    x: npt.NDArray[np.int32]
    y: npt.NDArray[np.int32]

    def __post_init__(self) -> None:
        sizes = {len(column) for column in (self.ms, self.kind, self.x, self.y)}
        if len(sizes) != 1:
            raise BadReplay("the columns of the events must be equally long")
        if len(self.kind) and not (self.kind.min() >= 1 and self.kind.max() < len(KINDS)):
            raise BadReplay(f"an event kind must be between 1 and {len(KINDS) - 1}")

    @classmethod
    def of(cls, ms: Any, kind: Any, x: Any, y: Any) -> Self:
        """Create events from columns that can be converted to integers."""
        return cls(
            np.asarray(ms, dtype=np.int64),
            np.asarray(kind, dtype=np.uint8),
            np.asarray(x, dtype=np.int32),
            np.asarray(y, dtype=np.int32),
        )

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> Self:
        """Create columns from single events."""
        rows = list(events)
        ms, kinds, x, y = zip(*rows, strict=True) if rows else ((), (), (), ())
        return cls.of(ms, [_CODES[kind] for kind in kinds], x, y)

    def __len__(self) -> int:
        return len(self.ms)

    def __iter__(self) -> Iterator[Event]:
        columns = (column.tolist() for column in (self.ms, self.kind, self.x, self.y))
        for ms, kind, x, y in zip(*columns, strict=True):
            yield Event(ms, EventKind(KINDS[kind] or ""), x, y)

    def __getitem__(self, chosen: Any) -> Events:
        """Return the events at a slice, a mask or an array of indices."""
        return Events(self.ms[chosen], self.kind[chosen], self.x[chosen], self.y[chosen])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Events):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("ms", "kind", "x", "y")
        )

    __hash__ = None  # type: ignore[assignment]

    def is_kind(self, *kinds: EventKind) -> npt.NDArray[np.bool_]:
        """Return a mask of the events of these kinds."""
        mask = np.zeros(len(self.kind), dtype=np.bool_)
        for kind in kinds:
            mask |= self.kind == _CODES[kind]
        return mask
