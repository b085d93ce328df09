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
from sapper.history import History, Record
from sapper.history.tables import Tables
from sapper.server.accounts.records import Account, Details, Passkey
from sapper.server.storage.account_rows import to_text
from sapper.server.storage.accounts import next_rename_ms
from sapper.server.storage.schema import SCHEMA
from sapper.server.storage.session_tables import exported_settings

__all__ = ["PlayerExport", "account_json"]

_FILE_NAME: Final = re.compile(r"[\w-]{1,80}", re.ASCII)


class PlayerExport:
    """A zip file with everything stored about a player, written step by step.

    A running game is left out, because its mines are still secret.

    Args:
        database: The database.
        player: The session id.
        account: The id of the account.
        further: Further JSON objects, by file.

    Attributes:
        path: The file, which the caller removes.
    """

    def __init__(
        self, database: Tables, player: str, account: str, further: dict[str, dict[str, Any]]
    ) -> None:
        self._database = database
        self._games = History(database).of(player).records()
        self._lines = tempfile.TemporaryFile()  # noqa: SIM115 (open until the end)
        with tempfile.NamedTemporaryFile(suffix=".zip", delete=False) as file:
            self.path: Final = Path(file.name)
        self._archive = zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._number = 0
        with database.reading() as db:
            files = SCHEMA.exported(db, player, account)
            files["settings.json"] = exported_settings(db, player)
        for name, content in further.items():
            files[name] = {**content, **files.get(name, {})}
        for name, content in files.items():
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
