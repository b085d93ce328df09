"""Immutable snapshots of a game after an action, which any thread can read.

A browser's view has one character per cell, and no mines before the end: ``.`` unopened, ``F``
flag, ``?`` question mark, ``0``-``9`` and ``a``-``c`` (10 to 12) opened. After the end, also ``*``
for a mine, ``X`` for the opened mine, and ``x`` for a wrong flag.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from sapper._grid import text_of
from sapper.game import Game, Status
from sapper.metrics import solved
from sapper.position import Position

__all__ = ["Snapshot", "browser_view", "changes", "packed", "patch", "rows"]

_EXPLODED, _FLAGGED, _SAME = ord("*"), ord("F"), ord("=")
_RUN = 16
"""Minimum length of a run to pack; shorter runs would not become shorter."""


def browser_view(game: Game) -> bytes:
    """Return the browser's view: one ASCII character per cell, in row order."""
    position = game.position
    cells = bytearray(position.cells)
    for cell in game.questions:
        cells[position.topology.index(cell)] = ord("?")
    if game.status is Status.LOST:
        _show_mines(cells, game.board.mined)
    return text_of(cells).encode()


def _show_mines(cells: bytearray, mined: bytes) -> None:
    view, mine = np.frombuffer(cells, np.uint8), np.frombuffer(mined, np.bool_)
    exploded, flagged = view == _EXPLODED, view == _FLAGGED
    view[mine & ~flagged] = ord("*")
    view[flagged & ~mine] = ord("x")
    view[exploded] = ord("X")


def rows(cells: bytes, width: int) -> list[str]:
    """Return a view as a list of rows."""
    text = cells.decode("ascii")
    return [text[at : at + width] for at in range(0, len(text), width)]


def packed(cells: bytes) -> str:
    """Return a view or a patch as text; 16 or more equal characters have the form ``.{500}``.

    >>> packed(b"." * 20 + b"11F")
    '.{20}11F'
    """
    codes = np.frombuffer(cells, np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(codes[1:] != codes[:-1]) + 1))
    lengths = np.diff(np.append(starts, len(codes)))
    parts, at = list[bytes](), 0
    for run in np.flatnonzero(lengths >= _RUN):
        start, length = int(starts[run]), int(lengths[run])
        parts += cells[at:start], cells[start : start + 1], b"{%d}" % length
        at = start + length
    return b"".join([*parts, cells[at:]]).decode("ascii")


def patch(before: bytes, after: bytes) -> str:
    """Return the changed cells as packed text, with ``=`` for unchanged ones."""
    old, new = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
    return packed(np.where(old == new, np.uint8(_SAME), new).tobytes())


def changes(before: bytes, after: bytes) -> list[list[Any]]:
    """Return the changed cells as ``[index, character]``."""
    old, new = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
    # `np.flatnonzero` takes seven times as long on a common board.
    [indices] = (old != new).nonzero()
    return [[index, chr(after[index])] for index in indices.tolist()]


class Snapshot(NamedTuple):
    """All data about a game that the event loop sends, so that it never touches a game in use.

    Attributes:
        cells: The browser's view, one character per cell.
        position: The player's view.
        status: Status of the game.
        mines_left: Mine total minus flags.
        can_undo: Whether there is an action to undo.
        actions: Number of actions since the start of the game.
        seed: Seed, known only after the end of the game, because it reveals the mines.
        bbbv: 3BV of the board, only after the end.
        solved: Solved 3BV, only after the end.
    """

    cells: bytes
    position: Position
    status: Status
    mines_left: int | None
    can_undo: bool
    actions: int
    seed: int | None
    bbbv: int | None
    solved: int | None = None

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the current state of a game."""
        return cls(
            cells=browser_view(game),
            position=game.position,
            status=game.status,
            mines_left=game.mines_left,
            can_undo=game.can_undo,
            actions=game.action_count,
            seed=game.seed if game.over else None,
            bbbv=game.board.bbbv if game.over else None,
            solved=solved(game.board, game.position) if game.over else None,
        )

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.status in (Status.WON, Status.LOST)

    @property
    def running(self) -> bool:
        """Whether the game has started and is not over.

        After an undo, the status may be ``ready`` again although the player has seen cells.
        """
        return not self.over and (self.status is not Status.READY or self.actions > 0)
