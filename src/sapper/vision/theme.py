"""Themes: the looks and controls of a program, in a TOML file with pictures."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from sapper._util.shortening import shown
from sapper._util.whole_file import written_whole
from sapper.errors import BadSetting
from sapper.vision.geometry import Image
from sapper.vision.images import load, save
from sapper.vision.looks import LOOKS
from sapper.vision.new_game import parse_way
from sapper.vision.total_display import TotalDisplay, load_total, save_total

__all__ = ["Habits", "Sheet", "Theme", "load_theme", "save_theme", "themes"]

TOLERANCE, INSET = 12.0, 0.12
_LONGEST_MESSAGE = 60.0


@dataclass(frozen=True, eq=False)
class Sheet:
    """The looks of cells of one size.

    Attributes:
        looks: One character of `LOOKS` per picture; a look with variants occurs several times.
        cells: The pictures, of shape (cells, pitch, pitch, 3).
    """

    looks: str
    cells: Image = field(repr=False)

    @property
    def pitch(self) -> int:
        """Size of the cells, in pixels."""
        return int(self.cells.shape[1])


@dataclass(frozen=True)
class Habits:
    """Controls of a program that differ from those of most programs.

    Attributes:
        new: Ways to start a new game, tried in order. Each is a key, such as ``F2`` or
            ``Control_L+n``; ``face``, the button above the middle of the board; ``corner``, the
            button above its top left; ``click X Y``, in pixels of the window, negative from the
            right and bottom; or, on a web page, ``click "TEXT"`` or ``reload``. Steps are joined by
            `` then ``.
        dismiss: Keys that close a dialog, such as ``Escape``, tried in order.
        flags_win: Whether a game is won only once all mines are flagged.
        message: Seconds (0 to 60) for which messages, such as one about a win, cover the board.
    """

    new: tuple[str, ...] = ("F2", "Control_L+n", "n", "face")
    dismiss: tuple[str, ...] = ("Escape",)
    flags_win: bool = False
    message: float = 0.0


@dataclass(frozen=True, eq=False)
class Theme:
    """The looks and controls of one program.

    Attributes:
        name: Name of the theme and of its files.
        sheets: The looks of its cells at one or more sizes.
        windows: Part of the class or title, used to recognize its windows.
        tolerance: Maximum root mean square difference between a cell and its picture, in levels
            from 0 to 255.
        inset: Share of a cell to ignore at each side, because outlines also change with the
            adjacent cell.
        habits: Its controls.
        total: The program's display of the mine total, if known.
    """

    name: str
    sheets: tuple[Sheet, ...]
    windows: tuple[str, ...] = ()
    tolerance: float = TOLERANCE
    inset: float = INSET
    habits: Habits = Habits()
    total: TotalDisplay | None = None


def themes() -> tuple[str, ...]:
    """Return the names of the built-in themes."""
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


def load_theme(name: str) -> Theme:
    """Load a built-in theme by name, or a TOML file by its path.

    Raises:
        BadSetting: If the theme does not exist or its file is invalid.
    """
    path = Path(name) if name.endswith(".toml") else _folder() / f"{name}.toml"
    if not path.is_file():
        raise BadSetting(
            f"unknown theme {shown(name)}; choose from: {', '.join(themes())}, "
            "or the path of a TOML file"
        )
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        return Theme(
            path.stem,
            tuple(_sheets(table["sheets"], path.parent)),
            tuple(table.get("windows", ())),
            float(table.get("tolerance", TOLERANCE)),
            float(table.get("inset", INSET)),
            _habits(table.get("play", {})),
            load_total(table["total"], path.parent) if "total" in table else None,
        )
    except KeyError as problem:
        raise BadSetting(f"{str(path)!r} is not a valid theme: it has no {problem}") from None
    except (TypeError, ValueError, AttributeError, OSError, re.error) as problem:
        raise BadSetting(f"{str(path)!r} is not a valid theme: {problem}") from None


def save_theme(theme: Theme, folder: Path) -> Path:
    """Write a theme's pictures and TOML file; return the path of the TOML file."""
    path = folder / f"{theme.name}.toml"
    content = {"windows": list(theme.windows), "tolerance": theme.tolerance, "inset": theme.inset}
    lines = [f"{key} = {json.dumps(value)}" for key, value in content.items()]
    habits = {k: v for k, v in vars(theme.habits).items() if v != getattr(Habits, k)}
    if habits:
        lines += ["", "[play]", *(f"{key} = {json.dumps(value)}" for key, value in habits.items())]
    lines += ["", "[sheets]"]
    for sheet in theme.sheets:
        file = f"{theme.name}-{sheet.pitch}.png"
        save(np.concatenate(list(sheet.cells), axis=1), folder / file)
        lines.append(f'"{file}" = "{sheet.looks}"')
    if theme.total is not None:
        table = save_total(theme.total, folder / f"{theme.name}-total.png")
        lines += ["", "[total]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    with written_whole(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _folder() -> Path:
    return Path(str(resources.files("sapper.vision") / "themes"))


def _sheets(files: dict[str, str], folder: Path) -> Iterator[Sheet]:
    for file, looks in files.items():
        strip = load(folder / file)
        pitch, width = strip.shape[:2]
        if width != pitch * len(looks) or not looks or set(looks) - set(LOOKS):
            raise ValueError(f"{file!r} must be {len(looks)} square cells wide, one for {looks!r}")
        yield Sheet(looks, strip.reshape(pitch, len(looks), pitch, 3).swapaxes(0, 1))


def _habits(table: dict[str, Any]) -> Habits:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
    }
    for way in values.get("new", ()):
        parse_way(way)
    habits = Habits(**values)
    if not 0 <= habits.message <= _LONGEST_MESSAGE:
        raise ValueError(
            f"message must be from 0 to {_LONGEST_MESSAGE:.0f} seconds, got {shown(habits.message)}"
        )
    return habits
