"""Follow lists: the players whose results someone wants to see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sapper.errors import BadSetting

__all__ = ["MOST_FOLLOWED", "FollowList"]

MOST_FOLLOWED: Final = 500


class FollowList:
    """The players that one player follows, in the order they were added.

    >>> follows = FollowList("ann", ["bob"])
    >>> follows.add("cy")
    >>> list(follows.circle())
    ['ann', 'bob', 'cy']

    Args:
        player: The player who follows.
        followed: The players followed so far.
    """

    def __init__(self, player: str, followed: Iterable[str] = ()) -> None:
        self.player = player
        self._followed = dict.fromkeys(followed)

    def add(self, other: str) -> None:
        """Follow a player; following twice has no effect.

        Raises:
            BadSetting: If the players are the same, or the list is full.
        """
        if other == self.player:
            raise BadSetting("you cannot follow yourself")
        if other not in self._followed and len(self._followed) >= MOST_FOLLOWED:
            raise BadSetting(f"you can follow at most {MOST_FOLLOWED} players")
        self._followed[other] = None

    def remove(self, other: str) -> None:
        """Stop following a player; no effect if not followed."""
        self._followed.pop(other, None)

    def circle(self) -> tuple[str, ...]:
        """Return the player and the followed players, for `leaderboard`."""
        return self.player, *self._followed
