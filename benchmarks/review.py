"""What a review of a bot's games costs, and its verdicts.

*First* is the time to the first figures, *risks* to the exact verdicts of all decisions, *whole* to
the end. With ``--confirm`` every needless guess is confirmed by the plain Python engine
(`sapper.solver.reference`): it must find a safe cell, and the chosen cell not to be one.

``python benchmarks/review.py [-n 20] [--bot exact] [--level expert] [--rules classic] [--confirm]
[--json]``; game *i* has seed *i*.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any

from report import emit, quantiles
from sapper.coach import Kind, Review, Reviewing
from sapper.game import Game
from sapper.simulation import Match
from sapper.solver import reference


def timed(game: Game) -> tuple[Review, dict[str, float]]:
    """Review a game, with the seconds to its first figures, all risks and the end."""
    work, seconds = Reviewing(game), dict[str, float]()
    start = perf_counter()
    for step in work:
        if step.done == 1:
            seconds["first"] = perf_counter() - start
        if step.done == step.total // 2:
            seconds["risks"] = perf_counter() - start
    seconds["whole"] = perf_counter() - start
    return work.result, seconds


def confirmed(found: Review) -> int:
    """The needless guesses that the plain Python engine agrees with."""
    agreed = 0
    for decision in found.decisions:
        if decision.kind is Kind.NEEDLESS_GUESS:
            chances = reference.mine_probabilities(found.position(decision.index))
            agreed += min(chances.values()) == 0 and chances[decision.cell] > 0
    return agreed


def measured(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """One row for the times, one for the verdicts."""
    match = Match(arguments.bot, arguments.level, arguments.rules)
    counts = dict.fromkeys(Kind, 0)
    times: dict[str, list[float]] = {"first": [], "risks": [], "whole": []}
    decisions, won, agreed = 0, 0, 0
    for seed in range(arguments.n):
        game = match.game(seed)
        found, seconds = timed(game)
        for part, value in seconds.items():
            times[part].append(value)
        for kind, count in found.counts.items():
            counts[kind] += count
        decisions += len(found.decisions)
        won += game.status == "won"
        agreed += confirmed(found) if arguments.confirm else 0
    rows: list[dict[str, Any]] = [
        {"part": part, **quantiles(values)} for part, values in times.items()
    ]
    verdicts: dict[str, Any] = {"games": arguments.n, "won": won, "decisions": decisions}
    verdicts |= {str(kind): count for kind, count in counts.items()}
    if arguments.confirm:
        verdicts["confirmed_needless"] = agreed
    return [*rows, verdicts]


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="games (20)")
    parser.add_argument("--bot", default="exact")
    parser.add_argument("--level", default="expert")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--confirm", action="store_true", help="check needless guesses")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    arguments = parser.parse_args()
    emit(measured(arguments), arguments.json)


if __name__ == "__main__":
    main()
