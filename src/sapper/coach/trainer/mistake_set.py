"""A player's mistakes as puzzles to practise, kept until solved."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sapper._util.shortening import shown
from sapper.coach.trainer.judging import Verdict
from sapper.coach.trainer.mistakes import Mistake
from sapper.coach.trainer.puzzle import BadPuzzle
from sapper.coach.trainer.training import Transaction
from sapper.database.connection import ALL_ROWS

__all__ = ["MOST", "RIGHT_DAYS", "Counts", "MistakeSet"]

MOST: Final = 200
"""The most mistakes per player; the oldest are dropped."""
RIGHT_DAYS: Final = 2
"""A mistake is removed after correct answers on this many days."""


class Counts(NamedTuple):
    """A player's number of mistakes.

    Attributes:
        total: All of them.
        due: Those not answered today.
    """

    total: int
    due: int


class MistakeSet:
    """Stores players' mistakes; methods save before they return.

    A mistake is removed after correct answers on two days. Only the first answer of a day counts,
    and a wrong one restarts the count.

    Args:
        transaction: Opens and commits a transaction on a database with the trainer's tables.
        clock: Seconds since 1970; days are UTC days.
    """

    def __init__(self, transaction: Transaction, clock: Callable[[], float] = time.time) -> None:
        self._transaction, self._clock = transaction, clock

    def add(self, player: str, mistake: Mistake, game: str) -> None:
        """Add a mistake, or restart the count of an existing one.

        Args:
            player: The player.
            mistake: The mistake.
            game: The key of its game.
        """
        text, now, day = json.dumps(mistake.to_json(), separators=(",", ":")), *self._now()
        with self._transaction() as db:
            db.execute(
                "INSERT INTO mistakes (player, id, game, mistake, added, missed_day, right_days) "
                "VALUES (?, ?, ?, ?, ?, ?, 0) "
                "ON CONFLICT (player, id) DO UPDATE "
                "SET missed_day = excluded.missed_day, right_days = 0",
                (player, mistake.id, game, text, now, day),
            )
            db.execute(
                "DELETE FROM mistakes WHERE player = ? AND id IN (SELECT id FROM mistakes "
                "WHERE player = ? ORDER BY added DESC, id LIMIT ? OFFSET ?)",
                (player, player, ALL_ROWS, MOST),
            )

    def counts(self, player: str) -> Counts:
        """Return a player's number of mistakes."""
        _, day = self._now()
        with self._transaction() as db:
            total, done = db.execute(
                "SELECT count(*), count(*) FILTER (WHERE right_day = ?) FROM mistakes "
                "WHERE player = ?",
                (day, player),
            ).fetchone()
        return Counts(total, total - done)

    def next(self, player: str) -> Mistake | None:
        """Return the next mistake to solve: one that is due, or the one answered longest ago."""
        _, day = self._now()
        with self._transaction() as db:
            row = db.execute(
                "SELECT mistake FROM mistakes WHERE player = ? "
                "ORDER BY coalesce(right_day, '') = ?, answered IS NOT NULL, answered, added, id "
                "LIMIT 1",
                (player, day),
            ).fetchone()
        return None if row is None else Mistake.from_json(json.loads(row[0]))

    def get(self, player: str, mistake_id: str) -> Mistake:
        """Return a mistake of a player.

        Raises:
            BadPuzzle: If there is no such mistake.
        """
        with self._transaction() as db:
            row = db.execute(
                "SELECT mistake FROM mistakes WHERE player = ? AND id = ?", (player, mistake_id)
            ).fetchone()
        if row is None:
            raise BadPuzzle(f"there is no mistake {shown(mistake_id)}")
        return Mistake.from_json(json.loads(row[0]))

    def note(self, player: str, mistake_id: str, verdict: Verdict) -> bool:
        """Save the answer to a mistake; return whether the mistake was removed."""
        now, day = self._now()
        key = (player, mistake_id)
        with self._transaction() as db:
            if not verdict.solved:
                db.execute(
                    "UPDATE mistakes SET answered = ?, missed_day = ?, right_days = 0 "
                    "WHERE player = ? AND id = ?",
                    (now, day, *key),
                )
                return False
            db.execute(
                "UPDATE mistakes SET answered = ?, right_day = ?, "
                "right_days = right_days + "
                "CASE WHEN missed_day = ? OR coalesce(right_day, '') = ? THEN 0 ELSE 1 END "
                "WHERE player = ? AND id = ?",
                (now, day, day, day, *key),
            )
            removed = db.execute(
                "DELETE FROM mistakes WHERE player = ? AND id = ? AND right_days >= ?",
                (*key, RIGHT_DAYS),
            )
            return removed.rowcount > 0

    def export(self, player: str) -> Iterator[dict[str, Any]]:
        """Return the stored data of each mistake of a player, the oldest first."""
        with self._transaction() as db:
            rows = db.execute(
                "SELECT mistake, game, added, answered, right_day, missed_day, right_days "
                "FROM mistakes WHERE player = ? ORDER BY added, id",
                (player,),
            ).fetchall()
        names = ("game", "added", "answered", "right_day", "missed_day", "right_days")
        for text, *values in rows:
            yield {**json.loads(text), **dict(zip(names, values, strict=True))}

    def erase(self, player: str) -> int:
        """Erase all of a player's mistakes; return their number."""
        with self._transaction() as db:
            return db.execute("DELETE FROM mistakes WHERE player = ?", (player,)).rowcount

    def _now(self) -> tuple[float, str]:
        now = self._clock()
        return now, datetime.fromtimestamp(now, UTC).date().isoformat()
