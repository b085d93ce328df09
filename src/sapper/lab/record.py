"""Record a run's games as they arrive, in any order, and save them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from time import monotonic, time
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sapper._core import __version__
from sapper.lab.errors import DamagedFile
from sapper.lab.play import Done
from sapper.lab.spec import Spec
from sapper.lab.store import SHARD, RunStore, shards_of, whole
from sapper.lab.table import digest, empty
from sapper.lab.tally import COLUMNS, Tally

__all__ = ["Recorder", "State"]

State = Literal["running", "done", "stopped", "interrupted", "failed"]

_STATUS_SECONDS = 0.5
"""Minimum number of seconds between writes of ``status.json``."""


class Recorder:
    """One run's games: finished games, their statistics, and their storage.

    Attributes:
        spec: The run.
        store: The game store; None if only statistics are kept.
        tally: Statistics of all finished games.
        won: For each game of the run: 1 if it was won, 0 if not, -1 if it is missing.
        seconds: Wall-clock time of the whole run, including earlier sessions.
        cpu_s: Processor time in seconds of the games played in this session.
    """

    def __init__(self, spec: Spec, store: RunStore | None, *, keep: bool = True) -> None:
        self.spec, self.store, self.tally = spec, store, Tally()
        self.won = np.full(spec.games, -1, dtype=np.int8)
        self.cpu_s = 0.0
        self._keep = keep
        self._parts: dict[int, dict[int, Any]] = {}
        self._digests: dict[int, str] = {}
        self._tables: dict[int, Any] = {}
        self._began, self._before, self._status_written = monotonic(), 0.0, 0.0
        if store is not None:
            self._read(store)
            self._before = store.seconds()
        self._first_games = self.tally.games

    def _read(self, store: RunStore) -> None:
        for shard in store.whole_shards(self.spec.games):
            try:
                table = store.read_shard(shard, COLUMNS)
            except DamagedFile:
                store.remove_shard(shard)
                continue
            self._digests[shard] = store.digest_of(shard)
            self._count(shard * SHARD, table)
        for start, table in store.read_parts():
            self._parts.setdefault(start // SHARD, {})[start] = table
            self._count(start, table)
        for shard in list(self._parts):
            self._complete(shard)

    def recount(self) -> None:
        """Recount the saved games, because Ctrl-C may have arrived between saving and counting."""
        if self.store is None:
            return
        self.tally, self._parts, self._digests = Tally(), {}, {}
        self.won.fill(-1)
        self._read(self.store)

    @property
    def seconds(self) -> float:
        """Wall-clock time of the whole run."""
        return self._before + monotonic() - self._began

    @property
    def rate(self) -> float:
        """Games per second since this process started."""
        seconds = monotonic() - self._began
        return (self.tally.games - self._first_games) / seconds if seconds else 0.0

    @property
    def complete(self) -> bool:
        """Whether all games have been played."""
        return len(self._digests) == len(shards_of(self.spec.games))

    @property
    def digest(self) -> str | None:
        """Digest of all games, the same each time the run is played; None until all are played."""
        if not self.complete:
            return None
        joined = "".join(self._digests[shard] for shard in sorted(self._digests))
        return hashlib.sha256(joined.encode()).hexdigest()

    def missing(self, upto: int | None = None) -> Iterator[range]:
        """Yield ranges of the missing games among the first `upto`, split at shard boundaries."""
        end = self.spec.games if upto is None else min(upto, self.spec.games)
        for shard in shards_of(end):
            if shard in self._digests:
                continue
            at = shard * SHARD
            for start, table in sorted(self._parts.get(shard, {}).items()):
                if at < min(start, end):
                    yield range(at, min(start, end))
                at = start + table.num_rows
            if at < whole(end, shard).stop:
                yield range(at, whole(end, shard).stop)

    def take(self, done: Done) -> None:
        """Record the games of a unit.

        Raises:
            BadRun: If the games cannot be written.
        """
        self.cpu_s += done.cpu_s
        if not done.table.num_rows:
            return
        start, shard = done.unit.start, done.unit.start // SHARD
        self._parts.setdefault(shard, {})[start] = done.table
        if not self._complete(shard) and self.store is not None:
            self.store.write_part(start, done.table)
        self._count(start, done.table)
        if monotonic() - self._status_written >= _STATUS_SECONDS:
            self.write_status("running")

    def _count(self, start: int, table: Any) -> None:
        self.tally.add(table)
        won = pc.equal(table.column("result"), "won").to_numpy()
        self.won[start : start + table.num_rows] = won

    def _complete(self, shard: int) -> bool:
        """Write a shard if all its games have been played; return whether it was written."""
        parts = self._parts[shard]
        if sum(table.num_rows for table in parts.values()) < len(whole(self.spec.games, shard)):
            return False
        table = pa.concat_tables([parts[start] for start in sorted(parts)]).combine_chunks()
        if self.store is not None:
            self._digests[shard] = self.store.write_shard(shard, table)
        else:
            self._digests[shard] = digest(table)
            if self._keep:
                self._tables[shard] = table
        del self._parts[shard]
        return True

    def table(self) -> Any:
        """Return all games in memory, in order."""
        pieces = [(shard * SHARD, table) for shard, table in self._tables.items()]
        for parts in self._parts.values():
            pieces += parts.items()
        tables = [table for _, table in sorted(pieces, key=lambda pair: pair[0])]
        return pa.concat_tables(tables) if tables else empty()

    def write_status(self, state: State, error: str = "") -> None:
        """Write the status of the run."""
        self._status_written = monotonic()
        if self.store is not None:
            status = {"state": state, "updated": time(), "error": error, **self.summary()}
            self.store.write_json("status.json", status, durable=state != "running")

    def summary(self) -> dict[str, Any]:
        """Return the output of `lab run --json`."""
        return {
            **self.spec.head(),
            **self.tally.to_json(),
            "games_wanted": self.spec.games,
            "digest": self.digest,
            "seconds": self.seconds,
            "games_per_second": self.tally.games / self.seconds if self.seconds else None,
            "sapper_version": __version__,
        }
