"""Stored tournaments: each change loads one, applies an event and saves it, in one transaction."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, Self

from sapper.community import Arena, ArenaSettings, Pairing
from sapper.database.connection import Connection
from sapper.database.tables import Export, Table
from sapper.errors import BadSetting, IllegalAction, SapperError
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.database import compact
from sapper.server.storage.feature_tables import (
    Erased,
    FeatureTables,
    anonymized,
    containing,
)
from sapper.server.storage.round_ended import RoundEnded
from sapper.translation import t

__all__ = ["TABLES", "Listed", "Tournament", "Tournaments"]

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tournaments (
    code TEXT PRIMARY KEY,
    maker TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    finished_ms INTEGER,
    -- When it is due next, NULL once it is over.
    due_ms INTEGER,
    state TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS tournaments_by_time ON tournaments (created_ms);
CREATE INDEX IF NOT EXISTS tournaments_due ON tournaments (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS tournaments_by_maker ON tournaments (maker, created_ms);
"""

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_CODE: Final = 6
_SELECT: Final = "SELECT code, maker, finished_ms, state FROM tournaments"
_MOST_RUNNING: Final = 50
"""Maximum number of tournaments that run at the same time."""
_MOST_A_DAY: Final = 10
"""Maximum number of tournaments that a player may create within 24 hours."""
_LISTED: Final = 30
_DAY_MS: Final = 86_400_000
_SAVED_MS: Final = 5_000
"""A running tournament is saved at least this often, so that its clock can continue."""
_GAP_MS: Final = 20_000
"""A longer gap means that the server was down, so the clock was stopped."""


@dataclass(slots=True)
class Tournament:
    """A tournament.

    Attributes:
        code: Its code, which is part of its URL.
        maker: The session of the player who made it.
        arena: Its state.
        saved_ms: When it was saved, in milliseconds since 1970.
        rooms: The codes of the rooms of running races, by number of the race.
        pending: Races whose rooms have not been created yet.
        finished_ms: When it ended, or None.
    """

    code: str
    maker: str
    arena: Arena
    saved_ms: int
    rooms: dict[int, str] = field(default_factory=dict)
    pending: list[Pairing] = field(default_factory=list)
    finished_ms: int | None = None

    @classmethod
    def of_row(cls, row: tuple[Any, ...]) -> Self:
        """Return the tournament in a row of the table."""
        code, maker, finished_ms, text = row
        state = json.loads(text)
        return cls(
            code,
            maker,
            Arena.from_json(state["arena"]),
            state["saved_ms"],
            {int(race): room for race, room in state["rooms"].items()},
            [Pairing(race, tuple(players), seed) for race, players, seed in state["pending"]],
            finished_ms,
        )

    def end_race(
        self, now_ms: int, race: int, places: Mapping[str, int], times_ms: Mapping[str, int]
    ) -> None:
        """Record the result of a race, unless that was done before."""
        if race in dict(self.arena.view()["racing"]):
            self.arena.result(now_ms, race, places, times_ms)
        self.rooms.pop(race, None)

    def drop(self, player: str) -> None:
        """Take a player out of the races whose rooms have not been created yet."""
        self.pending = [
            replace(pairing, players=tuple(one for one in pairing.players if one != player))
            for pairing in self.pending
        ]

    def resume(self, now_ms: int) -> None:
        """Set its clock, which was stopped while the server was down."""
        if now_ms - self.saved_ms <= _GAP_MS:
            self.arena.resume(self.saved_ms)
        self.arena.resume(now_ms)

    def state(self) -> str:
        """Return its state as JSON text."""
        return compact(
            {
                "arena": self.arena.to_json(),
                "saved_ms": self.saved_ms,
                "rooms": self.rooms,
                "pending": [list(pairing) for pairing in map(_values, self.pending)],
            }
        )

    def due_ms(self, now_ms: int) -> int | None:
        """Return when the tournament is due next."""
        if self.finished_ms is not None:
            return None
        if self.pending:
            return now_ms
        next_ms = self.arena.next_tick_ms()
        later = now_ms + _SAVED_MS
        return later if next_ms is None else min(later, max(now_ms, next_ms))


class Listed(NamedTuple):
    """A tournament in a list.

    Attributes:
        code: Its code.
        settings: Its settings.
        players: Number of players.
        left_ms: Time left for new races to start.
        starts_in_ms: Time until the first race.
        finished_ms: When it ended, or None.
        winner: The session of the player in first place, if it is over.
    """

    code: str
    settings: ArenaSettings
    players: int
    left_ms: int
    starts_in_ms: int
    finished_ms: int | None
    winner: str | None


