"""The replay formats: detect, read and write them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from os.path import splitext
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from sapper._util.arguments import expect
from sapper._util.names import either
from sapper._util.registry import Registry, enter
from sapper._util.shortening import shown
from sapper.errors import BadReplay, BadSetting
from sapper.game import Status
from sapper.replay import avf, evf, json_form, mvf, rawvf, rmv
from sapper.replay.byte_reader import MOST_BYTES
from sapper.replay.countries import country_code
from sapper.replay.event_lines import KIND_NAMES
from sapper.replay.events import KINDS, EventKind
from sapper.replay.fairness import with_fairness
from sapper.replay.left_chords import without_left_chords
from sapper.replay.playback import Playback
from sapper.replay.recording import Info, Replay
from sapper.translation import Text, t

__all__ = [
    "FORMATS",
    "LABELS",
    "WRITERS",
    "candidates",
    "is_expected",
    "load",
    "losses",
    "parse",
    "register",
    "serialize",
]


@runtime_checkable
class _Format(Protocol):
    """The interface of a module that reads a format."""

    def looks_like(self, data: bytes) -> bool: ...

    def read(self, data: bytes) -> Replay: ...


@runtime_checkable
class _Writer(_Format, Protocol):
    """The interface of a module that also writes a format."""

    def write(self, replay: Replay) -> bytes: ...


FORMATS: Final[Registry[_Format]] = Registry(
    {
        "json": json_form,
        "rawvf": rawvf,
        "rmv": rmv,
        "avf": avf,
        "evf": evf,
        "mvf": mvf,
    }
)
"""The modules that read each format, in the order of detection."""

WRITERS: Final[Registry[_Writer]] = Registry({"json": json_form, "rawvf": rawvf, "evf": evf})
"""Formats that can be written."""

LABELS: Final = {"json": "JSON", "rawvf": "RawVF", "evf": "EVF"}
"""Display names of writable formats."""

_LEAST_PX: Final = 5
_EVF_KINDS: Final = 12
"""Last kind of event in EVF files."""

_Class = TypeVar("_Class", bound=type[Any])


def register(name: str) -> Callable[[_Class], _Class]:
    """Return a decorator that adds a replay format, detected after the built-in ones.

    The class has the static methods ``looks_like(data)`` and ``read(data)``, where ``read``
    raises `BadReplay`, and, if the format can be written, ``write(replay)``.

    Raises:
        BadSetting: If the name is taken or not a name, or a method is missing.
    """

    def add(cls: _Class) -> _Class:
        if not isinstance(cls, _Format):
            raise BadSetting(f"a replay format needs looks_like and read, got {shown(cls)}")
        enter(FORMATS, "replay format", name, cls)
        if isinstance(cls, _Writer):
            WRITERS[name] = cls
        return cls

    return add


def parse(data: bytes) -> Replay:
    """Read a replay of any format, recognised by its content.

    Raises:
        BadReplay: If the format is unknown, or the data is damaged or larger than 16 MiB.
    """
    expect(data, bytes, "a replay as bytes")
    if not data:
        raise BadReplay(t("the file is empty"))
    if len(data) > MOST_BYTES:
        raise BadReplay(t("a replay has at most {count} bytes", count=MOST_BYTES))
    problems: list[Text] = []
    for name in candidates(data):
        try:
            return FORMATS[name].read(data)
        except BadReplay as problem:
            problems.append(
                t(
                    "this {format} file cannot be read: {problem}",
                    format=LABELS.get(name, name.upper()),
                    problem=problem.args[0],
                )
            )
    if problems:
        raise BadReplay(problems[0] if len(problems) == 1 else "; ".join(problems))
    raise BadReplay(t("not a replay of a known format: {formats}", formats=", ".join(FORMATS)))


def candidates(data: bytes) -> list[str]:
    """Return the possible formats of data, judging by its first bytes."""
    return [name for name, module in FORMATS.items() if module.looks_like(data)]


def is_expected(name: str, data: bytes) -> bool:
    """Return whether a file should be a replay, judging by its content or else its name.

    Many programs write files named ``.json``, so that suffix alone does not count.
    """
    suffix = splitext(name)[1].lower().removeprefix(".")
    return (suffix in FORMATS and suffix != "json") or bool(candidates(data))


def load(path: str | Path) -> Replay:
    """Read a replay from a file of any format.

    Raises:
        BadReplay: If the file is not a valid replay.
        OSError: If the file cannot be opened.
    """
    with Path(path).open("rb") as file:
        return parse(file.read(MOST_BYTES + 1))


def serialize(replay: Replay, form: str = "json", *, lossy: bool = False) -> bytes:
    """Return a replay in a format that can be written.

    Args:
        replay: The replay.
        form: A name in `WRITERS`: ``json``, ``rawvf``, ``evf`` or a registered format.
        lossy: Whether to write the replay even if the format cannot store everything. Where the
            format requires it, actions on cells become presses and releases, chords with the left
            button alone become chords with the middle button, and points off the board move to its
            corner.

    Raises:
        BadReplay: If the format cannot store the replay. Even with `lossy`, formats other than
            ``json`` reject the data in `Replay.own`.
        BadSetting: If the format cannot be written.
    """
    expect(replay, Replay, "a Replay")
    writer = WRITERS.get(form) if isinstance(form, str) else None
    if writer is None:
        raise BadSetting(f"format must be {either(list(WRITERS))}, got {shown(form)}")
    if form != "json" and replay.own:
        raise BadReplay(
            t(
                "{format} cannot store {parts}; JSON can",
                format=LABELS.get(form, form),
                parts=list(replay.own),
            )
        )
    written = _fitted(replay, form) if lossy else replay
    data = writer.write(with_fairness(written) if form == "evf" else written)
    if not lossy and (lost := losses(replay, data)):
        raise BadReplay(f"{form} cannot hold all of this replay: {', '.join(lost)} would change")
    return data


def _fitted(replay: Replay, form: str) -> Replay:
    """Return the replay converted as far as the format requires."""
    if form not in ("rawvf", "evf"):
        return replay
    kinds = KIND_NAMES if form == "rawvf" else KINDS[1 : _EVF_KINDS + 1]
    if not replay.events.is_kind(*filter(None, kinds)).all():
        replay = replay.as_mouse()
    # A replay without a pointer path has cells of one pixel, which other programs cannot display.
    if replay.cell_px < _LEAST_PX:
        replay = replay.scaled(16)
    if form == "rawvf":
        return replay
    replay = replace(replay, events=replay.events[~replay.events.is_kind(EventKind.MARKS_CHANGE)])
    if replay.events.is_kind(EventKind.SHIFT_LEFT_DOWN).any() or replay.info.super_click:
        replay = without_left_chords(replay.as_mouse())
    # EVF files always have a result.
    played, info = Playback(replay), replay.info
    if info.won is None:
        info = replace(info, won=played.status is Status.WON)
    if info.time_ms is None:
        info = replace(info, time_ms=played.time_ms)
    if info.bbbv is None:
        info = replace(info, bbbv=replay.board.bbbv)
    return replace(replay.clamped(), info=info)


def losses(replay: Replay, data: bytes) -> list[str]:
    """Return the fields that writing the file changes: ``player``, ``events`` ...

    A country's name and its code count as equal. Unknown fair and official fields do not count.
    """
    written = parse(data)
    lost = [
        name
        for name in ("board", "cell_px", "events", "origin", "chord", "win")
        if _differ(replay, written, name)
    ]
    return lost + [f.name for f in fields(Info) if _differ(replay.info, written.info, f.name)]


def _differ(one: object, other: object, name: str) -> bool:
    before, after = getattr(one, name), getattr(other, name)
    if name in ("official", "fair") and before is None:
        return False
    if name == "country" and after and before != after:
        before = country_code(before)
    return bool(before != after)
