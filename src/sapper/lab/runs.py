"""`run`: play games with a bot and optionally save them; open saved runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from sapper._util.arguments import seed_or_new
from sapper._util.renamed import renamed_argument
from sapper.lab.play import BOT_SECONDS
from sapper.lab.record import Recorder
from sapper.lab.scheduler import Scheduler, Watch, open_store, workers_for
from sapper.lab.spec import ProgramGames, Spec, read_spec
from sapper.lab.status import read_status
from sapper.lab.store import SHARD, RunStore
from sapper.lab.table import column_names, digest, empty
from sapper.lab.tally import COLUMNS, Tally
from sapper.rules import FirstClick, Level, OptionValue
from sapper.simulation.match import Match
from sapper.solver.bots import Bot, BotFactory

__all__ = ["Run", "run"]


class Run:
    """A run, finished or in progress.

    Attributes:
        spec: The games of the run, played here or in another program.
        path: Directory of the run; None if it was not saved.
    """

    def __init__(
        self,
        spec: Spec | ProgramGames,
        summary: Mapping[str, Any] | None,
        path: Path | None,
        table: Any,
    ) -> None:
        self.spec, self._summary, self.path, self._table = spec, summary, path, table

    @classmethod
    def open(cls, path: Path | str) -> Run:
        """Open the run in a directory, even while another process is playing it.

        Raises:
            BadRun: If there is no run, or another version wrote it in an unknown format.
        """
        store = RunStore(path)
        spec = read_spec(store.read_json("run.json"), repr(str(path)))
        return cls(spec, read_status(store.path), store.path, None)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The figures, as `lab run --json` prints them.

        If ``status.json`` cannot be read, they are computed from the saved games.

        Raises:
            BadRun: If the games cannot be read either.
        """
        if self._summary is not None:
            return dict(self._summary)
        return {
            "state": "stopped",
            "error": "status.json is missing or damaged: counted from the saved games",
            **self.spec.head(),
            **self.tally.to_json(),
            "games_wanted": self.spec.games,
            "digest": None,
            "seconds": 0.0,
            "games_per_second": None,
        }

    def table(self, columns: Iterable[str] | None = None) -> Any:
        """Return the games so far as a `pyarrow.Table`, one row per game; or only some columns.

        Raises:
            BadSetting: If there is no such column.
            BadRun: If a file is missing or damaged, or has games of another shard or run.
        """
        names = column_names(columns)
        if self.path is None:
            return self._table.select(names)
        store = RunStore(self.path)
        if self._summary is not None and self._summary.get("state") == "done":
            store.check_complete(self.spec.games)
        parts = [(n * SHARD, store.read_shard(n, names)) for n in store.shards()]
        parts += store.read_parts(names)
        tables = [table for _, table in sorted(parts, key=lambda part: part[0])]
        return pa.concat_tables(tables) if tables else empty().select(names)

    @cached_property
    def tally(self) -> Tally:
        """The totals of the games so far, computed on each access."""
        tally = Tally()
        tally.add(self.table(COLUMNS))
        return tally

    def damaged(self) -> list[int]:
        """Return the numbers of shards whose games do not match their stored digest."""
        if self.path is None:
            return []
        store = RunStore(self.path)
        return [n for n in store.shards() if digest(store.read_shard(n)) != store.digest_of(n)]


@renamed_argument("options", "bot_options")
def run(
    bot: str | Bot | BotFactory = "exact",
    level: Level | str = "expert",
    rules: str = "classic",
    *,
    first_click: FirstClick | str | None = None,
    start: tuple[int, int] | None = (0, 0),
    n: int = 100,
    seed: int | None = None,
    rule_options: Mapping[str, OptionValue] | None = None,
    bot_options: Mapping[str, object] | None = None,
    workers: int | None = 1,
    dask: str | None = None,
    out: Path | str | None = None,
    resume: bool = False,
    bot_seconds: float = BOT_SECONDS,
    watch: Watch | None = None,
) -> Run:
    """Play `n` games with a bot; the games do not depend on the number of workers or the machine.

    >>> from sapper import lab
    >>> made = lab.run("exact", "beginner", n=50, seed=1)
    >>> made.summary["wins"], made.table(["seed", "result"]).num_rows
    (46, 50)

    Args:
        bot: The name of a registered bot, ``FILE.py:NAME`` or, with one worker, a bot object.
        level: A `Level` or its text form.
        rules: The name of a rule set.
        first_click: The first-click promise; None for the rule set's default.
        start: The cell of the first click; None lets the bot choose.
        n: Number of games.
        seed: Seed of the first game; game *i* has seed ``(seed + i) % 2**64``. Default: the seed of
            the run to resume, or a random one.
        rule_options: Options of the rule set, and ``win`` and ``chord``.
        bot_options: The bot's options.
        workers: Number of processes. 1 plays in the current process; None starts one per core, but
            at most one per game. With more than one, a script needs
            ``if __name__ == "__main__":``, as with `multiprocessing`.
        dask: Address of a Dask scheduler whose cluster plays the games.
        out: Directory to save the run in.
        resume: Whether to resume a run that exists in `out`.
        bot_seconds: Time limit for one choice of the bot, in seconds.
        watch: Callback for progress, called whenever games are finished.

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings are invalid, the bot or option is unknown, or this machine
            does not support that many processes.
        BotFailed: If the bot raises an exception or its choice is invalid.
        BadRun: If the directory cannot be used.
        LostWorkers: If the workers cannot be reached, or die repeatedly.
    """
    match = Match(
        bot,
        level,
        rules,
        first_click=first_click,
        start=start,
        rule_options={} if rule_options is None else rule_options,
        bot_options={} if bot_options is None else bot_options,
    )
    if seed is None and resume and out is not None and (store := RunStore(out)).exists:
        saved = read_spec(store.read_json("run.json"), repr(str(out)))
        seed = saved.seed if isinstance(saved, Spec) else None
    spec = Spec(match, seed_or_new(seed), n)
    return play(spec, workers, dask, out, resume=resume, bot_seconds=bot_seconds, watch=watch)


def play(
    spec: Spec,
    workers: int | None = 1,
    dask: str | None = None,
    out: Path | str | None = None,
    *,
    resume: bool = False,
    bot_seconds: float = BOT_SECONDS,
    watch: Watch | None = None,
    keep: bool = True,
) -> Run:
    """Play the games of a spec, like `run`. Without `keep`, the games are only counted."""
    with ExitStack() as stack:
        store = None
        if out is not None:
            command = " ".join(sys.argv)
            store = stack.enter_context(open_store(out, spec, command, resume=resume))
        recorder = Recorder(spec, store, keep=keep)
        backend = workers_for([spec], workers, dask, bot_seconds)
        with Scheduler([recorder], backend, watch) as scheduler:
            scheduler.play()
        table = recorder.table() if store is None else None
        return Run(spec, recorder.summary(), store.path if store else None, table)
