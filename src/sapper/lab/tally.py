"""Running totals of the games in a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sapper.stats import mean_interval, wilson

__all__ = ["Tally", "explains_nothing"]

COLUMNS = ["result", "actions", "guesses", "risk", "by", "last_by", "think_s"]
"""The columns needed for a tally."""


@dataclass
class Tally:
    """Sums over games.

    Attributes:
        results: Number of games ``won``, ``lost`` and ``stuck``.
        actions: Number of actions with an effect.
        guesses: Number of choices that the bots marked as guesses.
        by: Number of decisions made by each of the bot's levels.
        lost_by: Number of games lost by each of the bot's levels.
        squares: Sums over games of the squared number of guesses and of the squared uses of each
            level.
        risk: Sum of the risks of all guesses: the expected number of losses if the risks are
            correct.
        think_s: Seconds that the bot took to choose.
    """

    results: Counter[str] = field(default_factory=Counter)
    actions: int = 0
    guesses: int = 0
    by: Counter[str] = field(default_factory=Counter)
    lost_by: Counter[str] = field(default_factory=Counter)
    squares: Counter[str] = field(default_factory=Counter)
    risk: float = 0.0
    think_s: float = 0.0

    def add(self, table: Any) -> None:
        """Add the games of a table; it needs `COLUMNS`."""
        if not table.num_rows:
            return
        self.results.update(_counts(table.column("result")))
        self.actions += pc.sum(table.column("actions")).as_py()
        guesses = table.column("guesses").to_numpy().astype(np.int64)
        self.guesses += int(guesses.sum())
        self.squares["guesses"] += int((guesses**2).sum())
        self.risk += pc.sum(table.column("risk")).as_py()
        self.think_s += pc.sum(table.column("think_s")).as_py()
        lost = pc.equal(table.column("result"), "lost")
        self.lost_by.update(_counts(table.column("last_by").filter(lost)))
        for chunk in table.column("by").chunks:
            self._add_levels(chunk)

    def _add_levels(self, maps: Any) -> None:
        ends = np.asarray(maps.offsets)
        first, count = int(ends[0]), int(ends[-1] - ends[0])
        names = maps.keys.slice(first, count).dictionary_encode()
        codes = np.asarray(names.indices)
        uses = np.asarray(maps.items.slice(first, count)).astype(np.float64)
        words = names.dictionary.to_pylist()
        sums = np.bincount(codes, uses, len(words))
        squares = np.bincount(codes, uses**2, len(words))
        for word, total, square in zip(words, sums, squares, strict=True):
            self.by[word] += int(total)
            self.squares[f"by {word}"] += int(square)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.results.total()

    @property
    def wins(self) -> int:
        """Number of wins."""
        return self.results["won"]

    @property
    def win_rate(self) -> float:
        """Win rate; nan without games."""
        return self.wins / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson 95 % interval of the win rate."""
        return wilson(self.wins, self.games)

    def per_game(self, level: str | None = None) -> tuple[float, float, float]:
        """Return mean guesses per game, or mean uses of a level, with its 95 % interval."""
        total = self.guesses if level is None else self.by[level]
        squares = self.squares["guesses" if level is None else f"by {level}"]
        low, high = mean_interval(total, squares, self.games)
        return (total / self.games if self.games else float("nan")), low, high

    def to_json(self) -> dict[str, Any]:
        """Return the sums and the win rate as JSON."""
        return {
            "games": self.games,
            "wins": self.wins,
            "lost": self.results["lost"],
            "stuck": self.results["stuck"],
            "win_rate": self.win_rate if self.games else None,
            "interval": list(self.interval),
            "actions": self.actions,
            "guesses": self.guesses,
            "by": dict(sorted(self.by.items())),
            "lost_by": dict(sorted(self.lost_by.items())),
            "risk": self.risk,
            "think_s": self.think_s,
        }


def explains_nothing(by: Iterable[str], guesses: int) -> bool:
    """Return whether the bot named no level and marked no guess in any game."""
    return not guesses and not any(by)


def _counts(words: Any) -> dict[str, int]:
    if isinstance(words, pa.ChunkedArray):
        words = words.combine_chunks()
    return {pair["values"]: pair["counts"] for pair in pc.value_counts(words).to_pylist()}
