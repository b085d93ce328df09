"""Different boards of equal difficulty, so that nobody can learn from another player's board."""

from __future__ import annotations

from typing import Final

from sapper.board import Board
from sapper.community.live_board import deal_opened
from sapper.errors import LimitReached
from sapper.generation import GameId, substream
from sapper.metrics import openings
from sapper.rules import Level

__all__ = ["OPENINGS_MARGIN", "bbbv_margin", "equal_boards"]

OPENINGS_MARGIN: Final = 1
"""The greatest difference between the openings of a board and those of the typical one."""
_TYPICAL: Final = 15
_TRIES: Final = 100


def bbbv_margin(bbbv: int) -> int:
    """Return the greatest difference between the 3BV of a board and that of the typical one.

    >>> bbbv_margin(15), bbbv_margin(65), bbbv_margin(175)
    (0, 1, 3)
    """
    return bbbv // 50


def equal_boards(level: Level, rules: str, seed: int, number: int) -> list[GameId]:
    """Return different boards with nearly the same 3BV and openings.

    The median of a few boards is the typical one, and the others are drawn until enough of them
    are close to it.

    Args:
        level: The level.
        rules: A rule set with mines that never move.
        seed: Determines the boards.
        number: The number of boards.

    Raises:
        BadSetting: If the rules move mines.
        LimitReached: If not enough boards were found.
    """
    drawn = [_drawn(level, rules, seed, at) for at in range(_TYPICAL)]
    typical = sorted(drawn, key=lambda one: (one[0], one[1]))[_TYPICAL // 2]
    found: dict[Board, GameId] = {}
    for at in range(_TYPICAL + _TRIES * number):
        bbbv, areas, dealt = drawn[at] if at < _TYPICAL else _drawn(level, rules, seed, at)
        is_close = abs(bbbv - typical[0]) <= bbbv_margin(typical[0])
        if is_close and abs(areas - typical[1]) <= OPENINGS_MARGIN:
            found.setdefault(dealt.board, dealt)
        if len(found) == number:
            return list(found.values())
    raise LimitReached(f"{number} different boards of {level} with equal difficulty were not found")


def _drawn(level: Level, rules: str, seed: int, at: int) -> tuple[int, int, GameId]:
    dealt = deal_opened(level, rules, substream(seed, "equal", at))
    return dealt.board.bbbv, openings(dealt.board), dealt
