"""The tables of pattern practice: a card for each pattern of a player, and the days practised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from sapper._util.glicko2 import Rating
from sapper.coach.trainer.records import NEW_PLAYER
from sapper.database.connection import Connection
from sapper.database.tables import Export, Table

__all__ = ["SCHEMA", "TABLES", "Asked", "Card", "Cards", "Day"]

SCHEMA: Final = """
-- The exercise that awaits an answer, and the pattern the player chose, empty for the daily queue.
CREATE TABLE IF NOT EXISTS pattern_players (
    player TEXT PRIMARY KEY,
    exercise TEXT NOT NULL,
    served REAL NOT NULL,
    chosen TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS pattern_cards (
    player TEXT NOT NULL,
    pattern TEXT NOT NULL,
    added_day TEXT NOT NULL,
    due REAL NOT NULL,
    reviewed REAL NOT NULL,
    state INTEGER NOT NULL,
    step INTEGER,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    answered INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    -- Of the right answers.
    seconds REAL NOT NULL,
    PRIMARY KEY (player, pattern)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pattern_days (
    player TEXT NOT NULL,
    day TEXT NOT NULL,
    answered INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (player, day)
) WITHOUT ROWID;
"""

_PATTERNS: Final = Export("patterns.json")

TABLES: Final = (
    Table("pattern_players", ("player",), export=_PATTERNS),
    Table("pattern_cards", ("player",), export=_PATTERNS),
    Table("pattern_days", ("player",), export=_PATTERNS),
)

_MEMORY: Final = "due, reviewed, state, step, stability, difficulty"
_RESULTS: Final = "rating, deviation, volatility, answered, solved, seconds"
_COLUMNS: Final = f"added_day, {_MEMORY}, {_RESULTS}"
_SAVE: Final = (
    f"INSERT INTO pattern_cards (player, pattern, {_COLUMNS}) VALUES ({', '.join('?' * 15)}) "
    "ON CONFLICT (player, pattern) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS.split(", "))
)


@dataclass(frozen=True, slots=True)
class Card:
    """The schedule and results of a pattern for a player.

    Attributes:
        pattern: The id of the pattern.
        added_day: The UTC day of the first answer, as ``YYYY-MM-DD``.
        due: When to practise it again, in seconds since 1970.
        reviewed: When it was last scheduled, in seconds since 1970.
        state: The state of the scheduler: 1 learning, 2 review, 3 relearning.
        step: The learning step; None in review.
        stability: Days after which the pattern is recalled with a probability of 90 %.
        difficulty: From 1 to 10.
        rating: The player's rating in this pattern.
        answered: Number of answers.
        solved: Number of right answers.
        seconds: Total time of the right answers.
    """

    pattern: str
    added_day: str
    due: float
    reviewed: float
    state: int
    step: int | None
    stability: float
    difficulty: float
    rating: Rating = NEW_PLAYER
    answered: int = 0
    solved: int = 0
    seconds: float = 0.0

    def after(self, rating: Rating, seconds: float, *, solved: bool) -> Card:
        """Return the card after an answer, with the same schedule."""
        return replace(
            self,
            rating=rating,
            answered=self.answered + 1,
            solved=self.solved + solved,
            seconds=self.seconds + (seconds if solved else 0.0),
        )


class Asked(NamedTuple):
    """An exercise that awaits an answer.

    Attributes:
        exercise: Its id.
        served: When it was first shown, in seconds since 1970.
        chosen: The pattern that the player chose to practise; empty for the daily queue.
    """

    exercise: str
    served: float
    chosen: str


class Day(NamedTuple):
    """The answers of a player on a UTC day.

    Attributes:
        day: As ``YYYY-MM-DD``.
        answered: Number of answers.
        solved: Number of right answers.
        seconds: Total time of all answers.
    """

    day: str
    answered: int
    solved: int
    seconds: float


class Cards:
    """Reads and writes the tables over an open connection; the caller commits.

    Args:
        db: A connection to a database with the tables of `SCHEMA`.
        player: The player.
    """

    def __init__(self, db: Connection, player: str) -> None:
        self._db, self._player = db, player

    def all(self) -> dict[str, Card]:
        """Return the cards by pattern."""
        rows = self._db.execute(
            f"SELECT pattern, {_COLUMNS} FROM pattern_cards WHERE player = ?", (self._player,)
        ).fetchall()
        return {row[0]: _card(row) for row in rows}

    def save(self, card: Card) -> None:
        """Save a card."""
        own = card.rating
        memory = [getattr(card, name) for name in _MEMORY.split(", ")]
        self._db.execute(
            _SAVE,
            (
                *(self._player, card.pattern, card.added_day, *memory),
                *(own.rating, own.deviation, own.volatility),
                *(card.answered, card.solved, card.seconds),
            ),
        )

    def asked(self) -> Asked | None:
        """Return the exercise that awaits an answer."""
        row = self._db.execute(
            "SELECT exercise, served, chosen FROM pattern_players WHERE player = ?",
            (self._player,),
        ).fetchone()
        return None if row is None else Asked(*row)

    def ask(self, asked: Asked) -> None:
        """Save the exercise that awaits an answer."""
        self._db.execute(
            "INSERT INTO pattern_players (player, exercise, served, chosen) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (player) DO UPDATE SET exercise = excluded.exercise, "
            "served = excluded.served, chosen = excluded.chosen",
            (self._player, *asked),
        )

    def close(self) -> None:
        """Record that no exercise awaits an answer."""
        self._db.execute("DELETE FROM pattern_players WHERE player = ?", (self._player,))

    def add_answer(self, day: str, seconds: float, *, solved: bool) -> None:
        """Count an answer."""
        self._db.execute(
            "INSERT INTO pattern_days (player, day, answered, solved, seconds) "
            "VALUES (?, ?, 1, ?, ?) ON CONFLICT (player, day) DO UPDATE "
            "SET answered = pattern_days.answered + 1, "
            "solved = pattern_days.solved + excluded.solved, "
            "seconds = pattern_days.seconds + excluded.seconds",
            (self._player, day, int(solved), seconds),
        )

    def day(self, day: str) -> Day:
        """Return the answers of a day."""
        row = self._db.execute(
            "SELECT day, answered, solved, seconds FROM pattern_days WHERE player = ? AND day = ?",
            (self._player, day),
        ).fetchone()
        return Day(day, 0, 0, 0.0) if row is None else Day(*row)

    def streak(self, today: str) -> int:
        """Return the number of consecutive days with answers up to today or yesterday."""
        rows = self._db.execute(
            "SELECT day FROM pattern_days WHERE player = ? ORDER BY day DESC", (self._player,)
        ).fetchall()
        practised = {day for (day,) in rows}
        at = date.fromisoformat(today)
        if today not in practised:
            at -= timedelta(days=1)
        count = 0
        while at.isoformat() in practised:
            count += 1
            at -= timedelta(days=1)
        return count


def _card(row: Sequence[Any]) -> Card:
    pattern, added_day, due, reviewed, state, step, stability, difficulty, *results = row
    rating, deviation, volatility, answered, solved, seconds = results
    memory = due, reviewed, state, step, stability, difficulty
    return Card(
        *(pattern, added_day, *memory),
        *(Rating(rating, deviation, volatility), answered, solved, seconds),
    )
