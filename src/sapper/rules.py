"""Settings of a game: its level, the promise of its first click, and how it is won."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, Self

from sapper._grid import check_mines, shown
from sapper._util.arguments import number, quoted
from sapper.errors import BadLevel, BadSetting
from sapper.position import Position
from sapper.topology import Topology, topology
from sapper.translation import Text

__all__ = [
    "BEGINNER",
    "EXPERT",
    "INTERMEDIATE",
    "LEVELS",
    "Chord",
    "FirstClick",
    "Level",
    "Option",
    "OptionValue",
    "Rules",
    "Settings",
    "Win",
    "level_name",
]

_LEVEL = re.compile(
    r"(?P<width>[0-9]{1,9})x(?P<height>[0-9]{1,9})"
    r"(:(?P<mines>[0-9]{1,9}|\?)|@(?P<density>[0-9]*\.?[0-9]+(e-[0-9]{1,3})?))"
)
_INITIALS = {"xp"}


class FirstClick(StrEnum):
    """What the first click promises."""

    ANY = "any"
    """Nothing: it may be a mine."""
    SAFE = "safe"
    """The first cell is not a mine."""
    OPENING = "opening"
    """The first cell is a zero, so that it opens its neighbours."""


class Win(StrEnum):
    """What wins a game."""

    OPEN = "open"
    """Opening every clear cell."""
    FLAGS = "flags"
    """Flagging exactly the mines, every one and nothing else."""
    EITHER = "either"
    """Whichever of the two comes first."""


class Chord(StrEnum):
    """How many flags a number needs around it to be chorded."""

    EXACT = "exact"
    """As many as it shows."""
    AT_LEAST = "at_least"
    """As many as it shows, or more."""


@dataclass(frozen=True, slots=True)
class Level:
    """The size of a board, its topology and its mines: a total, or a probability per cell.

    Attributes:
        width: Columns.
        height: Rows.
        mines: The mine total, which the player is told; None when there is a density, or when
            nothing is known about the mines.
        density: The chance, from 0 to 1, that each cell is a mine independently of the
            others; the total is then not told. None when there is a total, or when nothing is
            known.
        topology: The name of the board's shape.

    >>> Level.parse("expert")
    Level(width=30, height=16, mines=99, density=None, topology='rectangle')
    >>> str(Level.parse("20x20@0.15/torus"))
    '20x20@0.15/torus'
    >>> str(Level(9, 9))
    '9x9:?'

    Raises:
        BadLevel: If no such board can be.
    """

    width: int
    height: int
    mines: int | None = None
    density: float | None = None
    topology: str = "rectangle"

    def __post_init__(self) -> None:
        try:
            shape = self.shape()
        except BadSetting as problem:
            raise BadLevel(str(problem)) from None
        # Plain numbers, whatever kind they were given as: they are printed and saved.
        object.__setattr__(self, "width", shape.width)
        object.__setattr__(self, "height", shape.height)
        if self.mines is not None and self.density is not None:
            raise BadLevel(
                "a level has a mine total or a density, not both, "
                f"got {quoted(self.mines):.40} and {quoted(self.density):.40}"
            )
        if self.mines is not None:
            where = f"{shape.width}x{shape.height}"
            object.__setattr__(self, "mines", check_mines(self.mines, shape.size, where, BadLevel))
        if self.density is not None:
            density = number(self.density)
            if density is None or not 0 <= density <= 1:
                raise BadLevel(f"density must be between 0 and 1, got {quoted(self.density):.40}")
            object.__setattr__(self, "density", density)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a level: a preset, ``WIDTHxHEIGHT:MINES`` or ``WIDTHxHEIGHT@DENSITY``.

        A shape other than the rectangle follows a slash: ``9x9:10/torus``.

        Raises:
            BadLevel: If the text is none of these; the message repeats it.
        """
        if not isinstance(text, str):
            raise BadLevel(f"a level is text such as expert or 9x9:10, got {shown(text)}")
        text = next((size for size, name in _OTHER_NAMES.items() if name == text), text)
        body, slash, shape = text.partition("/")
        if slash and not shape:
            raise BadLevel(f"level {shown(text)} needs a topology after the slash")
        shape = shape or "rectangle"
        if preset := LEVELS.get(body):
            return cls(preset.width, preset.height, preset.mines, preset.density, shape)
        match = _LEVEL.fullmatch(body)
        if match is None:
            names = ", ".join(LEVELS)
            raise BadLevel(
                f"invalid level {shown(text)}; use {names}, "
                "WIDTHxHEIGHT:MINES such as 30x16:99 or WIDTHxHEIGHT@DENSITY such as 20x20@0.15"
            )
        mines, density = match["mines"], match["density"]
        try:
            return cls(
                int(match["width"]),
                int(match["height"]),
                int(mines) if mines not in (None, "?") else None,
                None if density is None else float(density),
                shape,
            )
        except BadLevel as problem:
            raise BadLevel(f"level {shown(text)}: {problem}") from None

    @classmethod
    def of(cls, level: Level | str) -> Level:
        """Return a level from either accepted form."""
        return level if isinstance(level, Level) else cls.parse(level)

    @property
    def known(self) -> bool:
        """Whether there is a mine total or a density, which a random board needs."""
        return self.mines is not None or self.density is not None

    def shape(self) -> Topology:
        """Return the topology of this level's boards."""
        return topology(self.topology, self.width, self.height)

    def unopened(self) -> Position:
        """Return what a player of this level sees before the first click."""
        return Position.unopened(self.shape(), self.mines, density=self.density)

    def __str__(self) -> str:
        """Return the shortest text that `parse` reads."""
        for name, level in LEVELS.items():
            if (level.width, level.height, level.mines) == (self.width, self.height, self.mines):
                body = name
                break
        else:
            total = "?" if self.mines is None else self.mines
            tail = f":{total}" if self.density is None else f"@{self.density}"
            body = f"{self.width}x{self.height}{tail}"
        return body if self.topology == "rectangle" else f"{body}/{self.topology}"


