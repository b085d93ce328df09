"""Reads a file of games for the history, in a process: every game is played to check it."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Final

from sapper.history import read_json_lines, read_parquet
from sapper.history.checked_games import CheckedGames
from sapper.server import limits
from sapper.server.process_worker import report

__all__ = ["check_games"]

_PARQUET: Final = b"PAR1"
_REPORTS_S: Final = 0.1


def check_games(given: Path, checked: Path) -> int:
    """Write the games of a file in one of the forms of export to another; return how many.

    Progress is reported as JSON: how many ``games`` were read, and the ``share`` of the file.

    Args:
        given: The file.
        checked: The file to write, see `CheckedGames`.

    Raises:
        BadSave: If it is none, or a game cannot be played; the message says which.
    """
    count, told_s = 0, perf_counter()

    def progress(games: int, share: float) -> None:
        nonlocal count, told_s
        count = games
        if perf_counter() - told_s >= _REPORTS_S:
            told_s = perf_counter()
            report(json.dumps({"games": games, "share": round(share, 3)}))

    with given.open("rb") as file, checked.open("wb") as made:
        parquet = file.read(len(_PARQUET)) == _PARQUET
        file.seek(0)
        read = read_parquet if parquet else read_json_lines
        games = CheckedGames(made)
        for record in read(file, most=limits.IMPORTED_GAMES, progress=progress):
            games.add(record)
    return count
