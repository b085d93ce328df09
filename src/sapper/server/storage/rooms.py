"""Rooms of several people, with their changes since they were last saved as a whole."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sapper.database.connection import Connection, Engine
from sapper.database.tables import Export, Table
from sapper.server import limits
from sapper.server.storage.database import Database, compact
from sapper.server.storage.feature_tables import (
    DELETED_NAME,
    Erased,
    FeatureTables,
    Pruning,
    anonymized,
    containing,
)
from sapper.server.storage.ownership import Ownership
from sapper.server.storage.round_ended import RoundEnded

__all__ = [
    "TABLES",
    "Ended",
    "RoomChange",
    "RoomStore",
    "SavedRoom",
    "Whole",
    "claim_of",
    "closed_rooms",
    "delete_room",
]

SCHEMA: Final = """
-- Open rooms, each as it was saved as a whole. Listed ones are public and have people in them.
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY,
    maker TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    summary TEXT NOT NULL,
    state TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rooms_by_maker ON rooms (maker);
-- The events of rooms since then.
CREATE TABLE IF NOT EXISTS room_events (
    code TEXT NOT NULL,
    number INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (code, number)
) WITHOUT ROWID;
-- The recordings of finished games.
CREATE TABLE IF NOT EXISTS recordings (
    code TEXT NOT NULL,
    game INTEGER NOT NULL,
    finished_ms INTEGER NOT NULL,
    recording TEXT NOT NULL,
    PRIMARY KEY (code, game)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS recordings_by_age ON recordings (finished_ms);
"""

PLAYERS: Final = """
-- The people in recordings, and their numbers there.
CREATE TABLE IF NOT EXISTS recorded_players (
    player TEXT NOT NULL,
    code TEXT NOT NULL,
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (player, code, game, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS recorded_players_by_game ON recorded_players (code, game);
"""

CLOSED: Final = """
-- The rooms that an operator has deleted, for servers that have them in memory.
CREATE TABLE IF NOT EXISTS closed_rooms (
    code TEXT PRIMARY KEY,
    closed_ms INTEGER NOT NULL
) WITHOUT ROWID;
"""

_KIND: Final = "room"
_CLOSED_MS: Final = 3_600_000
_SAVE_ROOM: Final = """
INSERT INTO rooms (code, maker, made_ms, listed, summary, state) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (code) DO UPDATE SET
    listed = excluded.listed, summary = excluded.summary, state = excluded.state
"""
_SAVE_SUMMARY: Final = "UPDATE rooms SET listed = ?, summary = ? WHERE code = ?"
_DELETE_EVENTS: Final = "DELETE FROM room_events WHERE code = ?"
_SAVE_EVENT: Final = "INSERT INTO room_events (code, number, event) VALUES (?, ?, ?)"
_SAVE_RECORDING: Final = """
INSERT INTO recordings (code, game, finished_ms, recording) VALUES (?, ?, ?, ?)
ON CONFLICT (code, game) DO NOTHING
"""
_SAVE_PLAYER: Final = """
INSERT INTO recorded_players (code, game, player, number) VALUES (?, ?, ?, ?)
ON CONFLICT DO NOTHING
"""
_PRUNE_PLAYERS: Final = """
DELETE FROM recorded_players WHERE NOT EXISTS (
    SELECT 1 FROM recordings
    WHERE recordings.code = recorded_players.code AND recordings.game = recorded_players.game
)
"""
_PRUNE_EVERY: Final = 100


class Ended(NamedTuple):
    """A finished game.

    Attributes:
        game: The number of the game in its room, from 1.
        finished_ms: Its end in milliseconds since 1970.
        recording: Its recording as JSON text.
        players: The session ids of the people who played, by number.
    """

    game: int
    finished_ms: int
    recording: str
    players: tuple[tuple[str, int], ...] = ()


class Whole(NamedTuple):
    """A whole room.

    Attributes:
        maker: The session id of its maker; empty for a tournament.
        made_ms: When it was made, in milliseconds since 1970.
        state: The room as JSON text.
    """

    maker: str
    made_ms: int
    state: str


class RoomChange(NamedTuple):
    """Changes to save for one room.

    Attributes:
        code: The room's code.
        token: The token of the worker's claim to the room, if there are several workers.
        listed: Whether the room is public and has people in it.
        summary: Its entry in the list of rooms as JSON text; None if unchanged.
        whole: The whole room; None if only events are added.
        first: The number of the first of `events`.
        events: Events since the room was last saved as a whole, each as JSON text.
        ended: Games finished since the last change.
        results: Their results, for ratings and tournaments.
        removed: Whether the room is removed.
    """

    code: str
    token: int
    listed: bool = False
    summary: str | None = None
    whole: Whole | None = None
    first: int = 0
    events: tuple[str, ...] = ()
    ended: tuple[Ended, ...] = ()
    results: tuple[RoundEnded, ...] = ()
    removed: bool = False

    @property
    def session(self) -> str:
        """The id of the room in the table of owners."""
        return claim_of(self.code)

    def then(self, later: RoomChange) -> RoomChange:
        """Merge this change with a later one of the same room."""
        if later.token != self.token:
            # The room has been claimed again and loaded without this change.
            return later
        later = later._replace(ended=self.ended + later.ended, results=self.results + later.results)
        if later.whole is not None or later.removed:
            return later
        if later.summary is None:
            later = later._replace(listed=self.listed, summary=self.summary)
        first = self.first if self.whole is not None or self.events else later.first
        events = self.events + later.events
        return later._replace(whole=self.whole, first=first, events=events)


class SavedRoom(NamedTuple):
    """A saved room.

    Attributes:
        state: The room as it was last saved as a whole, as JSON text.
        events: The events since then, each as JSON text.
    """

    state: str
    events: list[str]


def claim_of(code: str) -> str:
    """Return the id of a room in the table of owners."""
    return f"{_KIND}:{code}"


class RoomStore:
    """The rooms in a database. Thread-safe.

    Args:
        database: The database.
        ownership: The rooms and sessions of this worker; None if it is the only server.
        clock: Seconds since 1970.
        record: Adds what follows from a result (default: nothing).
    """

    def __init__(
        self,
        database: Database,
        ownership: Ownership | None = None,
        clock: Callable[[], float] = time.time,
        record: Callable[[Connection, RoundEnded], None] | None = None,
    ) -> None:
        self._database, self._ownership, self._clock = database, ownership, clock
        self._record = record
        self._until_pruning = 0

    def commit(self, changes: Sequence[RoomChange]) -> list[RoomChange]:
        """Save changes of different rooms, all or none, with everything that follows from them.

        Returns:
            The changes that were not saved, because another worker has claimed their rooms.

        Raises:
            sqlite3.Error: If they cannot be saved; nothing has changed.
            DatabaseFailed: The same, for other databases.
            NotInPlace: If they are saved only in memory and must be saved again.
        """
        lost: list[RoomChange] = []
        # What follows from a result depends on what other workers write.
        has_results = any(change.results for change in changes)
        database = self._database
        with database.writing() if has_results else database.committing() as db:
            if self._ownership is not None and changes:
                changes, lost, _ = self._ownership.divided(db, changes)
            self._write(db, changes)
        self._database.check()
        return lost

    def _write(self, db: Connection, changes: Sequence[RoomChange]) -> None:
        if wholes := [(one, one.whole) for one in changes if one.whole and not one.removed]:
            rows = [
                (c.code, w.maker, w.made_ms, int(c.listed), c.summary, w.state) for c, w in wholes
            ]
            db.executemany(_SAVE_ROOM, rows)
            db.executemany(_DELETE_EVENTS, [(change.code,) for change, _ in wholes])
        kept = [change for change in changes if not change.removed]
        if summaries := [
            (int(c.listed), c.summary, c.code) for c in kept if c.summary and not c.whole
        ]:
            db.executemany(_SAVE_SUMMARY, summaries)
        events = [
            (change.code, number, event)
            for change in kept
            for number, event in enumerate(change.events, change.first)
        ]
        if events:
            db.executemany(_SAVE_EVENT, events)
        if ended := [(change.code, one) for change in changes for one in change.ended]:
            db.executemany(_SAVE_RECORDING, [(code, *one[:3]) for code, one in ended])
            players = [(code, one.game, *each) for code, one in ended for each in one.players]
            if players:
                db.executemany(_SAVE_PLAYER, players)
            self._prune(db, len(ended))
        for change in changes:
            if self._record is not None:
                for result in change.results:
                    self._record(db, result)
            if change.removed:
                db.execute("DELETE FROM rooms WHERE code = ?", (change.code,))
                db.execute(_DELETE_EVENTS, (change.code,))
                db.execute("DELETE FROM owners WHERE session = ?", (change.session,))

    def _prune(self, db: Connection, new: int) -> None:
        """Delete old recordings, and the oldest of too many."""
        self._until_pruning -= new
        if self._until_pruning > 0:
            return
        self._until_pruning = _PRUNE_EVERY
        _prune(db, Pruning(int(self._clock() * 1000), self._database.engine, ""))

    def load(self, code: str) -> SavedRoom | None:
        """Return a room, or None."""
        with self._database.using() as db:
            row = db.execute("SELECT state FROM rooms WHERE code = ?", (code,)).fetchone()
            events = db.execute(
                "SELECT event FROM room_events WHERE code = ? ORDER BY number", (code,)
            ).fetchall()
        return None if row is None else SavedRoom(row[0], [event for (event,) in events])

    def exists(self, code: str) -> bool:
        """Return whether there is a room with this code."""
        return self._has("SELECT 1 FROM rooms WHERE code = ?", code)

    def is_used(self, code: str) -> bool:
        """Return whether a room has or had this code."""
        return self.exists(code) or self._has("SELECT 1 FROM recordings WHERE code = ?", code)

    def _has(self, sql: str, code: str) -> bool:
        with self._database.using() as db:
            return db.execute(sql, (code,)).fetchone() is not None

    def made_by(self, maker: str) -> int:
        """Return the number of rooms of a maker."""
        with self._database.using() as db:
            sql = "SELECT count(*) FROM rooms WHERE maker = ?"
            return int(db.execute(sql, (maker,)).fetchone()[0])

    def listed(self, most: int) -> list[str]:
        """Return the summaries of listed rooms, newest first."""
        with self._database.using() as db:
            rows = db.execute(
                "SELECT summary FROM rooms WHERE listed = 1 ORDER BY made_ms DESC, code LIMIT ?",
                (most,),
            ).fetchall()
        return [summary for (summary,) in rows]

    def owners(self) -> dict[str, str]:
        """Return the worker of each room by its code; empty if none has it."""
        sql = (
            "SELECT code, coalesce(worker, '') FROM rooms "
            f"LEFT JOIN owners ON owners.session = '{_KIND}:' || code"
        )
        with self._database.using() as db:
            return dict(db.execute(sql).fetchall())

    def recording(self, code: str, game: int | None = None) -> tuple[int, Ended] | None:
        """Return the number of a room's last game, and a game (default: the last); or None."""
        with self._database.using() as db:
            [last] = db.execute(
                "SELECT max(game) FROM recordings WHERE code = ?", (code,)
            ).fetchone()
            row: Any = db.execute(
                "SELECT game, finished_ms, recording FROM recordings WHERE code = ? AND game = ?",
                (code, last if game is None else game),
            ).fetchone()
        return None if row is None else (last, Ended(*row))


def delete_room(db: Connection, code: str, now_ms: int) -> bool:
    """Delete a room, so that every server closes it; return whether it existed.

    Recordings of its finished games are kept.
    """
    found = db.execute("DELETE FROM rooms WHERE code = ?", (code,)).rowcount
    db.execute(_DELETE_EVENTS, (code,))
    if found:
        db.execute(
            "INSERT INTO closed_rooms VALUES (?, ?) ON CONFLICT (code) DO UPDATE "
            "SET closed_ms = excluded.closed_ms",
            (code, now_ms),
        )
    return bool(found)


def closed_rooms(db: Connection) -> set[str]:
    """Return the codes of the rooms that operators have deleted recently."""
    return {code for (code,) in db.execute("SELECT code FROM closed_rooms").fetchall()}


def _prune(db: Connection, pruning: Pruning) -> None:
    """Delete old recordings, and the oldest of too many, and what servers have read by now."""
    db.execute("DELETE FROM closed_rooms WHERE closed_ms < ?", (pruning.now_ms - _CLOSED_MS,))
    oldest = pruning.now_ms - int(limits.RECORDING_KEPT_S * 1000)
    db.execute("DELETE FROM recordings WHERE finished_ms < ?", (oldest,))
    is_file = pruning.engine is Engine.SQLITE
    most = limits.RECORDINGS if is_file else limits.RECORDINGS_ON_A_SERVER
    [count] = db.execute("SELECT count(*) FROM recordings").fetchone()
    if count > most:
        row = db.execute(
            "SELECT finished_ms FROM recordings ORDER BY finished_ms LIMIT 1 OFFSET ?",
            (count - most - 1,),
        ).fetchone()
        db.execute("DELETE FROM recordings WHERE finished_ms <= ?", row)
    db.execute(_PRUNE_PLAYERS)


def _mentioning(db: Connection, player: str) -> list[tuple[Any, ...]]:
    """Return the rooms whose maker or member a player is or was."""
    return db.execute(
        "SELECT code, maker, made_ms, summary, state FROM rooms "
        "WHERE maker = ? OR state LIKE ? ESCAPE '!' "
        "OR EXISTS (SELECT 1 FROM room_events WHERE room_events.code = rooms.code "
        "AND event LIKE ? ESCAPE '!') ORDER BY made_ms, code",
        (player, containing(player), containing(player)),
    ).fetchall()


def _exported_rooms(db: Connection, player: str) -> list[dict[str, Any]]:
    return [
        {"code": code, "made": maker == player, "made_ms": made_ms}
        for code, maker, made_ms, _, _ in _mentioning(db, player)
    ]


def _exported_recordings(db: Connection, player: str) -> list[dict[str, Any]]:
    rows = db.execute(
        "SELECT code, game, number, finished_ms, recording FROM recorded_players "
        "JOIN recordings USING (code, game) WHERE player = ? ORDER BY finished_ms, code, game",
        (player,),
    ).fetchall()
    names = "code", "game", "number", "finished_ms", "recording"
    # A recording is text, because it may be damaged; anyone with the code of the room can see it.
    return [dict(zip(names, row, strict=True)) for row in rows]


def _erase(db: Connection, erased: Erased) -> None:
    """Replace a player in open rooms, and its names in recordings."""
    for code, maker, _, summary, state in _mentioning(db, erased.player):
        rows = db.execute(
            "SELECT number, event FROM room_events WHERE code = ? ORDER BY number", (code,)
        ).fetchall()
        # Together, because only some of them have the name next to the id.
        try:
            whole = [json.loads(text) for text in (summary, state, *(event for _, event in rows))]
        except ValueError:
            # It cannot be loaded either.
            db.execute("DELETE FROM rooms WHERE code = ?", (code,))
            db.execute(_DELETE_EVENTS, (code,))
            continue
        summary, state, *events = anonymized(whole, erased)
        db.execute(
            "UPDATE rooms SET maker = ?, summary = ?, state = ? WHERE code = ?",
            (
                erased.alias if maker == erased.player else maker,
                compact(summary),
                compact(state),
                code,
            ),
        )
        db.executemany(
            "UPDATE room_events SET event = ? WHERE code = ? AND number = ?",
            [
                (compact(event), code, number)
                for (number, _), event in zip(rows, events, strict=True)
            ],
        )
    _erase_recordings(db, erased)


def _erase_recordings(db: Connection, erased: Erased) -> None:
    found: dict[tuple[str, int], set[int]] = {}
    for code, game, number in db.execute(
        "SELECT code, game, number FROM recorded_players WHERE player = ?", (erased.player,)
    ).fetchall():
        found.setdefault((code, game), set()).add(number)
    # Recordings of version 1.0.0 have the names only.
    if erased.name:
        for code, game in db.execute(
            "SELECT code, game FROM recordings WHERE recording LIKE ? ESCAPE '!'",
            (containing(erased.name),),
        ).fetchall():
            found.setdefault((code, game), set())
    for key, numbers in found.items():
        row = db.execute(
            "SELECT recording FROM recordings WHERE code = ? AND game = ?", key
        ).fetchone()
        if row is None:
            continue
        try:
            recording = json.loads(row[0])
            for member in recording.get("members", ()):
                is_person = member.get("bot") is None
                if member["number"] in numbers or (is_person and member["name"] == erased.name):
                    member["name"] = DELETED_NAME
        except (AttributeError, LookupError, TypeError, ValueError):
            # It cannot be shown either.
            db.execute("DELETE FROM recordings WHERE code = ? AND game = ?", key)
            continue
        sql = "UPDATE recordings SET recording = ? WHERE code = ? AND game = ?"
        db.execute(sql, (compact(recording), *key))


_ROOMS: Final = "rooms.json"

TABLES: Final = FeatureTables(
    {9: SCHEMA, 11: PLAYERS, 13: CLOSED},
    (
        Table(
            "rooms",
            mentions=("maker", "summary", "state"),
            export=Export(_ROOMS, _exported_rooms),
        ),
        Table(
            "room_events",
            mentions=("event",),
            not_exported="the mines of a running game are secret",
        ),
        Table("recordings", mentions=("recording",), export=Export(_ROOMS, _exported_recordings)),
        Table(
            "recorded_players",
            ("player",),
            not_exported="the exported recordings have the player's number",
        ),
        Table("closed_rooms"),
    ),
    on_erase=_erase,
    on_prune=_prune,
)
