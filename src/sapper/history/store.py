"""The history: add, read, select, measure and erase finished games."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from sapper._util.arguments import expect, listed, whole
from sapper._util.shortening import shown
from sapper.database.connection import ALL_ROWS, Engine
from sapper.errors import BadSave, BadSetting
from sapper.history.bests import PersonalBests, read_bests
from sapper.history.measures import Measures
from sapper.history.pattern_figures import PatternCount, save_pattern_counts
from sapper.history.records import Record
from sapper.history.selection import Selection
from sapper.history.tables import (
    COLUMNS,
    HistoryFile,
    Row,
    Tables,
    delete,
    insert,
    insert_replays,
    row_of,
)
from sapper.paths import GAMES_FILE, state_dir

__all__ = ["History", "Waiting", "read_moves"]

_MOST_BYTES: Final = 64 * 1024 * 1024
"""Maximum size of a game's moves in bytes, which bounds the cost of a damaged file."""

_BATCH_SIZE: Final = 200
_LATEST: Final = "ORDER BY finished_ms DESC, games.key"

ORDERS: Final = {
    "date": "finished_ms",
    "level": "level",
    "rules": "rules",
    "result": "won",
    "time": "time_ms",
    "bbbv": "bbbv",
    "speed": "CASE WHEN won = 1 THEN 1.0 * bbbv / NULLIF(time_ms, 0) END",
    "efficiency": "1.0 * solved / NULLIF(clicks, 0)",
    "guesses": "forced_guesses + needless_guesses",
}
"""SQL of the figures by which games can be sorted."""

_OF_FASTEST: Final = {
    # With a minimum, SQLite returns the other columns from the same row.
    Engine.SQLITE: "owner, key, MIN(time_ms)",
    Engine.POSTGRESQL: ", ".join(
        f"(array_agg({name} ORDER BY time_ms))[1] AS {name}" for name in ("owner", "key")
    ),
}
"""SQL of the owner and the key of a group's fastest game."""


class Waiting(NamedTuple):
    """A game that has not been measured yet, with its saved `Record.moves`."""

    owner: str
    key: str
    moves: dict[str, Any]


