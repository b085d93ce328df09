"""Figures of rated rounds, for the operator; they have no automatic consequences."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from math import sqrt
from typing import Any, Final, NamedTuple

from sapper.community import game_in, play_figures
from sapper.community.ratings import expected_score, is_provisional
from sapper.database.connection import Connection
from sapper.errors import SapperError
from sapper.history.tables import Tables
from sapper.server.storage.fair_play import MOST_SCORE, unlikely_figures
from sapper.server.storage.rating_history import Replayed, replay, rounds_in, starts_in

__all__ = ["PairFinding", "RaceFinding", "RaceReport", "race_reports"]

LEAST_MEETINGS: Final = 10
"""Fewer rounds of a pair say nothing about it."""
FARMED: Final = 0.9
"""The part of the meetings that one of a farming pair wins."""
_PART: Final = 0.5
"""The part of a player's rounds that are with the other of a farming pair."""
_MOST_RECORDINGS: Final = 2_000


class RaceFinding(NamedTuple):
    """A player's game in a rated race with figures that are unlikely for a person.

    Attributes:
        code: The code of its room.
        game: The number of the game there.
        finished_ms: When it was finished, in milliseconds since 1970.
        reasons: The names of the unlikely figures.
        figures: All figures; see `sapper.community.PlayFigures`.
    """

    code: str
    game: int
    finished_ms: int
    reasons: list[str]
    figures: dict[str, Any]


class PairFinding(NamedTuple):
    """A player who profits from another in a way that is unlikely without an agreement.

    Attributes:
        name: The other player.
        reason: ``scouting``, if the player hits too few mines when the other is in the race, or
            ``farming``, if most rounds are with the other and almost all are won.
        rounds: Number of rounds with the other.
        score: The mean score against the other: 1 for a better place, a half for an equal one.
        gained: The points of the rating gained in these rounds.
        luck: As in `PlayerReport`, for these rounds; None without a risk or a recording.
    """

    name: str
    reason: str
    rounds: int
    score: float
    gained: float
    luck: float | None


class RaceReport(NamedTuple):
    """The figures of a player in rated rounds.

    Attributes:
        name: The name.
        rounds: Number of rated rounds.
        recorded: Number of recorded games with figures.
        luck: A lower bound of the standard deviations by which fewer mines were hit than expected;
            None without a risk.
        surplus: A lower bound of the standard deviations by which results exceed those that the
            ratings predict, once the rating is settled; None without such a round.
        findings: The games with unlikely figures, latest first.
        pairs: The pairs, by number of rounds.
    """

    name: str
    rounds: int
    recorded: int
    luck: float | None
    surplus: float | None
    findings: list[RaceFinding]
    pairs: list[PairFinding]

    @property
    def is_unlikely(self) -> bool:
        """Whether anything is unlikely."""
        scores = (self.luck or 0) > MOST_SCORE, (self.surplus or 0) > MOST_SCORE
        return bool(self.findings or self.pairs) or any(scores)


class _Guesses:
    """The guesses of some games."""

    def __init__(self) -> None:
        self.count, self.expected, self.hit = 0, 0.0, 0

    def add(self, figures: dict[str, Any]) -> None:
        safeties = figures["safeties"]
        self.count += len(safeties)
        self.expected += len(safeties) - sum(safeties)
        self.hit += len(safeties) - figures["survived"]

    @property
    def luck(self) -> float | None:
        # The variance of a sum of risks is largest if all risks are equal.
        variance = self.expected * (1 - self.expected / self.count) if self.count else 0.0
        return (self.expected - self.hit) / sqrt(variance) if variance > 0 else None


class _Pair:
    """The rounds in which two players met, seen by one of them."""

    def __init__(self) -> None:
        self.rounds, self.score, self.gained = 0, 0.0, 0.0
        self.guesses = _Guesses()


class _Player:
    def __init__(self) -> None:
        self.rounds = self.recorded = 0
        self.surplus, self.variance = 0.0, 0.0
        self.guesses = _Guesses()
        self.findings: list[RaceFinding] = []
        self.pairs: defaultdict[str, _Pair] = defaultdict(_Pair)


