"""Leaderboards: the best games on a board, in a period, by a measure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from fractions import Fraction

from sapper.history import Record
from sapper.rules import Level

__all__ = ["Entry", "Measure", "Period", "Ranked", "board_name", "entry_of", "leaderboard"]


class Measure(StrEnum):
    """The measure that a leaderboard compares."""

    TIME = "time"
    """Time; less is better."""
    SPEED = "speed"
    """3BV per second."""
    EFFICIENCY = "efficiency"
    """3BV per click (IOE)."""


class Period(StrEnum):
    """The period in which the games of a leaderboard were finished, in UTC."""

    DAY = "day"
    MONTH = "month"
    ALL = "all"

    def bounds(self, now_ms: int) -> tuple[int, int]:
        """Return the first millisecond of the current period, and the first after it.

        >>> Period.DAY.bounds(1_700_000_000_000)
        (1699920000000, 1700006400000)
        """
        if self is Period.ALL:
            return 0, now_ms + 1
        today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
        first = today if self is Period.DAY else today.replace(day=1)
        after = (
            today + timedelta(1) if self is Period.DAY else (first + timedelta(32)).replace(day=1)
        )
        return _ms(first), _ms(after)


def _ms(day: date) -> int:
    return round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


@dataclass(frozen=True, slots=True)
class Entry:
    """A won game that counts.

    Attributes:
        player: The player.
        game: The key of the game, for its replay.
        board: Name of the board: see `board_name`.
        finished_ms: Time of its end in milliseconds since 1970 (UTC).
        time_ms: Its time by the server's clock, above 0.
        bbbv: The 3BV of the board.
        clicks: All clicks, at least 1.
        withdrawn: Whether the player or the operator withdrew it.
    """

    player: str
    game: str
    board: str
    finished_ms: int
    time_ms: int
    bbbv: int
    clicks: int
    withdrawn: bool = False

    def value(self, measure: Measure) -> Fraction:
        """Return the exact value of a measure, in seconds for `Measure.TIME`."""
        if measure is Measure.TIME:
            return Fraction(self.time_ms, 1000)
        if measure is Measure.SPEED:
            return Fraction(1000 * self.bbbv, self.time_ms)
        return Fraction(self.bbbv, self.clicks)

    def order(self, measure: Measure) -> tuple[Fraction, int, str]:
        """Return the order in a leaderboard: equal values by time of day, then by key."""
        value = self.value(measure)
        return value if measure is Measure.TIME else -value, self.finished_ms, self.game


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry with its place."""

    place: int
    entry: Entry


def board_name(level: Level | str, rules: str, day: date | None = None) -> str:
    """Return the name of a leaderboard: rules and level, or the day of a daily board.

    >>> board_name("9x9:10", "classic"), board_name("expert", "classic", date(2026, 11, 22))
    ('classic beginner', 'daily 2026-11-22')
    """
    return f"{rules} {Level.of(level)}" if day is None else f"daily {day}"


def entry_of(record: Record, player: str, *, day: date | None = None) -> Entry | None:
    """Return the entry of a finished game of a player, or None if it does not count.

    A game counts if a person won it without help on this server, with the usual settings of its
    rules, and the time is above 0.

    Args:
        record: The game.
        player: The player.
        day: For a daily board, its day.
    """
    usual = record.variant == ("" if day is None else "daily")
    here = "actions" in record.moves
    alone = not record.bot and not record.helped
    if not (record.won and alone and here and usual and record.time_ms and record.clicks):
        return None
    name = board_name(record.level, record.rules, day)
    figures = record.finished_ms, record.time_ms, record.bbbv, record.clicks
    return Entry(player, record.key, name, *figures)


def leaderboard(
    entries: Iterable[Entry],
    measure: Measure,
    period: tuple[int, int],
    among: Collection[str] | None = None,
) -> list[Ranked]:
    """Return the best entry of each player, in order, with places.

    Equal values share a place, and the following places are skipped; the earlier game is listed
    first. If an entry is withdrawn, the player's next best one counts instead.

    Args:
        entries: The entries of one board.
        measure: The figure to compare.
        period: The first millisecond, and the first after the period; see `Period.bounds`.
        among: Only these players (default: all).
    """
    best: dict[str, Entry] = {}
    for entry in entries:
        counts = not entry.withdrawn and period[0] <= entry.finished_ms < period[1]
        if not counts or (among is not None and entry.player not in among):
            continue
        other = best.get(entry.player)
        if other is None or entry.order(measure) < other.order(measure):
            best[entry.player] = entry
    ranked: list[Ranked] = []
    for at, entry in enumerate(sorted(best.values(), key=lambda one: one.order(measure)), start=1):
        tied = ranked and ranked[-1].entry.value(measure) == entry.value(measure)
        ranked.append(Ranked(ranked[-1].place if tied else at, entry))
    return ranked
