"""Figures of the games on leaderboards, for the operator; they have no automatic consequences."""

from __future__ import annotations

import json
from math import sqrt
from typing import Any, Final, NamedTuple

from sapper.community import play_figures
from sapper.game import Game
from sapper.history.store import read_moves
from sapper.history.tables import Tables

__all__ = [
    "FairPlay",
    "Finding",
    "PlayerReport",
    "WaitingEntry",
    "figures_of",
    "unlikely_figures",
]

_LUCK: Final = """
SELECT count(*), coalesce(sum(won), 0), coalesce(sum(forced_guesses + needless_guesses), 0),
    coalesce(sum(risk), 0), coalesce(sum(CASE WHEN won = 0 THEN 1 ELSE 0 END), 0)
FROM games WHERE owner = ? AND bot = '' AND helped = '' AND risk IS NOT NULL
"""
_NAMED: Final = """
SELECT DISTINCT accounts.player, accounts.name FROM entries
JOIN accounts ON accounts.player = entries.player ORDER BY accounts.name
"""

MOST_SCORE: Final = 4.0
"""An honest player exceeds this many standard deviations about once in 30,000 cases."""
LEAST_S: Final = 0.03
"""Faster than a person can click two chosen cells."""
MOST_BBBV_PER_S: Final = 20
"""More 3BV per second than in any known game of a person, on boards of at least `LEAST_BBBV`."""
LEAST_BBBV: Final = 10
MOST_PER_S: Final = 15
"""More actions per second than in any known game of a person."""
RHYTHM: Final = 0.2
"""More regular than a person's clicks, over at least `_CLICKS` actions."""
STRAIGHT: Final = 0.8
"""More straight pointer paths than a hand would draw, out of at least `_PATHS`."""
_CLICKS: Final = 20
_PATHS: Final = 10


class WaitingEntry(NamedTuple):
    """An entry whose figures have not been computed yet, with the moves of its game."""

    player: str
    game: str
    moves: dict[str, Any]


class Finding(NamedTuple):
    """A game with figures that are unlikely for a person.

    Attributes:
        link: The id of its public page.
        board: The name of its leaderboard.
        finished_ms: When it was finished, in milliseconds since 1970.
        withdrawn: Why it was withdrawn, or None.
        reasons: The names of the unlikely figures.
        figures: All figures; see `sapper.community.PlayFigures`.
    """

    link: str
    board: str
    finished_ms: int
    withdrawn: str | None
    reasons: list[str]
    figures: dict[str, Any]


class PlayerReport(NamedTuple):
    """The figures of a player with entries on leaderboards.

    Attributes:
        name: The name.
        games: Number of measured games without help.
        won: Number of wins.
        guesses: Number of guesses.
        expected: The expected number of mines hit.
        hit: The number of mines hit.
        luck: A lower bound of the standard deviations by which fewer mines were hit than expected;
            None without a risk.
        entries: Number of entries with figures.
        won_safety: The mean chance of surviving all guesses of an entry; None without entries.
        findings: The games with unlikely figures, latest first.
    """

    name: str
    games: int
    won: int
    guesses: int
    expected: float
    hit: int
    luck: float | None
    entries: int
    won_safety: float | None
    findings: list[Finding]

    @property
    def is_unlikely(self) -> bool:
        """Whether anything is unlikely."""
        return bool(self.findings) or (self.luck is not None and self.luck > MOST_SCORE)


class FairPlay:
    """The figures in a database. Thread-safe.

    Args:
        database: A database with these tables.
    """

    def __init__(self, database: Tables) -> None:
        self._database = database

    def waiting(self) -> WaitingEntry | None:
        """Return an entry whose figures have not been computed yet, or None."""
        with self._database.reading() as db:
            row = db.execute(
                "SELECT player, game, data FROM entries JOIN moves "
                "ON moves.owner = entries.player AND moves.key = entries.game "
                "WHERE figures IS NULL ORDER BY finished_ms DESC LIMIT 1"
            ).fetchone()
        return None if row is None else WaitingEntry(row[0], row[1], read_moves(row[2]))

    def note(self, entry: WaitingEntry, figures: dict[str, Any] | None) -> None:
        """Save the figures of an entry; None if they cannot be computed."""
        text = "" if figures is None else json.dumps(figures, separators=(",", ":"))
        with self._database.writing() as db:
            db.execute(
                "UPDATE entries SET figures = ? WHERE player = ? AND game = ?",
                (text, entry.player, entry.game),
            )

    def report(self, name: str | None = None) -> list[PlayerReport]:
        """Return the figures of players with entries, the most unlikely first.

        Args:
            name: Only this player (default: all).
        """
        with self._database.reading() as db:
            players = db.execute(_NAMED).fetchall()
            found = [
                _report(shown, db.execute(_LUCK, (player,)).fetchone(), _entries(db, player))
                for player, shown in players
                if name in (None, shown)
            ]
        return sorted(found, key=lambda one: (-len(one.findings), -(one.luck or 0), one.name))


def figures_of(moves: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of a finished game, given by its saved moves.

    Raises:
        SapperError: If the moves cannot be played.
    """
    return play_figures(Game.from_json(moves)).to_json()


def _entries(db: Any, player: str) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = db.execute(
        "SELECT link, board, finished_ms, withdrawn, bbbv, time_ms, figures FROM entries "
        "WHERE player = ? AND figures <> '' ORDER BY finished_ms DESC",
        (player,),
    ).fetchall()
    return found


def _report(name: str, luck: tuple[Any, ...], entries: list[tuple[Any, ...]]) -> PlayerReport:
    games, won, guesses, expected, hit = luck
    figures = [json.loads(row[-1]) for row in entries]
    safeties = [one["safety"] for one in figures]
    findings = [
        Finding(row[0], row[1], row[2], row[3], reasons, one)
        for row, one in zip(entries, figures, strict=True)
        if (reasons := unlikely_figures(one, row[4], row[5]))
    ]
    # The variance of a sum of risks is largest if all risks are equal.
    variance = expected * (1 - expected / guesses) if guesses else 0.0
    return PlayerReport(
        name,
        games,
        won,
        guesses,
        expected,
        hit,
        (expected - hit) / sqrt(variance) if variance > 0 else None,
        len(entries),
        sum(safeties) / len(safeties) if safeties else None,
        findings,
    )


def unlikely_figures(figures: dict[str, Any], bbbv: int, time_ms: int) -> list[str]:
    """Return the names of the figures of a game that are unlikely for a person.

    Args:
        figures: The figures; see `sapper.community.PlayFigures`.
        bbbv: The 3BV of the board.
        time_ms: The time of the win; 0 if it was not won.
    """
    clicks, paths = figures["clicks"], figures["paths"]
    least, rhythm = figures["least_s"], figures["rhythm"]
    checks = {
        "speed": bbbv >= LEAST_BBBV and 0 < time_ms * MOST_BBBV_PER_S < 1000 * bbbv,
        "most_per_s": figures["most_per_s"] > MOST_PER_S,
        "rhythm": rhythm is not None and clicks >= _CLICKS and rhythm < RHYTHM,
        "straight": paths >= _PATHS and figures["straight"] > STRAIGHT * paths,
        "least_s": least is not None and clicks >= _CLICKS and least < LEAST_S,
    }
    return [name for name, is_unlikely in checks.items() if is_unlikely]
