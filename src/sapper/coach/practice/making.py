"""Make exercises: ``python -m sapper.coach.practice.making SEED [GAMES] > exercises.jsonl``.

Games on small boards are played by the easiest remaining proof, with flags on mines proved by one
number, as people do. Wherever no single number proves a cell, the patterns in the position become
exercises, at most one per pattern and game. The same seed and number of games give the same file.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Final

from sapper.coach.patterns import Family, Occurrence, patterns, recognise
from sapper.coach.practice.exercise import Exercise
from sapper.coach.trainer.making import LEVELS, begun_game, with_flags
from sapper.coach.trainer.puzzle import given
from sapper.position import Position
from sapper.solver import Analysis, analyze, deduce
from sapper.solver.witnesses import Witnesses
from sapper.topology import Cell

__all__ = ["exercises_in", "make", "proves_no_more"]

_RIGHT: Final = 8
"""Maximum number of exercises of a pattern that show the pattern itself."""
_FRIENDS: Final = 4
"""Maximum number of exercises of a pattern that show one of its false friends."""
_GAMES: Final = 4_000


def make(
    seed: int, games: int = _GAMES, progress: Callable[[int], object] = lambda done: None
) -> list[Exercise]:
    """Return exercises in library order, interspersed with false friends.

    Args:
        seed: The seed of the games.
        games: The number of games to play.
        progress: Called with the number of games played.
    """
    rng = random.Random(f"sapper exercises {seed}")
    right: dict[str, list[Exercise]] = {name: [] for name in patterns()}
    friends: dict[str, list[Exercise]] = {name: [] for name in patterns()}
    for done in range(games):
        level, game_seed = rng.choice(LEVELS), rng.getrandbits(32)
        taken = set()
        for exercise in exercises_in(level, game_seed):
            is_friend = exercise.shown != exercise.pattern
            kept = (friends if is_friend else right)[exercise.pattern]
            place = exercise.pattern, is_friend
            most = _FRIENDS if is_friend else _RIGHT
            if place not in taken and len(kept) < most and proves_no_more(exercise):
                taken.add(place)
                kept.append(exercise)
        progress(done + 1)
    return [
        exercise
        for name in patterns()
        if right[name]
        for exercise in _mixed(right[name], friends[name])
    ]


def proves_no_more(exercise: Exercise) -> bool:
    """Return whether the ringed numbers settle no other cell in their surroundings."""
    position = given(exercise.position)
    goals = {*exercise.safe, *exercise.mined}
    near = {at for cell in exercise.numbers for at in position.topology.neighbours(cell)}
    for cell in near.intersection(position.unopened_cells()) - goals:
        for mined in (False, True):
            proof = deduce(position, cell, mined=mined, numbers=exercise.numbers)
            if proof is not None and proof.mines is None:
                return False
    return True


def _mixed(right: list[Exercise], friends: list[Exercise]) -> list[Exercise]:
    """Return exercises with a false friend after every second one."""
    waiting, mixed = list(friends), []
    for number, exercise in enumerate(right, 1):
        mixed.append(exercise)
        if number % 2 == 0 and waiting:
            mixed.append(waiting.pop(0))
    return mixed + waiting


def exercises_in(level: str, seed: int) -> Iterator[Exercise]:
    """Return all exercises in a game.

    Args:
        level: The level in text form.
        seed: The game's seed.
    """
    game, opened = begun_game(level, seed), 1
    while not game.over:
        position = with_flags(game)
        known = analyze(given(position))
        trivial = _proved_by_one(given(position))
        if not trivial:
            yield from _exercises_at(position, known, f"{level} seed {seed} move {opened}")
        game.open(_next(known, trivial))
        opened += 1


def _proved_by_one(position: Position) -> Cell | None:
    """Return a cell that a single number, with its flags, proves safe."""
    witnesses = Witnesses(position).all().values()
    found = (min(witness.cells) for witness in witnesses if not witness.mines)
    first = next(found, None)
    return None if first is None else position.topology.cell(first)


def _next(known: Analysis, trivial: Cell | None) -> Cell:
    if trivial is not None:
        return trivial
    if known.safe:
        return min(known.safe)
    unopened = known.position.unopened_cells()
    return min(unopened, key=lambda at: (float(known.p_mine[at]), at))


def _exercises_at(position: Position, known: Analysis, game: str) -> Iterator[Exercise]:
    names = patterns()
    for found in recognise(given(position)):
        name = found.pattern.id
        if found.pattern.family is Family.FALSE:
            name = found.pattern.looks_like
        if found.safe or found.mined or _proves_nothing(found, position, known):
            yield Exercise(
                names[name].id,
                found.pattern.id,
                position,
                found.numbers,
                found.safe,
                found.mined,
                game,
            )


def _proves_nothing(found: Occurrence, position: Position, known: Analysis) -> bool:
    """Return whether no unopened cell next to the numbers is proved, even by other numbers."""
    shape = position.topology
    around = {near for cell in found.numbers for near in shape.neighbours(cell)}
    return not around & (known.safe | known.mined)


def _main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    games = int(sys.argv[2]) if len(sys.argv) > 2 else _GAMES

    def progress(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {games} games", end="", file=sys.stderr)

    for exercise in make(seed, games, progress):
        print(json.dumps(exercise.to_json(), separators=(",", ":")))


if __name__ == "__main__":
    _main()
