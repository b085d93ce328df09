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
from sapper.solver.wording import counted_numbers, in_words, listed, number_at
from sapper.topology import Cell
from sapper.translation import Text, capital, sentences, t, tn

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
            _Rule(w.cell, number_at(w.number, place(w.cell)), w.cells, w.mines, w.number - w.mines)
            for w in sorted(proof.witnesses, key=lambda w: w.cell)
        ]
        if proof.mines is not None:
            covered = frozenset(i for i, char in enumerate(position.cells) if char in COVERED)
            left = proof.mines - position.cells.count(EXPLODED.encode())
            name = t("the mine total of {mines}", mines=proof.mines)
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
        if self._mined:
            supposed, proved = (
                t("Suppose {cell} were clear.", cell=where),
                t("So {cell} is a mine.", cell=where),
            )
        else:
            supposed, proved = (
                t("Suppose {cell} were a mine.", cell=where),
                t("So {cell} is clear.", cell=where),
            )
        for fact in self._merged(facts, late):
            told = self._told(fact, assumed=id(fact) in late)
            if told.assumed and first:
                first = False
                told = replace(told, text=sentences(supposed, told.text))
            if told.contradiction:
                text = sentences(told.text, proved)
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
                text = tn(
                    "Then {number} would have {n} mine.",
                    "Then {number} would have {n} mines.",
                    mines,
                    n=in_words(mines),
                    number=rule.name,
                )
            elif left > len(cells):
                room = rule.opened + rule.mines - left + len(cells)
                text = (
                    tn(
                        "Then {number} would have room for only {n} mine.",
                        "Then {number} would have room for only {n} mines.",
                        room,
                        n=in_words(room),
                        number=rule.name,
                    )
                    if room
                    else t("Then {number} would have no room for a mine.", number=rule.name)
                )
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
                reason = (
                    tn(
                        "{number} has its mine already",
                        "{number} has its mines already",
                        mines,
                        number=rule.name,
                    )
                    if mines
                    else t("{number} leaves no mine", number=rule.name)
                )
                text = self._clear(reason, cells)
                return _Fact((rule,), cells, frozenset(), used, text)
            if left == len(cells):
                words = {"n": in_words(left), "number": rule.name}
                reason = (
                    tn(
                        "{number} needs {n} more mine and has only {n} cell left",
                        "{number} needs {n} more mines and has only {n} cells left",
                        left,
                        **words,
                    )
                    if used or rule.opened
                    else tn(
                        "{number} needs {n} mine and has only {n} cell left",
                        "{number} needs {n} mines and has only {n} cells left",
                        left,
                        **words,
                    )
                )
                text = self._mines(reason, cells)
                return _Fact((rule,), frozenset(), cells, used, text)
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
                said = t(
                    "{first} and {second} leave no mine for other cells",
                    first=first.name,
                    second=second.name,
                )
            else:
                said = _around(first, second, b_left, whole=a <= b)
            text = self._clear(said, rest)
            return _Fact((first, second), rest, frozenset(), used, text)
        most = min(a_left, len(a & b))
        if b_left - most >= len(rest):
            words = {"n": in_words(most), "first": first.name, "second": second.name}
            said = (
                tn(
                    "{second} shares at most {n} missing mine with {first}",
                    "{second} shares at most {n} missing mines with {first}",
                    most,
                    **words,
                )
                if first.opened or second.opened
                else tn(
                    "{second} shares at most {n} mine with {first}",
                    "{second} shares at most {n} mines with {first}",
                    most,
                    **words,
                )
            )
            text = self._mines(said, rest)
            return _Fact((first, second), frozenset(), rest, used, text)
        return None

    def _rest(self) -> _Fact:
        """The last step where no chain of conclusions is left: all the rules together."""
        used = frozenset(self._known)
        if len(self._rules) > _MOST_NAMED:
            text = tn(
                "Then no arrangement of mines fits this {n} number.",
                "Then no arrangement of mines fits these {n} numbers.",
                len(self._rules),
            )
        else:
            names = listed([rule.name for rule in self._rules])
            text = t("Then no arrangement of mines fits {numbers}.", numbers=names)
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
        text = t(
            "{numbers} settle cells around them one after the other: {mines} and {cells}.",
            numbers=counted_numbers(len(rules)),
            mines=tn("{n} mine", "{n} mines", len(mined), n=in_words(len(mined))),
            cells=tn("{n} clear cell", "{n} clear cells", len(safe), n=in_words(len(safe))),
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
        if len(names) <= _MOST_NAMED:
            return listed(names)
        return tn("{n} cell", "{n} cells", len(names))

    def _clear(self, reason: str, cells: frozenset[int]) -> str:
        """Put into words that these cells are clear."""
        return capital(
            tn(
                "{reason}, so {cells} is clear.",
                "{reason}, so {cells} are clear.",
                len(cells),
                reason=reason,
                cells=self._named(cells),
            )
        )

    def _mines(self, reason: str, cells: frozenset[int]) -> str:
        """Put into words that these cells are mines."""
        return capital(
            tn(
                "{reason}, so {cells} is a mine.",
                "{reason}, so {cells} are mines.",
                len(cells),
                reason=reason,
                cells=self._named(cells),
            )
        )


def _around(first: _Rule, second: _Rule, mines: int, *, whole: bool) -> Text:
    """Put into words that mines around one number are also around another.

    Args:
        first: The number that has them.
        second: The other one.
        mines: How many.
        whole: Whether all of the first number's missing mines are meant.
    """
    words = {"n": in_words(mines), "first": first.name, "second": second.name}
    if whole and first.opened:
        return tn(
            "the missing mine around {first} is also around {second}",
            "the {n} missing mines around {first} are also around {second}",
            mines,
            **words,
        )
    if whole:
        return tn(
            "the mine around {first} is also around {second}",
            "the {n} mines around {first} are also around {second}",
            mines,
            **words,
        )
    if first.opened:
        return tn(
            "at least {n} missing mine around {first} is also around {second}",
            "at least {n} missing mines around {first} are also around {second}",
            mines,
            **words,
        )
    return tn(
        "at least {n} mine around {first} is also around {second}",
        "at least {n} mines around {first} are also around {second}",
        mines,
        **words,
    )
