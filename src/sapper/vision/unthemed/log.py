"""A log of training games: clicks, looks and pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from sapper.errors import SapperError
from sapper.topology import Cell
from sapper.vision.errors import Cause
from sapper.vision.geometry import Image
from sapper.vision.images import save
from sapper.vision.unthemed.gallery import Looks

__all__ = ["LearningLog"]


class LearningLog:
    """Writes ``learning.jsonl`` line by line, and pictures to the folder ``learning`` next to it.

    The line for a click has the cell, the number of each cell's look afterwards, and the picture of
    the board. The line for the end of a game has the result and the names of looks known by then.

    Args:
        folder: The directory; None disables the log.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._game, self._click, self._began = 0, 0, monotonic()
        self._drawn = 0

    @property
    def keeps(self) -> bool:
        """Whether logging is on."""
        return self._folder is not None

    def begin(self, looks: Looks, columns: int, picture: Image | None) -> None:
        """Record the board before the first click of a game."""
        self._game, self._click, self._began = self._game + 1, 0, monotonic()
        self._board("begin", looks, columns, picture)

    def click(self, cell: Cell, looks: Looks, columns: int, picture: Image | None) -> None:
        """Record a left click and the stable board after it."""
        self._click += 1
        self._board("click", looks, columns, picture, cell=[cell.row, cell.col])

    def end(self, result: str, names: Mapping[int, str], pictures: Sequence[Image]) -> None:
        """Record the end of a game, the names of looks, and pictures of new ones."""
        files = []
        if len(pictures) < self._drawn:
            # All looks have been learned again from larger cells.
            self._drawn = 0
        for number in range(self._drawn, len(pictures) if self.keeps else 0):
            files.append(self._picture(f"look-{number:03}", pictures[number]))
        self._drawn = max(self._drawn, len(pictures))
        meanings = {str(look): name for look, name in sorted(names.items())}
        self._write("end", result=result, names=meanings, new_looks=files)

    def stop(self, problem: SapperError) -> None:
        """Record the reason why learning was abandoned."""
        cause = getattr(problem, "cause", Cause.OTHER)
        self._write("end", result="stopped", reason=str(problem), cause=cause)

    def _board(
        self, event: str, looks: Looks, columns: int, picture: Image | None, **facts: Any
    ) -> None:
        name = f"game-{self._game:03}-{self._click:03}"
        file = None if picture is None or not self.keeps else self._picture(name, picture)
        rows = looks.reshape(-1, columns).tolist()
        self._write(event, click=self._click, **facts, looks=rows, picture=file)

    def _picture(self, name: str, image: Image) -> str:
        assert self._folder is not None
        path = self._folder / "learning" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        save(image, path)
        return f"learning/{path.name}"

    def _write(self, event: str, **facts: Any) -> None:
        if self._folder is None:
            return
        at = round(monotonic() - self._began, 4)
        line = {"game": self._game, "event": event, "at_s": at, **facts}
        with (self._folder / "learning.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
