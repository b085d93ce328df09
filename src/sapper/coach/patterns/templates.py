"""The pictures of patterns in all symmetries, as requirements on cells relative to a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock
from typing import Final, NamedTuple

from sapper.coach.patterns.definitions import NUMBERS, UNOPENED, Elsewhere, Form, Pattern
from sapper.coach.patterns.planes import MARGIN, Planes
from sapper.coach.patterns.reading import patterns
from sapper.coach.patterns.symmetry import SYMMETRIES, turned, turned_place

__all__ = ["Matcher", "Template", "all_patterns"]

Place = tuple[int, int]
Need = tuple[str, int, int]
"""The kind of a cell, and its rows and columns from the first number."""

_KINDS: Final = {"#": "#", "*": "*", "o": "o", UNOPENED: "."}
"""The characters of cells that a picture requires, apart from numbers, and their kind."""

_TURNED: Final = tuple(
    (turned_place((1, 0), 1, 1, symmetry), turned_place((0, 1), 1, 1, symmetry))
    for symmetry in SYMMETRIES
)
"""The images of a step down and of a step to the right under each symmetry."""

_MOST_WIDTHS: Final = 8
"""The number of board widths for which the cells of templates are remembered."""


class Masks(NamedTuple):
    """Sets of cells of a template.

    The bits are `MARGIN` rows and columns after those of a template whose first number is at bit 0.
    """

    numbers: int
    safe: int
    mined: int
    marked: int
    unopened: int


@dataclass(frozen=True)
class Template:
    """A picture of a pattern after a symmetry.

    Locations are rows and columns relative to its first number. There are thousands of templates,
    so all attributes except `needs` are computed only for those that are found.

    Attributes:
        pattern: The pattern.
        form: The index of the picture.
        symmetry: The symmetry.
        needs: What it requires.
    """

    pattern: Pattern
    form: int
    symmetry: int
    needs: tuple[Need, ...]

    @property
    def picture(self) -> Form:
        """The picture as written."""
        return self.pattern.forms[self.form]

    @cached_property
    def raw(self) -> str:
        """The numbers as written."""
        rows = self.picture.rows
        return "-".join(rows[row][col] for row, col in self.picture.at(NUMBERS))

    @cached_property
    def numbers(self) -> tuple[Place, ...]:
        """The locations of its numbers, in the order of the picture as written."""
        rows = self.picture.rows
        size = len(rows), len(rows[0])
        places = [turned_place(at, *size, self.symmetry) for at in self.picture.at(NUMBERS)]
        first_row, first_col = min(places)
        return tuple((row - first_row, col - first_col) for row, col in places)

    @cached_property
    def places(self) -> dict[str, tuple[Place, ...]]:
        """The locations of all characters except ``?``."""
        rows = turned(self.picture.rows, self.symmetry)
        picture = Form(rows)
        first_row, first_col = picture.at(NUMBERS)[0]
        return {
            char: tuple((row - first_row, col - first_col) for row, col in picture.at(char))
            for char in set("".join(rows)) - {"?"}
        }

    @cached_property
    def rank(self) -> tuple[int, ...]:
        """The order in which patterns explain a cell.

        Known mines in the picture come last, then easy patterns, more numbers, walls, and more
        requirements first.
        """
        return (
            "*" in self.places,
            self.pattern.level,
            -len(self.numbers),
            -len(self.places.get("#", ())),
            -len(self.needs),
            self.pattern.order,
            self.form,
            self.symmetry,
        )

    def masks(self, stride: int) -> Masks:
        """Return its cells for a board with this distance of two rows."""
        return Masks(*(self._mask(chars, stride) for chars in (NUMBERS, "s+", "m", "SMg", "s.m")))

    def _mask(self, characters: str, stride: int) -> int:
        low = MARGIN * (stride + 1)
        return sum(
            1 << low + row * stride + col
            for char in characters
            for row, col in self.places.get(char, ())
        )


def _templates(pattern: Pattern, forms: Iterable[int]) -> Iterator[Template]:
    """Return the different templates of some pictures of a pattern."""
    seen = set()
    for number in forms:
        form = pattern.forms[number]
        required = _required(form)
        for symmetry in SYMMETRIES:
            rows = turned(form.rows, symmetry)
            if rows not in seen:
                seen.add(rows)
                yield Template(pattern, number, symmetry, _needs(required, symmetry))


def _required(form: Form) -> list[tuple[int, str, Place]]:
    """Return the cells that a picture requires: their order, kind and location."""
    numbers = [(0, str(form.left(*place)), place) for place in form.at(NUMBERS)]
    others = [
        (order, kind, place)
        for order, (chars, kind) in enumerate(_KINDS.items(), 1)
        for place in form.at(chars)
    ]
    return numbers + others


def _needs(required: list[tuple[int, str, Place]], symmetry: int) -> tuple[Need, ...]:
    (down, across), (right_down, right_across) = _TURNED[symmetry]
    cells = sorted(
        [
            (order, down * row + right_down * col, across * row + right_across * col, kind)
            for order, kind, (row, col) in required
        ]
    )
    _, first_row, first_col, _ = cells[0]
    return tuple([(kind, row - first_row, col - first_col) for _, row, col, kind in cells])


class _Node:
    """A node of a tree of requirements: the templates with the same first requirements."""

    __slots__ = ("children", "templates")

    def __init__(self) -> None:
        self.children: dict[int, _Node] = {}
        self.templates: list[Template] = []

    def child(self, at: int) -> _Node:
        """Return the node for one more requirement."""
        child = self.children.get(at)
        if child is None:
            child = self.children[at] = _Node()
        return child


class _Group(NamedTuple):
    """The numbers that pictures require, less the known mines.

    Pictures of end games also require a number of mines that are not known.
    """

    remaining: int | None
    numbers: frozenset[int]


class Matcher:
    """Finds the templates of patterns in positions. Thread-safe.

    Templates with the same first requirements share their checks. Each group of pictures has a tree
    of its own, which is made for the first position with its numbers.
    """

    def __init__(self, found: Iterable[Pattern]) -> None:
        self._pictures: dict[_Group, list[tuple[Pattern, list[int]]]] = {}
        for pattern in found:
            forms: dict[_Group, list[int]] = {}
            for number, form in enumerate(pattern.forms):
                group = _Group(form.remaining, frozenset(form.left(*at) for at in form.at(NUMBERS)))
                forms.setdefault(group, []).append(number)
            for group, numbers in forms.items():
                self._pictures.setdefault(group, []).append((pattern, numbers))
        self._roots: dict[_Group, _Node] = {}
        self._making = Lock()
        self._index: dict[Need, int] = {}
        self._needs: tuple[Need, ...] = ()
        self._masks: dict[int, dict[int, Masks]] = {}

    def _root(self, group: _Group) -> _Node:
        root = self._roots.get(group)
        if root is None:
            # Otherwise, several threads of a server would make it at the same time.
            with self._making:
                root = self._roots.get(group) or self._tree(group)
        return root

    def _tree(self, group: _Group) -> _Node:
        root = _Node()
        for pattern, forms in self._pictures[group]:
            for template in _templates(pattern, forms):
                node = root
                for need in template.needs:
                    node = node.child(self._index.setdefault(need, len(self._index)))
                node.templates.append(template)
        self._needs = tuple(self._index)
        self._roots[group] = root
        return root

    def find(self, planes: Planes) -> list[tuple[Template, int]]:
        """Return the templates that fit, each with the bit of its first number."""
        kinds, every = self._kinds(planes), planes.frame.board
        present = {number for number in range(1, 9) if kinds[str(number)]}
        stack = [
            (self._root(group), every)
            for group in self._pictures
            if group.remaining in (None, planes.remaining) and group.numbers <= present
        ]
        stride, needs = planes.frame.stride, self._needs
        moved: list[int | None] = [None] * len(needs)
        found: list[tuple[Template, int]] = []
        while stack:
            node, fitting = stack.pop()
            for at, child in node.children.items():
                plane = moved[at]
                if plane is None:
                    kind, row, col = needs[at]
                    shift = row * stride + col
                    plane = kinds[kind]
                    plane = plane >> shift if shift >= 0 else plane << -shift
                    moved[at] = plane
                both = fitting & plane
                if both:
                    stack.append((child, both))
            for template in node.templates:
                if _cells_fit(template.picture, planes):
                    found += [(template, bit) for bit in _bits(fitting)]
        return found

    def masks(self, template: Template, stride: int) -> Masks:
        """Return the cells of a template, and remember them."""
        known = self._masks.get(stride)
        if known is None:
            if len(self._masks) >= _MOST_WIDTHS:
                self._masks = {}
            known = self._masks[stride] = {}
        found = known.get(id(template))
        if found is None:
            found = known[id(template)] = template.masks(stride)
        return found

    @staticmethod
    def _kinds(planes: Planes) -> dict[str, int]:
        frame = planes.frame
        return {
            **{str(number): planes.needs(number) for number in range(1, 9)},
            ".": planes.unknown,
            "o": frame.every & ~planes.unknown,
            "#": frame.every & ~frame.board,
            "*": planes.mines,
        }


def _cells_fit(form: Form, planes: Planes) -> bool:
    """Return whether the unopened cells outside the picture of an end game fit."""
    if form.remaining is None or form.elsewhere is not Elsewhere.NONE:
        return True
    return planes.unknown.bit_count() == len(form.at(UNOPENED))


def _bits(plane: int) -> Iterator[int]:
    while plane:
        low = plane & -plane
        yield low.bit_length() - 1
        plane ^= low


_reading: Final = Lock()


def all_patterns() -> Matcher:
    """Return the matcher of all patterns that come with Sapper."""
    # The patterns are read once, although several threads of a server may need them.
    with _reading:
        return _all_patterns()


@cache
def _all_patterns() -> Matcher:
    return Matcher(patterns().values())
