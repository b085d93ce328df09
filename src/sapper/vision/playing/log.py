"""A log of games as JSON Lines: positions, choices with reasons, and results."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic, time
from typing import Any

from sapper.errors import BotFailed, SapperError
from sapper.position import Position
from sapper.solver.bots import Choice
from sapper.vision.errors import Cause
from sapper.vision.geometry import Image
from sapper.vision.images import save

__all__ = ["Log"]


class Log:
    """Writes ``games.jsonl`` in a directory line by line, so that nothing is lost in a crash.

    Args:
        folder: The directory; None disables the log.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._game, self._began = 0, monotonic()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def begin(self, **facts: Any) -> None:
        """Log the start of a game."""
        self._game += 1
        self._began = monotonic()
        self._write("begin", time=time(), **facts)

    def move(self, position: Position, choice: Choice) -> None:
        """Log a position and the bot's choice."""
        actions = [[str(a.kind), *(a.cell or ())] for a in choice.actions]
        self._write(
            "move",
            rows=position.rows,
            actions=actions,
            by=choice.by,
            risk=choice.risk,
            guess=choice.guess,
        )

    def end(self, result: str, position: Position | None, **facts: Any) -> None:
        """Log the end of a game: ``won``, ``lost`` or ``stopped``."""
        rows = None if position is None else position.rows
        self._write("end", result=result, rows=rows, **facts)

    def stop(self, problem: SapperError, position: Position | None) -> None:
        """Log that a game was stopped, with the reason."""
        cause = getattr(problem, "cause", Cause.BOT if isinstance(problem, BotFailed) else None)
        self.end("stopped", position, reason=str(problem), cause=cause or Cause.OTHER)

    def picture(self, image: Image, name: str) -> Path | None:
        """Save a picture of an unreadable cell; return its path."""
        if self.folder is None:
            return None
        path = self.folder / f"{name}.png"
        save(image, path)
        return path

    def _write(self, event: str, **facts: Any) -> None:
        if self.folder is None:
            return
        at = round(monotonic() - self._began, 4)
        line = {"game": self._game, "event": event, "at_s": at, **facts}
        with (self.folder / "games.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
