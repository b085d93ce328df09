"""Games as an Arrow table: columns, construction and digest."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, chain
from math import fsum
from typing import Any

import numpy as np
import pyarrow as pa

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.simulation.match import Played

__all__ = [
    "GAMES",
    "SCHEMA",
    "THINK",
    "Rows",
    "column_names",
    "digest",
    "empty",
    "fatal_risks",
    "to_table",
]

_COUNT = pa.int32()
_BATCH_SIZE = 400

GAMES = pa.schema(
    [
        pa.field("seed", pa.uint64(), nullable=False),
        pa.field("result", pa.string(), nullable=False),
        pa.field("actions", _COUNT, nullable=False),
        pa.field("guesses", _COUNT, nullable=False),
        # The sum of a game's risks. If the risks are calibrated, adding it up over all games gives
        # the expected number of losses.
        pa.field("risk", pa.float64(), nullable=False),
        pa.field("risks", pa.list_(pa.float64()), nullable=False),
        pa.field("by", pa.map_(pa.string(), _COUNT), nullable=False),
        pa.field("last_by", pa.string(), nullable=False),
        pa.field("last_risk", pa.float64()),
        pa.field("bbbv", _COUNT),
    ]
)
"""Columns that are determined by the settings and the seed, one row per game."""

THINK = pa.field("think_s", pa.float64(), nullable=False)
"""Seconds that the bot took to choose: the only column that differs from run to run."""

SCHEMA = GAMES.append(THINK)
"""All columns."""


def column_names(columns: Iterable[str] | None) -> list[str]:
    """Return the names of some columns, or of all for None.

    Raises:
        BadSetting: If one is unknown.
    """
    if columns is None:
        return list(SCHEMA.names)
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise BadSetting(f"columns must be a list of names, got {shown(columns)}")
    names = list(columns)
    for name in names:
        if name not in SCHEMA.names:
            raise BadSetting(
                f"unknown column {shown(name)}; choose from: {', '.join(SCHEMA.names)}"
            )
    return names


def to_table(rows: Sequence[Played]) -> Any:
    """Return games as a `pyarrow.Table` of `SCHEMA`."""
    risks = [row.risks for row in rows]
    by = [row.by.items() for row in rows]
    uses = list(chain.from_iterable(by))
    columns = [
        pa.array([row.seed for row in rows], pa.uint64()),
        pa.array([row.result for row in rows], pa.string()),
        pa.array([row.actions for row in rows], _COUNT),
        pa.array([row.guesses for row in rows], _COUNT),
        pa.array([fsum(some) for some in risks], pa.float64()),
        pa.ListArray.from_arrays(
            _offsets(risks), pa.array(list(chain.from_iterable(risks)), pa.float64())
        ),
        pa.MapArray.from_arrays(
            _offsets(by),
            pa.array([name for name, _ in uses], pa.string()),
            pa.array([count for _, count in uses], _COUNT),
        ),
        pa.array([row.last_by for row in rows], pa.string()),
        pa.array([row.last_risk for row in rows], pa.float64()),
        pa.array([row.bbbv for row in rows], _COUNT),
        pa.array([row.think_s for row in rows], pa.float64()),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


class Rows:
    """Builds a table from games as they arrive, converting a few hundred at a time.

    Many small long-lived objects would slow down Python's garbage collection.
    """

    def __init__(self) -> None:
        self._tables: list[Any] = []
        self._rows: list[Played] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: Sequence[Played]) -> None:
        """Add games."""
        self._rows += rows
        self._count += len(rows)
        if len(self._rows) >= _BATCH_SIZE:
            self._tables.append(to_table(self._rows))
            self._rows.clear()

    def table(self) -> Any:
        """Return the table of all games."""
        last = [to_table(self._rows)] if self._rows else []
        tables = [*self._tables, *last]
        return pa.concat_tables(tables).combine_chunks() if tables else empty()


def empty() -> Any:
    """Return a table without games."""
    return SCHEMA.empty_table()


def _offsets(lists: Sequence[Collection[Any]]) -> Any:
    return pa.array(accumulate(map(len, lists), initial=0), _COUNT)


def digest(table: Any) -> str:
    """Return the SHA-256 of the values in every column but `think_s`, as hex.

    It is computed from values, not files, so it does not depend on compression.
    """
    sha256 = hashlib.sha256()
    for field in GAMES:
        sha256.update(f"{field.name}:{field.type}:{table.num_rows};".encode())
        _feed(sha256, table.column(field.name).combine_chunks())
    return sha256.hexdigest()


def _feed(sha256: Any, values: Any) -> None:
    """Hash an array: lengths and items of lists, codes and words of strings, bytes of numbers."""
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks) if values.num_chunks else values
    kind = values.type
    if pa.types.is_map(kind) or pa.types.is_list(kind):
        ends = np.asarray(values.offsets, dtype="<i8")
        sha256.update(np.diff(ends).tobytes())
        inner = [values.keys, values.items] if pa.types.is_map(kind) else [values.values]
        for part in inner:
            _feed(sha256, part.slice(ends[0], ends[-1] - ends[0]))
    elif pa.types.is_string(kind):
        # Codes are assigned in order of appearance, so equal columns have equal codes.
        coded = values.dictionary_encode()
        sha256.update("\0".join(coded.dictionary.to_pylist()).encode())
        _feed(sha256, coded.indices)
    else:
        missing = values.is_null()
        sha256.update(np.asarray(missing.to_numpy(zero_copy_only=False), dtype="u1").tobytes())
        plain = values.fill_null(0).to_numpy(zero_copy_only=False)
        sha256.update(plain.astype(plain.dtype.newbyteorder("<"), copy=False).tobytes())


def fatal_risks(table: Any) -> tuple[Any, Any]:
    """Return the risk of every guess, and whether that guess hit a mine, as two arrays.

    A fatal choice ends the game, so only the last guess of a lost game can be fatal, and only if it
    was the last choice.
    """
    lists = table.column("risks").combine_chunks()
    if isinstance(lists, pa.ChunkedArray):
        lists = pa.concat_arrays(lists.chunks) if lists.num_chunks else pa.array([], lists.type)
    ends = np.asarray(lists.offsets)
    first, last = (int(ends[0]), int(ends[-1])) if len(ends) else (0, 0)
    risks = np.asarray(lists.values)[first:last]
    ends = ends - first
    final = table.column("last_risk").to_numpy()
    lost = np.asarray(table.column("result").to_numpy()) == "lost"
    fatal = np.zeros(len(risks), dtype=bool)
    lost_at_guess = lost & (np.diff(ends) > 0)
    at = ends[1:][lost_at_guess] - 1
    fatal[at] = risks[at] == final[lost_at_guess]
    return risks, fatal
