"""Measure the cost and the verdicts of reviews of a bot's games.

*First* is the time to the first figures, *risks* the time to the exact verdicts on all decisions,
and *whole* the total time. With ``--confirm`` every needless guess is confirmed by the plain Python
engine (`sapper.solver.reference`): it must find a safe cell other than the chosen one. With
``--sample N`` `swift` plays the best and the chosen cell of every blunder based on estimates to the
end, N times each: *clear* counts the blunders with a loss beyond the 95 % error. Times are
processor time.

``python benchmarks/review.py [-n 20] [--bot exact] [--level expert] [--rules classic] [--confirm]
[--sample N] [--json]``; game *i* has seed *i*.
"""

from __future__ import annotations

import argparse
from math import hypot
from statistics import mean
from time import process_time
from typing import Any

from report import emit, quantiles
from sapper.coach import Kind, Review, Reviewing
from sapper.game import Game
from sapper.simulation import Match
from sapper.solver import reference
from sapper.solver.search.guesses import SWIFT, Searcher
from sapper.stats import share_error


def timed(game: Game) -> tuple[Review, dict[str, float]]:
    """Review a game; return it with the seconds to its first figures, all risks and the end."""
    work, seconds = Reviewing(game), dict[str, float]()
    start = process_time()
    for step in work:
        if step.done == 1:
            seconds["first"] = process_time() - start
        if step.done == step.total // 2:
            seconds["risks"] = process_time() - start
    seconds["whole"] = process_time() - start
    return work.result, seconds


def confirmed(found: Review) -> int:
    """Return the needless guesses that the pure Python engine confirms."""
    agreed = 0
    for decision in found.decisions:
        if decision.kind is Kind.NEEDLESS_GUESS:
            chances = reference.mine_probabilities(found.position(decision.index))
            agreed += min(chances.values()) == 0 and chances[decision.cell] > 0
    return agreed


def sampled(found: Review, games: int) -> list[tuple[float, float, float]]:
    """Return the loss of each estimated blunder: estimated, sampled, and its 95 % half-width."""
    losses = []
    for decision in found.decisions:
        best, chosen = decision.best, decision.chosen
        if decision.kind is not Kind.BLUNDER or chosen is None or best in (None, decision.cell):
            continue
        if chosen.kind != "estimated" or decision.loss is None:
            continue
        position = found.position(decision.index)
        shape = position.topology
        played = [
            Searcher(SWIFT).core.survivals(
                shape.graph,
                position.cells,
                position.mines,
                position.density,
                shape.index(cell),
                0,
                games,
            )
            for cell in (best, decision.cell)
        ]
        error = hypot(*(share_error(values) for values in played))
        losses.append((decision.loss, mean(played[0]) - mean(played[1]), error))
    return losses


def measured(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one row for the times and one for the verdicts."""
    match = Match(arguments.bot, arguments.level, arguments.rules)
    counts = dict.fromkeys(Kind, 0)
    times: dict[str, list[float]] = {"first": [], "risks": [], "whole": []}
    decisions, won, agreed = 0, 0, 0
    losses: list[tuple[float, float, float]] = []
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
        losses += sampled(found, arguments.sample) if arguments.sample else []
    rows: list[dict[str, Any]] = [
        {"part": part, **quantiles(values)} for part, values in times.items()
    ]
    verdicts: dict[str, Any] = {"games": arguments.n, "won": won, "decisions": decisions}
    verdicts |= {str(kind): count for kind, count in counts.items()}
    if arguments.confirm:
        verdicts["confirmed_needless"] = agreed
    rows.append(verdicts)
    if losses:
        rows.append(
            {
                "estimated_blunders": len(losses),
                "clear": sum(loss > error for _, loss, error in losses),
                "contradicted": sum(loss < -error for _, loss, error in losses),
                "mean_loss_estimated": round(mean(one[0] for one in losses), 4),
                "mean_loss_sampled": round(mean(one[1] for one in losses), 4),
            }
        )
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="games (20)")
    parser.add_argument("--bot", default="exact")
    parser.add_argument("--level", default="expert")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--confirm", action="store_true", help="check needless guesses")
    parser.add_argument("--sample", type=int, default=0, help="games per cell of a blunder")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    arguments = parser.parse_args()
    emit(measured(arguments), arguments.json)


if __name__ == "__main__":
    main()