def race_reports(database: Tables, name: str | None = None) -> list[RaceReport]:
    """Return the figures of all named players with rated rounds, the most unlikely first.

    Args:
        database: A database with these tables.
        name: Only this player (default: all).
    """
    players: defaultdict[str, _Player] = defaultdict(_Player)
    with database.reading() as db:
        names = dict(db.execute("SELECT player, name FROM accounts").fetchall())
        for done in replay(rounds_in(db), starts_in(db)):
            _add_result(players, done)
        recorded = _recorded(db)
    for one in recorded:
        _add_recording(players, one, names)
    reports = [
        _report(names[player], figures, names)
        for player, figures in players.items()
        if player in names and name in (None, names[player])
    ]
    return sorted(reports, key=lambda one: (-len(one.pairs) - len(one.findings), one.name))


def _add_result(players: defaultdict[str, _Player], done: Replayed) -> None:
    for player, place in done.round.places.items():
        own = players[player]
        own.rounds += 1
        surplus, variance, others = 0.0, 0.0, 0
        for other, theirs in done.round.places.items():
            if other == player:
                continue
            score = (place < theirs) + (place == theirs) / 2
            pair = own.pairs[other]
            pair.rounds += 1
            pair.score += score
            pair.gained += done.after[player].rating - done.before[player].rating
            expected = expected_score(done.before[player], done.before[other])
            surplus += score - expected
            variance += expected * (1 - expected)
            others += 1
        if not is_provisional(done.before[player]):
            # The results of one round depend on each other, so they count as one.
            own.surplus += surplus / others
            own.variance += variance / others


class _Recording(NamedTuple):
    code: str
    game: int
    finished_ms: int
    ended: dict[str, Any]
    people: dict[int, str]


def _recorded(db: Connection) -> list[_Recording]:
    """Return the latest recordings of rated races."""
    people: defaultdict[tuple[str, int], dict[int, str]] = defaultdict(dict)
    for player, code, game, number in db.execute(
        "SELECT player, code, game, number FROM recorded_players"
    ).fetchall():
        people[code, game][number] = player
    found = []
    for code, game, finished_ms, text in db.execute(
        "SELECT code, game, finished_ms, recording FROM recordings "
        "ORDER BY finished_ms DESC, code, game LIMIT ?",
        (_MOST_RECORDINGS,),
    ).fetchall():
        # A damaged recording is as good as none.
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            ended = json.loads(text)
            if ended["rated"] and ended["recording"]["kind"] == "race":
                found.append(_Recording(code, game, finished_ms, ended, people[code, game]))
    return found


def _add_recording(
    players: defaultdict[str, _Player], one: _Recording, names: dict[str, str]
) -> None:
    for number, player in one.people.items():
        if player not in names:
            continue
        with suppress(SapperError, AttributeError, LookupError, TypeError, ValueError):
            game = game_in(one.ended["recording"], number)
            if not game.over:
                continue
            figures = play_figures(game).to_json()
            own = players[player]
            own.recorded += 1
            own.guesses.add(figures)
            for other in one.people.values():
                if other != player:
                    own.pairs[other].guesses.add(figures)
            time_ms = round(1000 * game.clock.player_s) if figures["won"] else 0
            if reasons := unlikely_figures(figures, game.board.bbbv, time_ms):
                finding = RaceFinding(one.code, one.game, one.finished_ms, reasons, figures)
                own.findings.append(finding)


def _report(name: str, own: _Player, names: dict[str, str]) -> RaceReport:
    pairs = [
        found
        for other, pair in own.pairs.items()
        for found in _pair_findings(own, pair, names.get(other, other))
    ]
    return RaceReport(
        name,
        own.rounds,
        own.recorded,
        own.guesses.luck,
        own.surplus / sqrt(own.variance) if own.variance > 0 else None,
        own.findings,
        sorted(pairs, key=lambda one: (-one.rounds, one.name, one.reason)),
    )


def _pair_findings(own: _Player, pair: _Pair, other: str) -> Iterable[PairFinding]:
    luck = pair.guesses.luck
    score = pair.score / pair.rounds if pair.rounds else 0.0
    is_regular = pair.rounds >= max(LEAST_MEETINGS, _PART * own.rounds)
    reasons = {
        "scouting": luck is not None and luck > MOST_SCORE,
        "farming": is_regular and score >= FARMED,
    }
    for reason, is_unlikely in reasons.items():
        if is_unlikely:
            yield PairFinding(other, reason, pair.rounds, score, pair.gained, luck)
