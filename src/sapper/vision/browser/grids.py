"""Find grids of elements in rows and columns in the layout of a page."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from playwright.sync_api import Page

from sapper.vision.geometry import LARGEST_PITCH, LEAST, SLENDER, SMALLEST_PITCH, Geometry

__all__ = ["Element", "find_grids", "read_grids"]

_Item = TypeVar("_Item")
_OFF = 1.0
"""Tolerance in CSS pixels for a cell's position and size, because browsers round the columns of
some tables."""
_MAX_DISTANCE = 1.5
"""Largest distance between neighbouring cells, relative to their width and height."""

# The result is text, because long lists of numbers are slow to transfer.
_SCRIPT = """
([least, most]) => {
  const found = [];
  const visit = (root, depth) => {
    for (const element of root.children) {
      if (found.length > 20000) return;
      if (element.shadowRoot) visit(element.shadowRoot, depth + 1);
      visit(element, depth + 1);
      const box = element.getBoundingClientRect();
      if (Math.min(box.width, box.height) < least || Math.max(box.width, box.height) > most)
        continue;
      if (element.checkVisibility?.({opacityProperty: true, visibilityProperty: true}) === false)
        continue;
      found.push([`${depth} ${element.tagName}`, box.x + scrollX, box.y + scrollY,
        box.width, box.height]);
    }
  };
  visit(document, 0);
  return JSON.stringify(found);
}
"""


class Element(NamedTuple):
    """An element of a page, in CSS pixels of the document.

    Attributes:
        kind: Depth and tag, which all cells of a board share.
        x: Left edge.
        y: Top edge.
        width: Width.
        height: Height.
    """

    kind: str
    x: float
    y: float
    width: float
    height: float


def read_grids(page: Page, ratio: float) -> list[Geometry]:
    """Return the grids of elements on the page, in pixels of its picture.

    Open shadow roots are also searched.

    Args:
        page: The page.
        ratio: Device pixels per CSS pixel.
    """
    boxes = json.loads(page.evaluate(_SCRIPT, [SMALLEST_PITCH / 2, LARGEST_PITCH]))
    return find_grids((Element(*one) for one in boxes), ratio)


def find_grids(elements: Iterable[Element], ratio: float = 1.0) -> list[Geometry]:
    """Return all complete grids of at least 4x4 elements of the same kind and size.

    Args:
        elements: The elements of a page that may be cells.
        ratio: Device pixels per CSS pixel.
    """
    kinds = defaultdict[str, list[Element]](list)
    for element in elements:
        kinds[element.kind].append(element)
    grids = list[Geometry]()
    for alike in kinds.values():
        for cells in _same_size(alike):
            for rows in _blocks(cells):
                at = _grid(rows, ratio)
                # A cell's content is often as large as the cell itself.
                if at is not None and not any(_is_same(at, other, ratio) for other in grids):
                    grids.append(at)
    return grids


def _same_size(elements: list[Element]) -> Iterator[list[Element]]:
    """Yield the elements of each common size."""
    while len(elements) >= LEAST * LEAST:
        sizes = Counter((round(e.width), round(e.height)) for e in elements)
        (width, height), _ = sizes.most_common(1)[0]
        near, rest = list[Element](), list[Element]()
        for e in elements:
            fits = max(abs(e.width - width), abs(e.height - height)) <= _OFF
            (near if fits else rest).append(e)
        if len(near) >= LEAST * LEAST:
            yield near
        elements = rest


def _blocks(cells: list[Element]) -> Iterator[list[list[Element]]]:
    """Yield the rows of each block of adjacent cells."""
    # The two sides of a flipping card are in the same place.
    cells = list({(round(e.x), round(e.y)): e for e in cells}.values())
    columns = defaultdict[tuple[int, int], list[list[Element]]](list)
    lines = _split(sorted(cells, key=lambda e: e.y), lambda a, b: b.y - a.y <= _OFF)
    for line in lines:
        line.sort(key=lambda e: e.x)
        for row in _split(line, lambda a, b: b.x - a.x <= _MAX_DISTANCE * a.width):
            if len(row) >= LEAST:
                columns[round(row[0].x), len(row)].append(row)
    for rows in columns.values():
        for block in _split(rows, lambda a, b: b[0].y - a[0].y <= _MAX_DISTANCE * a[0].height):
            if len(block) >= LEAST and _stands_alone(block, cells):
                yield block


def _stands_alone(block: Sequence[Sequence[Element]], cells: Iterable[Element]) -> bool:
    """Return whether a block has no other cells near it, because a board has no holes."""
    first, last = block[0][0], block[-1][-1]
    across, down = _MAX_DISTANCE * first.width, _MAX_DISTANCE * first.height
    near = sum(
        first.x - across <= e.x <= last.x + across and first.y - down <= e.y <= last.y + down
        for e in cells
    )
    return near == len(block) * len(block[0])


def _split(items: Iterable[_Item], together: Callable[[_Item, _Item], bool]) -> list[list[_Item]]:
    """Split a sequence wherever adjacent items do not belong together."""
    parts = list[list[_Item]]()
    for item in items:
        if parts and together(parts[-1][-1], item):
            parts[-1].append(item)
        else:
            parts.append([item])
    return parts


def _grid(rows: Sequence[Sequence[Element]], ratio: float) -> Geometry | None:
    """Return the grid formed by rows of cells; None if they are not evenly spaced."""
    first, last = rows[0][0], rows[-1][-1]
    across = (last.x - first.x) / (len(rows[0]) - 1)
    down = (last.y - first.y) / (len(rows) - 1)
    if max(across, down) > SLENDER * min(across, down):
        return None
    for i, row in enumerate(rows):
        for k, e in enumerate(row):
            off = e.x - first.x - k * across, e.y - first.y - i * down
            if max(map(abs, off)) > _OFF:
                return None
    # Split each gap in half between the cells on either side.
    x = first.x + (first.width - across) / 2
    y = first.y + (first.height - down) / 2
    return Geometry(
        x * ratio,
        y * ratio,
        across * ratio,
        len(rows),
        len(rows[0]),
        None if down == across else down * ratio,
    )


def _is_same(one: Geometry, other: Geometry, ratio: float) -> bool:
    near = max(abs(one.x - other.x), abs(one.y - other.y)) <= 2 * _OFF * ratio
    return near and one.has_cells_of(other)
