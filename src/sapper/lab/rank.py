"""`rank`: all bots on the standard boards, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sapper._core import __version__
from sapper._util.arguments import seed_or_new
from sapper.lab.play import BOT_SECONDS
from sapper.lab.record import Recorder
from sapper.lab.scheduler import Scheduler, Watch, workers_for
from sapper.lab.spec import Spec
from sapper.lab.tally import Tally
from sapper.rules import LEVELS
from sapper.simulation.match import Match
from sapper.solver.bots import bots

__all__ = ["Ranking", "rank"]


@dataclass(frozen=True)
class Ranking:
    """Results of bots on each level, with classic rules and a safe first click at (0, 0).

    Attributes:
        games: Number of games that each bot played on each level.
        seed: Seed of the first game.
        tallies: The figures, by bot and level.
    """

    games: int
    seed: int
    tallies: dict[tuple[str, str], Tally] = field(repr=False)

    @property
    def bots(self) -> list[str]:
        """The bots, ordered by wins on the hardest level, best first."""
        names = dict.fromkeys(bot for bot, _ in self.tallies)
        hardest = list(LEVELS)[-1]
        return sorted(names, key=lambda bot: -self.tallies[bot, hardest].wins)

    def to_json(self) -> dict[str, Any]:
        """Return the figures of every bot and level as JSON."""
        return {
            "games": self.games,
            "seed": self.seed,
            "sapper_version": __version__,
            "rows": [
                {
                    "bot": bot,
                    "level": level,
                    "wins": tally.wins,
                    "win_rate": tally.win_rate if tally.games else None,
                    "interval": list(tally.interval),
                    "ms_per_game": 1000 * tally.think_s / max(1, tally.games),
                }
                for bot in self.bots
                for level in LEVELS
                for tally in [self.tallies[bot, level]]
            ],
        }

    def to_markdown(self) -> str:
        """Return the table of docs/ranking.md."""
        head = " | ".join(f"{level}, won | ms" for level in LEVELS)
        lines = [f"| bot | {head} |", "| --- |" + " --- | --- |" * len(LEVELS)]
        for bot in self.bots:
            cells = []
            for level in LEVELS:
                tally = self.tallies[bot, level]
                low, high = tally.interval
                won = f"{100 * tally.win_rate:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
                cells.append(won if tally.games else "-")
                cells.append(f"{1000 * tally.think_s / max(1, tally.games):.3g}")
            lines.append(f"| {bot} | {' | '.join(cells)} |")
        return "\n".join(lines)


def rank(
    more: Sequence[str] = (),
    *,
    n: int = 1000,
    seed: int | None = None,
    workers: int | None = 1,
    dask: str | None = None,
    bot_seconds: float = BOT_SECONDS,
    watch: Watch | None = None,
) -> Ranking:
    """Run all bots on the standard levels, on the same boards.

    Args:
        more: Additional bots, as ``FILE.py:NAME``.
        n: Number of games on each level.
        seed: Seed of the first game (default: random).
        workers: As in `run`.
        dask: As in `run`.
        bot_seconds: As in `run`.
        watch: As in `run`.

    Raises:
        SapperError: As in `run`.
    """
    first = seed_or_new(seed)
    names = [(bot, level) for bot in dict.fromkeys([*bots, *more]) for level in LEVELS]
    specs = [Spec(Match(bot, level), first, n) for bot, level in names]
    recorders = [Recorder(spec, None, keep=False) for spec in specs]
    with Scheduler(recorders, workers_for(specs, workers, dask, bot_seconds), watch) as scheduler:
        scheduler.play()
    return Ranking(n, first, {name: rec.tally for name, rec in zip(names, recorders, strict=True)})
