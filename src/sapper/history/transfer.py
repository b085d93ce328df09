"""Export and import of the history: JSON Lines and Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from sapper.errors import BadSave, MissingExtra
from sapper.history.records import Record
from sapper.history.selection import Selection
from sapper.history.store import History

__all__ = [
    "export_json_lines",
    "export_parquet",
    "import_json_lines",
    "import_parquet",
    "read_json_lines",
    "read_parquet",
]

_LONGEST: Final = 64 * 1024 * 1024
_TOGETHER: Final = 500
_NAMES: Final = [field.name for field in fields(Record)]


def export_json_lines(
    history: History, path: Path | str, selection: Selection | None = None
) -> int:
    """Write games as JSON Lines, the latest first; return how many."""
    count = 0
    with Path(path).open("w", encoding="utf-8") as file:
        for record in history.records(selection):
            file.write(json.dumps(record.to_json(), separators=(",", ":")) + "\n")
            count += 1
    return count


def import_json_lines(history: History, path: Path | str) -> int:
    """Add games from JSON Lines, all or none; return how many are new.

    Every game is played, so that its moves are known to be right.

    Raises:
        BadSave: If a line is no game; the message says which.
    """
    with Path(path).open("rb") as file:
        return history.add_all(read_json_lines(file))


def read_json_lines(file: BinaryIO, first: int = 1) -> Iterator[Record]:
    """Yield the games of JSON Lines; every one is played, so that its moves are known to be right.

    Args:
        file: The lines.
        first: The number of the first line, for messages.

    Raises:
        BadSave: If a line is no game; the message says which.
    """
    return _checked(_lines(file, first), "line", first)


def _lines(file: BinaryIO, first: int) -> Iterator[Any]:
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST + 1), b""), start=first):
        if len(line) > _LONGEST:
            raise BadSave(f"line {number}: longer than {_LONGEST} bytes")
        try:
            yield json.loads(line.decode("utf-8-sig")) if line.strip() else None
        except (ValueError, RecursionError) as problem:
            raise BadSave(f"line {number}: not JSON: {problem}") from None


def _checked(objects: Iterable[Any], unit: str, first: int = 1) -> Iterator[Record]:
    for number, obj in enumerate(objects, start=first):
        if obj is None:
            continue
        try:
            record = Record.from_json(obj)
            record.check()
        except BadSave as problem:
            raise BadSave(f"{unit} {number}: {problem}") from None
        yield record


def export_parquet(history: History, path: Path | str, selection: Selection | None = None) -> int:
    """Write games as Parquet, the latest first, the moves as JSON; return how many.

    Raises:
        MissingExtra: If pyarrow is not installed.
    """
    pa, pq = _arrow()
    kinds = {"str": pa.string(), "int": pa.int64(), "bool": pa.bool_(), "float": pa.float64()}
    schema = pa.schema(
        [
            pa.field(f.name, kinds.get(str(f.type).removesuffix(" | None"), pa.string()))
            for f in fields(Record)
        ]
    )
    count = 0
    rows = history.records(selection)
    with pq.ParquetWriter(path, schema) as writer:
        while batch := [_row(record) for record in islice(rows, _TOGETHER)]:
            writer.write_table(pa.Table.from_pylist(batch, schema))
            count += len(batch)
    return count


def import_parquet(history: History, path: Path | str) -> int:
    """Add games from Parquet, all or none; return how many are new.

    Raises:
        BadSave: If the file is no Parquet, or a row is no game.
        MissingExtra: If pyarrow is not installed.
    """
    return history.add_all(read_parquet(path))


def read_parquet(source: Path | str | BinaryIO) -> Iterator[Record]:
    """Yield the games of a Parquet file; every one is played.

    Raises:
        BadSave: If the file is no Parquet, or a row is no game.
        MissingExtra: If pyarrow is not installed.
    """
    pa, pq = _arrow()
    try:
        with pq.ParquetFile(source) as file:
            if missing := set(_NAMES) - set(file.schema_arrow.names):
                raise BadSave(f"the Parquet file has no column {min(missing)!r}")
            yield from _checked(_rows(file), "row")
    except pa.ArrowException as problem:
        name = source if isinstance(source, Path | str) else "the file"
        raise BadSave(f"{name} cannot be read as Parquet: {problem}") from None


def _rows(file: Any) -> Iterator[Any]:
    for batch in file.iter_batches(_TOGETHER, columns=_NAMES):
        for row in batch.to_pylist():
            try:
                row["moves"] = json.loads(row["moves"])
            except (TypeError, ValueError, RecursionError):
                row["moves"] = None
            yield row


def _row(record: Record) -> dict[str, Any]:
    moves = json.dumps(record.moves, separators=(",", ":"))
    return {**{name: getattr(record, name) for name in _NAMES}, "moves": moves}


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("Parquet needs pyarrow: pip install 'sapper[lab]'") from None
    return pa, pq
