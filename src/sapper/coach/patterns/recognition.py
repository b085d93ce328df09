"""Find patterns in positions."""

from __future__ import annotations

from sapper.coach.patterns.occurrence import Found, Occurrence
from sapper.coach.patterns.planes import Planes
from sapper.coach.patterns.templates import Matcher, all_patterns
from sapper.position import Position, check_position
from sapper.topology import Rectangle

__all__ = ["find", "recognise"]


def recognise(position: Position) -> tuple[Occurrence, ...]:
    r"""Return every pattern in a position, turned in any way, in row order of their first numbers.

    Numbers count without the mines that are known: opened ones, and those that single numbers
    prove, one after another. Cells that single numbers prove safe also count as known. Flags are
    ignored.

    >>> wall = Position.parse("....\n1111\n0000")
    >>> for found in recognise(wall):
    ...     if found.pattern.proves:
    ...         print(found.title, *found.safe)
    1-1 at the wall (0, 2)
    1-1 at the wall (0, 1)

    Args:
        position: The position. Boards of other shapes than rectangles have no patterns.

    Raises:
        InconsistentPosition: If a number is impossible.
    """
    check_position(position)
    if type(position.topology) is not Rectangle:
        return ()
    planes = Planes(position)
    return tuple(Occurrence(found, planes, position) for found in find(planes))


def find(planes: Planes, matcher: Matcher | None = None) -> list[Found]:
    """Return the patterns in a position in row order of their first numbers.

    If several patterns prove the same cells by the same numbers, only the first by rank is
    included, and the first of those with known mines in the picture.
    """
    matcher = matcher or all_patterns()
    every: dict[tuple[str, bool, int, int, int], Found] = {}
    for template, bit in matcher.find(planes):
        found = Found(template, bit, matcher, planes)
        proves = template.pattern.proves
        if proves and not found.safe | found.mined:
            continue
        name = "" if proves else template.pattern.id
        key = name, "*" in template.places, found.numbers, found.safe | found.marked, found.mined
        other = every.get(key)
        if other is None or template.rank < other.template.rank:
            every[key] = found
    return sorted(every.values(), key=lambda found: (found.bit, found.template.rank))
