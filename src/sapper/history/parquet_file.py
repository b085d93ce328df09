"""Read the rows of a Parquet file of games, with limits on decompression."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, BinaryIO, Final

from sapper._util.installing import pip_install
from sapper._util.shortening import first_line
from sapper.errors import BadSave, MissingExtra
from sapper.history.records import Record

__all__ = ["LONGEST", "arrow", "columns", "rows"]

LONGEST: Final = 16 * 2**20
"""Maximum size of a string in bytes, more than the moves on the largest board need."""

_BATCH_SIZE: Final = 64
_CHUNK: Final = 64 * 2**20
"""Maximum uncompressed size of a column in a row group, in bytes."""
_ENCODINGS: Final = {
    "PLAIN", "RLE", "BIT_PACKED", "PLAIN_DICTIONARY", "RLE_DICTIONARY", "DELTA_LENGTH_BYTE_ARRAY",
}  # fmt: skip
"""Accepted string encodings; others can expand little data to gigabytes."""
_KINDS: Final = {field.name: str(field.type).removesuffix(" | None") for field in fields(Record)}
_NAMES: Final = list(_KINDS)
_TEXTS: Final = [name for name, kind in _KINDS.items() if kind in ("str", "dict[str, Any]")]
_TYPE_TEXTS: Final = {"int": "whole numbers", "bool": "true or false", "float": "numbers"}


def arrow() -> tuple[Any, Any]:
    """Return the pyarrow modules.

    Raises:
        MissingExtra: If pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra(f"Parquet needs pyarrow: {pip_install('lab')}") from None
    return pa, pq


def columns() -> Any:
    """Return the schema of a game file, in which the moves are JSON."""
    pa, _ = arrow()
    kinds = {"int": pa.int64(), "bool": pa.bool_(), "float": pa.float64()}
    return pa.schema([(name, kinds.get(kind, pa.string())) for name, kind in _KINDS.items()])


def rows(file: BinaryIO, name: str, most: int) -> tuple[int, Iterator[dict[str, Any]]]:
    """Return the number of rows, and an iterator of the rows with the moves as text.

    Args:
        file: The Parquet file.
        name: Name of the file in messages.
        most: Maximum number of rows.

    Raises:
        BadSave: If the file cannot be read or is not a file of games; iterating over the rows may
            also raise this error.
        MissingExtra: If pyarrow is not installed.
    """
    _, pq = arrow()
    with _refusing(name):
        # Check the header before reading anything else.
        head = pq.ParquetFile(file)
        _check_columns(head.schema_arrow)
        _check_size(head, most)
        parquet = pq.ParquetFile(
            file,
            metadata=head.metadata,
            # Without dictionaries, a string stored once in the file would be copied for every row.
            read_dictionary=_TEXTS,
            pre_buffer=False,
            page_checksum_verification=True,
        )
    return head.metadata.num_rows, _rows(parquet, name, most)


def _rows(file: Any, name: str, most: int) -> Iterator[dict[str, Any]]:
    with _refusing(name):
        batches = file.iter_batches(_BATCH_SIZE, columns=_NAMES, use_threads=False)
    row = 0
    while True:
        with _refusing(f"{name}, after row {row},"):
            batch = next(batches, None)
        if batch is None:
            return
        columns = {name: batch.column(name) for name in _NAMES}
        for at in range(batch.num_rows):
            row += 1
            if row > most:
                raise _too_many(row, most)
            yield {name: _value(columns[name][at], name, row) for name in _NAMES}


def _value(cell: Any, name: str, row: int) -> Any:
    """Return a cell as a Python value."""
    if name not in _TEXTS or not cell.is_valid:
        return cell.as_py()
    text = cell.value.as_buffer()
    if text.size > LONGEST:
        raise BadSave(f"row {row}: {name!r} is longer than {LONGEST} bytes")
    try:
        return str(text.to_pybytes(), "utf-8")
    except UnicodeDecodeError:
        raise BadSave(f"row {row}: {name!r} is not UTF-8") from None


def _check_columns(schema: Any) -> None:
    """Check the names and types of the columns."""
    pa, _ = arrow()
    counts = Counter(schema.names)
    kinds: dict[str, Callable[[Any], bool]] = {
        "int": pa.types.is_integer,
        "bool": pa.types.is_boolean,
        "float": lambda kind: kind in (pa.float32(), pa.float64()) or pa.types.is_integer(kind),
    }
    for name, kind in _KINDS.items():
        if counts[name] != 1:
            problem = "no column" if not counts[name] else "more than one column"
            raise BadSave(f"the Parquet file has {problem} {name!r}")
        actual = schema.field(name).type
        if pa.types.is_dictionary(actual):
            actual = actual.value_type
        if name in _TEXTS:
            fits = pa.types.is_string(actual) or pa.types.is_large_string(actual)
        else:
            # Some programs write empty columns without a type.
            fits = kinds[kind](actual) or pa.types.is_null(actual)
        if not fits:
            problem = _TYPE_TEXTS.get(kind, "texts")
            raise BadSave(
                f"the column {name!r} of the Parquet file must hold {problem}, not {actual}"
            )


def _check_size(head: Any, most: int) -> None:
    about = head.metadata
    if about.num_rows > most:
        raise _too_many(about.num_rows, most)
    names = [head.schema.column(at).path for at in range(about.num_columns)]
    for number in range(about.num_row_groups):
        # This raises for a column without metadata, which would otherwise crash the process.
        head.iter_batches(1, row_groups=[number], columns=_NAMES, use_threads=False)
        group = about.row_group(number)
        for at, name in enumerate(names):
            if name not in _KINDS:
                continue
            column = group.column(at)
            if column.total_uncompressed_size > _CHUNK:
                raise BadSave(
                    f"row group {number + 1} of the Parquet file has "
                    f"{column.total_uncompressed_size:,} bytes in the column {name!r}; "
                    f"at most {_CHUNK:,} can be read, so write smaller row groups"
                )
            odd = set(column.encodings) - _ENCODINGS if name in _TEXTS else set()
            if odd:
                raise BadSave(
                    f"the column {name!r} of the Parquet file has the encoding {min(odd)}, "
                    "which is not supported; write it as PLAIN"
                )


def _too_many(count: int, most: int) -> BadSave:
    return BadSave(f"the file has {count:,} games; at most {most:,} can be imported at once")


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    """Convert pyarrow's various errors into an error that names the file."""
    pa, _ = arrow()
    try:
        yield
    except (BadSave, MemoryError):
        raise
    except (pa.ArrowException, OSError, ValueError, ArithmeticError, LookupError, TypeError) as why:
        reason = first_line(why)
        raise BadSave(f"{name} cannot be read as Parquet: {reason}") from None
