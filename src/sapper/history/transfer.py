"""Export and import the history as JSON Lines or Parquet."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from sapper.errors import BadSave
from sapper.history.checked_games import CheckedGames
from sapper.history.parquet_file import LONGEST, arrow, columns, rows
from sapper.history.records import Record
from sapper.history.selection import Selection
from sapper.history.store import History
from sapper.replay import candidates

__all__ = [
    "HEAD_BYTES",
    "Progress",
    "export_json_lines",
    "export_parquet",
    "import_json_lines",
    "import_parquet",
    "is_export",
    "read_json_lines",
    "read_parquet",
]

Progress = Callable[[int, float], object]
"""Called with the number of games read and the share of the file read."""

HEAD_BYTES: Final = 65_536
"""Number of bytes that `is_export` needs."""

_MAX_GAMES: Final = 1_000_000
"""Maximum number of games in a file."""
_VALUES: Final = 2_000_000
"""Maximum number of values in a game's moves, at 100 bytes each; real games have fewer."""
_BATCH_SIZE: Final = 500
_TOGETHER_BYTES: Final = 8 * 2**20
_NAMES: Final = [field.name for field in fields(Record)]


class _Item(NamedTuple):
    """An unparsed game of a file.

    Attributes:
        number: Line or row number.
        digest: Digest of the text.
        share: Share of the file read after this game.
        parse: Function that returns the game as JSON.
    """

    number: int
    digest: bytes
    share: float
    parse: Callable[[], Any]


def is_export(head: bytes) -> bool:
    """Return whether a file's first bytes are those of an export rather than a replay."""
    return head.startswith(b"PAR1") or b'"finished_ms"' in head or not candidates(head)


def export_json_lines(
    history: History, path: Path | str, selection: Selection | None = None
) -> int:
    """Write games as JSON Lines, latest first; return their number."""
    count = 0
    with Path(path).open("w", encoding="utf-8") as file:
        for record in history.records(selection):
            file.write(json.dumps(record.to_json(), separators=(",", ":")) + "\n")
            count += 1
    return count


def import_json_lines(
    history: History, path: Path | str, *, progress: Progress | None = None
) -> int:
    """Add games from JSON Lines, all or none; return the number of new ones.

    Every game is replayed to check its moves.

    Args:
        history: The history to add the games to.
        path: The file.
        progress: Called after each game.

    Raises:
        BadSave: If a line is not a game; the message includes its number.
    """
    with Path(path).open("rb") as file:
        return _add_all(history, read_json_lines(file, progress=progress))


def read_json_lines(
    file: BinaryIO, first: int = 1, *, most: int = _MAX_GAMES, progress: Progress | None = None
) -> Iterator[Record]:
    """Yield the games in JSON Lines, replaying each to check its moves.

    A game that occurs more than once is yielded once, even if its lines differ.

    Args:
        file: The lines.
        first: Number of the first line, for messages.
        most: Maximum number of games.
        progress: Called after each game.

    Raises:
        BadSave: If a line is not a game; the message includes its number.
    """
    return _checked(_lines(file, first, most), "line", progress)


def _lines(file: BinaryIO, first: int, most: int) -> Iterator[_Item]:
    size = file.seek(0, 2) if file.seekable() else 0
    if size:
        file.seek(0)
    read = games = 0
    for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), b""), start=first):
        if len(line) > LONGEST:
            raise BadSave(f"line {number}: longer than {LONGEST} bytes")
        read += len(line)
        if not line.strip():
            continue
        games += 1
        if games > most:
            raise BadSave(f"the file has more than {most:,} games, the most for one import")
        yield _Item(number, _digest([line]), read / size if size else 0.0, partial(_parsed, line))


def _parsed(text: bytes) -> Any:
    """Parse JSON.

    Raises:
        BadSave: If the text is not JSON or has too many values.
    """
    if text.count(b",") + text.count(b":") > _VALUES:
        raise BadSave(f"a game with more than {_VALUES:,} values")
    try:
        return json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise BadSave(f"not JSON: {problem}") from None


