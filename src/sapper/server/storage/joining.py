"""Join two guests who are the same person: one of them gets the games and results of the other."""

from __future__ import annotations

from typing import Final

from sapper.database.connection import Connection
from sapper.database.tables import Table
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.schema import SCHEMA
from sapper.server.storage.table_rows import tables

__all__ = ["Guests"]

_PLAYED: Final = [
    table for table in SCHEMA.tables.values() if table.player and not table.is_bookkeeping
]


class Guests(Clocked):
    """The guests of a store. Thread-safe."""

    def has_played(self, player: str) -> bool:
        """Return whether a guest has a game, a result or an answer."""
        with self._database.reading() as db:
            return _weight(db, player) > 0

    def join(self, one: str, other: str) -> str:
        """Give the games and results of one guest to the other; return the guest who has them all.

        That is the guest with more of them. If both have a result of the same daily board, a rating
        or a running game, for example, that guest's is kept.

        Args:
            one: A session id.
            other: The session id that is kept if both have equally many.
        """
        with self._database.writing() as db:
            kept, given = (one, other) if _weight(db, one) > _weight(db, other) else (other, one)
            if _count(db, SCHEMA.tables["actions"], kept) == 0:
                # Settings alone give way to a running game.
                db.execute("DELETE FROM sessions WHERE id = ?", (kept,))
            owned = {
                table.part_of
                for table in _PLAYED
                if table.part_of == table.name and _count(db, table, kept) > 0
            }
            for table in _PLAYED:
                for column in table.player:
                    rows = _taken(db, table, column, given, kept)
                    if table.part_of not in owned:
                        _insert(db, table, rows)
        return kept


def _weight(db: Connection, player: str) -> int:
    """Return the number of a player's rows; settings alone do not count."""
    return sum(_count(db, table, player) for table in _PLAYED if table.name != "sessions")


def _count(db: Connection, table: Table, player: str) -> int:
    sql = f"SELECT count(*) FROM {table.name} WHERE {table.player[0]} = ?"
    [count] = db.execute(sql, (player,)).fetchone()
    return int(count)


def _taken(
    db: Connection, table: Table, column: str, given: str, kept: str
) -> list[tuple[object, ...]]:
    """Remove a player's rows from a table, and return them as rows of another player."""
    names = [each.name for each in tables()[table.name]]
    at = names.index(column)
    sql = f"SELECT {', '.join(names)} FROM {table.name} WHERE {column} = ?"
    found = db.execute(sql, (given,)).fetchall()
    db.execute(f"DELETE FROM {table.name} WHERE {column} = ?", (given,))
    return [(*row[:at], kept, *row[at + 1 :]) for row in found]


def _insert(db: Connection, table: Table, rows: list[tuple[object, ...]]) -> None:
    """Insert rows, except those that others exclude."""
    names = [each.name for each in tables()[table.name]]
    marks = ", ".join("?" * len(names))
    sql = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks}) ON CONFLICT DO NOTHING"
    if rows:
        db.executemany(sql, rows)
