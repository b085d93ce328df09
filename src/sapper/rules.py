"""Game settings: level, first-click promise, and how it is won."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, Self, TypedDict

from sapper._grid import check_mines
from sapper._util.arguments import number
from sapper._util.shortening import shown
from sapper.errors import BadLevel, BadSetting
from sapper.position import Position
from sapper.topology import TOPOLOGIES, Topology, topology
from sapper.translation import LabelledEnum, Text, in_words, t

__all__ = [
    "BEGINNER",
    "EXPERT",
    "INTERMEDIATE",
    "LEVELS",
    "BoardOptions",
    "Chord",
    "FirstClick",
    "GameOptions",
    "Level",
    "Option",
    "OptionValue",
    "RuleOptions",
    "Rules",
    "Settings",
    "Win",
    "is_named",
    "level_label",
    "level_name",
]

_LEVEL = re.compile(
    r"(?P<width>[0-9]{1,9})x(?P<height>[0-9]{1,9})"
    r"(:(?P<mines>[0-9]{1,9}|\?)|@(?P<density>[0-9]*\.?[0-9]+(e-[0-9]{1,3})?))"
)
_INITIALS = {"xp"}


class FirstClick(LabelledEnum):
    """The first-click promise."""

    ANY = "any", t("May be a mine")
    """Nothing: it may be a mine."""
    SAFE = "safe", t("Never a mine")
    """The first cell is not a mine."""
    OPENING = "opening", t("An opening")
    """The first cell is a zero, so that it opens its neighbours."""

    @property
    def keeps_clear(self) -> Literal["nothing", "cell", "neighbours"]:
        """The cells without mines: none, the first cell, or that cell and its neighbours."""
        return _KEPT_CLEAR[self]


_KEPT_CLEAR: Final[Mapping[FirstClick, Literal["nothing", "cell", "neighbours"]]] = {
    FirstClick.ANY: "nothing",
    FirstClick.SAFE: "cell",
    FirstClick.OPENING: "neighbours",
}


class Win(LabelledEnum):
    """How a game is won."""

    OPEN = "open", t("Open all clear cells")
    """Opening every clear cell."""
    FLAGS = "flags", t("Flag exactly the mines")
    """Flagging exactly the mines."""
    EITHER = "either", t("Either one")
    """Either of the two, whichever comes first."""


class Chord(LabelledEnum):
    """The number of flags needed around a number to chord it."""

    EXACT = "exact", t("Exactly as many flags")
    """As many as it shows."""
    AT_LEAST = "at_least", t("At least as many flags")
    """As many as it shows, or more."""


@dataclass(frozen=True, slots=True)
class Level:
    """The size of a board, its topology and its mines: a total, or a probability per cell.

    Attributes:
        width: Columns.
        height: Rows.
        mines: The mine total, known to the player; None if there is a density or nothing is known
            about the mines.
        density: The chance, from 0 to 1, that each cell is a mine independently of the others; the
            total is then unknown to the player. None if there is a total or nothing is known.
        topology: The name of the board's shape.

    >>> Level.parse("expert")
    Level(width=30, height=16, mines=99, density=None, topology='rectangle')
    >>> str(Level.parse("20x20@0.15/torus"))
    '20x20@0.15/torus'
    >>> str(Level(9, 9))
    '9x9:?'

    Raises:
        BadLevel: If no such board is possible.
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
        # Convert to plain numbers, because they are printed and saved.
        object.__setattr__(self, "width", shape.width)
        object.__setattr__(self, "height", shape.height)
        if self.mines is not None and self.density is not None:
            raise BadLevel(
                "a level has a mine total or a density, not both, "
                f"got {shown(self.mines)} and {shown(self.density)}"
            )
        if self.mines is not None:
            where = f"{shape.width}x{shape.height}"
            object.__setattr__(self, "mines", check_mines(self.mines, shape.size, where, BadLevel))
        if self.density is not None:
            density = number(self.density)
            if density is None or not 0 <= density <= 1:
                raise BadLevel(f"density must be between 0 and 1, got {shown(self.density)}")
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
        """Return a level given as a `Level` or as text."""
        return level if isinstance(level, Level) else cls.parse(level)

    @property
    def known(self) -> bool:
        """Whether there is a mine total or a density, as random boards require."""
        return self.mines is not None or self.density is not None

    def shape(self) -> Topology:
        """Return the topology of this level's boards."""
        return topology(self.topology, self.width, self.height)

    def unopened(self) -> Position:
        """Return the player's view before the first click."""
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
"""Arbiter and other competition programs use a different Beginner than Windows XP."""


def level_name(level: Level | str) -> str:
    """Return a level's name for players, which `Level.parse` accepts.

    >>> level_name("expert"), level_name("8x8:10"), level_name("8x8:10/torus")
    ('expert', 'beginner (8x8)', '8x8:10/torus')
    """
    return _OTHER_NAMES.get(str(level), str(level))


