"""Export replays to other programs, within the limits of formats and file names."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final, NamedTuple

from sapper.errors import BadReplay
from sapper.game import Status
from sapper.replay.contradicting import contradictions
from sapper.replay.playback import Playback
from sapper.replay.recording import Replay
from sapper.replay.registry import LABELS, losses, parse, serialize
from sapper.rules import level_name
from sapper.translation import t

__all__ = ["ENDINGS", "Exported", "export", "file_name"]

ENDINGS: Final = {"json": "json", "rawvf": "rawvf", "evf": "evf"}
"""File extension of each format, without the dot."""

_SCALE: Final = {"events", "cell_px"}
"""Fields that every format changes for actions on cells, without a visible effect."""


class Exported(NamedTuple):
    """A replay in a format.

    Attributes:
        data: The file.
        changed: Fields that differ from the replay: ``version``, ``started_at`` ...
    """

    data: bytes
    changed: tuple[str, ...]


def export(replay: Replay, form: str) -> Exported:
    """Return a replay in a format, as a file that plays the same game in other programs.

    Strings and times that the format cannot store are dropped, and actions on cells become presses
    and releases at the centres of 16-pixel cells.

    Raises:
        BadReplay: If the format cannot store the replay, or the file would play another game.
        BadSetting: If the format cannot be written.
    """
    data = serialize(replay, form, lossy=True)
    if form == "json":
        return Exported(data, ())
    if _course(replay) != _course(parse(data)):
        raise BadReplay(
            t(
                "{format} cannot store this game: its clicks would play out differently",
                format=LABELS.get(form, form),
            )
        )
    return Exported(data, tuple(name for name in losses(replay, data) if name not in _SCALE))


def file_name(replay: Replay, form: str) -> str:
    """Return a name such as ``sapper-expert-2026-11-24-won-83.21s.rawvf``."""
    played, info = Playback(replay), replay.info
    parts = [
        info.program.split(" ")[0] or "replay",
        level_name(played.trail.settings.level),
        _day(info.started_at),
        _result(played),
        f"{played.time_ms / 1000:.2f}s",
    ]
    words = (re.sub(r"[^a-z0-9.]+", "-", part.lower()).strip("-.") for part in parts)
    return "-".join(word[:40] for word in words if word) + f".{ENDINGS.get(form, form)}"


def _result(played: Playback) -> str:
    """Return the result of the game if the file and its clicks agree on it."""
    if any(one.what == "status" for one in contradictions(played)):
        return "unclear"
    return {Status.WON: "won", Status.LOST: "lost"}.get(played.status, "unfinished")


def _course(replay: Replay) -> tuple[object, ...]:
    """Return the events of a replay without clicks that have no effect."""
    played = Playback(replay)
    steps = [(s.ms, s.action, s.cell, s.turns, s.flagged) for s in played.steps if s.changed]
    return replay.board, played.status, steps


def _day(moment: str) -> str:
    try:
        return f"{datetime.fromisoformat(moment):%Y-%m-%d}"
    except ValueError:
        return ""