def _digest(parts: Iterable[bytes]) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part + b"\n")
    return digest.digest()


def _checked(games: Iterable[_Item], unit: str, progress: Progress | None) -> Iterator[Record]:
    seen: set[bytes] = set()
    keys: set[str] = set()
    for count, one in enumerate(games, start=1):
        if one.digest not in seen:  # identical text need not be checked again
            seen.add(one.digest)
            try:
                record = Record.from_json(one.parse())
                record.check()
                key = record.key
            except BadSave as problem:
                raise BadSave(f"{unit} {one.number}: {problem}") from None
            if key not in keys:
                keys.add(key)
                yield record
        if progress is not None:
            progress(count, one.share)


def export_parquet(history: History, path: Path | str, selection: Selection | None = None) -> int:
    """Write games as Parquet, latest first, with moves as JSON; return their number.

    Raises:
        MissingExtra: If pyarrow is not installed.
    """
    pa, pq = arrow()
    schema = columns()
    count = 0
    with pq.ParquetWriter(path, schema, write_page_checksum=True) as writer:
        for batch in _batches(history.records(selection)):
            writer.write_table(pa.Table.from_pylist(batch, schema))
            count += len(batch)
    return count


def _batches(records: Iterable[Record]) -> Iterator[list[dict[str, Any]]]:
    """Yield rows in batches of limited size; games on the largest boards take megabytes each."""
    batch: list[dict[str, Any]] = []
    size = 0
    for record in records:
        batch.append(_row(record))
        size += len(batch[-1]["moves"])
        if len(batch) >= _BATCH_SIZE or size >= _TOGETHER_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def import_parquet(history: History, path: Path | str, *, progress: Progress | None = None) -> int:
    """Add games from Parquet, all or none; return the number of new ones.

    Args:
        history: The history to add the games to.
        path: The file.
        progress: Called after each game.

    Raises:
        BadSave: If the file is not Parquet, or a row is not a game.
        MissingExtra: If pyarrow is not installed.
    """
    return _add_all(history, read_parquet(path, progress=progress))


def read_parquet(
    source: Path | str | BinaryIO, *, most: int = _MAX_GAMES, progress: Progress | None = None
) -> Iterator[Record]:
    """Yield the games in a Parquet file, replaying each to check its moves.

    A game that occurs more than once is yielded once.

    Args:
        source: The file.
        most: Maximum number of games.
        progress: Called after each game.

    Raises:
        BadSave: If the file is not Parquet, or a row is not a game.
        MissingExtra: If pyarrow is not installed.
    """
    if isinstance(source, Path | str):
        with Path(source).open("rb") as file:
            yield from _read_rows(file, str(source), most, progress)
    else:
        yield from _read_rows(source, "the file", most, progress)


def _read_rows(file: BinaryIO, name: str, most: int, progress: Progress | None) -> Iterator[Record]:
    total, games = rows(file, name, most)
    yield from _checked(_items(games, total), "row", progress)


def _items(games: Iterator[dict[str, Any]], total: int) -> Iterator[_Item]:
    for number, row in enumerate(games, start=1):
        digest = _digest(repr(value).encode() for value in row.values())
        yield _Item(number, digest, number / total, partial(_with_moves, row))


def _with_moves(row: dict[str, Any]) -> dict[str, Any]:
    moves = row["moves"]
    return {**row, "moves": None if moves is None else _parsed(moves.encode())}


def _add_all(history: History, records: Iterable[Record]) -> int:
    """Add games after all of them have been checked."""
    with tempfile.TemporaryFile() as file:
        games = CheckedGames(file)
        for record in records:
            games.add(record)
        return history.add_rows(games)


def _row(record: Record) -> dict[str, Any]:
    moves = json.dumps(record.moves, separators=(",", ":"))
    return {**{name: getattr(record, name) for name in _NAMES}, "moves": moves}
