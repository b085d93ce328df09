"""The numbers of a contradiction have no solution; with any one of them removed, they have one."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import HealthCheck, assume, given

from sapper import _core
from sapper.errors import InconsistentPosition
from sapper.game import Game
from sapper.position import Position
from sapper.solver import Limit, analyze, conflict
from sapper.solver.conflicts import Conflict
from sapper.topology import Cell
from support.examples import examples
from support.oracle import arrangements
from support.strategies import positions

MANY = examples(400, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def check(position: Position, found: Conflict) -> None:
    """Check by brute force that a contradiction is minimal."""
    assert found.minimal
    named, total = set(found.cells), found.mines is not None
    assert found.mines in (None, position.mines)
    assert not arrangements(position, total=total, numbers=named)
    for one in named:
        assert arrangements(position, total=total, numbers=named - {one})
    if total and named:
        assert arrangements(position, total=False, numbers=named)


@MANY
@given(position=positions(lies=1))
def test_conflicts_are_contradictory_and_minimal(position: Position) -> None:
    """Impossible positions of any kind have a contradiction, with or without a total."""
    impossible = not arrangements(position)
    found = conflict(position)
    assert (found is not None) == impossible
    assume(found is not None)
    assert found is not None
    check(position, found)


def test_conflicts_of_expert_games_are_minimal_for_the_exact_engine() -> None:
    """A number or the total is changed in the middle of a game."""
    rng = random.Random(5)
    sizes = []
    for seed in range(24):
        game = Game("expert", first_click="opening", seed=seed)
        game.open((8, 8))
        for _ in range(rng.randrange(40)):
            safe = analyze(game.position).safe
            if not safe:
                break
            game.open(min(safe))
        seen = game.position
        cells, mines = bytearray(seen.cells), seen.mines
        if seed % 3:
            at = rng.choice([i for i, char in enumerate(cells) if chr(char) in "12345"])
            cells[at] += rng.choice([-1, 1, 2])
        else:
            mines = rng.choice([10, 15, 20])
        position = Position(seen.topology, bytes(cells), mines)
        found = conflict(position)
        assert (found is None) == _possible(position)
        if found is None:
            continue
        assert found.minimal
        sizes.append(len(found.cells))
        total = found.mines is not None
        assert not _possible(position, set(found.cells), total=total)
        for one in found.cells:
            assert _possible(position, set(found.cells) - {one}, total=total)
        if total:
            assert _possible(position, set(found.cells), total=False)
    assert len(sizes) > 15
    assert max(sizes) > 4


def _possible(position: Position, numbers: set[Cell] | None = None, *, total: bool = True) -> bool:
    """Whether the exact engine finds an arrangement for these numbers."""
    shape = position.topology
    hidden = [shape.index(cell) for cell in position.unopened_cells()]
    index = {cell: at for at, cell in enumerate(hidden)}
    rows: list[list[int]] = [[] for _ in hidden]
    text = b"." * len(hidden)
    for cell in shape.cells():
        number = position.number(cell)
        if number is None or (numbers is not None and cell not in numbers):
            continue
        near = [shape.index(other) for other in shape.neighbours(cell)]
        around = sorted(index[other] for other in near if other in index)
        for other in around:
            rows[other].append(len(rows))
        rows.append(around)
        text += b"%d" % number
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.uint32)
    graph = _core.Graph(offsets, np.array([c for row in rows for c in row], dtype=np.uint32))
    try:
        _core.analyze(graph, text, position.mines if total else None, running=False)
    except InconsistentPosition:
        return False
    return True


def test_limited_search_gives_an_answer() -> None:
    """When time runs out, the engine's set is returned, marked as possibly not minimal."""
    position = Position.parse("...\n1.3\n...\n111", mines=1)
    found = conflict(position, limit=Limit(seconds=0.0))
    assert found is not None
    if not found.minimal:
        assert found.sentence.endswith("A subset may be enough.")