_LEVEL_LABELS: Final = {
    "beginner": t("Beginner"),
    "intermediate": t("Intermediate"),
    "expert": t("Expert"),
}


def is_named(level: Level | str) -> bool:
    """Return whether players have a name for a level.

    >>> is_named("9x9:10"), is_named(Level(8, 8, 10)), is_named("9x9:11")
    (True, True, False)
    """
    text = str(Level.of(level))
    return text in LEVELS or text in _OTHER_NAMES


def level_label(level: Level | str) -> Text:
    """Return a level's label for players, and its shape unless it is a rectangle.

    >>> level_label("beginner"), level_label("9x9:10/hexagon"), level_label("8x8:10")
    ('Beginner', '9x9:10 · Hexagons', 'Beginner (8x8)')
    """
    size, _, shape = str(level).partition("/")
    known: str = _LEVEL_LABELS.get(size, size)
    name, _, note = level_name(level).partition(" ")
    if note:
        known = Text("{name} {note}", {"name": _LEVEL_LABELS[name], "note": note})
    if shape:
        return Text("{level} · {shape}", {"level": known, "shape": _shape_label(shape)})
    return known if isinstance(known, Text) else Text(known, {})


def _shape_label(name: str) -> str:
    """Return a shape's label, or its name if its file is not loaded."""
    cls = TOPOLOGIES.get(name)
    return (cls.label if cls else "") or name


OptionValue = bool | str
"""The value of an option: on or off, or the name of a choice."""


class RuleOptions(TypedDict, total=False):
    """Options of the rules, as keywords; each has a default.

    Attributes:
        win: How to win (default: that of the rule set).
        chord: The flags needed to chord a number (default: ``exact``).
        logic: ``no-guess``: the hardest logic a board may need.
        method: ``no-guess``: how boards are generated.
        guess_anywhere: ``kaboom``: whether to allow guesses away from numbers if no cell is safe.
        judge: ``kaboom``: where a safe cell forbids a guess.
        known_outside_is_safe: ``kaboom``: whether cells proved safe by the mine total count as safe
            cells.
        remove_mines: ``fair``: whether a guess is safe if there was no safe cell.
        add_mines: ``fair``: whether a guess hits a mine if there was a safe cell.
        rule_options: Options by name, for rule sets that other packages register.
    """

    win: Win | str | None
    chord: Chord | str
    logic: str
    method: str
    guess_anywhere: bool
    judge: str
    known_outside_is_safe: bool
    remove_mines: bool
    add_mines: bool
    rule_options: Mapping[str, OptionValue]


class BoardOptions(RuleOptions, total=False):
    """Settings for a game on a given board, as keywords; each has a default.

    Attributes:
        undo: Whether actions can be undone (default: True).
        seed: From 0 to 2**64 - 1; None for a random one. Equal seeds give equal games.
    """

    undo: bool
    seed: int | None


class GameOptions(BoardOptions, total=False):
    """Game settings as keywords; each has a default.

    Attributes:
        first_click: The first-click promise (default: that of the rule set).
    """

    first_click: FirstClick | str | None


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one rule set: a switch or a choice.

    Attributes:
        name: Its keyword in `Game`.
        default: The default.
        summary: A description in one sentence.
        choices: The names to choose from; none for a switch, which is True or False. Members of a
            `LabelledEnum` have labels; other names are shown in words.
        label: The name for players (default: the name in words).
    """

    name: str
    default: OptionValue
    summary: str
    choices: tuple[str, ...] = ()
    label: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", in_words(self.name))


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule set as seen by programs and players: its name and properties.

    Attributes:
        name: The name that `Game` and the command line accept.
        summary: A description in one sentence.
        first_clicks: The supported first-click promises; the first is the default.
        wins: The supported ways to win; the first is the default.
        options: The switches and choices of the rule set.
        aid: The view specific to these rules: ``marks``, ``states``, or none.
        invitation: The text of a button that offers these rules to new players; empty for most.
        first_click_reason: The reason why other first clicks are not supported, if that needs
            explaining.
        reasons: Clicks that require an analysis. An analysis takes time on big boards, so a server
            handles such clicks in a separate process.
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
        """Its name for players: ``no-guess`` is ``No guess``."""
        words = " ".join(w.upper() if w in _INITIALS else w for w in self.name.split("-"))
        return Text(words[:1].upper() + words[1:], {})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that, together with the player's actions, determine a game.

    Created by `sapper.dealer.settings`, which checks that they are compatible.

    Attributes:
        level: The size, shape and mines.
        rules: The name of the rule set.
        first_click: The first-click promise.
        win: How to win.
        chord: Flags needed to chord a number.
        undo: Whether actions can be undone.
        seed: From 0 to 2**64 - 1. The seed determines the mines: keep it from the player until the
            end.
        options: All switches and choices of the rule set.
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
        # Read-only: a running game depends on them.
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    def __reduce__(self) -> tuple[Any, ...]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return partial(Settings, **{**values, "options": dict(self.options)}), ()
