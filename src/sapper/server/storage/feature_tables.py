"""Each feature's declarations about its tables, and the operations on the tables of all features.

Creating, erasing, exporting, pruning, claiming, copying and checking use only these declarations.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from sapper.database.connection import Connection, Engine
from sapper.database.tables import Table
from sapper.errors import SapperError
from sapper.history import Record
from sapper.server.storage.day_results import DayResult
from sapper.server.storage.round_ended import RoundEnded

__all__ = [
    "DELETED_NAME",
    "Erased",
    "FeatureTables",
    "Pruning",
    "Saved",
    "Schema",
    "alias_of",
    "anonymized",
    "containing",
    "is_alias",
    "set_aside_id",
]

_log: Final = logging.getLogger(__name__)

_ALIAS: Final = "deleted-"
DELETED_NAME: Final = "deleted player"
"""The name of an erased player in rooms and recordings; no account can have it."""
_SET_ASIDE: Final = "-unreadable-"


class Erased(NamedTuple):
    """A player to erase.

    Attributes:
        player: The session id.
        account: The id of the account; empty for a guest.
        name: The name of the account; empty for a guest.
        now_ms: The time in milliseconds since 1970.
    """

    player: str
    account: str = ""
    name: str = ""
    now_ms: int = 0

    @property
    def alias(self) -> str:
        """What replaces the player where the rows of others mention it."""
        return alias_of(self.player)


class Saved(NamedTuple):
    """Finished games and results of a session that are being saved.

    Attributes:
        player: The session id.
        games: The games.
        dailies: The daily board results.
    """

    player: str
    games: Sequence[Record]
    dailies: Sequence[DayResult]


class Pruning(NamedTuple):
    """The circumstances of pruning.

    Attributes:
        now_ms: The time in milliseconds since 1970.
        engine: The database program.
        kept_games: An SQL condition on ``games``; these games are not deleted.
    """

    now_ms: int
    engine: Engine
    kept_games: str


@dataclass(frozen=True, slots=True)
class FeatureTables:
    """The tables of a feature.

    All functions run in the current transaction.

    Attributes:
        versions: The statements by schema version, in SQL with SQLite's types.
        tables: The tables.
        on_claim: Called with a player whose games now belong to an account.
        on_erase: Called with a player whose rows are about to be erased.
        on_games_erased: Called with a player after some of the games in the history were erased.
        on_saved: Called with finished games and results that are being saved.
        on_round: Called with the result of a round of a room that is being saved.
        on_prune: Deletes rows that are too old or too many.
        kept_games: An SQL condition on ``games`` that must not be pruned.
    """

    versions: Mapping[int, str]
    tables: tuple[Table, ...]
    on_claim: Callable[[Connection, str], None] | None = field(default=None, kw_only=True)
    on_erase: Callable[[Connection, Erased], None] | None = field(default=None, kw_only=True)
    on_games_erased: Callable[[Connection, str], None] | None = field(default=None, kw_only=True)
    on_saved: Callable[[Connection, Sequence[Saved]], None] | None = field(
        default=None, kw_only=True
    )
    on_round: Callable[[Connection, RoundEnded], None] | None = field(default=None, kw_only=True)
    on_prune: Callable[[Connection, Pruning], None] | None = field(default=None, kw_only=True)
    kept_games: str = field(default="", kw_only=True)


class Schema:
    """The tables of all features.

    Args:
        features: The features, in the order in which their tables are created.
    """

    def __init__(self, features: Iterable[FeatureTables]) -> None:
        self.features: Final = tuple(features)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """All tables by name."""
        return {table.name: table for feature in self.features for table in feature.tables}

    @cached_property
    def versions(self) -> dict[int, str]:
        """The statements of each version."""
        numbers = {number for feature in self.features for number in feature.versions}
        return {
            number: "".join(feature.versions.get(number, "") for feature in self.features)
            for number in sorted(numbers)
        }

    def claim(self, db: Connection, player: str) -> None:
        """Give a player's rows to the account that has just been created for it."""
        for feature in self.features:
            if feature.on_claim is not None:
                feature.on_claim(db, player)

    def erase(self, db: Connection, erased: Erased) -> None:
        """Delete everything about a player, and about the account if there is one."""
        for feature in self.features:
            if feature.on_erase is not None:
                feature.on_erase(db, erased)
        aside = f"{erased.player}{_SET_ASIDE}"
        for table in self.tables.values():
            for column in table.player:
                db.execute(
                    f"DELETE FROM {table.name} WHERE {column} = ? "
                    f"OR ({column} >= ? AND {column} < ?)",
                    (erased.player, aside, _after(aside)),
                )
            for column in table.account if erased.account else ():
                db.execute(f"DELETE FROM {table.name} WHERE {column} = ?", (erased.account,))

    def games_erased(self, db: Connection, player: str) -> None:
        """Delete what depended on games that were erased from a player's history."""
        for feature in self.features:
            if feature.on_games_erased is not None:
                feature.on_games_erased(db, player)

    def saved(self, db: Connection, changes: Sequence[Saved]) -> None:
        """Add what follows from finished games that are being saved."""
        for feature in self.features:
            if feature.on_saved is not None:
                feature.on_saved(db, changes)

    def round_ended(self, db: Connection, ended: RoundEnded) -> None:
        """Add what follows from the result of a round that is being saved.

        A result that cannot be added is logged and left out, so that the room can still be saved.
        """
        for feature in self.features:
            if feature.on_round is None:
                continue
            db.execute("SAVEPOINT result")
            try:
                feature.on_round(db, ended)
            except (SapperError, ArithmeticError, LookupError, TypeError, ValueError):
                db.execute("ROLLBACK TO SAVEPOINT result")
                _log.exception("the result of the round %s cannot be recorded", ended.id)
            db.execute("RELEASE SAVEPOINT result")

    def prune(self, db: Connection, now_ms: int, engine: Engine, surplus: int) -> None:
        """Delete rows that are too old or too many.

        Args:
            db: The connection of a transaction.
            now_ms: The time in milliseconds since 1970.
            engine: The database program.
            surplus: The number of the least recently saved sessions to delete.
        """
        kept = " OR ".join(f"({one.kept_games})" for one in self.features if one.kept_games)
        pruning = Pruning(now_ms, engine, kept or "1 = 0")
        for feature in self.features:
            if feature.on_prune is not None:
                feature.on_prune(db, pruning)
        if surplus <= 0:
            return
        oldest = "SELECT id FROM sessions ORDER BY saved, id LIMIT ?"
        pruned = [table for table in self.tables.values() if table.is_pruned]
        # The sessions come last, because the query for the oldest ones reads them.
        for table in sorted(pruned, key=lambda table: table.name == "sessions"):
            [column] = table.player
            db.execute(f"DELETE FROM {table.name} WHERE {column} IN ({oldest})", (surplus,))

    def exported(self, db: Connection, player: str, account: str) -> dict[str, dict[str, Any]]:
        """Return the rows of a player and an account by file and table.

        Tables whose file reads them itself are left out.
        """
        files: dict[str, dict[str, Any]] = {}
        for table in self.tables.values():
            export = table.export
            if export is None or export.own_form:
                continue
            if export.rows is not None:
                rows = export.rows(db, player)
            else:
                rows = _rows(db, table, player, account)
            files.setdefault(export.file, {})[table.name] = rows
        return files