class History:
    """The finished games of one owner or of all owners. Thread-safe.

    Games that have been added survive even if the program is killed.

    Args:
        where: The file, created if missing (default: the web app's file); ``":memory:"`` for a
            history in memory; or a database with the tables.
        owner: Owner of the games: a visitor of the web app. None reads the games of all owners, and
            adds games without an owner.

    Raises:
        BadSave: If the file is not a history or is from a newer version.
        WrongType: If `where` is not a path, or the owner is not a string.
        OSError: If the file cannot be opened or created.
    """

    def __init__(self, where: Path | str | Tables | None = None, owner: str | None = None) -> None:
        if where is None:
            where = state_dir() / GAMES_FILE
        if not isinstance(where, Tables):
            expect(where, Path | str, "a path")
        if owner is not None:
            expect(owner, str, "an owner as text")
        self._tables = HistoryFile(where) if isinstance(where, Path | str) else where
        self.owner = owner

    def of(self, owner: str | None) -> Self:
        """Return the history of another owner in the same file."""
        return type(self)(self._tables, owner)

    def __repr__(self) -> str:
        return f"<History of {'all' if self.owner is None else repr(self.owner)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._tables.close()

    def add(self, record: Record) -> bool:
        """Add a game; return False if it already exists."""
        return self.add_all([record]) == 1

    def add_all(self, records: Iterable[Record]) -> int:
        """Add games, all or none; return the number of new ones."""
        # Prepare the rows before the transaction begins, because it blocks other writers.
        listed_records = listed(records, "records")
        for record in listed_records:
            expect(record, Record, "a Record")
        return self.add_rows(map(row_of, listed_records))

    def add_rows(self, rows: Iterable[Row]) -> int:
        """Add games in table form, all or none; return the number of new ones."""
        with self._tables.writing() as db:
            return insert(db, self.owner or "", rows)

    def add_replays(self, replays: Iterable[tuple[bytes, Row]]) -> int:
        """Add games with their replays' digests, all or none; return the number of new ones."""
        with self._tables.writing() as db:
            return insert_replays(db, self.owner or "", replays)

    def replay_digests(self) -> frozenset[bytes]:
        """Return the digests of imported files whose games have not been erased."""
        with self._tables.reading() as db:
            sql = "SELECT digest FROM replay_files WHERE owner = ?"
            return frozenset(digest for (digest,) in db.execute(sql, [self.owner or ""]))

    def players(self) -> list[str]:
        """Return the names of players in alphabetical order."""
        condition, values = self._condition(None)
        sql = f"SELECT DISTINCT player FROM games WHERE player <> '' AND bot = '' AND {condition}"
        return sorted(player for (player,) in self.query(sql, values))

    def get(self, key: str) -> Record | None:
        """Return the game with this key, or None."""
        expect(key, str, "a key as text")
        condition, values = self._condition(None)
        end = "AND games.key = ?"
        records = list(self._read(condition, [*values, key], end, ()))
        return records[0] if records else None

    def records(
        self, selection: Selection | None = None, limit: int | None = None, offset: int = 0
    ) -> Iterator[Record]:
        """Yield games, latest first."""
        condition, values = self._condition(selection)
        end = f"{_LATEST} LIMIT ? OFFSET ?"
        most = ALL_ROWS if limit is None else _checked(limit, "limit")
        return self._read(condition, values, end, (most, _checked(offset, "offset")))

    def rows(
        self,
        selection: Selection | None = None,
        limit: int = 50,
        offset: int = 0,
        *,
        fastest: bool = False,
        by: str = "date",
        descending: bool = True,
    ) -> list[dict[str, Any]]:
        """Return games with their keys, but without moves.

        Args:
            selection: Which games (default: all).
            limit: Maximum number of games.
            offset: Number of games to skip.
            fastest: Whether to return only won games, fastest first, and ignore `by`.
            by: The sort order, one of `ORDERS`. Games without the figure come last; ties are sorted
                latest first.
            descending: Whether to sort in descending order.

        Raises:
            BadSetting: If `by` is not one of `ORDERS`.
        """
        if by not in ORDERS:
            raise BadSetting(f"by must be one of {', '.join(ORDERS)}, got {shown(by)}")
        condition, values = self._condition(selection)
        names = ["key", *(name for name in COLUMNS if name != "moves")]
        if fastest:
            order = "AND won = 1 ORDER BY time_ms, finished_ms, key"
        elif by == "date" and descending:
            order = _LATEST
        else:
            figure, way = ORDERS[by], "DESC" if descending else "ASC"
            order = f"ORDER BY {figure} IS NULL, {figure} {way}, finished_ms DESC, games.key"
        games = self.query(
            f"SELECT {', '.join(names)} FROM games WHERE {condition} {order} LIMIT ? OFFSET ?",
            [*values, _checked(limit, "limit"), _checked(offset, "offset")],
        )
        return [_row(names, row) for row in games]

    def fastest_of_kinds(
        self, selection: Selection | None = None, limit: int = 50
    ) -> list[dict[str, Any]]:
        """Return the fastest won game of each level, rules and variant, as in `rows`.

        The most played levels come first.
        """
        condition, values = self._condition(selection)
        names = ["key", *(name for name in COLUMNS if name != "moves")]
        games = self.query(
            f"SELECT {', '.join(f'games.{name}' for name in names)} FROM ("
            f"SELECT {_OF_FASTEST[self._tables.engine]}, COUNT(*) AS wins FROM games "
            f"WHERE {condition} AND won = 1 GROUP BY level, rules, variant, bot "
            "ORDER BY wins DESC, level, rules, variant LIMIT ?"
            ") AS best JOIN games USING (owner, key) ORDER BY wins DESC, level, rules, variant",
            [*values, _checked(limit, "limit")],
        )
        return [_row(names, row) for row in games]

    def best(self, selection: Selection | None = None, limit: int = 10) -> Iterator[Record]:
        """Yield won games, fastest first."""
        condition, values = self._condition(selection)
        end = "ORDER BY time_ms, finished_ms, games.key LIMIT ?"
        return self._read(f"{condition} AND won = 1", values, end, (_checked(limit, "limit"),))

    def bests(self) -> PersonalBests:
        """Return the personal bests of the owner or, without one, of games without an owner."""
        with self._tables.reading() as db:
            return read_bests(db, self.owner or "")

    def count(self, selection: Selection | None = None) -> int:
        """Return the number of games."""
        condition, values = self._condition(selection)
        return int(self.query(f"SELECT COUNT(*) FROM games WHERE {condition}", values)[0][0])

    def kinds(self) -> list[dict[str, Any]]:
        """Return every rule set and level with its number of games."""
        names = ("bot", "rules", "level", "games", "won")
        condition, values = self._condition(None)
        rows = self.query(
            "SELECT bot, rules, level, COUNT(*), SUM(won) FROM games "
            f"WHERE {condition} GROUP BY bot, level, rules "
            "ORDER BY COUNT(*) DESC, rules, level, bot",
            values,
        )
        return [dict(zip(names, row, strict=True)) for row in rows]

    def erase(self, selection: Selection | None = None) -> int:
        """Erase games permanently, by default all of them; return their number.

        Games are erased in batches, so that other writers do not wait long.
        """
        condition, values = self._condition(selection)
        games = self.query(f"SELECT owner, key FROM games WHERE {condition}", values)
        for start in range(0, len(games), _BATCH_SIZE):
            with self._tables.erasing() as db:
                delete(db, games[start : start + _BATCH_SIZE])
        if games:
            self._tables.erased()
        return len(games)

    # Deferred measures.

    def waiting(self, limit: int) -> list[Waiting]:
        """Return games that are not measured yet: games by people first, then latest first."""
        people = self._waiting("bot = ''", limit)
        return people + self._waiting("bot > ''", limit - len(people))

    def _waiting(self, players: str, limit: int) -> list[Waiting]:
        # The index ``games_to_measure`` finds the latest game of one player name at once.
        rows = self.query(
            "SELECT owner, key, data FROM "
            f"(SELECT owner, key, finished_ms FROM games WHERE measured = 0 AND {players} "
            "ORDER BY finished_ms DESC LIMIT ?) AS game JOIN moves USING (owner, key) "
            "ORDER BY finished_ms DESC",
            [limit],
        )
        return [Waiting(owner, key, read_moves(data)) for owner, key, data in rows]

    def unmeasured(self, selection: Selection | None = None) -> int:
        """Return the number of games that are not measured yet."""
        condition, values = self._condition(selection)
        sql = f"SELECT COUNT(*) FROM games WHERE measured = 0 AND {condition}"
        return int(self.query(sql, values)[0][0])

    def measure(
        self, game: Waiting, measures: Measures | None, patterns: Iterable[PatternCount] = ()
    ) -> None:
        """Save the measures of a game, and the patterns in it.

        Args:
            game: The game.
            measures: Its measures; None marks a failure, so that it is not retried.
            patterns: How often each pattern was used and missed.
        """
        with self._tables.writing() as db:
            where = "WHERE owner = ? AND key = ?"
            if measures is None:
                sql = f"UPDATE games SET measured = 2 {where}"
                db.execute(sql, (game.owner, game.key))
            else:
                names = ", ".join(f"{name} = ?" for name in measures._fields)
                sql = f"UPDATE games SET measured = 1, {names} {where}"
                db.execute(sql, (*measures, game.owner, game.key))
                save_pattern_counts(db, game.owner, game.key, patterns)

    def pattern_counts(self, selection: Selection | None = None) -> list[PatternCount]:
        """Return the sums for each pattern in the selected games, the most missed first."""
        condition, values = self._condition(selection)
        rows = self.query(
            "SELECT pattern, sum(seen), sum(missed), sum(ms) FROM games "
            f"JOIN pattern_counts USING (owner, key) WHERE {condition} "
            "GROUP BY pattern ORDER BY sum(missed) DESC, sum(seen) DESC, pattern",
            values,
        )
        return [
            PatternCount(name, int(seen), int(missed), int(ms)) for name, seen, missed, ms in rows
        ]

    # Queries.

    def query(self, sql: str, values: Iterable[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query on the table ``games``."""
        with self._tables.reading() as db:
            return db.execute(sql, list(values)).fetchall()

    def selected(
        self, columns: Iterable[str], selection: Selection | None = None
    ) -> list[tuple[Any, ...]]:
        """Return columns of the selected games, in any order."""
        condition, values = self._condition(selection)
        return self.query(f"SELECT {', '.join(columns)} FROM games WHERE {condition}", values)

    def _condition(self, selection: Selection | None) -> tuple[str, list[Any]]:
        if selection is not None:
            expect(selection, Selection, "a Selection")
        condition, values = (selection or Selection()).sql()
        if self.owner is None:
            return condition, values
        return f"games.owner = ? AND {condition}", [self.owner, *values]

    def _read(
        self, condition: str, values: list[Any], end: str, more: tuple[int, ...]
    ) -> Iterator[Record]:
        """Yield records, read in batches to save memory."""
        names = ", ".join("data" if name == "moves" else name for name in COLUMNS)
        games = self.query(
            f"SELECT owner, key FROM games WHERE {condition} {end}", [*values, *more]
        )
        for start in range(0, len(games), _BATCH_SIZE):
            batch = games[start : start + _BATCH_SIZE]
            marks = ", ".join(["(?, ?)"] * len(batch))
            rows = self.query(
                f"SELECT owner, key, {names} FROM games JOIN moves USING (owner, key) "
                f"WHERE (owner, key) IN (VALUES {marks})",
                [part for game in batch for part in game],
            )
            loaded = {row[:2]: row[2:] for row in rows}
            for game in batch:
                # Another process may have deleted the game.
                if game in loaded:
                    yield _record(loaded[game])


def _checked(number: int, name: str) -> int:
    """Return a number of rows, clamped to the range of SQLite."""
    return whole(number, name, most=2**63 - 1)


def _row(names: list[str], values: tuple[Any, ...]) -> dict[str, Any]:
    row = dict(zip(names, values, strict=True))
    return {**row, "won": bool(row["won"])}


def _record(row: tuple[Any, ...]) -> Record:
    values = dict(zip(COLUMNS, row, strict=True))
    values |= {"won": bool(values["won"]), "moves": read_moves(values["moves"])}
    return Record.from_json(values)


def read_moves(data: Any) -> Any:
    """Return the moves of a game in their stored form.

    Raises:
        BadSave: If the data is damaged.
    """
    unpacking = zlib.decompressobj()
    try:
        return json.loads(unpacking.decompress(data, _MOST_BYTES))
    except (zlib.error, TypeError, ValueError, RecursionError) as problem:
        raise BadSave(f"the moves of a game in the history cannot be read: {problem}") from None
