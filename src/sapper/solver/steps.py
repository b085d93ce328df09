"""A proof walked through step by step: the numbers looked at, and what they settle.

First what one number settles, then two, then what follows from the opposite of what is proved,
until a number cannot be. What is left when even that stops is one last step, that no arrangement
fits the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Final

from sapper.position import EXPLODED, Position
from sapper.solver.deduction import Deduction
from sapper.solver.witnesses import COVERED
from sapper.solver.wording import capital, counted, listed
from sapper.topology import Cell

__all__ = ["ProofStep", "proof_steps"]

_MOST_NAMED: Final = 6
"""More cells than this are counted, not named."""


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One step of a proof.

    Attributes:
        numbers: The cells of the numbers that the step looks at, in row order.
        total: Whether it looks at the mine total as well.
        safe: Cells concluded to be clear, in row order.
        mined: Cells concluded to hold mines.
        assumed: Whether this follows only from assuming the opposite of what is proved.
        contradiction: Whether the step shows that this cannot be.
        text: The step in words.
    """

    numbers: tuple[Cell, ...]
    total: bool
    safe: tuple[Cell, ...]
    mined: tuple[Cell, ...]
    assumed: bool
    contradiction: bool
    text: str

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        return {
            "numbers": [list(cell) for cell in self.numbers],
            "total": self.total,
            "safe": [list(cell) for cell in self.safe],
            "mined": [list(cell) for cell in self.mined],
            "assumed": self.assumed,
            "contradiction": self.contradiction,
            "text": self.text,
        }


def proof_steps(
    position: Position, proof: Deduction, place: Callable[[Cell], str] = str
) -> tuple[ProofStep, ...]:
    r"""Return a proof in steps; the last one settles the cell.

    >>> from sapper.solver import deduce
    >>> position = Position.parse("...\n111\n000")
    >>> for step in proof_steps(position, deduce(position, (0, 2))):
    ...     print(step.text)
    The mine around the 1 at (1, 0) is also around the 1 at (1, 1), so (0, 2) is clear.

    A proof takes an assumption only where it has to: then some steps are `assumed`, and the last
    one is the `contradiction`.

    Args:
        position: The position that it is about.
        proof: The proof.
        place: Names a cell; ``(row, column)`` from 0 by default.
    """
    return tuple(_Walk(position, proof, place).steps())


