"""The trainer's tables: players, answers, puzzle ratings, and completed lessons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from sapper._util.glicko2 import Rating
from sapper.database.connection import Connection
from sapper.database.tables import Export, Table

__all__ = ["NEW_PLAYER", "SCHEMA", "TABLES", "Point", "Records", "Trainee"]

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS trainees (
    player TEXT PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    answered INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    best_streak INTEGER NOT NULL,
    puzzle TEXT,
    served REAL,
    timed INTEGER NOT NULL,
    focus TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS puzzle_answers (
    player TEXT NOT NULL,
    number INTEGER NOT NULL,
    puzzle TEXT NOT NULL,
    solved INTEGER NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    seconds REAL NOT NULL,
    timed INTEGER NOT NULL,
    PRIMARY KEY (player, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS puzzle_ratings (
    puzzle TEXT PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS lessons_done (
    player TEXT NOT NULL,
    board TEXT NOT NULL,
    PRIMARY KEY (player, board)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mistakes (
    player TEXT NOT NULL,
    id TEXT NOT NULL,
    -- The key of the game in the history, or the day of a daily board.
    game TEXT NOT NULL,
    mistake TEXT NOT NULL,
    added REAL NOT NULL,
    -- When it was answered last, and the days of the last answers, right and wrong.
    answered REAL,
    right_day TEXT,
    missed_day TEXT NOT NULL,
    right_days INTEGER NOT NULL,
    PRIMARY KEY (player, id)
) WITHOUT ROWID;
"""

_TRAINER: Final = Export("trainer.json")

TABLES: Final = (
    Table("trainees", ("player",), part_of="trainees", export=_TRAINER),
    Table("puzzle_answers", ("player",), part_of="trainees", export=_TRAINER),
    Table("puzzle_ratings"),
    Table("lessons_done", ("player",), export=_TRAINER),
    Table("mistakes", ("player",), export=Export("mistakes.jsonl", own_form=True)),
)

_TRAINEE: Final = (
    "rating, deviation, volatility, answered, solved, streak, best_streak, puzzle, served, timed, "
    "focus"
)
_SAVE_TRAINEE: Final = (
    f"INSERT INTO trainees (player, {_TRAINEE}) VALUES ({', '.join('?' * 12)}) "
    "ON CONFLICT (player) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _TRAINEE.split(", "))
)

NEW_PLAYER: Final = Rating(1000.0, 350.0)
"""Below most puzzles, so that the first ones are easy."""


@dataclass(frozen=True, slots=True)
class Trainee:
    """A player who uses the trainer.

    Attributes:
        rating: The rating.
        answered: Number of puzzles answered.
        solved: Number of puzzles solved.
        streak: Number of puzzles solved since the last mistake.
        best_streak: The longest streak.
        puzzle: The id of the puzzle awaiting an answer, or None.
        served: Time it was first shown, in seconds since 1970.
        timed: Whether its answer has a time limit.
        focus: The puzzles the player chose: ``mixed`` or a need.
    """

    rating: Rating = field(default=NEW_PLAYER)
    answered: int = 0
    solved: int = 0
    streak: int = 0
    best_streak: int = 0
    puzzle: str | None = None
    served: float | None = None
    timed: bool = False
    focus: str = "mixed"

    def after(self, rating: Rating, *, solved: bool) -> Trainee:
        """Return the player after an answer."""
        streak = self.streak + 1 if solved else 0
        return replace(
            self,
            rating=rating,
            answered=self.answered + 1,
            solved=self.solved + solved,
            streak=streak,
            best_streak=max(self.best_streak, streak),
            puzzle=None,
            served=None,
        )


class Point(NamedTuple):
    """An answer in the history of a rating."""

    rating: float
    solved: bool


class Records:
    """Reads and writes the tables over an open connection; the caller commits.

    Args:
        db: A connection to a database with the tables of `SCHEMA`.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db

    def trainee(self, player: str) -> Trainee:
        """Return a player, creating a new one if unknown."""
        row = self._db.execute(
            f"SELECT {_TRAINEE} FROM trainees WHERE player = ?", (player,)
        ).fetchone()
        if row is None:
            return Trainee()
        rating, deviation, volatility, answered, solved, streak, best, *rest = row
        puzzle, served, timed, focus = rest
        return Trainee(
            *(Rating(rating, deviation, volatility), answered, solved, streak, best),
            *(puzzle, served, bool(timed), focus),
        )

    def save(self, player: str, trainee: Trainee) -> None:
        """Save a player."""
        own = trainee.rating
        self._db.execute(
            _SAVE_TRAINEE,
            (
                player,
                *(own.rating, own.deviation, own.volatility),
                *(trainee.answered, trainee.solved, trainee.streak, trainee.best_streak),
                *(trainee.puzzle, trainee.served, trainee.timed, trainee.focus),
            ),
        )

    def add_answer(
        self, player: str, puzzle: str, after: Trainee, *, solved: bool, seconds: float
    ) -> None:
        """Add an answer; `after` is the player after it."""
        self._db.execute(
            "INSERT INTO puzzle_answers "
            "(player, number, puzzle, solved, rating, deviation, seconds, timed) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(player, after.answered, puzzle, solved),
                *(after.rating.rating, after.rating.deviation, seconds, after.timed),
            ),
        )

    def recent(self, player: str, most: int) -> list[str]:
        """Return the latest answered puzzles, the newest first."""
        rows = self._db.execute(
            "SELECT puzzle FROM puzzle_answers WHERE player = ? ORDER BY number DESC LIMIT ?",
            (player, most),
        )
        return [puzzle for (puzzle,) in rows]

    def history(self, player: str, most: int) -> list[Point]:
        """Return the ratings after the last answers, in order."""
        rows = self._db.execute(
            "SELECT rating, solved FROM puzzle_answers WHERE player = ? "
            "ORDER BY number DESC LIMIT ?",
            (player, most),
        ).fetchall()
        return [Point(rating, bool(solved)) for rating, solved in reversed(rows)]

    def puzzle_ratings(self) -> dict[str, Rating]:
        """Return the ratings of all puzzles that were answered."""
        rows = self._db.execute("SELECT puzzle, rating, deviation, volatility FROM puzzle_ratings")
        return {puzzle: Rating(*rating) for puzzle, *rating in rows}

    def rate_puzzle(self, puzzle: str, rating: Rating) -> None:
        """Save the rating of a puzzle."""
        self._db.execute(
            "INSERT INTO puzzle_ratings (puzzle, rating, deviation, volatility) "
            "VALUES (?, ?, ?, ?) ON CONFLICT (puzzle) DO UPDATE SET rating = excluded.rating, "
            "deviation = excluded.deviation, volatility = excluded.volatility",
            (puzzle, rating.rating, rating.deviation, rating.volatility),
        )

    def lessons_done(self, player: str) -> set[str]:
        """Return the lesson boards that a player has solved."""
        rows = self._db.execute("SELECT board FROM lessons_done WHERE player = ?", (player,))
        return {board for (board,) in rows}

    def finish_lesson(self, player: str, board: str) -> None:
        """Record that a player has solved a lesson board."""
        self._db.execute(
            "INSERT INTO lessons_done (player, board) VALUES (?, ?) "
            "ON CONFLICT (player, board) DO NOTHING",
            (player, board),
        )
