"""Jobs that read replays for the Replay page."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sapper._grid import DIGITS
from sapper._util.names import either
from sapper._util.shortening import shown
from sapper.board import Board
from sapper.errors import BadReplay, BadSetting
from sapper.game import Game, Status
from sapper.history import Record
from sapper.replay import (
    Playback,
    Replay,
    contradictions,
    dwell_ms,
    game_after,
    measure_play,
    parse,
    serialize,
)
from sapper.replay.events import KINDS
from sapper.replay.exporting import ENDINGS, export, file_name
from sapper.replay.play_metrics import path_lengths
from sapper.replay.playback import ReplayStep
from sapper.rules import Level, is_named, level_label
from sapper.server import limits
from sapper.server.jobs.reviews import Reviewable
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.protocol import Json, encode
from sapper.translation import t

__all__ = ["converted", "formats_of", "opened", "recorded", "taken_over"]

_KEY: Final = "replay"
"""Key of the game in its review."""


def opened(data: bytes) -> tuple[str, Reviewable]:
    """Read a file; return the line with all data needed to play it, and the game to review.

    Raises:
        BadReplay: If the file is not a replay, or is too large for a browser.
    """
    played = _played(data)
    return f"{encode(_replay_json(played))}\n", Reviewable(
        _KEY, played.trail, _ending(played), None
    )


def taken_over(data: bytes, steps: int) -> Game:
    """Read a file; return a game that continues after a number of clicks.

    Raises:
        BadReplay: If the file is not a replay, or is too large for a browser.
        BadSetting: If there are fewer clicks, or the game is over after them.
    """
    return game_after(_played(data), steps)


def recorded(saved: Json, record: Record | None) -> bytes:
    """Return a finished game, given in saved form, as a replay in Sapper's format.

    Args:
        saved: The game.
        record: A game in the history; if it is the same game, the replay gets its date.

    Raises:
        BadReplay: If the game is not over.
    """
    if record is not None and record.moves == saved:
        return serialize(record.replay())
    return serialize(Replay.from_game(Game.from_json(saved)))


def formats_of(data: bytes) -> Json:
    """Read a file; return a file name for each format, or the reason why it cannot be written.

    Raises:
        BadReplay: If the file is not a replay, or is too large for a browser.
    """
    replay = _played(data).replay
    return {"formats": [_format(replay, form) for form in ENDINGS]}


def _format(replay: Replay, form: str) -> Json:
    info: Json = {"format": form, "name": file_name(replay, form), "changed": (), "problem": None}
    try:
        info["changed"] = export(replay, form).changed
    except BadReplay as refused:
        info["problem"] = str(refused)
    return info


def converted(data: bytes, form: str) -> tuple[str, bytes]:
    """Read a file; return the name and content of a file in another format.

    Raises:
        BadReplay: If the file is not a replay, or the format cannot store it.
        BadSetting: If the format cannot be written.
    """
    if form not in ENDINGS:
        raise BadSetting(f"'format' must be {either(tuple(ENDINGS))}, got {shown(form)}")
    replay = _played(data).replay
    return file_name(replay, form), export(replay, form).data


def _played(data: bytes) -> Playback:
    replay = parse(data)
    cells, events = replay.board.topology.size, len(replay.events)
    if cells > limits.SMALL_CELLS:
        raise BadReplay(
            t(
                "a replay has at most {most} cells in the browser, this one {count}",
                most=f"{limits.SMALL_CELLS:,}",
                count=f"{cells:,}",
            )
        )
    if events > limits.REPLAY_EVENTS:
        raise BadReplay(
            t(
                "a replay has at most {most} events in the browser, this one {count}",
                most=f"{limits.REPLAY_EVENTS:,}",
                count=f"{events:,}",
            )
        )
    return Playback(replay)


def _ending(played: Playback) -> Snapshot:
    """Return the status of the game at the end of the replay."""
    position = played.position()
    won = played.status is Status.WON
    return Snapshot(
        cells=position.cells,
        position=position,
        status=played.status,
        mines_left=None,
        can_undo=False,
        actions=len(played.steps),
        seed=None,
        bbbv=played.replay.board.bbbv if won else None,
    )


def _level_label(board: Board) -> str:
    """Return the label of a board's level, if players have a name for it."""
    shape = board.topology
    level = Level(shape.width, shape.height, board.mines, topology=shape.name)
    return level_label(level) if is_named(level) else ""


def _replay_json(played: Playback) -> Json:
    replay = played.replay
    shape, events, info = replay.board.topology, replay.events, replay.info
    # Some programs write events out of order, but playback can only move forward.
    times = np.maximum.accumulate(events.ms)
    paths = path_lengths(played) if replay.has_pointer else None
    return {
        "type": "replay",
        "format": replay.format,
        "width": shape.width,
        "height": shape.height,
        "topology": shape.name,
        "level_label": _level_label(replay.board),
        "origin": replay.origin.rows if replay.origin and replay.begun else None,
        "mined": [index for index, mine in enumerate(replay.board.mined) if mine],
        "cell_px": replay.cell_px,
        "has_pointer": replay.has_pointer,
        "info": {name: getattr(info, name) for name in info.__dataclass_fields__},
        "contradictions": [
            {"what": one.what, "file": one.file, "clicks": one.clicks}
            for one in contradictions(played)
        ],
        "started_ms": played.started_ms,
        "ended_ms": played.ended_ms,
        "kinds": ["", *map(str, KINDS[1:])],
        "events": {
            "ms": times.tolist(),
            "kind": events.kind.tolist(),
            "x": events.x.tolist(),
            "y": events.y.tolist(),
        },
        "steps": [_step(replay, step, paths) for step in played.steps],
        "metrics": measure_play(played).to_json(),
        "dwell_ms": dwell_ms(played).ravel().tolist(),
    }


def _step(replay: Replay, step: ReplayStep, paths: Any) -> Json:
    clicks = step.clicks
    return {
        "event": step.event,
        "action": str(step.action),
        "cell": replay.board.topology.index(step.cell),
        "changed": step.changed,
        "flagged": step.flagged,
        "opened": [cell for turn in step.turns for cell in turn.cells],
        "numbers": "".join(DIGITS[number] for turn in step.turns for number in turn.numbers),
        "exploded": [turn.cell for turn in step.turns if turn.exploded],
        "decisions": len(step.turns),
        "solved": step.solved,
        "clicks": [clicks.left, clicks.right, clicks.double, clicks.effective],
        "path_px": None if paths is None else round(float(paths[step.event]), 1),
    }
