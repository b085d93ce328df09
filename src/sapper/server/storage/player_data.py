"""Export everything that is stored about a player: one zip file with games, replays and results."""

from __future__ import annotations

import json
import re
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from sapper.coach.trainer import MistakeSet
from sapper.database.connection import Connection
from sapper.errors import SapperError
from sapper.replay import to_json
from sapper.server.storage.store import Store

__all__ = ["PlayerData"]

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
}
"""The files with tables of results: the column that names the player, and those to export."""

_SETTINGS: Final = ("questions", "assist", "automatic", "choices")
_FILE_NAME: Final = re.compile(r"[\w-]{1,80}", re.ASCII)


class PlayerData:
    """What a store has about its players.

    Args:
        store: The store.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def export(self, player: str, further: dict[str, Any]) -> Path:
        """Write everything about a player to a temporary zip file, which the caller removes.

        A running game is left out, because its mines are still secret.

        Args:
            player: The session id.
            further: Further JSON files, by name.
        """
        with (
            tempfile.NamedTemporaryFile(suffix=".zip", delete=False) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            for name, content in {**further, **self._results(player)}.items():
                archive.writestr(name, json.dumps(content, indent=2, ensure_ascii=False))
            mistakes = MistakeSet(self._store.transaction).export(player)
            _write_lines(archive, "mistakes.jsonl", mistakes)
            history = self._store.history.of(player)
            _write_lines(archive, "games.jsonl", (game.to_json() for game in history.records()))
            for number, game in enumerate(history.records()):
                name = game.key if _FILE_NAME.fullmatch(game.key) else f"game-{number}"
                try:
                    replay = to_json(game.replay())
                except SapperError as problem:
                    # A damaged game is still in games.jsonl.
                    replay = {"error": str(problem)}
                archive.writestr(f"replays/{name}.json", json.dumps(replay))
        return Path(file.name)

    def _results(self, player: str) -> dict[str, Any]:
        with self._store.transaction() as db:
            results: dict[str, Any] = {
                name: {table: _rows(db, table, *kind, player) for table, kind in tables.items()}
                for name, tables in _RESULTS.items()
            }
            row = db.execute("SELECT state FROM sessions WHERE id = ?", (player,)).fetchone()
        return {**results, "settings.json": {} if row is None else _settings(row[0])}


def _write_lines(archive: zipfile.ZipFile, name: str, objects: Iterable[Any]) -> None:
    with archive.open(name, "w", force_zip64=True) as file:
        for obj in objects:
            file.write(f"{json.dumps(obj, separators=(',', ':'))}\n".encode())


def _rows(db: Connection, table: str, column: str, names: str, player: str) -> list[dict[str, Any]]:
    found = db.execute(
        f"SELECT {names} FROM {table} WHERE {column} = ? ORDER BY {names.split(', ')[0]}",
        (player,),
    )
    return [dict(zip(names.split(", "), row, strict=True)) for row in found.fetchall()]


def _settings(state: str) -> dict[str, Any]:
    """Return the settings in a saved session, without those of the running game."""
    try:
        found = json.loads(state)
    except ValueError:
        return {}
    return {name: found[name] for name in _SETTINGS if name in found}