BEGINNER = Level(9, 9, 10)
INTERMEDIATE = Level(16, 16, 40)
EXPERT = Level(30, 16, 99)

LEVELS: dict[str, Level] = {
    "beginner": BEGINNER,
    "intermediate": INTERMEDIATE,
    "expert": EXPERT,
}
"""The presets, by name."""

_OTHER_NAMES: Final = {"8x8:10": "beginner (8x8)"}
"""Arbiter and other programs for competitions have another Beginner than Windows XP."""


def level_name(level: Level | str) -> str:
    """Return what players call a level, as `Level.parse` reads it too.

    >>> level_name("expert"), level_name("8x8:10"), level_name("8x8:10/torus")
    ('expert', 'beginner (8x8)', '8x8:10/torus')
    """
    return _OTHER_NAMES.get(str(level), str(level))


OptionValue = bool | str
"""What an option is set to: on or off, or the name of one of its choices."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one rule set: a switch or a choice.

    Attributes:
        name: Its keyword in `Game`.
        default: What it is unless told otherwise.
        summary: What it does, in one sentence.
        choices: The names to choose from; none for a switch, which is True or False.
    """

    name: str
    default: OptionValue
    summary: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule set as programs and players choose it: its name and properties.

    Attributes:
        name: The name that `Game` and the command line take.
        summary: What is special about it, in one sentence.
        first_clicks: The first clicks it knows; the first of them is its default.
        wins: The ways of winning it knows; the first of them is its default.
        options: Its own switches and choices.
        aid: The view that these rules alone have: ``marks``, ``states``, or none.
        invitation: What a button says that offers these rules to a newcomer; empty for most.
        first_click_reason: Why it knows no other first clicks, where that needs a word.
        reasons: Before which clicks it reasons about what is possible. On big boards that takes
            time, so a server does such clicks in a process of their own.
    """

    name: str
    summary: str
    first_clicks: tuple[FirstClick, ...] = (FirstClick.SAFE, FirstClick.ANY, FirstClick.OPENING)
    wins: tuple[Win, ...] = (Win.OPEN, Win.FLAGS, Win.EITHER)
    options: tuple[Option, ...] = ()
    first_click_reason: str = ""
    aid: str = ""
    invitation: str = ""
    reasons: Literal["never", "first click", "every click"] = "every click"

    @property
    def label(self) -> Text:
        """What players call it: ``no-guess`` is ``No guess``."""
        words = " ".join(w.upper() if w in _INITIALS else w for w in self.name.split("-"))
        return Text(words[:1].upper() + words[1:], {})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that, with the player's actions, determines a game.

    Made by `sapper.dealer.settings`, which checks that they go together.

    Attributes:
        level: Size, shape and mines.
        rules: The name of the rule set.
        first_click: What the first click promises.
        win: What wins.
        chord: When a number can be chorded.
        undo: Whether actions can be undone.
        seed: From 0 to 2**64 - 1. It determines the mines: keep it from the player until the end.
        options: The rule set's own switches and choices, every one of them.
    """

    level: Level
    rules: str = "classic"
    first_click: FirstClick = FirstClick.SAFE
    win: Win = Win.OPEN
    chord: Chord = Chord.EXACT
    undo: bool = True
    seed: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        # A game goes by them: nobody can change them meanwhile.
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    def __reduce__(self) -> tuple[Any, ...]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return partial(Settings, **{**values, "options": dict(self.options)}), ()
