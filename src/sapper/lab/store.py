"""A run's directory: shards of games that are written once and never change.

    run.json                     what is played: settings, versions, the command
    status.json                  how far it is: counts, state, time of the last change
    games/00000.parquet          games 0 to 16,383; then 00001 ...: the same bytes on every run
    times/00000.parquet          the same games' think times, which never are the same
    parts/000000-000512.parquet  games 0 to 511 of a shard that is not complete

Each file is renamed into place when it is on the disk, so what has its name is whole.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sapper.lab.errors import BadRun
from sapper.lab.files import TEMPORARY, write_whole
from sapper.lab.spec import Spec
from sapper.lab.table import GAMES, SCHEMA, THINK, digest

__all__ = ["SHARD", "Store", "shards_of", "whole"]

SHARD = 16_384
"""Games in a shard, the last one excepted: always, so that shards are the same on every run."""

_PART = re.compile(r"([0-9]+)-([0-9]+)\.parquet")
_DIGEST = b"sapper.digest"
_TIMES = pa.schema([GAMES.field("seed"), THINK])


def shards_of(games: int) -> range:
    """Return the numbers of the shards of a run of this many games."""
    return range(-(-games // SHARD))


def whole(games: int, shard: int) -> range:
    """Return the games of one shard of a run."""
    return range(shard * SHARD, min(games, (shard + 1) * SHARD))


class Store:
    """The files of one run.

    Attributes:
        path: The directory.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    @property
    def exists(self) -> bool:
        """Whether a run exists here."""
        return (self.path / "run.json").exists()

    def begin(self, spec: dict[str, Any]) -> None:
        """Create the directory of a new run.

        Raises:
            BadRun: If something else is there already, or it cannot be made.
        """
        if self.path.exists() and not self.path.is_dir():
            raise BadRun(f"{str(self.path)!r} is a file; --out needs a directory")
        if self.path.is_dir() and any(not _ours(entry) for entry in self.path.iterdir()):
            raise BadRun(
                f"{str(self.path)!r} is not empty; a new run needs a new or empty directory"
            )
        try:
            for name in ("games", "times", "parts"):
                (self.path / name).mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            reason = (problem.strerror or str(problem)).lower()
            raise BadRun(f"cannot create {str(self.path)!r}: {reason}") from None
        self.write_json("run.json", spec)

    def check(self, spec: Spec, *, resume: bool) -> None:
        """Check that the existing run matches this one and may be resumed.

        Raises:
            BadRun: If not.
        """
        if not resume:
            raise BadRun(f"{str(self.path)!r} already has a run; use --resume to continue it")
        kept = self.read_json("run.json")
        Spec.from_json(kept, repr(str(self.path)))
        for key, value in spec.to_json().items():
            if kept[key] == value:
                continue
            if key == "bot_sha256":
                raise BadRun(f"the file of bot {spec.match.bot} has changed since this run started")
            raise BadRun(
                f"the run in {str(self.path)!r} has {key} {kept[key]!r:.60}, got {value!r:.60}"
            )

    def write_json(self, name: str, obj: dict[str, Any], *, durable: bool = True) -> None:
        """Write a small JSON file."""
        data = (json.dumps(obj, indent=1) + "\n").encode()
        write_whole(self.path / name, data, durable=durable)

    def read_json(self, name: str) -> Any:
        """Read a small JSON file.

        Raises:
            BadRun: If it is not there, or is no JSON.
        """
        try:
            return json.loads((self.path / name).read_bytes())
        except OSError:
            raise BadRun(f"{str(self.path)!r} is not a saved run: it has no {name}") from None
        except ValueError:
            raise BadRun(f"{str(self.path)!r}: {name} is not valid JSON") from None

    def clean(self) -> None:
        """Remove temporary files of a process that was interrupted."""
        for left in self.path.rglob("*" + TEMPORARY):
            left.unlink(missing_ok=True)

    def write_part(self, start: int, table: Any) -> None:
        """Save games of an incomplete shard; `start` is the number of the first one."""
        name = f"{start:06}-{start + table.num_rows:06}.parquet"
        # Soon replaced, so compression and disk syncs are not worth the time.
        write_whole(self.path / "parts" / name, _packed(table, "none"), durable=False)

    def write_shard(self, shard: int, table: Any) -> str:
        """Save a complete shard in place of its parts; return its digest."""
        found = digest(table)
        # Times go first: if there are games, there are times.
        write_whole(self._file("times", shard), _packed(table.select(_TIMES.names)))
        games = table.select(GAMES.names).replace_schema_metadata({_DIGEST: found.encode()})
        write_whole(self._file("games", shard), _packed(games))
        for path, start, _ in self._parts():
            if start // SHARD == shard:
                path.unlink(missing_ok=True)
        return found

    def _file(self, kind: str, shard: int) -> Path:
        return self.path / kind / f"{shard:05}.parquet"

    def _parts(self) -> list[tuple[Path, int, int]]:
        """Yield the parts, with the number of the first game and that after the last."""
        names = ((path, _PART.fullmatch(path.name)) for path in self.path.glob("parts/*"))
        found = [(path, int(m[1]), int(m[2])) for path, m in names if m is not None]
        return sorted(found, key=lambda part: part[1:])

    def shards(self) -> list[int]:
        """Return the numbers of the complete shards."""
        names = [path.stem for path in self.path.glob("games/*.parquet")]
        return sorted(int(name) for name in names if name.isdecimal())

    def whole_shards(self, games: int) -> list[int]:
        """Return the complete shards of a run of this many games; remove damaged ones."""
        found = []
        for shard in self.shards():
            rows = len(whole(games, shard))
            files = [self._file("games", shard), self._file("times", shard)]
            if all(_rows(path) == rows for path in files):
                found.append(shard)
            else:
                files[0].unlink()
        return found

    def seconds(self) -> float:
        """Return the recorded running time so far."""
        try:
            return float(self.read_json("status.json")["seconds"])
        except (BadRun, KeyError, TypeError, ValueError):
            return 0.0

    def digest_of(self, shard: int) -> str:
        """Return the stored digest of a shard."""
        kept = _opened(self._file("games", shard)).schema_arrow.metadata or {}
        return str(kept.get(_DIGEST, b"").decode())

    def read_shard(self, shard: int, columns: list[str] | None = None) -> Any:
        """Return a complete shard, or some of its columns."""
        wanted = SCHEMA.names if columns is None else columns
        games = [name for name in wanted if name != THINK.name]
        table = _plain(_opened(self._file("games", shard)).read(games))
        if THINK.name in wanted:
            times = _opened(self._file("times", shard)).read([THINK.name])
            table = table.append_column(THINK, times.column(0))
        return table.select(wanted)

    def read_parts(self, columns: list[str] | None = None) -> list[tuple[int, Any]]:
        """Yield games of incomplete shards, in order: the number of the first one, and a table."""
        complete, read = set(self.shards()), list[tuple[int, Any]]()
        for path, start, stop in self._parts():
            # A part may disappear during the read: its shard was completed.
            if start // SHARD in complete or _rows(path) != stop - start:
                continue
            try:
                read.append((start, _plain(_opened(path).read(columns))))
            except FileNotFoundError:
                continue
        return read


def _ours(entry: Path) -> bool:
    return entry.name in {"games", "times", "parts", "status.json", "lock", "run.json.tmp"}


def _packed(table: Any, compression: str = "zstd") -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file, compression=compression, write_page_checksum=True)
    return file.getvalue()


def _plain(table: Any) -> Any:
    """Remove the schema metadata that Parquet adds, so that files stay equal."""
    return table.cast(pa.schema([SCHEMA.field(name) for name in table.column_names]))


def _rows(path: Path) -> int | None:
    """Return the rows of a Parquet file; None if it is damaged or missing."""
    try:
        return int(_opened(path).metadata.num_rows)
    except (BadRun, FileNotFoundError):
        return None


def _opened(path: Path) -> Any:
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except pa.ArrowInvalid:
        raise BadRun(f"{str(path)!r} is damaged: not a complete Parquet file") from None