def set_aside_id(session: str, mark: str) -> str:
    """Return the id of a saved session that cannot be read; it is erased with the player."""
    return f"{session}{_SET_ASIDE}{mark}"


def alias_of(player: str) -> str:
    """Return what replaces an erased player; the session id cannot be derived from it."""
    return f"{_ALIAS}{hashlib.sha256(player.encode()).hexdigest()[:24]}"


def is_alias(player: str) -> bool:
    """Return whether an id stands for an erased player."""
    return player.startswith(_ALIAS)


def containing(text: str) -> str:
    r"""Return a pattern for ``LIKE ? ESCAPE '!'`` that finds JSON texts with a string in them."""
    inner = json.dumps(text)[1:-1]
    for mark in "!%_":
        inner = inner.replace(mark, f"!{mark}")
    return f"%{inner}%"


def anonymized(value: Any, erased: Erased) -> Any:
    """Return a JSON value in which a player is replaced by the alias, and its names are removed.

    Names are values of the fields ``name`` and ``host``, and the third value of ``join`` events.
    """
    names = {erased.name} if erased.name else set()
    names |= {name for name in _names_in(value, erased.player) if isinstance(name, str)}

    def replaced(value: Any, field_name: str = "") -> Any:
        if isinstance(value, dict):
            return {
                erased.alias if name == erased.player else name: replaced(inner, name)
                for name, inner in value.items()
            }
        if isinstance(value, list):
            if "join" in value[:2] and erased.player in value:
                return [DELETED_NAME if one in names else replaced(one) for one in value]
            return [replaced(one) for one in value]
        if value == erased.player:
            return erased.alias
        is_name = field_name in ("name", "host") and value in names
        return DELETED_NAME if is_name else value

    return replaced(value)


def _names_in(value: Any, player: str) -> Iterator[Any]:
    """Yield the names that belong to a player in a JSON value."""
    if isinstance(value, dict):
        if value.get("id") == player:
            yield value.get("name")
        for inner in value.values():
            yield from _names_in(inner, player)
    elif isinstance(value, list):
        if player in value:
            after = value[value.index(player) + 1 :][:1]
            # An event that adds a member, or a number, an id and the public data of a member.
            yield from (
                after
                if "join" in value[:2]
                else (one["name"] for one in after if isinstance(one, dict) and "name" in one)
            )
        for inner in value:
            yield from _names_in(inner, player)


def _rows(db: Connection, table: Table, player: str, account: str) -> list[dict[str, Any]]:
    """Return the rows of a table without the columns that name the player, in order."""
    columns = table.account if table.account else table.player
    owner = account if table.account else player
    of = " OR ".join(f"{column} = ?" for column in columns)
    found = db.execute(f"SELECT * FROM {table.name} WHERE {of}", (owner,) * len(columns))
    names = [column[0] for column in found.description]
    hidden = {*table.player, *table.account}
    rows = [
        {
            name: value.hex() if isinstance(value, bytes) else value
            for name, value in zip(names, row, strict=True)
            if name not in hidden
        }
        for row in found.fetchall()
    ]
    return sorted(rows, key=lambda row: [_order(value) for value in row.values()])


def _order(value: Any) -> tuple[Any, ...]:
    """Return a sort key for values of any type, because SQLite stores any type in any column."""
    if value is None:
        return (0,)
    return (1, value) if isinstance(value, int | float) else (2, str(value))


def _after(prefix: str) -> str:
    """Return the first text after all texts with a prefix."""
    return f"{prefix[:-1]}{chr(ord(prefix[-1]) + 1)}"
