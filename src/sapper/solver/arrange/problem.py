"""The initial scan: cells settled by single numbers, and the remaining numbers, called islands.

Source: "Dokumentacja Minesweeper" by Mirosław Jedynak (2006), step 1: "wstępne skanowanie".
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sapper._util.work import Work
from sapper.errors import BadSetting, InconsistentPosition
from sapper.position import EXPLODED, FLAGGED, NUMBERS, UNOPENED, Position
from sapper.solver.locating import allowed_mines, located

__all__ = ["CLEAR", "MINE", "UNKNOWN", "Problem"]

CLEAR, MINE, UNKNOWN = 0, 1, 2
_VALUES = bytes(
    UNKNOWN if chr(char) in UNOPENED + FLAGGED else MINE if chr(char) == EXPLODED else CLEAR
    for char in range(256)
)
"""The meaning of each character of a position before the scan."""


class Problem:
    """The numbers of a position as islands: unknown cells, and the mines among them.

    Islands are numbered in row order; cells are given by index.

    Attributes:
        value: For each cell, `CLEAR`, `MINE` or `UNKNOWN`; opened and fixed cells are known.
        at: For each island, the cell that shows its number.
        cells: For each island, its cells, unknown before the scan.
        needs: For each island, the number of mines among its unknown cells.
        room: For each island, the number of its unknown cells.
        touching: For each cell unknown before the scan, the islands that contain it.

    Raises:
        InconsistentPosition: If a number is impossible, or the scan finds a contradiction.
        BadSetting: If a fixed cell is open or fixed both ways.
        LimitReached: If the time is up.
    """

    def __init__(
        self,
        position: Position,
        safe: Iterable[int],
        mined: Iterable[int],
        work: Work | None = None,
    ) -> None:
        self.position, self.work = position, work or Work()
        # The first use of a shape builds its graph, which takes a tenth of a second for a million
        # cells.
        self.work.look("reading the board")
        self._neighbours = position.topology.graph.neighbours
        self.value = bytearray(position.cells.translate(_VALUES))
        self._fix(set(safe), set(mined))
        self.at: list[int] = []
        self.cells: list[tuple[int, ...]] = []
        self.needs: list[int] = []
        self.touching: dict[int, list[int]] = {}
        self._read()
        self.room = [len(cells) for cells in self.cells]
        self._scan()

    def _fix(self, safe: set[int], mined: set[int]) -> None:
        for cells, value in ((safe, CLEAR), (mined, MINE)):
            for cell in cells:
                where = self.position.topology.cell(cell)
                if self.position.cells[cell] not in b".F":
                    raise BadSetting(f"cell {where} is opened and cannot be fixed")
                if self.value[cell] != UNKNOWN:
                    raise BadSetting(f"cell {where} cannot be both safe and mined")
                self.value[cell] = value

    def _read(self) -> None:
        neighbours, value = self._neighbours, self.value
        for cell, char in enumerate(self.position.cells):
            if char not in NUMBERS:
                continue
            self.work.check("reading the board")
            around = neighbours(cell)
            unknown = tuple([near for near in around if value[near] == UNKNOWN])
            known = sum([value[near] == MINE for near in around])
            needs = char - ord("0") - known
            if not 0 <= needs <= len(unknown):
                raise self._impossible(cell, known, len(unknown))
            for near in unknown:
                self.touching.setdefault(near, []).append(len(self.at))
            if unknown:
                self.at.append(cell)
                self.cells.append(unknown)
                self.needs.append(needs)

    def _impossible(self, cell: int, mines: int, unknown: int) -> InconsistentPosition:
        number = self.position.number(self.position.topology.cell(cell))
        return located(
            InconsistentPosition(
                f"the {number} is impossible: {mines} opened mines and {unknown} unopened cells "
                "touch it",
                "number",
                (cell,),  # type: ignore[arg-type]  # an index until it is located
            ),
            self.position.topology,
        )

    def _scan(self) -> None:
        """Settle every number with only one combination left, and propagate the consequences."""
        needs, room, value = self.needs, self.room, self.value
        todo = [i for i, need in enumerate(needs) if need in (0, room[i])]
        while todo:
            self.work.check("the initial scan")
            island = todo.pop()
            settled = MINE if needs[island] else CLEAR
            for cell in self.cells[island]:
                if value[cell] != UNKNOWN:
                    continue
                value[cell] = settled
                for other in self.touching[cell]:
                    room[other] -= 1
                    needs[other] -= settled
                    if not 0 <= needs[other] <= room[other]:
                        raise self.contradiction(other)
                    if room[other] and needs[other] in (0, room[other]):
                        todo.append(other)

    def contradiction(self, island: int) -> InconsistentPosition:
        """Return the error for contradictory numbers connected to this one."""
        found, todo = {island}, [island]
        while todo:
            for cell in self.cells[todo.pop()]:
                new = [other for other in self.touching[cell] if other not in found]
                found.update(new)
                todo.extend(new)
        numbers = sorted(self.at[other] for other in found)
        return located(
            InconsistentPosition(
                f"{len(numbers)} numbers contradict each other",
                "component",
                tuple(numbers),  # type: ignore[arg-type]  # indices until they are located
            ),
            self.position.topology,
        )

    def unsettled(self) -> list[int]:
        """Return the islands left by the scan, in row order."""
        return [island for island, room in enumerate(self.room) if room]

    def unknown(self, island: int) -> list[int]:
        """Return the unknown cells of an island."""
        return [cell for cell in self.cells[island] if self.value[cell] == UNKNOWN]

    def floating(self) -> list[int]:
        """Return the unknown cells that touch no number."""
        self.work.look("collecting the floating cells")
        touching = self.touching
        unknown = np.flatnonzero(np.frombuffer(self.value, dtype=np.uint8) == UNKNOWN).tolist()
        return [cell for cell in unknown if cell not in touching]

    def left(self) -> int | None:
        """Return the number of mines that the unknown cells must hold; None without a total."""
        total = self.position.mines
        return None if total is None else total - self.value.count(MINE)

    def wrong_total(self, least: int, most: int) -> InconsistentPosition:
        """Return the error for a total outside the given bounds."""
        known = self.value.count(MINE)
        total = self.position.mines
        between = allowed_mines(least + known, most + known)
        but = f", but not {total}" if total and least <= total - known <= most else ""
        return InconsistentPosition(
            f"{total} mines are impossible: the numbers allow {between}{but}", "total"
        )

    def check_total(self) -> None:
        """Check the total against a quick bound from disjoint islands.

        Raises:
            InconsistentPosition: If the total is impossible; a total that passes may still be
            wrong.
        """
        left = self.left()
        if left is None:
            return
        used: set[int] = set()
        least = clear = 0
        for island in self.unsettled():
            self.work.check("checking the mine total")
            cells = self.unknown(island)
            if used.isdisjoint(cells):
                used.update(cells)
                least += self.needs[island]
                clear += len(cells) - self.needs[island]
        most = self.value.count(UNKNOWN) - clear
        known = self.value.count(MINE)
        if left < least:
            need = f"need at least {least + known}"
        elif left > most:
            need = f"allow at most {most + known}"
        else:
            return
        raise InconsistentPosition(
            f"{self.position.mines} mines are impossible: the numbers {need}", "total"
        )
