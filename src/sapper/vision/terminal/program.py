"""A text-mode program's looks and keys, in a TOML file."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.vision.looks import LOOKS

__all__ = ["COLOUR", "Keys", "TextProgram", "load_program", "programs"]

COLOUR = "colour"
"""Value of `cursor` for a cursor that is displayed as a colour."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of a program, as the characters that a terminal sends.

    Attributes:
        left: Moves the cursor one cell to the left.
        right: Moves the cursor one cell to the right.
        up: Moves it up.
        down: Moves it down.
        open: Opens the cell under the cursor.
        flag: Sets or removes a flag.
        new: Starts a new game, during or after a game; empty if the program must be restarted for a
            new game.
    """

    left: str
    right: str
    up: str
    down: str
    open: str
    flag: str
    new: str


@dataclass(frozen=True)
class TextProgram:
    """The looks and controls of a text-mode program.

    Attributes:
        name: Name of the program: its command, and its file in this package.
        looks: Maps each character of a cell to one of `sapper.vision.LOOKS`.
        keys: The controls.
        cursor: The two characters to the left and right of the cell under the cursor; ``colour`` if
            that cell has a different background or is shown in reverse; empty if the terminal's
            cursor marks it.
        frame: Characters of the frame around the board; empty if there is none. Any other character
            in its place means that the board is not completely visible.
        total: Regular expression for the mine total, which is its group.
        won: Regular expression for the program's message after a win.
        lost: Regular expression for its message after a loss.
        free_start: Whether the cursor's initial cell is always safe.
        won_by_flags: Whether a game is won by flagging every mine instead of by opening cells.
        deals_each_second: Whether games started within the same second are identical.
    """

    name: str
    looks: dict[str, str]
    keys: Keys
    cursor: str = ""
    frame: str = ""
    total: str | None = None
    won: str | None = None
    lost: str | None = None
    free_start: bool = False
    won_by_flags: bool = False
    deals_each_second: bool = False

    @property
    def marks(self) -> str:
        """Characters that may appear to the left and right of a cell."""
        return "" if self.cursor == COLOUR else self.cursor

    def __post_init__(self) -> None:
        """Reject an invalid description.

        Raises:
            BadSetting: If a look is unknown, a pattern is invalid, or the cursor is not a pair.
        """
        wrong = [f"{c!r} = {look!r}" for c, look in self.looks.items() if look not in set(LOOKS)]
        if wrong or any(len(c) != 1 for c in self.looks):
            raise BadSetting(
                f"looks of {self.name!r} must map a character to one of {LOOKS}, got {wrong}"
            )
        if len(self.cursor) not in (0, 2) and self.cursor != COLOUR:
            raise BadSetting(
                f"the cursor of {self.name!r} must be two characters or {COLOUR!r}, "
                f"got {self.cursor!r}"
            )
        for pattern in (self.total, self.won, self.lost):
            try:
                re.compile(pattern or "")
            except re.error as problem:
                raise BadSetting(f"invalid regular expression {pattern!r}: {problem}") from None


def programs() -> tuple[str, ...]:
    """Return the built-in programs' names."""
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


def load_program(name: str) -> TextProgram:
    """Load a built-in program, or a TOML file by its path.

    Raises:
        BadSetting: If there is no such program, or its file is invalid.
    """
    path = Path(name) if name.endswith(".toml") else _folder() / f"{name}.toml"
    if not path.is_file():
        raise BadSetting(
            f"unknown text-mode program {shown(name)}; choose from: "
            f"{', '.join(programs())}, or describe it in a TOML file"
        )
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        return TextProgram(name=path.stem, keys=Keys(**table.pop("keys")), **table)
    except KeyError as problem:
        raise BadSetting(
            f"{str(path)!r} is not a valid text-mode program: it has no {problem}"
        ) from None
    except (TypeError, ValueError, AttributeError, OSError) as problem:
        raise BadSetting(f"{str(path)!r} is not a valid text-mode program: {problem}") from None


def _folder() -> Path:
    return Path(str(resources.files("sapper.vision.terminal") / "programs"))
