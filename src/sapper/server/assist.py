"""What an analysis says, in the form that a browser draws: overlay, hint, and why a game was lost.

All of it comes from what the player sees: an analysis never meets a board.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from sapper.errors import SapperError
from sapper.position import Position
from sapper.server.protocol import Json
from sapper.solver import Analysis, Limit, analyze, hint_from
from sapper.topology import Cell

__all__ = ["hint_message", "look", "loss_message", "overlay_message"]

# A browser's player waits for no analysis, but a wide custom board must not take minutes.
_LIMIT: Final = Limit(seconds=2.0)

# More digits than anyone is shown.
_DIGITS: Final = 6


def look(position: Position) -> Analysis:
    """Analyse a position within the time that a player would wait."""
    return analyze(position, _LIMIT)


def overlay_message(analysis: Analysis, turn: int) -> Json:
    """The chances of every unopened cell, and what is proved.

    ``p`` holds one number for each unopened cell in row order.
    """
    chances = analysis.p_mine.ravel()
    return {
        "type": "overlay",
        "turn": turn,
        "p": [round(float(p), _DIGITS) for p in chances if not math.isnan(p)],
        "safe": _indices(analysis, analysis.safe),
        "mined": _indices(analysis, analysis.mined),
        "solutions": None if analysis.solutions is None else count_text(analysis.solutions),
        "exact": analysis.exact,
    }


def count_text(count: int) -> str:
    """A count in full while it is short, else as ``1.23e45``."""
    text = str(count) if count < 10**15 else ""
    if text:
        return text
    # A float would overflow; the digits do not.
    exponent = int(math.log10(count))
    lead = count // 10 ** (exponent - 3)
    if lead >= 10_000:
        exponent, lead = exponent + 1, lead // 10
    return f"{lead / 1000:.2f}e{exponent}"


def hint_message(analysis: Analysis, turn: int, re: str | None) -> Json:
    """One cell to open next, and why.

    Raises:
        IllegalAction: If no unopened cell can be clear.
    """
    found = hint_from(analysis)
    return {
        "type": "hint",
        "re": re,
        "turn": turn,
        **found.to_json(),
        "safe_count": len(analysis.safe),
        "exact": analysis.exact,
    }


def loss_message(
    analysis: Analysis, exploded: Cell, wrong_flags: list[Cell], turn: int
) -> Json | None:
    """Why a game was lost, from the position before the last click.

    Args:
        analysis: Of that position.
        exploded: The mine that was opened.
        wrong_flags: Flags without a mine beside the number that was chorded.
        turn: The turn of the loss.
    """
    try:
        least = hint_from(analysis)
    except SapperError:
        return None
    return {
        "type": "review",
        "turn": turn,
        "cell": list(exploded),
        "p": round(float(analysis.p_mine[exploded]), _DIGITS),
        "mined": exploded in analysis.mined,
        "safe": [list(cell) for cell in sorted(analysis.safe)],
        "least": round(least.p_mine, _DIGITS),
        "wrong_flags": [list(cell) for cell in wrong_flags],
        "first": not any(map(analysis.position.cells.count, b"012345678")),
        "exact": analysis.exact,
    }


def _indices(analysis: Analysis, cells: Iterable[Cell]) -> list[int]:
    index = analysis.position.topology.index
    return sorted(index(cell) for cell in cells)
