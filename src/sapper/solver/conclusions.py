"""Conclusions from numbers and the mine total, one at a time: the steps of a proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

from sapper.position import EXPLODED, Position
from sapper.solver import step_wording as wording
from sapper.solver.deduction import Deduction
from sapper.solver.witnesses import COVERED
from sapper.solver.wording import number_at
from sapper.topology import Cell
from sapper.translation import t

__all__ = ["Conclusions", "Fact", "Rule"]

_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """A number, or the mine total, as a constraint on unopened cells.

    Attributes:
        cell: The number's cell, or None for the mine total.
        name: Its name in text.
        cells: The unopened cells it constrains.
        mines: The number of mines among them.
        opened: The number of opened mines around the number.
    """

    cell: Cell | None
    name: str
    cells: frozenset[int]
    mines: int
    opened: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """The result of a step.

    Attributes:
        rules: The rules used by the step.
        safe: Cells concluded to be clear.
        mined: Cells concluded to be mines.
        used: The settled cells on which it depends.
        text: The step in words.
        contradiction: Whether it is a contradiction.
        running: Whether it uses that the game is not over.
    """

    rules: tuple[Rule, ...]
    safe: frozenset[int]
    mined: frozenset[int]
    used: frozenset[int]
    text: str
    contradiction: bool = False
    running: bool = False

    @property
    def settled(self) -> frozenset[int]:
        """The cells settled."""
        return self.safe | self.mined


class Conclusions:
    """The rules of a proof, and the cells settled so far.

    Attributes:
        rules: The numbers in row order, and the mine total last.
        known: Whether each settled cell is a mine.
        running: Whether the proof uses that the game is not over.
    """

    def __init__(self, position: Position, proof: Deduction, place: Callable[[Cell], str]) -> None:
        self._shape, self._place = position.topology, place
        self.rules = [
            Rule(w.cell, number_at(w.number, place(w.cell)), w.cells, w.mines, w.number - w.mines)
            for w in sorted(proof.witnesses, key=lambda w: w.cell)
        ]
        covered = frozenset(i for i, char in enumerate(position.cells) if char in COVERED)
        self.running, self._covered = proof.running, covered
        if proof.mines is not None:
            left = proof.mines - position.cells.count(EXPLODED.encode())
            name = t("the mine total of {mines}", mines=proof.mines)
            self.rules.append(Rule(None, name, covered, left))
        self.known: dict[int, bool] = {}

    def follow(self, done: Callable[[], bool], *, contradictions: bool = False) -> list[Fact]:
        """Draw conclusions, the easiest first, until there are no more.

        Args:
            done: Returns whether to stop.
            contradictions: Whether to check for violated rules, and stop at the first.
        """
        facts: list[Fact] = []
        while not done():
            fact = (self._broken() if contradictions else None) or self._single() or self._pair()
            fact = fact or self._last_clear()
            if fact is None:
                break
            facts.append(fact)
            if fact.contradiction:
                break
            self.known |= dict.fromkeys(fact.safe, False) | dict.fromkeys(fact.mined, True)
        return facts

    def rest(self) -> Fact:
        """Return the last step if no chain of conclusions is left: all rules together."""
        text = wording.nothing_fits([rule.name for rule in self.rules])
        used = frozenset(self.known)
        return Fact(tuple(self.rules), _NONE, _NONE, used, text, contradiction=True)

    def _open(self, rule: Rule) -> tuple[frozenset[int], int, frozenset[int]]:
        """Return the unsettled cells of a rule, its missing mines, and its settled cells."""
        settled = frozenset(cell for cell in rule.cells if cell in self.known)
        return rule.cells - settled, rule.mines - sum(self.known[c] for c in settled), settled

    def _broken(self) -> Fact | None:
        for rule in self.rules:
            cells, left, used = self._open(rule)
            mines = rule.opened + rule.mines - left
            if left < 0:
                text = wording.too_many(rule.name, mines)
            elif left > len(cells):
                text = wording.too_little_room(rule.name, mines + len(cells))
            else:
                continue
            return Fact((rule,), _NONE, _NONE, used, text, contradiction=True)
        return None

    def _single(self) -> Fact | None:
        for rule in self.rules:
            cells, left, used = self._open(rule)
            if not cells:
                continue
            if left == 0:
                reason = wording.has_its_mines(rule.name, rule.opened + rule.mines)
                return self._clear((rule,), cells, used, reason)
            if left == len(cells):
                more = bool(used or rule.opened)
                reason = wording.needs_all(rule.name, left, more=more)
                return self._mines((rule,), cells, used, reason)
        return None

    def _pair(self) -> Fact | None:
        """Return the cells settled by two rules together but not by either alone."""
        for first, second in permutations(self.rules, 2):
            fact = self._shared(first, second)
            if fact is not None:
                return fact
        return None

    def _shared(self, first: Rule, second: Rule) -> Fact | None:
        """Return the cells of the second rule settled by the cells it shares with the first."""
        a, a_left, a_used = self._open(first)
        b, b_left, b_used = self._open(second)
        rest, used, both = b - a, a_used | b_used, (first, second)
        if not rest or not a & b:
            return None
        if a_left - len(a - b) >= b_left:
            if first.cell is None or second.cell is None:
                reason = wording.leave_no_mine(first.name, second.name)
            else:
                missing = bool(first.opened)
                reason = wording.around(
                    first.name, second.name, b_left, whole=a <= b, missing=missing
                )
            return self._clear(both, rest, used, reason)
        most = min(a_left, len(a & b))
        if b_left - most >= len(rest):
            missing = bool(first.opened or second.opened)
            reason = wording.shares_at_most(first.name, second.name, most, missing=missing)
            return self._mines(both, rest, used, reason)
        return None

    def _last_clear(self) -> Fact | None:
        """Return that the last unsettled cell is clear, because the game is not over."""
        left = self._covered.difference(self.known)
        if not self.running or len(left) != 1 or not all(self.known.values()):
            return None
        others = self._covered - left
        reason = wording.goes_on(alone=not others)
        text = wording.so_clear(reason, self._names(left))
        return Fact((), left, _NONE, others, text, running=True)

    def _clear(
        self, rules: tuple[Rule, ...], cells: frozenset[int], used: frozenset[int], reason: str
    ) -> Fact:
        text = wording.so_clear(reason, self._names(cells))
        return Fact(rules, cells, _NONE, used, text)

    def _mines(
        self, rules: tuple[Rule, ...], cells: frozenset[int], used: frozenset[int], reason: str
    ) -> Fact:
        text = wording.so_mined(reason, self._names(cells))
        return Fact(rules, _NONE, cells, used, text)

    def _names(self, cells: frozenset[int]) -> list[str]:
        return [self._place(self._shape.cell(index)) for index in sorted(cells)]
