"""Make puzzles: ``python -m sapper.coach.trainer.making SEED [KEPT.jsonl] > puzzles.jsonl``.

Games on small boards are played by the easiest remaining proof, with flags on mines proved by one
number, as people do. Their positions become puzzles until there are enough puzzles of each kind.
Puzzles from an earlier file are kept if they meet the current rules, with their ids and the
players' results. The same seed and file give the same puzzles.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Final

from sapper.coach.trainer.needs import ORDER, best_cells, can_fail, goals, need_of
from sapper.coach.trainer.puzzle import Need, Puzzle, Question, given, read_puzzles
from sapper.game import Game
from sapper.position import Position
from sapper.solver import Deduction, analyze
from sapper.solver.witnesses import Witnesses
from sapper.topology import Cell

__all__ = ["LEVELS", "WANTED", "Moment", "make", "moments", "puzzles_of", "with_flags"]

LEVELS: Final = ("8x8:10", "9x9:10", "9x9:14", "9x9:18", "10x10:16", "10x10:20", "10x10:24")
"""Ten columns at most, so that a cell is large enough for a finger on a phone."""

WANTED: Final = {
    (Question.SAFE, Need.ONE): 60,
    (Question.SAFE, Need.TWO): 90,
    (Question.SAFE, Need.COMPONENT): 90,
    (Question.SAFE, Need.TOTAL): 50,
    (Question.ALL, Need.ONE): 30,
    (Question.ALL, Need.TWO): 60,
    (Question.ALL, Need.COMPONENT): 60,
    (Question.ALL, Need.TOTAL): 30,
    (Question.GUESS, Need.GUESS): 90,
}
"""Number of puzzles of each kind to ship."""

_FEWEST: Final = 3
"""The fewest cells to choose from, so that there is something to find."""
_MOST_SAFE: Final = 4
"""The most safe cells; with more, one is found by chance."""
_ALL: Final = range(2, 8)
"""The number of cells to mark."""
_CLEARLY: Final = 0.03
"""The margin of the best guess over the next."""
_SOLUTIONS: Final = 600
"""The most arrangements of a guess, so that answers are judged instantly."""

_BASE: Final = {
    Need.ONE: 800,
    Need.TWO: 1100,
    Need.COMPONENT: 1400,
    Need.TOTAL: 1550,
    Need.GUESS: 1400,
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A position in a game, with the proofs of all proved cells."""

    position: Position
    proofs: dict[Cell, Deduction]
    opened: int


def moments(level: str, seed: int) -> Iterator[Moment]:
    """Return the positions of a game played by the easiest proofs or, without proofs, best guesses.

    Args:
        level: The level in text form.
        seed: The game's seed.
    """
    game, opened = begun_game(level, seed), 1
    while not game.over:
        position = with_flags(game)
        proofs = goals(position)
        yield Moment(position, proofs, opened)
        safe = [cell for cell, proof in proofs.items() if not proof.mined]
        if safe:
            cell = min(safe, key=lambda at: (ORDER.index(need_of(proofs[at])), at))
        else:
            risks = analyze(position).p_mine
            cell = min(position.unopened_cells(), key=lambda at: (float(risks[at]), at))
        game.open(cell)
        opened += 1