@dataclass(frozen=True, slots=True)
class _Rule:
    """A number, or the mine total, as a constraint on unopened cells."""

    cell: Cell | None
    name: str
    cells: frozenset[int]
    mines: int
    opened: int = 0
    """Opened mines around the number."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """What a step settles, and which settled cells it used."""

    rules: tuple[_Rule, ...]
    safe: frozenset[int]
    mined: frozenset[int]
    used: frozenset[int]
    text: str
    contradiction: bool = False

    @property
    def settled(self) -> frozenset[int]:
        return self.safe | self.mined


class _Walk:
    def __init__(self, position: Position, proof: Deduction, place: Callable[[Cell], str]) -> None:
        self._shape, self._place = position.topology, place
        self._goal, self._mined = self._shape.index(proof.cell), proof.mined
        self._rules = [
            _Rule(
                w.cell, f"the {w.number} at {place(w.cell)}", w.cells, w.mines, w.number - w.mines
            )
            for w in sorted(proof.witnesses, key=lambda w: w.cell)
        ]
        if proof.mines is not None:
            covered = frozenset(i for i, char in enumerate(position.cells) if char in COVERED)
            left = proof.mines - position.cells.count(EXPLODED.encode())
            name = f"the mine total of {proof.mines}"
            self._rules.append(_Rule(None, name, covered, left))
        self._known: dict[int, bool] = {}

    def steps(self) -> Iterator[ProofStep]:
        direct = self._follow(lambda: self._goal in self._known)
        if self._goal in self._known:
            facts = self._merged(self._needed(direct), {id(direct[-1])})
            yield from (self._told(fact, assumed=False) for fact in facts)
            return
        self._known = {}
        kept = self._follow(lambda: False)
        self._known[self._goal] = not self._mined
        where = self._place(self._shape.cell(self._goal))
        assumed = self._follow(lambda: False, contradictions=True)
        if not assumed or not assumed[-1].contradiction:
            assumed.append(self._rest())
        facts = self._needed([*kept, *assumed])
        late = set(map(id, assumed))
        first = True
        opposite, proved = ("clear", "a mine") if self._mined else ("a mine", "clear")
        for fact in self._merged(facts, late):
            told = self._told(fact, assumed=id(fact) in late)
            if told.assumed and first:
                first = False
                told = replace(told, text=f"Suppose {where} were {opposite}. {told.text}")
            if told.contradiction:
                text = f"{told.text} So {where} is {proved}."
                goal = (self._shape.cell(self._goal),)
                if self._mined:
                    told = replace(told, text=text, mined=goal)
                else:
                    told = replace(told, text=text, safe=goal)
            yield told

    def _follow(self, done: Callable[[], bool], *, contradictions: bool = False) -> list[_Fact]:
        """Draw conclusions until there are none, the easiest first."""
        facts: list[_Fact] = []
        while not done():
            fact = (self._broken() if contradictions else None) or self._single() or self._pair()
            if fact is None:
                break
            facts.append(fact)
            if fact.contradiction:
                break
            self._known |= dict.fromkeys(fact.safe, False) | dict.fromkeys(fact.mined, True)
        return facts

    def _open(self, rule: _Rule) -> tuple[frozenset[int], int, frozenset[int]]:
        """The unsettled cells of a rule, the mines missing, and its settled cells."""
        settled = frozenset(cell for cell in rule.cells if cell in self._known)
        return rule.cells - settled, rule.mines - sum(self._known[c] for c in settled), settled

    def _broken(self) -> _Fact | None:
        for rule in self._rules:
            cells, left, used = self._open(rule)
            if left < 0:
                mines = rule.opened + rule.mines - left
                text = f"Then {rule.name} would have {counted(mines, 'mine')}."
            elif left > len(cells):
                room = rule.opened + rule.mines - left + len(cells)
                only = f"room for only {counted(room, 'mine')}" if room else "no room for a mine"
                text = f"Then {rule.name} would have {only}."
            else:
                continue
            return _Fact((rule,), frozenset(), frozenset(), used, text, contradiction=True)
        return None

    def _single(self) -> _Fact | None:
        for rule in self._rules:
            cells, left, used = self._open(rule)
            if not cells:
                continue
            if left == 0:
                mines = rule.opened + rule.mines
                has = f"has {_its(mines)} already" if mines else "leaves no mine"
                text = f"{rule.name} {has}, so {self._are(cells)} clear."
                return _Fact((rule,), cells, frozenset(), used, capital(text))
            if left == len(cells):
                noun = "more mine" if used or rule.opened else "mine"
                text = (
                    f"{rule.name} needs {counted(left, noun)} and has only "
                    f"{counted(len(cells), 'cell')} left, so {self._are(cells)} "
                    f"{'a mine' if len(cells) == 1 else 'mines'}."
                )
                return _Fact((rule,), frozenset(), cells, used, capital(text))
        return None

    def _pair(self) -> _Fact | None:
        """What two rules settle that neither settles alone."""
        for first, second in permutations(self._rules, 2):
            fact = self._shared(first, second)
            if fact is not None:
                return fact
        return None

    def _shared(self, first: _Rule, second: _Rule) -> _Fact | None:
        """What the cells that two rules share settle about the other cells of the second."""
        a, a_left, a_used = self._open(first)
        b, b_left, b_used = self._open(second)
        rest, used = b - a, a_used | b_used
        if not rest or not a & b:
            return None
        if a_left - len(a - b) >= b_left:
            if first.cell is None or second.cell is None:
                said = f"{first.name} and {second.name} leave no mine for other cells"
            else:
                noun = "missing mine" if first.opened else "mine"
                mines = counted(b_left, noun)
                whole = noun if b_left == 1 else mines
                lying = f"the {whole}" if a <= b else f"at least {mines}"
                said = f"{lying} around {first.name} {_is(b_left)} also around {second.name}"
            text = capital(f"{said}, so {self._are(rest)} clear.")
            return _Fact((first, second), rest, frozenset(), used, text)
        most = min(a_left, len(a & b))
        if b_left - most >= len(rest):
            noun = "missing mine" if first.opened or second.opened else "mine"
            text = capital(
                f"{second.name} shares at most {counted(most, noun)} with {first.name}, "
                f"so {self._are(rest)} {'a mine' if len(rest) == 1 else 'mines'}."
            )
            return _Fact((first, second), frozenset(), rest, used, text)
        return None

    def _rest(self) -> _Fact:
        """The last step where no chain of conclusions is left: all the rules together."""
        used = frozenset(self._known)
        names = listed([rule.name for rule in self._rules[:_MOST_NAMED]])
        if len(self._rules) > _MOST_NAMED:
            names = f"these {len(self._rules)} numbers"
        text = f"Then no arrangement of mines fits {names}."
        return _Fact(tuple(self._rules), frozenset(), frozenset(), used, text, contradiction=True)

    def _needed(self, facts: Sequence[_Fact]) -> list[_Fact]:
        """Drop the facts that the last one does not follow from."""
        wanted = set(facts[-1].used) if facts[-1].contradiction else {self._goal}
        kept: list[_Fact] = []
        for fact in reversed(facts):
            if fact.contradiction or fact.settled & wanted:
                kept.append(fact)
                wanted |= fact.used
        return kept[::-1]

    def _merged(self, facts: list[_Fact], late: set[int]) -> list[_Fact]:
        """Join the many plain steps that a proof by the mine total begins with into one."""
        plain = [fact for fact in facts if id(fact) not in late]
        if len(plain) <= _MOST_NAMED or self._rules[-1].cell is not None:
            return facts
        rules = tuple(dict.fromkeys(rule for fact in plain for rule in fact.rules))
        safe = frozenset().union(*(fact.safe for fact in plain))
        mined = frozenset().union(*(fact.mined for fact in plain))
        text = (
            f"{counted(len(rules), 'number')} settle cells around them one after the other: "
            f"{counted(len(mined), 'mine')} and {counted(len(safe), 'clear cell')}."
        )
        joined = _Fact(rules, safe, mined, frozenset(), capital(text))
        return [joined, *(fact for fact in facts if id(fact) in late)]

    def _told(self, fact: _Fact, *, assumed: bool) -> ProofStep:
        cell = self._shape.cell
        return ProofStep(
            numbers=tuple(sorted(rule.cell for rule in fact.rules if rule.cell is not None)),
            total=any(rule.cell is None for rule in fact.rules),
            safe=tuple(map(cell, sorted(fact.safe))),
            mined=tuple(map(cell, sorted(fact.mined))),
            assumed=assumed,
            contradiction=fact.contradiction,
            text=fact.text,
        )

    def _named(self, cells: Iterable[int]) -> str:
        names = [self._place(self._shape.cell(index)) for index in sorted(cells)]
        return listed(names) if len(names) <= _MOST_NAMED else f"{len(names)} cells"

    def _are(self, cells: frozenset[int]) -> str:
        return f"{self._named(cells)} {_is(len(cells))}"


def _its(mines: int) -> str:
    return "its mine" if mines == 1 else "its mines"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
