"""`run`: play a bot's games, saved or only counted; and open saved runs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from sapper._util.arguments import seed_or_new
from sapper._util.renamed import renamed_argument
from sapper.lab.play import BOT_SECONDS
from sapper.lab.record import Recorder
from sapper.lab.session import Session, Watch, kept, workers_for
from sapper.lab.spec import ProgramGames, Spec, read_spec
from sapper.lab.status import read_status
from sapper.lab.store import SHARD, Store
from sapper.lab.table import SCHEMA, digest, empty
from sapper.lab.tally import COLUMNS, Tally
from sapper.rules import FirstClick, Level, OptionValue
from sapper.simulation.match import Match
from sapper.solver.bots import Bot, BotFactory

__all__ = ["Run", "run"]


class Run:
    """A run, finished or in progress.

    Attributes:
        spec: The games to play, or played in another program.
        path: Its directory; None for a run that was not kept.
    """

    def __init__(
        self,
        spec: Spec | ProgramGames,
        summary: Mapping[str, Any] | None,
        path: Path | None,
        table: Any,
    ) -> None:
        self.spec, self._told, self.path, self._table = spec, summary, path, table

    @classmethod
    def open(cls, path: Path | str) -> Run:
        """Open the run in a directory, even while another process plays it.

        Raises:
            BadRun: If there is none, or it is of another version's format.
        """
        store = Store(path)
        spec = read_spec(store.read_json("run.json"), repr(str(path)))
        return cls(spec, read_status(store.path), store.path, None)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The figures, as `lab run --json` prints them.

        Where ``status.json`` cannot be read, they are counted from the saved games.

        Raises:
            BadRun: If that cannot be done either.
        """
        if self._told is not None:
            return dict(self._told)
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

    def table(self, columns: list[str] | None = None) -> Any:
        """Return the games so far as a `pyarrow.Table`, one row per game; or some columns.

        Raises:
            BadRun: If a file is damaged, has the games of another place or run, or is missing.
        """
        if self.path is None:
            return self._table.select(columns or SCHEMA.names)
        store = Store(self.path)
        if self._told is not None and self._told.get("state") == "done":
            store.check_complete(self.spec.games)
        parts = [(n * SHARD, store.read_shard(n, columns)) for n in store.shards()]
        parts += store.read_parts(columns)
        found = [table for _, table in sorted(parts, key=lambda part: part[0])]
        return pa.concat_tables(found) if found else empty().select(columns or SCHEMA.names)

    @cached_property
    def tally(self) -> Tally:
        """Totals of the games so far, computed now."""
        tally = Tally()
        tally.add(self.table(COLUMNS))
        return tally

    def damaged(self) -> list[int]:
        """Return the shards whose games do not match their stored digest."""
        if self.path is None:
            return []
        store = Store(self.path)
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
    """Play `n` games with a bot: the same games on any number of workers, anywhere.

    >>> from sapper import lab
    >>> made = lab.run("exact", "beginner", n=50, seed=1)
    >>> made.summary["wins"], made.table(["seed", "result"]).num_rows
    (46, 50)

    Args:
        bot: A name in `sapper.bots`, ``FILE.py:NAME``, or, with one worker, a bot itself.
        level: A `Level` or its text form.
        rules: The name of a rule set.
        first_click: The first-click promise; None for the rule set's default.
        start: The cell of the first click; None leaves it to the bot.
        n: Number of games.
        seed: The first game's seed; game *i* has ``(seed + i) % 2**64``. By default that of the
            run to be resumed, or a random one.
        rule_options: The rule set's own switches and choices; also ``win`` and ``chord``.
        bot_options: The bot's options.
        workers: Number of processes: with 1, play in this process; None starts one per core. There
            are never more than games. With more than one, a script needs
            ``if __name__ == "__main__":``, as with `multiprocessing`.
        dask: Address of a Dask scheduler, to play on its cluster.
        out: Directory to save the run in.
        resume: Whether to resume the run in that directory, if there is one.
        bot_seconds: Time limit of one choice of the bot, in seconds.
        watch: Called whenever games are finished.

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings are invalid, the bot or option is unknown, or this machine
            does not support that many processes.
        BotFailed: If the bot raises, or its choice is invalid.
        BadRun: If the directory cannot be used.
        LostWorkers: If the workers cannot be reached, or die again and again.
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
    if seed is None and resume and out is not None and (store := Store(out)).exists:
        kept = read_spec(store.read_json("run.json"), repr(str(out)))
        seed = kept.seed if isinstance(kept, Spec) else None
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
    """Play the games of a spec, like `run`; without `keep`, only count them."""
    with ExitStack() as stack:
        store = None
        if out is not None:
            command = " ".join(sys.argv)
            store = stack.enter_context(kept(out, spec, command, resume=resume))
        recorder = Recorder(spec, store, keep=keep)
        backend = workers_for([spec], workers, dask, bot_seconds)
        with Session([recorder], backend, watch) as session:
            session.play()
        table = recorder.table() if store is None else None
        return Run(spec, recorder.summary(), store.path if store else None, table)
