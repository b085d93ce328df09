"""The exact analysis in plain Python, slow and short, to explain and check the native one.

The method counts arrangements and never lists them:

1. Unopened cells with the same witnesses form a *box*. The placement of mines within a box does not
   affect any number, so ``m`` mines in a box of ``n`` cells count ``comb(n, m)`` times.
2. Boxes that share witnesses form a *component*. One sweep over its boxes counts its arrangements
by number of mines: the state is the remaining need of each witness met so far, and the mines used.
3. Components affect each other only through the mine total. Combining them gives, for each
component and mine count, the number of ways to fill everything else. 4. A second sweep, backwards
from these numbers, computes how many arrangements of the whole board pass through each state, and
therefore how many mines each box holds over all of them.

A running game has a clear unopened cell. Without a mine total, which says the same, the arrangement
with mines in all unopened cells is therefore subtracted from every number.

With a density d = a/b, an arrangement of m mines on n cells weighs ``a**m * (b - a)**(n - m)``; and
each floating cell, with or without a mine, weighs ``b``. All numbers are integers until the final
division.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, log
from time import perf_counter

import numpy as np

from sapper._util.work import Work
from sapper.errors import InconsistentPosition
from sapper.position import EXPLODED, FLAGGED, NUMBERS, UNOPENED, Position, check_position
from sapper.solver.analysis import Analysis
from sapper.solver.limit import Limit, checked
from sapper.solver.locating import allowed_mines
from sapper.topology import Cell

__all__ = ["analyze", "mine_probabilities", "solutions_by_mines"]

State = tuple[tuple[int, ...], int]
"""The remaining need of each open witness, in sweep order, and the mines used so far."""


@dataclass(frozen=True)
class Box:
    """Unopened cells with exactly the same witnesses, given by index."""

    witnesses: frozenset[int]
    cells: tuple[int, ...]


@dataclass(frozen=True)
class BoxStep:
    """One box of a sweep: the ways to reach each state before it, and its transitions."""

    box: Box
    before: dict[State, int]
    moves: dict[State, dict[int, State]]


@dataclass(frozen=True)
class Component:
    """Boxes that share witnesses, after one sweep: numbers, and arrangements by mine count."""

    numbers: frozenset[int]
    sweep: list[BoxStep]
    by_mines: dict[int, int]


@dataclass(frozen=True)
class Problem:
    """A position prepared for counting."""

    components: list[Component]
    floating: list[int]
    opened_mines: int


@dataclass(frozen=True)
class Count:
    """The result: all solutions, their weight, and for each cell the weight with a mine there.

    Without a density, each solution weighs 1.
    """

    solutions: int
    weight: int
    with_mine: dict[int, int]


@dataclass(frozen=True)
class Floating:
    """The rest of the board: the floating cells and the mine total.

    Attributes:
        cells: The number of cells that are unopened or opened mines.
        total: The mine total, or None.
        density: The density, or None.
    """

    cells: int
    total: int | None
    density: Fraction | None

    def ways(self, free: int, used: int) -> int:
        """Return the weight of all ways to fill these cells if ``used`` mines are elsewhere."""
        if free < 0 or (self.total is not None and used > self.total):
            return 0
        if self.density is not None:
            mine, either = self.density.numerator, self.density.denominator
            clear = self.cells - free - used
            weight: int = mine**used * (either - mine) ** clear * either**free
            return weight
        return 1 << free if self.total is None else comb(free, self.total - used)


def analyze(position: Position, limit: Limit | None = None) -> Analysis:
    r"""Analyse a position with exact counts.

    Flags are ignored. This engine never estimates: it takes milliseconds on an Expert board, but
    can take very long on wide frontiers. ``Limit.states`` is ignored.

    >>> analysis = analyze(Position.parse("..\n11", mines=1))
    >>> analysis.solutions, float(analysis.p_mine[0, 0])
    (2, 0.5)

    Raises:
        InconsistentPosition: If no arrangement fits.
        LimitReached: If the time is up before everything is counted.
        Cancelled: If the limit's flag is set.
    """
    start = perf_counter()
    count = _count(position, checked(limit).work())
    shape = position.topology
    p_mine = np.full(shape.size, np.nan)
    for cell, ways in count.with_mine.items():
        # Integer division rounds correctly at any length; a ratio of floats would not.
        p_mine[cell] = ways / count.weight
    return Analysis(
        position=position,
        _count=lambda: count.solutions,
        p_mine=p_mine.reshape(shape.height, shape.width),
        safe_indices=[i for i, ways in count.with_mine.items() if ways == 0],
        mined_indices=[i for i, ways in count.with_mine.items() if ways == count.weight],
        log_weight=_log(count.weight, position),
        elapsed_s=perf_counter() - start,
    )


def mine_probabilities(position: Position) -> dict[Cell, Fraction]:
    r"""Return the exact probability, from 0 to 1, that each unopened cell is a mine.

    Every arrangement of mines that fits is equally likely, or is weighted by the density.

    >>> wall = Position.parse("..\n11", mines=1)
    >>> mine_probabilities(wall)[Cell(0, 0)]
    Fraction(1, 2)

    Raises:
        InconsistentPosition: If no arrangement fits.
    """
    count = _count(position, Work())
    return {
        position.topology.cell(i): Fraction(ways, count.weight)
        for i, ways in count.with_mine.items()
    }


def solutions_by_mines(position: Position) -> dict[int, int]:
    r"""Return the number of arrangements for each mine total, ignoring the position's total.

    >>> solutions_by_mines(Position.parse("..\n1."))
    {1: 3}

    Raises:
        InconsistentPosition: If no arrangement fits with any total.
    """
    problem = _prepare(position, Work())
    by_mines = {problem.opened_mines: 1}
    for component in problem.components:
        by_mines = _product(by_mines, component.by_mines)
    free = len(problem.floating)
    by_mines = _product(by_mines, {mines: comb(free, mines) for mines in range(free + 1)})
    return dict(sorted(by_mines.items()))


def _count(position: Position, work: Work) -> Count:
    """Count all arrangements and, for each cell, those with a mine on it."""
    problem, rest = _prepare(position, work), _rest(position)
    free = len(problem.floating)
    # Before each component: the number of ways to fill the earlier ones, by mines used.
    before = [{problem.opened_mines: 1}]
    for component in problem.components:
        before.append(_product(before[-1], component.by_mines))
    # After each component: the number of ways to complete the board, by mines used so far.
    after = {used: rest.ways(free, used) for used in before[-1]}
    weight = sum(ways * after[used] for used, ways in before[-1].items())
    if not weight:
        allowed = allowed_mines(min(before[-1]), max(before[-1]) + free)
        raise InconsistentPosition(
            f"{rest.total} mines are impossible: the numbers allow {allowed}", cause="total"
        )
    # A mine on one floating cell leaves one fewer cell and uses one more mine.
    share = sum(ways * rest.ways(free - 1, used + 1) for used, ways in before[-1].items())
    equal = replace(rest, density=None)
    solutions = sum(ways * equal.ways(free, used) for used, ways in before.pop().items())
    with_mine = dict.fromkeys(problem.floating, share)
    for component in reversed(problem.components):
        work.look()
        ahead, counts = before.pop(), component.by_mines
        others = {m: sum(ways * after[used + m] for used, ways in ahead.items()) for m in counts}
        with_mine.update(_shares(component, others, work))
        after = {used: sum(ways * after[used + m] for m, ways in counts.items()) for used in ahead}
    if solutions > 1 and _rules_out_only_mines(position):
        cells = problem.opened_mines + len(with_mine)
        solutions, only_mines = solutions - 1, rest.ways(0, cells)
        weight -= only_mines
        with_mine = {cell: ways - only_mines for cell, ways in with_mine.items()}
    return Count(solutions, weight, dict(sorted(with_mine.items())))


def _rules_out_only_mines(position: Position) -> bool:
    """Return whether all unopened cells could be mines if the game were not running."""
    if not position.running or position.mines is not None or position.density in (0, 1):
        return False
    cells, neighbours, begun = position.cells, position.topology.graph.neighbours, False
    for i, char in enumerate(cells):
        if char in NUMBERS:
            begun = True
            if sum(cells[n] not in NUMBERS for n in neighbours(i)) != char - NUMBERS[0]:
                return False
    return begun


def _product(left: dict[int, int], right: dict[int, int]) -> dict[int, int]:
    """Convolve two independent parts: count joint arrangements by number of mines."""
    counts: defaultdict[int, int] = defaultdict(int)
    for i, ways in left.items():
        for j, others in right.items():
            counts[i + j] += ways * others
    return dict(counts)


def _rest(position: Position) -> Floating:
    """Return the prior knowledge of the mines; a density of 0 or 1 determines their number."""
    opened = position.cells.count(EXPLODED.encode())
    cells = opened + len(position.unopened_cells())
    if position.density in (0, 1):
        return Floating(cells, cells if position.density else opened, None)
    density = None if position.density is None else Fraction(position.density)
    return Floating(cells, position.mines, density)


def _log(weight: int, position: Position) -> float:
    """Return the logarithm of a weight, up to a constant per board."""
    if position.density in (None, 0, 1):
        return log(weight)
    opened = position.topology.size - len(position.unopened_cells())
    opened -= position.cells.count(EXPLODED.encode())
    density = Fraction(position.density or 0)
    return log(weight) + opened * log(density.denominator - density.numerator)


def _prepare(position: Position, work: Work) -> Problem:
    """Find witnesses, boxes and components; reject a number that is impossible by itself."""
    check_position(position)
    graph, cells = position.topology.graph, position.cells.decode("ascii")
    unopened = [i for i, char in enumerate(cells) if char in (UNOPENED, FLAGGED)]
    covered = set(unopened)
    needs: dict[int, int] = {}
    for i, char in enumerate(cells):
        number = ord(char) - NUMBERS[0]
        if ord(char) not in NUMBERS:
            continue
        around = graph.neighbours(i)
        mines = sum(cells[n] == EXPLODED for n in around)
        free = sum(n in covered for n in around)
        if not 0 <= number - mines <= free:
            cell = position.topology.cell(i)
            raise InconsistentPosition(
                f"the {number} at {cell} is impossible: {mines} opened mines and {free} unopened "
                "cells touch it",
                cause="number",
                cells=(cell,),
            )
        if free:
            needs[i] = number - mines
    by_witnesses: defaultdict[frozenset[int], list[int]] = defaultdict(list)
    for i in unopened:
        by_witnesses[frozenset(n for n in graph.neighbours(i) if n in needs)].append(i)
    floating = by_witnesses.pop(frozenset(), [])
    boxes = [Box(witnesses, tuple(found)) for witnesses, found in by_witnesses.items()]
    components = [_swept(list(_order(part, work)), needs, work) for part in _parts(boxes)]
    for component in components:
        if not component.by_mines:
            numbers = tuple(position.topology.cell(i) for i in sorted(component.numbers))
            listed = ", ".join(map(str, numbers[:4])) + (" and others" if numbers[4:] else "")
            raise InconsistentPosition(
                f"the numbers at {listed} contradict each other", cells=numbers
            )
    return Problem(components, floating, cells.count(EXPLODED))


def _parts(boxes: Iterable[Box]) -> Iterator[list[Box]]:
    """Group boxes that share witnesses, directly or through others."""
    touching: defaultdict[int, list[Box]] = defaultdict(list)
    for box in boxes:
        for witness in box.witnesses:
            touching[witness].append(box)
    seen: set[Box] = set()
    for first in boxes:
        if first in seen:
            continue
        seen.add(first)
        part = [first]
        for box in part:
            for witness in box.witnesses:
                new = [other for other in touching[witness] if other not in seen]
                seen.update(new)
                part.extend(new)
        yield part


def _order(boxes: Iterable[Box], work: Work) -> Iterator[Box]:
    """Return an order that keeps few witnesses open: each step takes the box with the fewest.

    The number of states grows with the number of open witnesses, those with some but not all of
    their boxes processed.
    """
    left = dict.fromkeys(boxes)
    pending = Counter(witness for box in left for witness in box.witnesses)
    opened: set[int] = set()

    def cost(box: Box) -> tuple[bool, int, tuple[int, ...]]:
        """Return the cost (lower is better); ties go to the first box on the board."""
        new = sum(w not in opened for w in box.witnesses)
        closed = sum(pending[w] == 1 for w in box.witnesses)
        # Staying next to open witnesses keeps the sweep in one area.
        return (bool(opened) and new == len(box.witnesses), new - closed, box.cells)

    while left:
        work.look()
        box = min(left, key=cost)
        del left[box]
        pending.subtract(box.witnesses)
        opened = {w for w in opened | box.witnesses if pending[w]}
        yield box


def _swept(boxes: list[Box], needs: dict[int, int], work: Work) -> Component:
    """Sweep forwards: find the ways to reach every state before each box."""
    sweep = []
    states: dict[State, int] = {((), 0): 1}
    opened: list[int] = []
    for place, box in enumerate(boxes):
        later = frozenset().union(*(other.witnesses for other in boxes[place + 1 :]))
        known = opened + [w for w in sorted(box.witnesses) if w not in opened]
        fresh = tuple(needs[w] for w in known[len(opened) :])
        opened = [w for w in known if w in later]
        moves = {}
        for state in states:
            work.check()
            moves[state] = _moves(state, fresh, known, box, later)
        sweep.append(BoxStep(box, states, moves))
        after: defaultdict[State, int] = defaultdict(int)
        for state, ways in states.items():
            work.check()
            for mines, then in moves[state].items():
                after[then] += ways * comb(len(box.cells), mines)
        states = dict(after)
    # No witness is open after the last box, so only the mines used distinguish states.
    numbers = frozenset().union(*(box.witnesses for box in boxes))
    return Component(numbers, sweep, {used: ways for (_, used), ways in states.items()})


def _moves(
    state: State, fresh: tuple[int, ...], known: list[int], box: Box, later: frozenset[int]
) -> dict[int, State]:
    """Return the next state for each mine count in a box; closing witnesses need no more mines."""
    needs, used = (*state[0], *fresh), state[1]
    touched = [w in box.witnesses for w in known]
    room = min(need for need, touch in zip(needs, touched, strict=True) if touch)
    found = {}
    for mines in range(min(room, len(box.cells)) + 1):
        then = [need - mines * touch for need, touch in zip(needs, touched, strict=True)]
        if all(need == 0 or w in later for need, w in zip(then, known, strict=True)):
            kept = tuple(need for need, w in zip(then, known, strict=True) if w in later)
            found[mines] = (kept, used + mines)
    return found


def _shares(component: Component, others: dict[int, int], work: Work) -> Iterator[tuple[int, int]]:
    """Sweep backwards: for each cell, count the solutions of the board with a mine on it.

    ``others`` is the number of ways to fill everything else, by the mines in this component, so the
    value of each state is the number of ways to complete the whole board from there.
    """
    finish: dict[State, int] = {((), used): ways for used, ways in others.items()}
    for step in reversed(component.sweep):
        size = len(step.box.cells)
        onward: dict[State, int] = {}
        share = 0
        for state, ways in step.before.items():
            work.check()
            onward[state] = 0
            for mines, then in step.moves[state].items():
                rest = finish[then]
                onward[state] += comb(size, mines) * rest
                # One given cell holds a mine in comb(size - 1, mines - 1) of the placements.
                share += ways * (comb(size - 1, mines - 1) if mines else 0) * rest
        yield from ((cell, share) for cell in step.box.cells)
        finish = onward