class Tournaments(Clocked):
    """The tournaments in a database. Thread-safe.

    Args:
        database: A database with these tables.
        clock: Seconds since 1970.
    """

    def create(self, maker: str, settings: ArenaSettings) -> str:
        """Start a tournament; return its code.

        Raises:
            BadSetting: If there are too many tournaments.
        """
        now = self._now_ms()
        arena = Arena(settings, secrets.randbits(64))
        with self._database.writing() as db:
            [running] = db.execute(
                "SELECT count(*) FROM tournaments WHERE due_ms IS NOT NULL"
            ).fetchone()
            [made] = db.execute(
                "SELECT count(*) FROM tournaments WHERE maker = ? AND created_ms > ?",
                (maker, now - _DAY_MS),
            ).fetchone()
            if running >= _MOST_RUNNING:
                raise BadSetting(t("too many tournaments are running; try again later"))
            if made >= _MOST_A_DAY:
                raise BadSetting(
                    t("you can create at most {most} tournaments a day", most=_MOST_A_DAY)
                )
            code = _new_code(db)
            tournament = Tournament(code, maker, arena, now)
            tournament.resume(now)
            db.execute(
                "INSERT INTO tournaments VALUES (?, ?, ?, NULL, ?, ?)",
                (code, maker, now, tournament.due_ms(now), tournament.state()),
            )
        return code

    def get(self, code: str) -> Tournament | None:
        """Return a tournament as of now, or None."""
        with self._database.reading() as db:
            found = _read(db, code)
        if found is not None and found.finished_ms is None:
            found.resume(self._now_ms())
        return found

    def listed(self) -> list[Listed]:
        """Return the running tournaments and the latest ones that are over, latest first."""
        sql = f"{_SELECT} WHERE {{}} ORDER BY created_ms DESC LIMIT ?"
        with self._database.reading() as db:
            rows = [
                row
                for where, most in (
                    ("due_ms IS NOT NULL", _MOST_RUNNING),
                    ("finished_ms IS NOT NULL", _LISTED),
                )
                for row in db.execute(sql.format(where), (most,)).fetchall()
            ]
        now, found = self._now_ms(), []
        for tournament in map(Tournament.of_row, rows):
            if tournament.finished_ms is None:
                tournament.resume(now)
            found.append(_listed(tournament))
        return found

    def due(self) -> list[str]:
        """Return the codes of the tournaments that are due now."""
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT code FROM tournaments WHERE due_ms <= ? ORDER BY due_ms", (self._now_ms(),)
            ).fetchall()
        return [code for (code,) in rows]

    # Events.

    def join(self, code: str, player: str) -> Tournament | None:
        """Make a player ready for the next race; None if there is no such tournament.

        Raises:
            BadSetting: If there are too many players.
            IllegalAction: If the time is up.
        """
        return self._change(code, lambda found, now: found.arena.join(now, player))

    def pause(self, code: str, player: str) -> Tournament | None:
        """Leave a player out of the next races.

        Raises:
            NotAMember: If the player has not joined.
        """
        return self._change(code, lambda found, now: found.arena.pause(now, player))

    def tick(self, code: str) -> Tournament | None:
        """Pair the players who are ready, and end the tournament when its time is up."""

        def pair(found: Tournament, now: int) -> None:
            found.pending += found.arena.tick(now)
            if found.arena.is_over:
                found.finished_ms = now

        return self._change(code, pair)

    def started(self, code: str, race: int, room: str) -> Tournament | None:
        """Record the room of a race."""

        def start(found: Tournament, _: int) -> None:
            found.pending = [one for one in found.pending if one.race != race]
            found.rooms[race] = room

        return self._change(code, start)

    def lost(self, code: str, race: int) -> Tournament | None:
        """Record that a race has no result, because its room was lost or never made."""
        return self._change(code, lambda found, now: found.end_race(now, race, {}, {}))

    # Actions of operators.

    def stop(self, code: str) -> Tournament | None:
        """End a tournament; races that are running do not count.

        Raises:
            IllegalAction: If it is over.
        """

        def stop(found: Tournament, now: int) -> None:
            found.arena.stop(now)
            found.pending, found.rooms, found.finished_ms = [], {}, now

        return self._change(code, stop)

    def release(self, code: str, player: str) -> Tournament | None:
        """Take a player out of a race that does not end.

        Raises:
            IllegalAction: If the tournament is over.
            NotAMember: If the player has not joined.
        """

        def release(found: Tournament, now: int) -> None:
            found.arena.release(now, player)
            found.drop(player)

        return self._change(code, release)

    def remove(self, code: str, player: str) -> Tournament | None:
        """Remove a player, who cannot join again; the table of a finished tournament changes too.

        Raises:
            NotAMember: If the player has not joined.
        """

        def remove(found: Tournament, now: int) -> None:
            found.arena.remove(now, player)
            found.drop(player)

        return self._change(code, remove, over=True)

    def rename(self, code: str, name: str) -> Tournament | None:
        """Change the name of a tournament, even after its end.

        Raises:
            BadSetting: If it is empty or too long.
        """
        return self._change(code, lambda found, _: found.arena.rename(name), over=True)

    def _change(
        self, code: str, event: Callable[[Tournament, int], None], *, over: bool = False
    ) -> Tournament | None:
        with self._database.writing() as db:
            return _changed(db, code, self._now_ms(), event, over=over)


