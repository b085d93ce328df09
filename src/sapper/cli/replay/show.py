"""`sapper replay show`: play a replay in the terminal."""

from __future__ import annotations

import sys
import time
from shutil import get_terminal_size
from typing import Annotated

import numpy as np

from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import complain, emit
from sapper.cli.replay.files import read_one
from sapper.cli.signatures import Argument, Option
from sapper.cli.terminal import InPlace, Line
from sapper.errors import BadSetting
from sapper.replay import Playback, ReplayStep, contradictions
from sapper.topology import Cell

__all__ = ["EXAMPLE", "show"]

EXAMPLE = "sapper replay show game.avf --speed 4"

_FRAME_S = 0.04
_STYLES = {
    "1": "blue", "2": "green", "3": "red", "4": "magenta", "5": "yellow", "6": "cyan",
    "7": "white", "8": "bright_black", "F": "bold bright_red", "*": "bold white on_red",
    ".": "dim",
}  # fmt: skip


def show(
    file: Annotated[str, Argument(metavar="FILE|-", help="Replay; - reads standard input.")],
    speed: Annotated[
        float, Option(metavar="X", help="Speed: 2 is twice as fast as it was played.")
    ] = 1.0,
    at: Annotated[
        float | None,
        Option(
            metavar="SECONDS",
            help="Print the position at this time after the first opened cell, and exit.",
        ),
    ] = None,
    as_json: Annotated[
        bool, Option("--json", help="Print JSON Lines, one object per click.")
    ] = False,
) -> int:
    """Play a replay in the terminal.

    Show the board as the player saw it, with the pointer, the time and the 3BV solved. Press
    Ctrl-C to stop; `sapper replay view` has keys to pause and go back. If standard output is not
    a terminal, print the position at the end.
    """
    if not 0 < speed < float("inf"):
        raise BadSetting(f"--speed must be above 0, got {speed}")
    if at is not None and not at >= 0:
        raise BadSetting(f"--at must be 0 or more, got {at}")
    played = Playback(read_one(file))
    if as_json:
        for step in played.steps:
            emit(_json(played, step))
    elif at is not None:
        ms = played.started_ms + min(round(1000 * min(at, 1e9)), 10**12)
        print(played.position(ms))
    elif not sys.stdout.isatty():
        print(played.position())
    else:
        _play(played, speed)
    for one in contradictions(played):
        complain(one.text)
    return ExitStatus.DONE


def _json(played: Playback, step: ReplayStep) -> dict[str, object]:
    return {
        "at_s": (step.ms - played.started_ms) / 1000,
        "action": str(step.action),
        "cell": list(step.cell),
        "changed": step.changed,
        "opened": sum(len(turn.cells) for turn in step.turns),
        "exploded": any(turn.exploded for turn in step.turns),
        "solved": step.solved,
    }


def _play(played: Playback, speed: float) -> None:
    started = time.monotonic()
    end = played.ended_ms
    area = InPlace(sys.stdout)
    try:
        ms = 0
        while ms < end:
            ms = min(end, round(1000 * speed * (time.monotonic() - started)))
            area.draw(_frame(played, ms, get_terminal_size().columns))
            time.sleep(_FRAME_S)
        area.draw(_frame(played, end, get_terminal_size().columns))
    finally:
        area.leave()


def _frame(played: Playback, ms: int, columns: int) -> list[Line]:
    """Return the picture at a time, as wide as the terminal allows."""
    position = played.position(ms)
    pointer = _pointer(played, ms)
    gap = " " if 2 * position.width <= columns else ""
    steps = [step for step in played.steps if step.ms <= ms]
    solved = steps[-1].solved if steps else 0
    seconds = max(0, ms - played.started_ms) / 1000
    status = f"   {played.status}" if ms >= played.ended_ms else ""
    # Print it first, so that it is visible even if the board is taller than the terminal.
    head = f"{seconds:.2f} s   3BV {solved}/{played.replay.board.bbbv}{status}"
    picture = [Line(head)]
    for row, cells in enumerate(position.rows):
        line = Line()
        for col, char in enumerate(cells):
            style = _STYLES.get(char, "")
            if (row, col) == pointer:
                style += " reverse"
            line.append("·" if char == "0" else char, style.strip()).append(gap)
        picture.append(line)
    return picture


def _pointer(played: Playback, ms: int) -> Cell | None:
    """Return the cell under the pointer at a time."""
    place = int(np.searchsorted(played.replay.events.ms, ms, side="right")) - 1
    if place < 0 or played.cells_at[place] < 0:
        return None
    return played.replay.board.topology.find(int(played.cells_at[place]))
