"""Fill every table of a database with rows of a person, and search for what is left of them."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any, Final, NamedTuple

from sapper.coach.trainer import Mistake, Question
from sapper.community import Arena, ArenaSettings, Pairing, Race, RaceSettings
from sapper.database.connection import Connection
from sapper.position import Position
from sapper.server.rooms.hosted_room import HostedRoom
from sapper.server.rooms.making import tournament_room
from sapper.server.storage.table_rows import Column, tables
from sapper.server.storage.tournaments import Tournament
from sapper.topology import Cell

__all__ = ["Someone", "fill_every_table", "may_hold_player", "traces"]

_SESSIONS: Final = ("followed", "maker", "member", "owner", "player", "session", "user", "visitor")
"""Names of columns that hold the session id of a player."""
_OTHER: Final = {("games", "player"), ("removed_players", "player")}
"""Columns with such a name that hold something else: a name, and an alias."""
_EARLIER: Final = 1_700_000_000_000


class Someone(NamedTuple):
    """A person with an account.

    Attributes:
        session: The session id.
        account: The id of the account.
        name: The name.
        look: The look of the name.
    """

    session: str
    account: str
    name: str
    look: str

    @property
    def words(self) -> dict[str, str]:
        """Everything that identifies the person, and what it is."""
        forms = {
            "session id": self.session,
            "account id": self.account,
            "name": self.name,
            "look of the name": self.look,
        }
        hidden = {
            f"{what}, as {kind}": form
            for what, text in forms.items()
            for kind, form in (
                ("JSON", json.dumps(text)[1:-1]),
                ("hexadecimal text", text.encode().hex()),
                ("SHA-1", hashlib.sha1(text.encode()).hexdigest()),
            )
        }
        return forms | hidden


def fill_every_table(db: Connection, one: Someone, other: Someone) -> dict[str, int]:
    """Add rows of a person to every table; return the number of rows of each.

    Args:
        db: The connection of a transaction.
        one: The person.
        other: Another person, who is in the same rooms and tournaments.
    """
    added = {}
    for table, columns in tables().items():
        rows = _rows(table, columns, one, other)
        names = ", ".join(column.name for column in columns)
        marks = ", ".join("?" * len(columns))
        sql = f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING"
        db.executemany(sql, [[row[column.name] for column in columns] for row in rows])
        added[table] = len(rows)
    return added


def traces(db: Connection, one: Someone) -> list[str]:
    """Return where a person is still found, in all columns of all rows of all tables."""
    found = []
    for table, columns in tables().items():
        for row in db.execute(f"SELECT * FROM {table}").fetchall():
            for column, value in zip(columns, row, strict=True):
                text = _text(value)
                found += [
                    f"{table}.{column.name}: the {what}"
                    for what, word in one.words.items()
                    if word in text
                ]
    return sorted(set(found))


def _text(value: Any) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        value = zlib.decompress(value)
    except zlib.error:
        return f"{value!r} {value.hex()}"
    return value.decode("utf-8", "replace")


def _rows(table: str, columns: list[Column], one: Someone, other: Someone) -> list[dict[str, Any]]:
    usual = {column.name: _value(table, column, one) for column in columns}
    special = {
        "sessions": lambda: [
            usual | {"state": '{"questions": true}', "game": None},
            usual | {"id": f"{one.session}-unreadable-0011aabb", "state": "?", "game": None},
        ],
        "actions": lambda: [usual, usual | {"session": f"{one.session}-unreadable-0011aabb"}],
        "games": lambda: [usual | {"finished_ms": _EARLIER, "player": one.name, "bot": ""}],
        "moves": lambda: [usual | {"data": zlib.compress(json.dumps({"by": one.name}).encode())}],
        "accounts": lambda: [usual | {"name": one.name}],
        "account_names": lambda: [
            usual | {"look": one.look, "until_ms": None},
            usual | {"look": f"former {one.look}", "until_ms": 2**42},
        ],
        "passkeys": lambda: [usual | {"public_key": "AAAA", "id": usual["id"].encode().hex()}],
        "logins": lambda: [usual | {"seen_ms": 2**42}],
        "bans": lambda: [usual | {"reason": f"{one.name} cheats", "until_ms": 2**42}],
        "follows": lambda: [
            usual | {"followed": other.session},
            usual | {"player": other.session, "followed": one.session},
        ],
        "entries": lambda: [usual | {"withdrawn": None, "figures": None}],
        "bests": lambda: [usual | {"period": "all", "measure": "time"}],
        "mistakes": lambda: [usual | {"mistake": _MISTAKE}],
        "tournaments": lambda: [usual | _tournament(one, other)],
        "rooms": lambda: [usual | _room(one, other)],
        "room_events": lambda: [
            usual | {"number": at, "event": json.dumps([5, *event])}
            for at, event in enumerate(
                (
                    ["away", one.session],
                    ["join", "x" * 24, "Guest 3", False],
                    ["back", one.session],
                    ["join", one.session, one.name, False],
                )
            )
        ],
        "recorded_players": lambda: [usual | {"number": 0}],
        "recordings": lambda: [usual | {"finished_ms": 2**42, "recording": _recording(one, other)}],
        "operator_actions": lambda: [
            usual | {"name": one.name, "detail": f"{one.name} cheats"},
            usual | {"id": f"{usual['id']}-other", "account": "", "name": ""},
        ],
        "announcements": lambda: [usual | {"text": "Welcome"}],
        "network_bans": lambda: [usual | {"reason": "Spam", "until_ms": None}],
        # Only finished deletions have a row, and there are no others.
        "removed_players": list,
    }.get(table)
    return [usual] if special is None else special()


def may_hold_player(table: str, column: str) -> bool:
    """Return whether a column holds the id of a session or an account, judging by its name."""
    where = table, column
    ids = column in (*_SESSIONS, "account") or where in (("sessions", "id"), ("accounts", "id"))
    return ids and where not in _OTHER


def _value(table: str, column: Column, one: Someone) -> Any:
    """Return a value that is the same in all tables, and that identifies nobody by itself."""
    number = 1 + one.account.encode()[-1]
    if may_hold_player(table, column.name):
        is_account = column.name == "account" or (table == "accounts" and column.name == "id")
        return one.account if is_account else one.session
    if column.kind == "TEXT":
        # Games have the same key in all tables.
        name = "key" if column.name in ("key", "game") else column.name
        return f"{name}-{number}"
    if column.kind == "BLOB":
        return bytes([number]) * (32 if table == "meta" else 3)
    return 1 if column.kind == "INTEGER" else 0.5


def _tournament(one: Someone, other: Someone) -> dict[str, Any]:
    arena = Arena(ArenaSettings("Cup", RaceSettings("beginner", best_of=1), 600_000), 7)
    for at, someone in enumerate((one, other)):
        arena.join(1_000 + at, someone.session)
    pairing = arena.tick(90_000)
    players = (one.session, other.session)
    pending = [Pairing(9, players, 3), *pairing]
    made = Tournament("", one.session, arena, 90_000, {1: "ABCDEF"}, pending)
    return {"state": made.state(), "finished_ms": None}


def _room(one: Someone, other: Someone) -> dict[str, Any]:
    made: HostedRoom = tournament_room(
        f"R{one.account[-3:]}",
        Race(RaceSettings("beginner"), 5),
        {one.session: one.name, other.session: other.name},
        "CUP",
        1,
        5,
    )
    change = made.change()
    assert change is not None
    assert change.whole is not None
    state = json.loads(change.whole.state)
    state["info"]["maker"] = one.session
    places = {one.session: 1, other.session: 2}
    state["unconfirmed"] = [["id:1", "race", "beginner", True, 5, places, {one.session: 9}, "", 0]]
    return {"state": json.dumps(state), "summary": json.dumps({"host": one.name})}


def _recording(one: Someone, other: Someone) -> str:
    members = [
        {"number": number, "colour": number, "name": someone.name, "plays": True, "bot": None}
        for number, someone in enumerate((one, other))
    ]
    results = [{"number": number, "place": 1 + number, "time_ms": 9} for number in range(2)]
    recording = {"kind": "race", "results": results}
    return json.dumps({"code": "ABCDEF", "members": members, "recording": recording})


_MISTAKE: Final = json.dumps(
    Mistake(Question.SAFE, Position.parse("mines: 2\n....\n1221\n"), Cell(0, 1), 3).to_json()
)
