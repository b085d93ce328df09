"""Export everything stored about a player: a zip file with games, replays and results."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sapper.coach.trainer import MistakeSet
from sapper.database.connection import Connection
from sapper.history import History, Record
from sapper.history.tables import Tables
from sapper.server.accounts.records import Account, Details, Passkey
from sapper.server.storage.account_rows import to_text
from sapper.server.storage.accounts import next_rename_ms

__all__ = ["PlayerExport", "account_json"]

_RESULTS: Final = {
    "daily.json": {
        "dailies": ("session", "day, won, seconds, bbbv, clicks, helped, game"),
        "daily_starts": ("session", "day"),
    },
    "trainer.json": {
        "trainees": (
            "player",
            "rating, deviation, volatility, answered, solved, streak, best_streak, puzzle, served, "
            "timed, focus",
        ),
        "puzzle_answers": (
            "player",
            "number, puzzle, solved, rating, deviation, seconds, timed",
        ),
        "lessons_done": ("player", "board"),
    },
    "standing.json": {
        "profiles": ("player", "private"),
        "public_games": ("player", "id, game, shared_ms, listed"),
        "entries": (
            "player",
            "game, board, finished_ms, time_ms, bbbv, clicks, link, withdrawn, figures",
        ),
        "ratings": ("player", "list, rating, deviation, volatility, games, changed_ms"),
        "rating_changes": ("player", "number, list, rating, deviation, changed_ms"),
    },
    "patterns.json": {
        "pattern_counts": ("owner", "key, pattern, seen, missed, ms"),
        "pattern_players": ("player", "exercise, served, chosen"),
        "pattern_cards": (
            "player",
            "pattern, added_day, due, reviewed, state, step, stability, difficulty, rating, "
            "deviation, volatility, answered, solved, seconds",
        ),
        "pattern_days": ("player", "day, answered, solved, seconds"),
    },
}
"""The files with tables of results: the column that names the player, and those to export."""

_SETTINGS: Final = ("questions", "assist", "automatic", "choices")
_FILE_NAME: Final = re.compile(r"[\w-]{1,80}", re.ASCII)


class PlayerExport:
    """A zip file with everything stored about a player, written step by step.

    A running game is left out, because its mines are still secret.

    Args:
        database: The database.
        player: The session id.
        further: Further JSON files, by name.

    Attributes:
        path: The file, which the caller removes.
    """

    def __init__(self, database: Tables, player: str, further: dict[str, Any]) -> None:
        self._database = database
        self._games = History(database).of(player).records()
        self._lines = tempfile.TemporaryFile()  # noqa: SIM115 (open until the end)
        with tempfile.NamedTemporaryFile(suffix=".zip", delete=False) as file:
            self.path: Final = Path(file.name)
        self._archive = zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._number = 0
        for name, content in {**further, **self._results(player)}.items():
            self._archive.writestr(name, json.dumps(content, indent=2, ensure_ascii=False))
        mistakes = MistakeSet(database.writing).export(player)
        self._archive.writestr("mistakes.jsonl", "".join(map(_line, mistakes)))

    def next_games(self, most: int) -> list[Record]:
        """Return the next games; an empty list after the last one."""
        return list(islice(self._games, most))

    def add(self, games: Sequence[Record], replays: Sequence[str | None]) -> None:
        """Add games with their replays as JSON; None for those that cannot be played."""
        for game, replay in zip(games, replays, strict=True):
            self._lines.write(_line(game.to_json()).encode())
            self._number += 1
            name = game.key if _FILE_NAME.fullmatch(game.key) else f"game-{self._number}"
            if replay is not None:
                self._archive.writestr(f"replays/{name}.json", replay)

    def finish(self) -> None:
        """Complete the file."""
        self._lines.seek(0)
        with self._archive.open("games.jsonl", "w", force_zip64=True) as file:
            shutil.copyfileobj(self._lines, file)
        self._lines.close()
        self._archive.close()

    def discard(self) -> None:
        """Remove the unfinished file."""
        self._lines.close()
        with suppress(ValueError, OSError):
            self._archive.close()
        self.path.unlink(missing_ok=True)

    def _results(self, player: str) -> dict[str, Any]:
        with self._database.reading() as db:
            results: dict[str, Any] = {
                name: {table: _rows(db, table, *kind, player) for table, kind in tables.items()}
                for name, tables in _RESULTS.items()
            }
            results["standing.json"]["follows"] = _followed(db, player)
            row = db.execute("SELECT state FROM sessions WHERE id = ?", (player,)).fetchone()
        return {**results, "settings.json": {} if row is None else _settings(row[0])}


def account_json(account: Account, details: Details, login: str = "") -> dict[str, Any]:
    """Return an account as JSON.

    Args:
        account: The account.
        details: Everything that belongs to the account.
        login: Digest of the requesting browser's login.
    """
    return {
        "name": account.name,
        "private": details.private,
        "created_ms": account.created_ms,
        "rename_from_ms": next_rename_ms(account.renamed_ms),
        "passkeys": [_passkey_json(passkey) for passkey in details.passkeys],
        "codes": details.codes,
        "identities": [identity._asdict() for identity in details.identities],
        "sessions": [
            {
                "id": one.digest,
                "device": one.device,
                "created_ms": one.created_ms,
                "seen_ms": one.seen_ms,
                "current": one.digest == login,
            }
            for one in details.logins
        ],
    }


def _passkey_json(passkey: Passkey) -> dict[str, Any]:
    return {
        "id": to_text(passkey.key.id),
        "device": passkey.device,
        "created_ms": passkey.created_ms,
        "used_ms": passkey.used_ms,
        "locked_ms": passkey.locked_ms,
    }


def _line(obj: Any) -> str:
    return f"{json.dumps(obj, separators=(',', ':'))}\n"


def _rows(db: Connection, table: str, column: str, names: str, player: str) -> list[dict[str, Any]]:
    found = db.execute(
        f"SELECT {names} FROM {table} WHERE {column} = ? ORDER BY {names.split(', ')[0]}",
        (player,),
    )
    return [dict(zip(names.split(", "), row, strict=True)) for row in found.fetchall()]


def _followed(db: Connection, player: str) -> list[dict[str, Any]]:
    """Return the names of the players whom a player follows."""
    found = db.execute(
        "SELECT name, since_ms FROM follows JOIN accounts ON accounts.player = followed "
        "WHERE follows.player = ? ORDER BY since_ms, name",
        (player,),
    )
    return [{"name": name, "since_ms": since_ms} for name, since_ms in found.fetchall()]


def _settings(state: str) -> dict[str, Any]:
    """Return the settings in a saved session, without those of the running game."""
    try:
        found = json.loads(state)
    except ValueError:
        return {}
    return {name: found[name] for name in _SETTINGS if name in found}
