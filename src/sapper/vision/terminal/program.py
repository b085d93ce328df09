"""A text-mode program's looks and keys: a TOML file."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from sapper.errors import BadSetting
from sapper.vision.looks import LOOKS

__all__ = ["COLOUR", "Keys", "TextProgram", "load_program", "programs"]

COLOUR = "colour"
"""In place of the cursor's characters: it is shown by a colour."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a program, as the characters that a terminal sends.

    Attributes:
        left: Moves the cursor by a cell, as do the next three.
        right: To the next column.
        up: To the row above.
        down: To the row below.
        open: Opens the cell under the cursor.
        flag: Sets or removes a flag.
        new: Begins a new game, also after the end of one; empty where that ends the program,
            which is then started again.
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
    """A text-mode program: how it looks, and how it is played.

    Attributes:
        name: Its name: that of its command, and of its file here.
        looks: For each character that a cell can show, one of `sapper.vision.LOOKS`.
        keys: Its controls.
        cursor: The two characters that stand left and right of the cell under the cursor;
            ``colour`` where the cell has another background or is shown in reverse; empty where
            the terminal's own cursor marks it.
        frame: The characters that the lines around the board consist of; empty without any.
            Any other there means that not all of the board can be seen.
        total: A regular expression for the mine total; its group is the total.
        won: A regular expression for what the program says when it takes a game for won.
        lost: The same for a lost game.
        free_start: Whether the initial cell of the cursor is always safe.
        won_by_flags: Whether a game is won by a flag on every mine, not by opening.
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
        """The characters that may stand left and right of a cell."""
        return "" if self.cursor == COLOUR else self.cursor

    def __post_init__(self) -> None:
        """Reject an invalid description.

        Raises:
            BadSetting: If a look is unknown, a pattern cannot be read, or the cursor is no pair.
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
    """Return the names of the built-in programs."""
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


def load_program(name: str) -> TextProgram:
    """Load a built-in program, or a TOML file by its path.

    Raises:
        BadSetting: If there is no such program, or its file describes none.
    """
    path = Path(name) if name.endswith(".toml") else _folder() / f"{name}.toml"
    if not path.is_file():
        raise BadSetting(
            f"unknown text-mode program {name!r:.80}; choose from: "
            f"{', '.join(programs())}, or describe it in a TOML file"
        )
    try:
        said: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        return TextProgram(name=path.stem, keys=Keys(**said.pop("keys")), **said)
    except KeyError as problem:
        raise BadSetting(
            f"{str(path)!r} is not a valid text-mode program: it has no {problem}"
        ) from None
    except (TypeError, ValueError, AttributeError, OSError) as problem:
        raise BadSetting(f"{str(path)!r} is not a valid text-mode program: {problem}") from None


def _folder() -> Path:
    return Path(str(resources.files("sapper.vision.terminal") / "programs"))
