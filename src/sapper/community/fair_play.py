"""Figures that help an operator judge whether a person played a game.

The figures are measurements, neither proof nor an accusation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import prod, sqrt
from typing import Any, Final

import numpy as np

from sapper.community.message import field_values
from sapper.errors import IllegalAction
from sapper.game import Game, Status
from sapper.game.pointer_path import PARTS, points

__all__ = ["Luck", "PlayFigures", "luck_of", "play_figures"]

_SECOND: Final = 1.0
_SHORTEST_PATH: Final = 2 * PARTS
"""Shorter paths, of less than two cells, say nothing about straightness."""
_STRAIGHT: Final = 0.999


@dataclass(frozen=True, slots=True)
class PlayFigures:
    """Figures of one finished game.

    Attributes:
        won: Whether it was won.
        safeties: The chance that each guess was safe, in order.
        survived: Number of guesses that were not mines.
        clicks: Number of actions.
        least_s: The shortest time between two actions; None for fewer than two actions.
        most_per_s: The maximum number of actions within any one second.
        rhythm: The standard deviation of the times between actions divided by their mean, which is
            0 for a metronome; None for fewer than three actions.
        paths: Number of recorded pointer paths of at least two cells and three points.
        straight: Number of those paths whose ends are at least 99.9 % as far apart as the path is
            long.
        jumps: Number of actions on a different cell from the previous one without a recorded path,
            as with touch, keys or a program.
    """

    won: bool
    safeties: tuple[float, ...]
    survived: int
    clicks: int
    least_s: float | None
    most_per_s: int
    rhythm: float | None
    paths: int
    straight: int
    jumps: int

    @property
    def safety(self) -> float:
        """The chance of surviving all guesses that were made: the product of their safeties."""
        return prod(self.safeties)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**field_values(self), "safeties": list(self.safeties), "safety": self.safety}


@dataclass(frozen=True, slots=True)
class Luck:
    """The guesses of many games compared with their safeties.

    Attributes:
        games: Number of games.
        wins: Number of wins.
        guesses: Number of guesses.
        survived: Number of guesses that were not mines.
        expected: The sum of the safeties, which is the expected number of survived guesses.
        deviation: The standard deviation of that number.
        won_safety: The product of the safeties of each won game, averaged; None without a win.
    """

    games: int
    wins: int
    guesses: int
    survived: int
    expected: float
    deviation: float
    won_safety: float | None

    @property
    def score(self) -> float | None:
        """The standard deviations by which survival exceeds the mean; None without a risk.

        With many guesses, it is roughly normally distributed for an honest player: 3 is exceeded
        once in 740 cases.
        """
        return (self.survived - self.expected) / self.deviation if self.deviation else None


def play_figures(game: Game) -> PlayFigures:
    """Return the figures of a finished game.

    Every position in which something was opened is analysed, which takes about a tenth of a
    millisecond each.

    Raises:
        IllegalAction: If the game is not over.
    """
    if not game.over:
        raise IllegalAction(f"only finished games have figures, this one is {game.status}")
    guesses = game.guesses.each
    times = [action.at_s for action in game.log]
    gaps = [later - sooner for sooner, later in pairwise(times)]
    paths, straight = _paths(game)
    return PlayFigures(
        won=game.status is Status.WON,
        safeties=tuple(1 - guess.p_mine for guess in guesses),
        survived=sum(not guess.exploded for guess in guesses),
        clicks=len(times),
        least_s=min(gaps, default=None),
        most_per_s=_most_per_second(times),
        rhythm=float(np.std(gaps) / np.mean(gaps)) if len(gaps) > 1 and any(gaps) else None,
        paths=paths,
        straight=straight,
        jumps=_jumps(game),
    )


def luck_of(figures: Iterable[PlayFigures]) -> Luck:
    """Return the luck of many games.

    Each guess adds its result minus its safety, whose mean is 0 whatever was played before. The sum
    is therefore unbiased although a lost game has no further guesses. The product of the safeties
    is unbiased only among games that were won or lost for a reason other than a guess.
    """
    games = list(figures)
    safeties = [safety for one in games for safety in one.safeties]
    won = [one.safety for one in games if one.won]
    return Luck(
        games=len(games),
        wins=len(won),
        guesses=len(safeties),
        survived=sum(one.survived for one in games),
        expected=sum(safeties),
        deviation=sqrt(sum(safety * (1 - safety) for safety in safeties)),
        won_safety=sum(won) / len(won) if won else None,
    )


def _most_per_second(times: list[float]) -> int:
    most = first = 0
    for at, time in enumerate(times):
        while time - times[first] > _SECOND:
            first += 1
        most = max(most, at - first + 1)
    return most


def _paths(game: Game) -> tuple[int, int]:
    """Return the number of paths that are long enough, and how many of them are straight."""
    count = straight = 0
    for path in game.pointer_paths.values():
        places = points(path)[:, 1:]
        steps = np.hypot(*np.diff(places, axis=0).T)
        length = float(steps.sum())
        if len(places) >= 3 and length >= _SHORTEST_PATH:
            count += 1
            straight += float(np.hypot(*(places[-1] - places[0]))) >= _STRAIGHT * length
    return count, straight


def _jumps(game: Game) -> int:
    """Return the number of actions on a different cell from the previous one, without a path."""
    paths = game.pointer_paths
    return sum(
        later.cell != sooner.cell and number not in paths
        for number, (sooner, later) in enumerate(pairwise(game.log), start=1)
    )
