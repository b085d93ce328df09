"""The engine confirms the stated solution and requirements of all bundled puzzles."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from sapper.coach.trainer import Answer, Need, Puzzle, Question, judge, puzzles
from sapper.coach.trainer.making import WANTED, make, moments, puzzles_of
from sapper.coach.trainer.needs import can_fail, goals, need_of
from sapper.coach.trainer.puzzle import given
from sapper.position import Position
from sapper.solver import Deduction, analyze
from sapper.solver.search import optimal
from sapper.solver.winning import win_chance
from sapper.solver.witnesses import Witnesses
from sapper.topology import Cell
from support.alone import proved_alone
from support.marks import slow

ALL = list(puzzles().values())
PROVED = [puzzle for puzzle in ALL if puzzle.need is not Need.GUESS]
GUESSES = [puzzle for puzzle in ALL if puzzle.need is Need.GUESS]


def test_puzzles_of_each_kind_are_numerous() -> None:
    """There are as many puzzles of each kind as the script is meant to make."""
    assert Counter((p.question, p.need) for p in ALL) == WANTED


def test_flags_are_on_proved_mines() -> None:
    """The engine, which ignores flags, proves that flagged cells are mines."""
    flags = 0
    for puzzle in ALL:
        mined = analyze(puzzle.position).mined
        for cell in puzzle.position.unopened_cells():
            if puzzle.position[cell] == "F":
                assert cell in mined
                flags += 1
    assert flags > 3000


@pytest.mark.parametrize("every", [5, slow(1)])
def test_no_puzzle_is_solved_by_clicking_anything(every: int) -> None:
    """At least one cell next to a number is wrong, and at most half of all cells are correct."""
    for puzzle in ALL[::every]:
        position = puzzle.position
        near = position.topology.neighbours
        cells = [cell for cell in position.unopened_cells() if position[cell] != "F"]
        right = judge(puzzle.question, position, Answer()).safe
        wrong = [cell for cell in cells if cell not in right]
        beside = [cell for cell in wrong if any(position[at].isdigit() for at in near(cell))]
        assert beside, puzzle.id
        assert not _solves(puzzle, beside[:1]), puzzle.id
        if puzzle.question is Question.ALL:
            assert not _solves(puzzle, cells), puzzle.id
            assert not _solves(puzzle, [], cells), puzzle.id
        else:
            assert len(right) <= len(wrong), puzzle.id


def _solves(puzzle: Puzzle, safe: list[Cell], mined: list[Cell] | None = None) -> bool:
    answer = Answer.of(puzzle.position, safe, mined or ())
    return judge(puzzle.question, puzzle.position, answer).solved


def test_regenerating_keeps_good_puzzles() -> None:
    """Bad puzzles are replaced, and new ones differ from those that are kept."""
    kind = (Question.SAFE, Need.ONE)
    good = [puzzle for puzzle in ALL if (puzzle.question, puzzle.need) == kind][:2]
    corner = Position.parse("F1.\n11.", mines=1)
    bad = Puzzle(Question.SAFE, Need.ONE, corner, 860, "3x2:1 seed 1 move 1")
    assert not can_fail(bad.question, bad.position)
    made = make(5, {kind: 3}, kept=[bad, *good])
    assert len(made) == 3
    assert {puzzle.id for puzzle in good} < {puzzle.id for puzzle in made}
    assert bad.id not in {puzzle.id for puzzle in made}
    assert made == make(5, {kind: 3}, kept=[bad, *good])


@pytest.mark.parametrize("need", [n for n in Need if n is not Need.GUESS])
def test_needed_numbers_are_sufficient_and_minimal(need: Need) -> None:
    """With only these numbers on the board, the cell is proved; without any of them, it is not."""
    checked = 0
    for puzzle in PROVED:
        if puzzle.need is need:
            position = given(puzzle.position)
            for proof in goals(puzzle.position).values():
                _check_minimal(position, proof)
                checked += 1
    assert checked > 100


def _check_minimal(position: Position, proof: Deduction) -> None:
    total, named = proof.mines is not None, set(proof.because)
    assert _proved(position, proof, named, total=total)
    if total:
        assert not _proved(position, proof, named, total=False)
    for one in named:
        assert not _proved(position, proof, named - {one}, total=total)


def _proved(position: Position, proof: Deduction, numbers: set[Cell], *, total: bool) -> bool:
    return proof.cell in proved_alone(position, numbers, total=total)[proof.mined]


def test_goals_match_the_engine() -> None:
    """Exactly the cells that can be proved without flags have a proof."""
    for puzzle in ALL:
        known = analyze(puzzle.position)
        flags = {c for c in known.mined if puzzle.position[c] == "F"}
        assert goals(puzzle.position).keys() == known.safe | known.mined - flags


@pytest.mark.slow
def test_nothing_easier_settles_a_cell() -> None:
    """A puzzle that needs two numbers, for example, has no proof from one number."""
    seen: Counter[Need] = Counter()
    for puzzle in PROVED:
        position = given(puzzle.position)
        proofs = goals(puzzle.position)
        if puzzle.question is Question.SAFE:
            asked = {cell for cell, proof in proofs.items() if not proof.mined}
            easiest = min(map(list(Need).index, (need_of(proofs[cell]) for cell in asked)))
            assert list(Need)[easiest] is puzzle.need
        else:
            needs = [need_of(proof) for proof in proofs.values()]
            assert max(needs, key=list(Need).index) is puzzle.need
            # A single cell that needs this deduction makes the puzzle hard enough.
            asked = {cell for cell, proof in proofs.items() if need_of(proof) is puzzle.need}
        assert not asked & _settled(position, puzzle)
        seen[puzzle.need] += 1
    assert min(seen.values()) > 70


def _settled(position: Position, puzzle: Puzzle) -> frozenset[Cell]:
    """Return the cells that can be settled by something easier than the puzzle requires."""
    numbers = [witness.cell for witness in Witnesses(position).all().values()]
    found: frozenset[Cell] = frozenset()
    if puzzle.need is Need.TOTAL:
        known = analyze(Position(position.topology, position.cells))
        found |= known.safe | known.mined
    if puzzle.need is Need.COMPONENT:
        for pair in combinations(numbers, 2):
            if max(abs(pair[0].row - pair[1].row), abs(pair[0].col - pair[1].col)) <= 2:
                found |= frozenset().union(*proved_alone(position, pair))
    if puzzle.need is Need.TWO:
        for number in numbers:
            found |= frozenset().union(*proved_alone(position, [number]))
    return found


def test_the_best_guess_is_exact_and_clearly_best() -> None:
    """Perfect play counts wins as integers, so the comparison is exact."""
    for puzzle in GUESSES:
        position = given(puzzle.position)
        assert not analyze(position).safe
        best = optimal(position)
        found = win_chance(position)
        assert found.kind == "exact"
        assert found.win_chance == pytest.approx(best.wins / best.solutions)
        rest = [at.win_chance for at in found.cells if at.cell not in best.best]
        assert rest
        assert max(rest) <= best.win_chance - 0.03 + 1e-9


@pytest.mark.parametrize("puzzle", ALL[:: len(ALL) // 10], ids=lambda puzzle: puzzle.id)
def test_puzzle_is_recreated_from_its_game(puzzle: Puzzle) -> None:
    """The level, seed and move recreate a puzzle's position, question and requirements."""
    level, _, seed, _, move = puzzle.game.split()
    again = [
        made
        for moment in moments(level, int(seed))
        if moment.opened == int(move)
        for made in puzzles_of(moment, puzzle.game)
    ]
    assert puzzle in again
