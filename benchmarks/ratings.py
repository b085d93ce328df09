"""Simulate rated races of players with known strengths, and measure the ratings.

Each player's result in a race is a strength plus noise with a Gumbel distribution, so the chance
that one player beats another is logistic in the difference of their strengths, as a
rating assumes. Strengths drift from race to race. Races have 2 to 50 players, drawn at random, with
about one race a day for each player.

- *correlation*: Spearman's rank correlation of ratings and strengths.
- *covered*: how many 95 % intervals contain the true strength. Ratings are known up to a common
  shift, so the mean of both is made equal.
- *log loss*: of the predicted winner of each pair in the second half, and of the true chances.
- *lowest*, *highest*: the range of all ratings at the end.

``python benchmarks/ratings.py [-n 8000] [--players 500] [--seeds 3] [--json]``, where ``-n`` is the
number of rounds; an eighth as many have 50 players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from report import arguments, emit
from sapper.community import Rating, rated_game
from sapper.community.ratings import MEETING_DAYS

POINTS = 173.7178
"""Points of a rating in one unit of strength."""
SIZES = (2, 2, 2, 2, 4, 4, 4, 8, 8, 20, 50)
DRIFT = 0.06
"""Standard deviation of the change of a strength from one race to the next."""
SPREAD = 1.2
"""Standard deviation of the strengths, about 210 points."""


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 8000, {"players": 500, "seeds": 3})
    emit(rows(options.players, options.n, options.seeds), options.json)


def rows(players: int, rounds: int, seeds: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each seed and kind of race."""
    for seed in range(1, seeds + 1):
        for name, sizes in (("mixed", SIZES), ("pairs", (2,)), ("of 50", (min(50, players),))):
            counted = rounds if name != "of 50" else max(1, rounds // 8)
            yield {"races": name, "seed": seed, **simulate(players, sizes, counted, seed)}


def simulate(players: int, sizes: tuple[int, ...], rounds: int, seed: int) -> dict[str, Any]:
    """Play the rounds and return the measurements."""
    random = np.random.default_rng(seed)
    strengths: NDArray[np.float64] = SPREAD * random.normal(size=players)
    ratings = [Rating()] * players
    last: dict[int, float] = {}
    met: dict[frozenset[int], list[float]] = {}
    losses, true_losses = [], []
    day = 0.0
    for number in range(rounds):
        size = min(players, int(random.choice(sizes)))
        drawn = random.choice(players, size, replace=False)
        # From the first place to the last.
        racers = drawn[np.argsort(-strengths[drawn] - random.gumbel(size=size))].tolist()
        if number >= rounds // 2:
            losses.append(_loss([ratings[racer] for racer in racers]))
            true_losses.append(_loss([Rating(POINTS * strengths[one], 0) for one in racers]))
        pairs = {frozenset(pair): _recent(met, pair, day) for pair in combinations(racers, 2)}
        after = rated_game(
            {racer: ratings[racer] for racer in racers},
            {racer: place for place, racer in enumerate(racers)},
            idle_days={racer: day - last.get(racer, day) for racer in racers},
            meetings={pair: len(days) for pair, days in pairs.items()},
        )
        for racer in racers:
            ratings[racer], last[racer] = after[racer], day
        strengths[racers] += DRIFT * random.normal(size=size)
        for days in pairs.values():
            days.append(day)
        day += size / players
    played = sorted(last)
    points = np.array([ratings[player].rating for player in played])
    deviations = np.array([ratings[player].deviation for player in played])
    truth = POINTS * strengths[played]
    errors = points - truth - np.mean(points - truth)
    return {
        "rounds": rounds,
        "correlation": float(spearmanr(points, truth).statistic),
        "covered": float(np.mean(np.abs(errors) <= 1.96 * deviations)),
        "log_loss": float(np.mean(losses)),
        "true_log_loss": float(np.mean(true_losses)),
        "lowest": float(points.min()),
        "highest": float(points.max()),
    }


def _recent(
    met: dict[frozenset[int], list[float]], pair: tuple[int, int], day: float
) -> list[float]:
    """Return the recent days on which a pair met; drop older ones."""
    days = met.setdefault(frozenset(pair), [])
    days[:] = [when for when in days if when > day - MEETING_DAYS]
    return days


def _loss(racers: Sequence[Rating]) -> float:
    """Return the mean log loss of the predicted winner of each pair; the racers are in order."""
    ahead, behind = np.triu_indices(len(racers), 1)
    points = np.array([racer.rating for racer in racers]) / POINTS
    variances = (np.array([racer.deviation for racer in racers]) / POINTS) ** 2
    impact = 1 / np.sqrt(1 + 3 * (variances[ahead] + variances[behind]) / np.pi**2)
    return float(np.mean(np.log1p(np.exp(impact * (points[behind] - points[ahead])))))


if __name__ == "__main__":
    main()
