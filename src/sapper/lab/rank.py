"""`rank`: bots on the standard boards, in one table per board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sapper._core import __version__
from sapper._util.arguments import seed_or_new
from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.lab.compare import pairs_of
from sapper.lab.play import BOT_SECONDS
from sapper.lab.record import Recorder
from sapper.lab.scheduler import Scheduler, Watch, workers_for
from sapper.lab.spec import Spec
from sapper.lab.tally import Tally
from sapper.rules import FirstClick
from sapper.simulation.match import Match
from sapper.solver.bots import bots
from sapper.solver.bots.registry import ENGINE
from sapper.stats import Pairs

__all__ = ["BOARDS", "Ranked", "Ranking", "RankingBoard", "rank"]


@dataclass(frozen=True, slots=True)
class RankingBoard:
    """A kind of board in the ranking, with classic rules.

    Attributes:
        level: Name of the level.
        first_click: The first-click promise.
        start: The cell of the first click.
    """

    level: str
    first_click: FirstClick = FirstClick.SAFE
    start: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        row, col = self.start
        first = "safe first click" if self.first_click is FirstClick.SAFE else "opening"
        return f"{self.level.capitalize()}, {first} at ({row},{col})"


BOARDS: Final = (
    RankingBoard("expert"),
    RankingBoard("expert", FirstClick.OPENING, (3, 3)),
    RankingBoard("intermediate"),
    RankingBoard("beginner"),
)
"""The boards of the ranking; the first one determines the order of the bots."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A bot's results on one kind of board.

    Attributes:
        tally: The figures.
        pairs: Its results paired with those of the baseline on the same boards.
        cpu_ms: Processor time per game in milliseconds, including that of engines and the time for
            applying the rules of the game.
    """

    tally: Tally
    pairs: Pairs
    cpu_ms: float


@dataclass(frozen=True)
class Ranking:
    """Results of bots on each board.

    Attributes:
        games: Number of games that each bot played on each board.
        seed: Seed of the first game.
        baseline: The bot that the others are compared with.
        results: The results, by bot and board.
        versions: The name and version of each bot.
    """

    games: int
    seed: int
    baseline: str
    results: dict[tuple[str, RankingBoard], Ranked] = field(repr=False)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def bots(self) -> list[str]:
        """The bots, ordered by wins on the first board, best first."""
        names = dict.fromkeys(bot for bot, _ in self.results)
        return sorted(names, key=lambda bot: -self.results[bot, BOARDS[0]].tally.wins)

    def to_json(self) -> dict[str, Any]:
        """Return the figures of every bot and board as JSON."""
        return {
            "games": self.games,
            "seed": self.seed,
            "sapper_version": __version__,
            "baseline": self.baseline,
            "rows": [self._row(bot, board) for board in BOARDS for bot in self.bots],
        }

    def _row(self, bot: str, board: RankingBoard) -> dict[str, Any]:
        found = self.results[bot, board]
        return {
            "bot": bot,
            "version": self.versions[bot],
            "level": board.level,
            "first_click": str(board.first_click),
            "start": list(board.start),
            "wins": found.tally.wins,
            "win_rate": found.tally.win_rate if found.tally.games else None,
            "interval": list(found.tally.interval),
            "difference": found.pairs.difference if found.pairs.games else None,
            "difference_interval": list(found.pairs.interval),
            "cpu_ms_per_game": found.cpu_ms,
        }

    def to_markdown(self) -> str:
        """Return the first tables of docs/bot-results.md."""
        return "\n\n".join(f"**{board}**\n\n{self._table(board)}" for board in BOARDS)

    def _table(self, board: RankingBoard) -> str:
        lines = [
            f"| bot | won, % | difference from {self.baseline} | CPU ms per game |",
            "| --- | --- | --- | --- |",
        ]
        for bot in sorted(self.bots, key=lambda bot: -self.results[bot, board].tally.wins):
            found = self.results[bot, board]
            low, high = found.tally.interval
            won = f"{100 * found.tally.win_rate:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
            low, high = found.pairs.interval
            difference = (
                f"{100 * found.pairs.difference:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"
            )
            cells = [
                self.versions[bot],
                won if found.tally.games else "-",
                difference if found.pairs.games and bot != self.baseline else "",
                f"{found.cpu_ms:.3g}",
            ]
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)


def rank(
    more: Sequence[str] = (),
    *,
    only: Sequence[str] = (),
    baseline: str = "champion",
    n: int = 1000,
    seed: int | None = None,
    workers: int | None = 1,
    dask: str | None = None,
    bot_seconds: float = BOT_SECONDS,
    engine_seconds: float = 10.0,
    watch: Watch | None = None,
) -> Ranking:
    """Run bots on the standard boards; all bots play the same ones.

    Args:
        more: Additional bots, as ``FILE.py:NAME`` or ``engine:COMMAND``.
        only: Built-in bots to run (default: all).
        baseline: The bot that the others are compared with.
        n: Number of games on each board.
        seed: Seed of the first game (default: random).
        workers: As in `run`.
        dask: As in `run`.
        bot_seconds: As in `run`.
        engine_seconds: Time limit of each choice of an engine; `bot_seconds` applies too.
        watch: As in `run`.

    Raises:
        BadSetting: If the baseline is not among the bots.
        SapperError: As in `run`.
    """
    first = seed_or_new(seed)
    names = list(dict.fromkeys([*(only or bots), *more]))
    if baseline not in names:
        among = ", ".join(names)
        raise BadSetting(f"the baseline {shown(baseline)} is not among the bots: {among}")
    versions = {name: _version(name) for name in names}
    keys = [(bot, board) for bot in names for board in BOARDS]
    specs = [Spec(_match(bot, board, engine_seconds), first, n) for bot, board in keys]
    recorders = [Recorder(spec, None, keep=False) for spec in specs]
    with Scheduler(recorders, workers_for(specs, workers, dask, bot_seconds), watch) as scheduler:
        scheduler.play()
    found = dict(zip(keys, recorders, strict=True))
    return Ranking(
        n,
        first,
        baseline,
        {
            (bot, board): Ranked(
                recorder.tally,
                pairs_of(found[baseline, board].won == 1, recorder.won == 1),
                1000 * recorder.cpu_s / max(1, n),
            )
            for (bot, board), recorder in found.items()
        },
        versions,
    )


def _match(bot: str, board: RankingBoard, engine_seconds: float) -> Match:
    return Match(
        bot,
        board.level,
        first_click=board.first_click,
        start=board.start,
        bot_options={"seconds": engine_seconds} if bot.startswith(ENGINE) else {},
    )


def _version(bot: str) -> str:
    """Return a bot's name, and an engine's name and version as in its greeting."""
    if not bot.startswith(ENGINE):
        return bot
    # Imported here because other bots do not need the code for engines.
    from sapper.solver.bots.engine import Engine

    with Engine(bot.removeprefix(ENGINE)) as engine:
        return f"{engine.abilities.name} {engine.abilities.version}".strip()