def _changed(
    db: Connection,
    code: str,
    now_ms: int,
    event: Callable[[Tournament, int], None],
    *,
    over: bool = False,
) -> Tournament | None:
    """Change a tournament; with `over`, even after its end."""
    found = _read(db, code)
    if found is None:
        return None
    if found.finished_ms is None:
        now_ms = max(now_ms, found.saved_ms)
        found.resume(now_ms)
    elif over:
        # Its clock stays at its end.
        now_ms = found.saved_ms
    else:
        raise IllegalAction(t("the tournament is over"))
    event(found, now_ms)
    found.saved_ms = now_ms
    db.execute(
        "UPDATE tournaments SET state = ?, finished_ms = ?, due_ms = ? WHERE code = ?",
        (found.state(), found.finished_ms, found.due_ms(now_ms), code),
    )
    return found


def _count(db: Connection, ended: RoundEnded) -> None:
    """Record the result of a race once; later results of the same race have no effect."""
    if not ended.tournament:
        return
    # The tournament may be over, if this result was recorded before.
    with suppress(IllegalAction):
        _changed(
            db,
            ended.tournament,
            ended.finished_ms,
            lambda found, now: found.end_race(now, ended.race, ended.places, ended.times_ms),
        )


def _mentioning(db: Connection, player: str) -> list[tuple[Any, ...]]:
    """Return the tournaments that a player made or joined."""
    return db.execute(
        f"{_SELECT} WHERE maker = ? OR state LIKE ? ESCAPE '!' ORDER BY created_ms, code",
        (player, containing(player)),
    ).fetchall()


def _exported(db: Connection, player: str) -> list[dict[str, Any]]:
    found = []
    for row in _mentioning(db, player):
        try:
            tournament = Tournament.of_row(row)
        except (SapperError, LookupError, TypeError, ValueError):
            found.append({"code": row[0], "state": row[-1]})
            continue
        own = [one for one in tournament.arena.view()["table"] if one["player"] == player]
        place = {name: value for one in own for name, value in one.items() if name != "player"}
        found.append(
            {
                "code": tournament.code,
                "name": tournament.arena.settings.name,
                "made": tournament.maker == player,
                "finished_ms": tournament.finished_ms,
                "standing": place or None,
            }
        )
    return found


def _erase(db: Connection, erased: Erased) -> None:
    """Replace a player in tournaments, whose tables show a deleted player instead."""
    for code, maker, _, state in _mentioning(db, erased.player):
        try:
            changed = compact(anonymized(json.loads(state), erased))
        except ValueError:
            db.execute("DELETE FROM tournaments WHERE code = ?", (code,))
            continue
        new_maker = erased.alias if maker == erased.player else maker
        db.execute(
            "UPDATE tournaments SET maker = ?, state = ? WHERE code = ?",
            (new_maker, changed, code),
        )


TABLES: Final = FeatureTables(
    {8: SCHEMA},
    (
        Table(
            "tournaments",
            mentions=("maker", "state"),
            export=Export("standing.json", _exported),
        ),
    ),
    on_erase=_erase,
    on_round=_count,
)


def _read(db: Connection, code: str) -> Tournament | None:
    row = db.execute(f"{_SELECT} WHERE code = ?", (code,)).fetchone()
    return None if row is None else Tournament.of_row(row)


def _new_code(db: Connection) -> str:
    while True:
        code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE))
        if _read(db, code) is None:
            return code


def _values(pairing: Pairing) -> tuple[int, list[str], int]:
    return pairing.race, list(pairing.players), pairing.seed


def _listed(tournament: Tournament) -> Listed:
    arena = tournament.arena
    table = arena.table()
    over = tournament.finished_ms is not None
    time_ms = arena.view()["time_ms"]
    left = 0 if over else max(0, arena.settings.end_ms - time_ms)
    starts_in = 0 if over else max(0, arena.settings.lobby_ms - time_ms)
    winner = table[0].player if over and table and table[0].points else None
    return Listed(
        tournament.code, arena.settings, len(table), left, starts_in, tournament.finished_ms, winner
    )
