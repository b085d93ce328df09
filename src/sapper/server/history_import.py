"""Reads a file of games for the history, in a process: every game is played to check it."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import Final

from sapper.history import Record, read_json_lines, read_parquet
from sapper.server.process_pool import ProcessPool

__all__ = ["read_games"]

_PARQUET: Final = b"PAR1"
_PART_BYTES: Final = 500_000
"""Lines are read in parts, so that other jobs get their turn between them."""


async def read_games(body: bytes, pool: ProcessPool) -> list[Record]:
    """Return the games of a file in one of the forms of export.

    Raises:
        BadSave: If it is none, or a game cannot be played; the message says which.
    """
    if body.startswith(_PARQUET):
        return await pool.submit(partial(_rows, body))
    records: list[Record] = []
    begin, line = 0, 1
    while begin < len(body):
        end = body.find(b"\n", begin + _PART_BYTES) + 1 or len(body)
        part = body[begin:end]
        records += await pool.submit(partial(_lines, part, line))
        begin, line = end, line + part.count(b"\n")
    return records


def _lines(part: bytes, first: int) -> list[Record]:
    return list(read_json_lines(BytesIO(part), first))


def _rows(body: bytes) -> list[Record]:
    return list(read_parquet(BytesIO(body)))
