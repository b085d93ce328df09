"""Measure the deductions and the speed of bots on the same positions.

Positions come from games under rules where no guess loses. The player opens one cell at a time: a
random one proved safe by repeated single-number logic; otherwise any cell proved safe; otherwise
one beside a number that may be safe. *Play*: every eighth position, drawn at random. *Stuck*: every
position where single-number logic proves no safe cell. Each position goes to a new bot, except in
the rows *remembering*, where one bot gets all positions of the games in order.

- *Claims*: the cells a bot calls safe or mined, how many of them the exact engine refutes, and
positions *missed*, where the bot guesses although a safe cell is proved. - *Questions*:
kaboom-sat's solver queries, with and without skipping those answered by a known arrangement. -
*Composites*: components of at least 11 cells after the cells settled by single numbers are removed;
the placements that Fair Mines would try for one, split and unsplit, and our steps.

``python benchmarks/bots.py [-n 2000] [--json]``, where ``-n`` is the number of positions of each
level and kind. Game *i* has seed *i*, and so has its player.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice, repeat
from typing import Any, NamedTuple

import numpy as np

from report import arguments, emit
from sapper import Analysis, Cell, Game, Level, Position, Solver
from sapper.actions import ActionKind
from sapper.solver.bots import Choice, as_choice, begin, make_bot
from sapper.solver.bots._composite import Composite, split
from sapper.solver.bots._enumeration import Budget, BudgetSpent, enumerated
from sapper.solver.bots.constraints import Constraint, constraints
from sapper.solver.bots.fair_evaluate import BUDGET, SMALL, components, saturate
from sapper.solver.bots.kaboom_sat import KaboomSat

LEVELS = ("16x16:40", "30x16:99", "30x16:130")
BOTS: Mapping[str, tuple[str, Mapping[str, bool]]] = {
    "groups": ("groups", {}),
    "groups, reduction alone": ("groups", {"probability": False, "last_turns": False}),
    "autosweeper": ("autosweeper", {}),
    "autosweeper, sound": ("autosweeper", {"sound": True}),
    "fair-evaluate": ("fair-evaluate", {}),
    "kaboom-sat": ("kaboom-sat", {}),
}
EIGHTH = 1 / 8
MOST_WHOLE = 40
"""Components of more cells would take long to count in one piece."""


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 2000)
    emit(rows(options.n), options.json)


def rows(n: int) -> Iterator[dict[str, Any]]:
    """Yield each row as it is measured."""
    for level in LEVELS:
        for kind in ("play", "stuck"):
            met = [(moment.position, moment.known) for moment in sampled(level, kind, n)]
            head = {"level": level, "kind": kind}
            for bot in BOTS:
                yield {**head, **claims(level, bot, met)}
            yield {**head, **questions(position for position, _ in met)}
            yield {**head, **composites(position for position, _ in met)}
        moments = islice(chain.from_iterable(map(game, repeat(level), count())), n)
        through = (moment.position for moment in moments)
        few, every = KaboomSat(), KaboomSat(witnesses=False)
        yield {"level": level, "kind": "remembering", **questions(through, few, every)}


class Moment(NamedTuple):
    """A position, its proofs, and the safe cells that single numbers show."""

    position: Position
    known: Analysis
    shown: list[int]


def game(level: str, seed: int) -> Iterator[Moment]:
    """Yield a game, position by position."""
    rng, solver = random.Random(seed), Solver()
    played = Game(level, "kind", first_click="safe", seed=seed, undo=False)
    played.open((0, 0))
    while not played.over:
        position = played.position
        known = solver.analyze(position)
        safe: set[int] = set()
        saturate(constraints(position, set()), set(), safe)
        shown = sorted(safe)
        yield Moment(position, known, shown)
        clear = [cell for cell in position.unopened_cells() if cell not in known.mined]
        beside = [cell for cell in clear if touches(position, cell)]
        cells = [position.topology.cell(index) for index in shown]
        played.open(rng.choice(cells or sorted(known.safe) or beside or clear))


def sampled(level: str, kind: str, n: int) -> Iterator[Moment]:
    """Return `n` positions of a kind."""
    rng = random.Random(level)
    moments = chain.from_iterable(map(game, repeat(level), count()))
    if kind == "stuck":
        kept = (moment for moment in moments if not moment.shown)
    else:
        kept = (moment for moment in moments if rng.random() < EIGHTH)
    return islice(kept, n)


def touches(position: Position, cell: Cell) -> bool:
    """Return whether a number touches a cell."""
    return any(position.number(near) is not None for near in position.topology.neighbours(cell))


def claims(level: str, bot: str, met: Sequence[tuple[Position, Analysis]]) -> dict[str, Any]:
    """Count the cells a bot deduces, its errors, and its needless guesses."""
    name, options = BOTS[bot]
    player, seen = make_bot(name, **options), Counter[str]()
    for number, (position, known) in enumerate(met):
        begin(player, Level.of(level), number)
        choice = as_choice(player.choose(position))
        safe, mined = claimed(choice)
        seen["held safe"] += len(safe)
        seen["wrongly safe"] += len(safe - known.safe)
        seen["held mined"] += len(mined)
        seen["wrongly mined"] += len(mined - known.mined)
        seen["with a safe cell"] += bool(known.safe)
        seen["missed"] += choice.guess and bool(known.safe)
    return {"claims of": bot, "positions": len(met), **seen}


def claimed(choice: Choice) -> tuple[set[Cell], set[Cell]]:
    """Return the cells that a choice treats as safe and those that it treats as mines."""
    opened = {action.cell for action in choice.actions if action.kind is ActionKind.OPEN}
    flagged = {action.cell for action in choice.actions if action.kind is ActionKind.FLAG}
    return set() if choice.guess else opened, flagged - opened


def questions(
    met: Iterable[Position], few: KaboomSat | None = None, every: KaboomSat | None = None
) -> dict[str, Any]:
    """Count kaboom-sat's queries for each position that needs any.

    Pass in bots if they should remember earlier positions.
    """
    pairs = []
    for position in met:
        skipping, asking = few or KaboomSat(), every or KaboomSat(witnesses=False)
        skipping.marks(position)
        asking.marks(position)
        if asking.statistics.variables:
            pairs.append((skipping.statistics, asking.statistics))
    asked = [few.asked for few, _ in pairs]
    saved = [every.asked / few.asked for few, every in pairs]
    return {
        "questions": len(pairs),
        "cells": float(np.mean([few.variables for few, _ in pairs])),
        "asked": float(np.mean(asked)),
        "asked without skipping": float(np.mean([every.asked for _, every in pairs])),
        "times fewer, median": float(np.median(saved)),
        "5 %": float(np.quantile(saved, 0.05)),
        "95 %": float(np.quantile(saved, 0.95)),
        "with a totalizer": sum(few.auxiliary > 0 for few, _ in pairs),
        "most clauses": max(few.clauses for few, _ in pairs),
    }


def composites(met: Iterable[Position]) -> dict[str, Any]:
    """Measure how much work splitting saves on components from games."""
    seen, saved, in_parts, ours = Counter[str](), [], [], []
    for position in met:
        for part in components(saturate(constraints(position, set()), set(), set())):
            size = len(cells(part))
            if size < SMALL:
                continue
            seen["composites"] += 1
            parts = split(part)
            if parts is None:
                seen["given up"] += 1
                continue
            composite, budget = Composite(part, parts), Budget(BUDGET)
            try:
                composite.tally(budget)
            except BudgetSpent:
                seen["unfinished"] += 1
            ours.append(BUDGET - budget.left)
            in_parts.append(composite.enumerated())
            if size <= MOST_WHOLE:
                saved.append(enumerated(part) / in_parts[-1])
    return {
        "composites": seen["composites"],
        "whole": seen["given up"],
        "unfinished": seen["unfinished"],
        "placements in parts, median": float(np.median(in_parts or [0])),
        "times fewer than in one piece, median": float(np.median(saved or [0])),
        "90 %": float(np.quantile(saved or [0], 0.9)),
        "our steps, median": float(np.median(ours or [0])),
        "most": max(ours, default=0),
    }


def cells(component: Sequence[Constraint]) -> frozenset[int]:
    """Return all cells of a component."""
    return frozenset[int]().union(*(around for around, _ in component))


if __name__ == "__main__":
    main()
