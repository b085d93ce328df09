"""The directory of a run: shards of games that are written once and never change.

    run.json the definition: settings, versions and command
    status.json                  the progress: counts, state, time of the last change
    games/00000.parquet          games 0 to 16,383, then 00001 and so on; reproducible byte for byte
    times/00000.parquet think times of the same games, which differ in every run
    parts/000000-000512.parquet  games 0 to 511 of an incomplete shard

Each file is renamed once it is on disk, so a file with its final name is complete. A
Parquet file records its run and the number of its first game; see `shard_files`.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from sapper._util.shortening import shown
from sapper.lab.errors import BadRun, DamagedFile
from sapper.lab.files import TEMPORARY, write_whole
from sapper.lab.shard_files import Place, metadata_of, missing, packed, read, row_count
from sapper.lab.spec import Spec
from sapper.lab.status import read_status
from sapper.lab.table import GAMES, SCHEMA, THINK, digest

__all__ = ["SHARD", "RunStore", "shards_of", "whole"]

SHARD = 16_384
"""Number of games in every shard but the last; fixed, so that shards are reproducible."""

_PART = re.compile(r"([0-9]+)-([0-9]+)\.parquet")
_DIGEST = b"sapper.digest"
_KINDS = ("games", "times")
_TIMES = pa.schema([GAMES.field("seed"), THINK])


def shards_of(games: int) -> range:
    """Return the shard numbers of a run with `games` games."""
    return range(-(-games // SHARD))


def whole(games: int, shard: int) -> range:
    """Return the range of games of one shard."""
    return range(shard * SHARD, min(games, (shard + 1) * SHARD))


class RunStore:
    """The files of one run.

    Attributes:
        path: The directory of the run.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    @property
    def exists(self) -> bool:
        """Whether the directory contains a run."""
        return (self.path / "run.json").exists()

    def begin(self, spec: dict[str, Any]) -> None:
        """Create the directory of a new run.

        Raises:
            BadRun: If the path already exists or cannot be created.
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
        """Check that the saved run has these settings and can be resumed.

        Raises:
            BadRun: If the run cannot be resumed with these settings.
        """
        if not resume:
            raise BadRun(f"{str(self.path)!r} already has a run; use --resume to continue it")
        saved = self.read_json("run.json")
        Spec.from_json(saved, repr(str(self.path)))
        for key, value in spec.to_json().items():
            if saved.get(key) == value:
                continue
            if key == "bot_sha256":
                raise BadRun(f"the file of bot {spec.match.bot} has changed since this run started")
            raise BadRun(
                f"the run in {str(self.path)!r} has {key} {shown(saved.get(key))}, "
                f"got {shown(value)}"
            )

    def write_json(self, name: str, obj: dict[str, Any], *, durable: bool = True) -> None:
        """Write a small JSON file."""
        data = (json.dumps(obj, indent=1) + "\n").encode()
        write_whole(self.path / name, data, durable=durable)

    def read_json(self, name: str) -> Any:
        """Read a small JSON file.

        Raises:
            BadRun: If the file is missing or not valid JSON.
        """
        try:
            return json.loads((self.path / name).read_bytes())
        except OSError:
            raise BadRun(f"{str(self.path)!r} is not a saved run: it has no {name}") from None
        except (ValueError, RecursionError):
            raise BadRun(f"{str(self.path)!r}: {name} is not valid JSON") from None

    @cached_property
    def run_id(self) -> str:
        """Hash of the settings in ``run.json``, equal for runs of the same games."""
        saved = self.read_json("run.json")
        if isinstance(saved, dict):
            saved.pop("command", None)
        return hashlib.sha256(json.dumps(saved, sort_keys=True).encode()).hexdigest()

    def clean(self) -> None:
        """Remove temporary files left by an interrupted process."""
        for leftover in self.path.rglob("*" + TEMPORARY):
            leftover.unlink(missing_ok=True)

    def write_part(self, start: int, table: Any) -> None:
        """Save games of an incomplete shard, starting with game number `start`."""
        name = f"{start:06}-{start + table.num_rows:06}.parquet"
        # Parts are soon replaced by a shard, so compressing and syncing them is not worth the time.
        data = packed(table, Place(self.run_id, start), compression="none")
        write_whole(self.path / "parts" / name, data, durable=False)

    def write_shard(self, shard: int, table: Any) -> str:
        """Save a complete shard, remove its parts, and return its digest."""
        checksum, place = digest(table), self._place(shard)
        # Write the times first, so that there are never games without times.
        write_whole(self._file("times", shard), packed(table.select(_TIMES.names), place))
        games = packed(table.select(GAMES.names), place, {_DIGEST: checksum.encode()})
        write_whole(self._file("games", shard), games)
        for path, start, _ in self._parts():
            if start // SHARD == shard:
                path.unlink(missing_ok=True)
        return checksum

    def _file(self, kind: str, shard: int) -> Path:
        return self.path / kind / f"{shard:05}.parquet"

    def _place(self, shard: int) -> Place:
        return Place(self.run_id, shard * SHARD)

    def _parts(self) -> list[tuple[Path, int, int]]:
        """Return the parts in order, each with its first game number and its last one plus one."""
        names = ((path, _PART.fullmatch(path.name)) for path in self.path.glob("parts/*"))
        parts = [(path, int(m[1]), int(m[2])) for path, m in names if m is not None]
        return sorted(parts, key=lambda part: part[1:])

    def shards(self) -> list[int]:
        """Return the numbers of the complete shards."""
        names = [path.stem for path in self.path.glob("games/*.parquet")]
        return sorted(int(name) for name in names if name.isdecimal())

    def whole_shards(self, games: int) -> list[int]:
        """Return the complete shards of a run with `games` games, and remove damaged ones.

        Raises:
            BadRun: If a file belongs to another shard or run.
        """
        intact = []
        for shard in self.shards():
            rows, place = len(whole(games, shard)), self._place(shard)
            if all(row_count(self._file(kind, shard), place) == rows for kind in _KINDS):
                intact.append(shard)
            else:
                self.remove_shard(shard)
        return intact

    def remove_shard(self, shard: int) -> None:
        """Remove a damaged shard, so that its games are replayed."""
        self._file("games", shard).unlink(missing_ok=True)

    def seconds(self) -> float:
        """Return the running time recorded so far; 0 if the status cannot be read."""
        status = read_status(self.path)
        return 0.0 if status is None else float(status["seconds"])

    def digest_of(self, shard: int) -> str:
        """Return the stored digest of a shard."""
        return metadata_of(self._file("games", shard), _DIGEST)

    def read_shard(self, shard: int, columns: list[str] | None = None) -> Any:
        """Return the games of a complete shard, or only some columns.

        Raises:
            DamagedFile: If one of its files is damaged or missing.
            BadRun: If one belongs to another shard or run.
        """
        names = SCHEMA.names if columns is None else columns
        games = [name for name in names if name != THINK.name]
        table = self._read("games", shard, games)
        if THINK.name in names:
            times = self._read("times", shard, [THINK.name])
            if times.num_rows != table.num_rows:
                path = str(self._file("times", shard))
                raise DamagedFile(
                    f"{path!r} has {times.num_rows} games, and that in games/ {table.num_rows}"
                )
            table = table.append_column(THINK, times.column(0))
        return table.select(names)

    def _read(self, kind: str, shard: int, columns: list[str]) -> Any:
        path = self._file(kind, shard)
        try:
            return read(path, self._place(shard), columns)
        except FileNotFoundError:
            raise missing(path) from None

    def check_complete(self, games: int) -> None:
        """Check that no shard of a finished run with `games` games is missing.

        Raises:
            DamagedFile: If a shard is missing.
        """
        if missing_shards := set(shards_of(games)) - set(self.shards()):
            raise missing(self._file("games", min(missing_shards)))

    def read_parts(self, columns: list[str] | None = None) -> list[tuple[int, Any]]:
        """Return the games of incomplete shards as pairs of first game number and table."""
        complete, read_now = set(self.shards()), list[tuple[int, Any]]()
        for path, start, stop in self._parts():
            place = Place(self.run_id, start)
            # A part may disappear while it is being read, because its shard was completed.
            if start // SHARD in complete or row_count(path, place) != stop - start:
                continue
            try:
                read_now.append((start, read(path, place, columns)))
            except (FileNotFoundError, DamagedFile):
                continue
        return read_now


def _ours(entry: Path) -> bool:
    return entry.name in {"games", "times", "parts", "status.json", "lock", "run.json.tmp"}
