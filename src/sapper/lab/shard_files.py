"""Read and write a run's Parquet files, and check that they are intact and in the right place."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sapper._util.shortening import first_line, shortened
from sapper.lab.errors import BadRun, DamagedFile
from sapper.lab.table import SCHEMA

__all__ = ["Place", "metadata_of", "missing", "packed", "read", "row_count"]

_RUN, _START = b"sapper.run", b"sapper.start"


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a file's games within a run, also stored in the file.

    Attributes:
        run: The id of the run.
        start: Number of the first game.
    """

    run: str
    start: int


def packed(
    table: Any, place: Place, more: dict[bytes, bytes] | None = None, compression: str = "zstd"
) -> bytes:
    """Return the contents of a file with these games."""
    metadata = {_RUN: place.run.encode(), _START: str(place.start).encode(), **(more or {})}
    file = io.BytesIO()
    table = table.replace_schema_metadata(metadata)
    pq.write_table(table, file, compression=compression, write_page_checksum=True)
    return file.getvalue()


def read(path: Path, place: Place, columns: list[str] | None = None) -> Any:
    """Read the games of a file, or only some columns.

    Raises:
        DamagedFile: If the file is truncated, or its checksums do not match.
        BadRun: If the file belongs to another `Place`.
        FileNotFoundError: If the file is missing.
    """
    with _named_errors(path):
        file = pq.ParquetFile(path, page_checksum_verification=True)
        _check(path, file, place)
        table = file.read(columns)
        if missing := set(columns or ()) - set(table.column_names):
            raise KeyError(f"no column {min(missing)}")
        # Drop the schema metadata that Parquet adds, so that files stay byte-identical.
        return table.cast(pa.schema([SCHEMA.field(name) for name in table.column_names]))


def row_count(path: Path, place: Place) -> int | None:
    """Return the number of games in a file; None if it is damaged or missing.

    Raises:
        BadRun: If the file belongs to another `Place`.
    """
    try:
        with _named_errors(path):
            file = pq.ParquetFile(path)
            _check(path, file, place)
            return int(file.metadata.num_rows)
    except (DamagedFile, FileNotFoundError):
        return None


def metadata_of(path: Path, key: bytes) -> str:
    """Return a file's metadata for a key; empty if missing."""
    with _named_errors(path):
        metadata = pq.ParquetFile(path).schema_arrow.metadata or {}
        return str(metadata.get(key, b"").decode())


def _check(path: Path, file: Any, place: Place) -> None:
    metadata = file.schema_arrow.metadata or {}
    # Files from earlier versions do not say which run and position they belong to.
    run, start = metadata.get(_RUN), metadata.get(_START)
    if run is not None and run.decode() != place.run:
        raise BadRun(f"{str(path)!r} has games of another run; {_REMEDY}")
    if start is not None and start.decode() != str(place.start):
        raise BadRun(
            f"{str(path)!r} has the games from number {shortened(start.decode())} on, not from "
            f"{place.start} on; {_REMEDY}"
        )


_RESUME = "`sapper lab run --resume` plays its games again"
_REMEDY = f"remove it, and {_RESUME}"


def missing(path: Path) -> DamagedFile:
    """Return the error for a missing file."""
    return DamagedFile(f"{str(path)!r} is missing; {_RESUME}")


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Convert pyarrow's errors into an error that names the file."""
    try:
        yield
    except (FileNotFoundError, BadRun, MemoryError):
        # Running out of memory does not mean that the file is damaged.
        raise
    except OSError as problem:
        if problem.errno is not None:
            raise BadRun(f"cannot read {str(path)!r}: {(problem.strerror or '').lower()}") from None
        raise _damaged(path, problem) from None
    except (pa.ArrowException, KeyError, ValueError) as problem:
        raise _damaged(path, problem) from None


def _damaged(path: Path, problem: Exception) -> DamagedFile:
    return DamagedFile(f"{str(path)!r} is damaged ({first_line(problem)}); {_REMEDY}")
