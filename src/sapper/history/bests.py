"""Personal bests and streaks of games without help, by kind of game."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

from sapper.database.connection import Connection
from sapper.history.records import Record

__all__ = ["Bests", "Comparison", "Kind", "PersonalBests", "WinFigures", "read_bests"]

_SHORTEST_MS: Final = 10
"""Shorter wins have no meaningful speed, because they took a single click."""

Kind = tuple[str, str, str, str]
"""The key of comparable games: level, rules, variant (see `Record`), first click."""

_WINS: Final = (
    "SELECT level, rules, variant, first_click, time_ms, bbbv, clicks FROM games "
    "WHERE owner = ? AND bot = '' AND helped = '' AND won = 1 ORDER BY time_ms"
)
# A streak is a group of wins with the same number of losses before them. The largest packed pair of
# numbers belongs to the latest group.
_STREAKS: Final = """
SELECT level, rules, variant, first_click, max(lost * 4294967296 + wins) % 4294967296, max(wins)
FROM (
    SELECT level, rules, variant, first_click, lost, sum(won) AS wins
    FROM (
        SELECT level, rules, variant, first_click, won, sum(1 - won) OVER (
            PARTITION BY level, rules, variant, first_click ORDER BY finished_ms, key
        ) AS lost
        FROM games WHERE owner = ? AND bot = '' AND helped = ''
    ) AS one
    GROUP BY level, rules, variant, first_click, lost
) AS streak
GROUP BY level, rules, variant, first_click
"""


class WinFigures(NamedTuple):
    """The figures of a game won without help, ordered by time."""

    time_ms: int
    bbbv: int
    clicks: int

    @classmethod
    def of(cls, record: Record) -> WinFigures:
        """Return the figures of a game."""
        return cls(record.time_ms, record.bbbv, record.clicks)

    @property
    def bbbv_s(self) -> float | None:
        """3BV per second; None if the time is too short."""
        return 1000 * self.bbbv / self.time_ms if self.time_ms >= _SHORTEST_MS else None

    @property
    def efficiency(self) -> float | None:
        """3BV per click; None for a game won without clicks."""
        return self.bbbv / self.clicks if self.clicks else None


@dataclass(frozen=True, slots=True)
class Bests:
    """The best value of each figure among some wins; None if no win has that figure.

    Attributes:
        seconds: The shortest time.
        bbbv_s: The highest 3BV per second.
        efficiency: The highest 3BV per click.
    """

    seconds: float
    bbbv_s: float | None
    efficiency: float | None

    @classmethod
    def of(cls, wins: Iterable[WinFigures]) -> Bests | None:
        """Return the best figures of these wins, or None if there are none."""
        listed = list(wins)
        if not listed:
            return None
        speeds = [speed for win in listed if (speed := win.bbbv_s) is not None]
        shares = [share for win in listed if (share := win.efficiency) is not None]
        time_ms = min(win.time_ms for win in listed)
        return cls(time_ms / 1000, max(speeds, default=None), max(shares, default=None))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A win compared with earlier games of its kind.

    Attributes:
        rank: Rank by time.
        wins: Number of wins, including this one.
        before: Best figures before this win, or None if it is the first.
        streak: Number of consecutive wins, including this one.
        longest: Longest streak before this win.
    """

    rank: int
    wins: int
    before: Bests | None
    streak: int
    longest: int

    def improved(self, win: WinFigures) -> list[str]:
        """Return the names of the `Bests` figures that the win improved."""
        before, after = self.before, Bests.of([win])
        assert after is not None
        if before is None:
            return []
        names = ["seconds"] if after.seconds < before.seconds else []
        for name in ("bbbv_s", "efficiency"):
            old, new = getattr(before, name), getattr(after, name)
            if new is not None and old is not None and new > old:
                names.append(name)
        return names

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


@dataclass(slots=True)
class _Standing:
    """Games of one kind: wins, fastest first, and winning streaks."""

    wins: list[WinFigures] = field(default_factory=list)
    streak: int = 0
    longest: int = 0


class PersonalBests:
    """One player's games without help, by kind."""

    def __init__(self) -> None:
        self._kinds: dict[Kind, _Standing] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PersonalBests) and self._kinds == other._kinds

    __hash__ = None  # type: ignore[assignment]

    def wins(self, kind: Kind) -> list[WinFigures]:
        """Return the wins of a kind, fastest first."""
        standing = self._kinds.get(kind)
        return [] if standing is None else list(standing.wins)

    def best_s(self, record: Record) -> float | None:
        """Return the best time of games of the same kind in seconds, or None."""
        wins = self.wins(_kind(record))
        return wins[0].time_ms / 1000 if wins else None

    def add_win(self, kind: Kind, win: WinFigures) -> Comparison:
        """Add a win, and return its comparison with earlier games."""
        standing = self._kinds.setdefault(kind, _Standing())
        before, longest = Bests.of(standing.wins), standing.longest
        insort(standing.wins, win)
        standing.streak += 1
        standing.longest = max(longest, standing.streak)
        rank = bisect_left(standing.wins, (win.time_ms,)) + 1
        return Comparison(rank, len(standing.wins), before, standing.streak, longest)

    def add_loss(self, kind: Kind) -> None:
        """Add a loss, which ends the streak."""
        self._kinds.setdefault(kind, _Standing()).streak = 0

    def compare(self, record: Record) -> Comparison | None:
        """Add a finished game; for a win without help, return its comparison, otherwise None."""
        if record.bot or record.helped:
            return None
        kind = _kind(record)
        if not record.won:
            self.add_loss(kind)
            return None
        return self.add_win(kind, WinFigures.of(record))


def _kind(record: Record) -> Kind:
    return record.level, record.rules, record.variant, record.first_click


def read_bests(db: Connection, owner: str) -> PersonalBests:
    """Return the personal bests of an owner in the history."""
    bests = PersonalBests()
    for *kind, time_ms, bbbv, clicks in db.execute(_WINS, (owner,)):
        standing = bests._kinds.setdefault((*kind,), _Standing())
        standing.wins.append(WinFigures(time_ms, bbbv, clicks))
    for *kind, streak, longest in db.execute(_STREAKS, (owner,)):
        standing = bests._kinds.setdefault((*kind,), _Standing())
        standing.streak, standing.longest = streak, longest
    return bests
