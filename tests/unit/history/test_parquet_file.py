"""Parquet files that expand enormously, have unexpected columns, or are damaged."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sapper.errors import BadSave
from sapper.history import History, Record, export_parquet, read_parquet
from sapper.history.parquet_file import columns
from support.histories import played
from support.program import sapper

_ROW = {**played(1).to_json(), "moves": json.dumps(played(1).moves)}

DATA = Path(__file__).parents[2] / "data"


def _table(count: int = 1, **others: Any) -> pa.Table:
    """Return a table that has the same game in every row, except for these columns."""
    found = {}
    for field in columns():
        value = others.get(field.name, _ROW[field.name])
        if isinstance(value, pa.Array):
            found[field.name] = value
        elif isinstance(value, str):
            indices = pa.repeat(pa.scalar(0, pa.int32()), count)
            found[field.name] = pa.DictionaryArray.from_arrays(indices, pa.array([value]))
        else:
            found[field.name] = pa.repeat(pa.scalar(value, field.type), count)
    return pa.table(found)


def _file(table: pa.Table, **how: Any) -> io.BytesIO:
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", **how)
    file.seek(0)
    return file


def _refusal(file: io.BytesIO, **how: Any) -> str:
    with pytest.raises(BadSave) as refused:
        list(read_parquet(file, **how))
    message = str(refused.value)
    assert len(message.splitlines()) == 1
    return message


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"player": "x" * 4_000_000}, "row 1: 'player' must have at most 1000 characters"),
        ({"moves": "[" + "0," * 4_000_000 + "0]"}, "row 1: a game with more than 2,000,000 values"),
        ({"moves": "x" * (2**24 + 1)}, "row 1: 'moves' is longer than 16777216 bytes"),
    ],
)
def test_repeated_long_text_is_rejected(others: dict[str, str], message: str) -> None:
    """A file of ten kilobytes took up five gigabytes of memory, because each row had a copy."""
    before = pa.total_allocated_bytes()
    file = _file(_table(500, **others))
    assert len(file.getbuffer()) < 20_000
    assert message in _refusal(file)
    assert pa.total_allocated_bytes() - before < 100_000_000


def test_file_with_too_many_rows_is_rejected_early() -> None:
    """The message states the number of rows and the limit; duplicate rows count as one game."""
    file = _file(_table(300_000))
    assert len(file.getbuffer()) < 100_000
    message = "the file has 300,000 games; at most 200,000 can be imported at once"
    assert _refusal(file, most=200_000) == message
    told: list[tuple[int, float]] = []
    found = read_parquet(_file(_table(200)), progress=lambda *now: told.append(now))
    assert list(found) == [played(1)]
    assert (len(told), told[-1]) == (200, (200, 1.0))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "row group 1 of the Parquet file has 68,.* bytes in the column 'player'"),
        (
            {"column_encoding": {"player": "DELTA_BYTE_ARRAY"}},
            "the column 'player' of the Parquet file has the encoding DELTA_BYTE_ARRAY",
        ),
    ],
)
def test_expanding_texts_are_rejected(how: dict[str, Any], message: str) -> None:
    """Delta-encoded and compressed strings are refused if they expand too much."""
    texts = pa.array(["x" * 4_000_000 + str(number) for number in range(17)])
    others = {name: pa.array([_ROW[name]] * 17) for name in ("rules", "moves")}
    file = _file(_table(17, player=texts, **others), use_dictionary=False, **how)
    assert len(file.getbuffer()) < 50_000
    with pytest.raises(BadSave, match=message):
        list(read_parquet(file))


_ODD = {
    "a duration": ("time_ms", pa.array([2**62], pa.duration("s")), "must hold whole numbers"),
    "a date": ("finished_ms", pa.array([2**62], pa.timestamp("s")), "must hold whole numbers"),
    "a day": ("started_ms", pa.array([2**30], pa.date32()), "must hold whole numbers"),
    "a float": ("clicks", pa.array([1.5]), "must hold whole numbers, not double"),
    "a number": ("won", pa.array([1]), "must hold true or false, not int64"),
    "bytes": ("player", pa.array([b"\xff"]), "must hold texts, not binary"),
    "a list": ("moves", pa.array([["x"]]), "must hold texts, not list"),
    "a half": ("risk", pa.array([pa.scalar(0.5)]).cast(pa.float16()), "must hold numbers"),
    "a large number": ("clicks", pa.array([2**64 - 1], pa.uint64()), "row 1: 'clicks' must be"),
}


@pytest.mark.parametrize("kind", _ODD)
def test_column_with_a_wrong_type_is_rejected(kind: str) -> None:
    """Durations and dates out of range printed a traceback."""
    name, values, message = _ODD[kind]
    assert message in (found := _refusal(_file(_table(1, **{name: values}))))
    assert repr(name) in found


def test_invalid_utf_8_is_rejected_with_its_place() -> None:
    """Invalid UTF-8 printed a traceback."""
    good, bad = pa.py_buffer(b"ab"), pa.py_buffer(b"a\xff")
    starts = pa.py_buffer(b"\0\0\0\0\2\0\0\0")
    texts = pa.concat_arrays(
        [pa.Array.from_buffers(pa.string(), 1, [None, starts, data]) for data in (good, bad)]
    )
    file = _file(_table(2, player=texts), store_schema=False)
    assert _refusal(file) == "row 2: 'player' is not UTF-8"


def test_duplicate_column_is_rejected() -> None:
    """If a column occurs twice, it is unclear which one is meant."""
    table = _table().append_column("won", pa.array([False]))
    assert _refusal(_file(table)) == "the Parquet file has more than one column 'won'"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return an export of three games."""
    path = tmp_path_factory.mktemp("exported") / "games.parquet"
    with History(":memory:") as history:
        history.add_all(played(seed) for seed in (1, 2, 3))
        assert export_parquet(history, path) == 3
    return path.read_bytes()


def test_damaged_page_error_is_one_line(exported: bytes, tmp_path: Any) -> None:
    """A damaged page used to print 71 lines, in the library and on the command line."""
    at = (
        pq.ParquetFile(io.BytesIO(exported)).metadata.row_group(0).column(18).dictionary_page_offset
    )
    damaged = exported[: at + 200] + bytes(8) + exported[at + 208 :]
    assert "after row 0, cannot be read as Parquet" in _refusal(io.BytesIO(damaged))
    path = tmp_path / "games.parquet"
    path.write_bytes(damaged)
    done = sapper("history", "import", str(path))
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "cannot be read as Parquet" in done.err


def test_damaged_file_is_read_or_rejected() -> None:
    """Bytes are changed, removed and inserted; only original games are read, or none."""
    # Keep this export as a file, because its times would differ between runs.
    exported = (DATA / "games.parquet").read_bytes()
    games = {record.key for record in read_parquet(io.BytesIO(exported))}
    assert len(games) == 3
    refusals = []
    for number in range(150):
        rng = random.Random(number)
        data = bytearray(exported)
        for _ in range(rng.randint(1, 3)):
            at, how = rng.randrange(len(data)), rng.random()
            if how < 0.7:
                data[at] = rng.randrange(256)
            elif how < 0.85:
                del data[at : at + rng.randint(1, 30)]
            else:
                data[at:at] = rng.randbytes(rng.randint(1, 30))
        try:
            found: list[Record] = list(read_parquet(io.BytesIO(data)))
        except BadSave as problem:
            refusals.append(str(problem))
        else:
            assert {record.key for record in found} <= games
    assert len(refusals) > 75
    assert max(map(len, refusals)) < 1000