def begun_game(level: str, seed: int) -> Game:
    """Return a game whose middle cell is open, with its opening.

    Args:
        level: The level in text form.
        seed: The game's seed.
    """
    game = Game(level, first_click="opening", seed=seed)
    shape = game.position.topology
    game.open((shape.height // 2, shape.width // 2))
    return game


def with_flags(game: Game) -> Position:
    """Return the position of a game with a flag on each mine that one number proves."""
    position = game.position
    cells = bytearray(position.cells)
    while True:
        flagged = position.showing(bytes(cells))
        found = {
            index
            for witness in Witnesses(given(flagged)).all().values()
            if witness.mines == len(witness.cells)
            for index in witness.cells
        }
        if not found:
            return flagged
        for index in found:
            cells[index] = ord("F")


def puzzles_of(moment: Moment, game: str) -> Iterator[Puzzle]:
    """Return the puzzles for a position, except those that any click solves."""
    for puzzle in _questions(moment, game):
        if can_fail(puzzle.question, puzzle.position):
            yield puzzle


def _questions(moment: Moment, game: str) -> Iterator[Puzzle]:
    position, needs = moment.position, {c: need_of(p) for c, p in moment.proofs.items()}
    safe = [cell for cell, proof in moment.proofs.items() if not proof.mined]
    if position.cells.count(b".") < _FEWEST:
        return
    if not safe:
        yield from _guess(moment, game)
        return
    easiest = min((needs[cell] for cell in safe), key=ORDER.index)
    if len(safe) <= _MOST_SAFE:
        yield Puzzle(Question.SAFE, easiest, position, _rating(moment, easiest, len(safe)), game)
    hardest = max(needs.values(), key=ORDER.index)
    # No single number proves a mine here, because such mines are flagged.
    both = hardest is Need.ONE or len(safe) < len(moment.proofs)
    if len(moment.proofs) in _ALL and both:
        extra = 50 + 25 * len(moment.proofs)
        yield Puzzle(Question.ALL, hardest, position, _rating(moment, hardest, 1) + extra, game)


def _guess(moment: Moment, game: str) -> Iterator[Puzzle]:
    position = given(moment.position)
    known = analyze(position)
    if moment.proofs or known.solutions is None or not 2 < known.solutions <= _SOLUTIONS:
        return
    found, best = best_cells(moment.position)
    rest = [at.win_chance for at in found.cells if at.cell not in best]
    if not rest or max(rest) > found.win_chance - _CLEARLY:
        return
    risks = {at.cell: at.p_mine for at in found.cells}
    least = min(risks.values())
    # Puzzles are harder if the least risky cell is not the best one.
    hidden = 300 if min(risks[cell] for cell in best) > least + _CLEARLY else 0
    close = round(150 * (1 - min(1.0, (found.win_chance - max(rest)) / 0.2)))
    rating = _BASE[Need.GUESS] + hidden + close + 10 * min(len(risks), 20)
    yield Puzzle(Question.GUESS, Need.GUESS, moment.position, rating, game)


def _rating(moment: Moment, need: Need, targets: int) -> int:
    """Estimate the difficulty from the length of the proof and how hard the cell is to spot."""
    numbers = len(Witnesses(given(moment.position)).all())
    spotting = 60 * log2(max(1, numbers / targets))
    lengths = [len(proof.witnesses) for proof in moment.proofs.values() if need_of(proof) is need]
    length = min(lengths, default=1)
    if need is Need.TOTAL and length < 2:
        # All mines are flagged, or all remaining ones touch one number.
        return round(_BASE[Need.TWO] + 200 * length + spotting)
    return round(_BASE[need] + spotting + 60 * max(0, min(length, 9) - 3))


def make(
    seed: int,
    wanted: dict[tuple[Question, Need], int] = WANTED,
    progress: Callable[[int, int], object] = lambda done, total: None,
    kept: Iterable[Puzzle] = (),
) -> list[Puzzle]:
    """Make puzzles until there are enough of each kind, at most one per kind and game.

    Args:
        seed: The seed of the games.
        wanted: The number of puzzles of each kind.
        progress: Called after each game with the numbers of puzzles found and wanted.
        kept: Earlier puzzles; those that can be answered wrongly are kept.
    """
    rng = random.Random(f"sapper puzzles {seed}")
    stay = [puzzle for puzzle in kept if can_fail(puzzle.question, puzzle.position)]
    found = {puzzle.id: puzzle for puzzle in stay}
    counts = Counter((puzzle.question, puzzle.need) for puzzle in found.values())
    while any(counts[kind] < number for kind, number in wanted.items()):
        level, game_seed = rng.choice(LEVELS), rng.getrandbits(32)
        by_kind: dict[tuple[Question, Need], list[Puzzle]] = {}
        for moment in moments(level, game_seed):
            for puzzle in puzzles_of(moment, f"{level} seed {game_seed} move {moment.opened}"):
                by_kind.setdefault((puzzle.question, puzzle.need), []).append(puzzle)
        for kind in sorted(by_kind):
            if counts[kind] < wanted.get(kind, 0):
                chosen = rng.choice(by_kind[kind])
                if chosen.id not in found:
                    found[chosen.id] = chosen
                    counts[kind] += 1
        progress(len(found), sum(wanted.values()))
    return sorted(found.values(), key=lambda p: (p.question, ORDER.index(p.need), p.rating, p.id))


def _main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    lines = Path(sys.argv[2]).read_text("utf-8").splitlines() if len(sys.argv) > 2 else []

    def progress(done: int, total: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {total} puzzles", end="", file=sys.stderr)

    for puzzle in make(seed, progress=progress, kept=read_puzzles(lines)):
        print(json.dumps(puzzle.to_json()))


if __name__ == "__main__":
    _main()
