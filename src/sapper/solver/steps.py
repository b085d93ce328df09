"""A proof step by step: the numbers used, and the cells they settle.

Steps use one number, then two, then consequences of the opposite assumption, until a number is
impossible. If that is not enough, a last step says that no arrangement fits the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from sapper._util.arguments import check_callable, expect, switch
from sapper._util.json_reading import cells, reading, text
from sapper.position import Position, check_position
from sapper.solver.conclusions import Conclusions, Fact
from sapper.solver.deduction import Deduction
from sapper.solver.step_wording import MOST_NAMED, settle_one_by_one
from sapper.topology import Cell
from sapper.translation import sentences, t

__all__ = ["ProofStep", "proof_steps"]


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One step of a proof.

    Attributes:
        numbers: The cells of the numbers used, in row order.
        total: Whether it also uses the mine total.
        safe: Cells concluded to be clear, in row order.
        mined: Cells concluded to hold mines.
        assumed: Whether this follows only from assuming the opposite.
        contradiction: Whether the step is a contradiction.
        text: The step in words.
        running: Whether it also uses that the game is not over.
    """

    numbers: tuple[Cell, ...]
    total: bool
    safe: tuple[Cell, ...]
    mined: tuple[Cell, ...]
    assumed: bool
    contradiction: bool
    text: str
    running: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``; ``running`` only if true."""
        return {
            "numbers": [list(cell) for cell in self.numbers],
            "total": self.total,
            **({"running": True} if self.running else {}),
            "safe": [list(cell) for cell in self.safe],
            "mined": [list(cell) for cell in self.mined],
            "assumed": self.assumed,
            "contradiction": self.contradiction,
            "text": self.text,
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        """Read the JSON form of a step in a position.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        check_position(position)
        shape = position.topology
        with reading("a step of a proof"):
            return cls(
                cells(obj["numbers"], shape),
                switch(obj["total"], "'total'"),
                cells(obj["safe"], shape),
                cells(obj["mined"], shape),
                switch(obj["assumed"], "'assumed'"),
                switch(obj["contradiction"], "'contradiction'"),
                text(obj["text"], "'text'"),
                switch(obj.get("running", False), "'running'"),
            )


def proof_steps(
    position: Position, proof: Deduction, *, place: Callable[[Cell], str] = str
) -> tuple[ProofStep, ...]:
    r"""Return a proof in steps; the last one settles the cell.

    >>> from sapper.solver import deduce
    >>> position = Position.parse("...\n111\n000")
    >>> for step in proof_steps(position, deduce(position, (0, 2))):
    ...     print(step.text)
    The mine around the 1 at (1, 0) is also around the 1 at (1, 1), so (0, 2) is clear.

    A proof uses an assumption only if necessary: some steps are then `assumed`, and the last one is
    the `contradiction`.

    Args:
        position: The position.
        proof: The proof.
        place: Formats a cell (default: ``(row, column)``, counted from 0).
    """
    check_position(position)
    expect(proof, Deduction, "a Deduction")
    check_callable(place, "place")
    return tuple(_Walk(position, proof, place).steps())


class _Walk:
    def __init__(self, position: Position, proof: Deduction, place: Callable[[Cell], str]) -> None:
        self._shape, self._place = position.topology, place
        self._goal, self._mined = self._shape.index(proof.cell), proof.mined
        self._conclusions = Conclusions(position, proof, place)

    def steps(self) -> Iterator[ProofStep]:
        follow = self._conclusions.follow
        direct = follow(lambda: self._goal in self._conclusions.known)
        if self._goal in self._conclusions.known:
            facts = self._merged(self._needed(direct), {id(direct[-1])})
            yield from (self._told(fact, assumed=False) for fact in facts)
            return
        self._conclusions.known = {}
        kept = follow(lambda: False)
        self._conclusions.known[self._goal] = not self._mined
        assumed = follow(lambda: False, contradictions=True)
        if not assumed or not assumed[-1].contradiction:
            assumed.append(self._conclusions.rest())
        late = set(map(id, assumed))
        facts = self._merged(self._needed([*kept, *assumed]), late)
        yield from self._refuted(facts, late)

    def _refuted(self, facts: Sequence[Fact], late: set[int]) -> Iterator[ProofStep]:
        """Return the steps that follow from the opposite assumption, and the conclusion."""
        where = self._place(self._shape.cell(self._goal))
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
        first = True
        for fact in facts:
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

    def _needed(self, facts: Sequence[Fact]) -> list[Fact]:
        """Drop the facts on which the last one does not depend."""
        wanted = set(facts[-1].used) if facts[-1].contradiction else {self._goal}
        kept: list[Fact] = []
        for fact in reversed(facts):
            if fact.contradiction or fact.settled & wanted:
                kept.append(fact)
                wanted |= fact.used
        return kept[::-1]

    def _merged(self, facts: list[Fact], late: set[int]) -> list[Fact]:
        """Merge the simple steps at the start of a proof about the whole board into one step."""
        plain = [fact for fact in facts if id(fact) not in late]
        whole = self._conclusions.running or self._conclusions.rules[-1].cell is None
        if len(plain) <= MOST_NAMED or not whole:
            return facts
        rules = tuple(dict.fromkeys(rule for fact in plain for rule in fact.rules))
        safe = frozenset().union(*(fact.safe for fact in plain))
        mined = frozenset().union(*(fact.mined for fact in plain))
        text = settle_one_by_one(len(rules), len(mined), len(safe))
        joined = Fact(rules, safe, mined, frozenset(), text)
        return [joined, *(fact for fact in facts if id(fact) in late)]

    def _told(self, fact: Fact, *, assumed: bool) -> ProofStep:
        cell = self._shape.cell
        return ProofStep(
            numbers=tuple(sorted(rule.cell for rule in fact.rules if rule.cell is not None)),
            total=any(rule.cell is None for rule in fact.rules),
            safe=tuple(map(cell, sorted(fact.safe))),
            mined=tuple(map(cell, sorted(fact.mined))),
            assumed=assumed,
            contradiction=fact.contradiction,
            text=fact.text,
            running=fact.running,
        )
