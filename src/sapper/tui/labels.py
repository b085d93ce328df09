"""The players' names of levels, settings and actions, as in the web app."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sapper.actions import Action, ActionKind
from sapper.dealer import RULES
from sapper.game import Game, Status
from sapper.rules import LEVELS, Level, level_name
from sapper.topology import TOPOLOGIES, cell_name
from sapper.translation import Text, t

__all__ = [
    "CHOICES",
    "FOCUSES",
    "STATUSES",
    "action_text",
    "choice_label",
    "level_text",
    "over_text",
    "shape_label",
]

STATUSES: Final[Mapping[Status, Text]] = {
    Status.READY: t("Ready"),
    Status.PLAYING: t("Playing"),
    Status.WON: t("Won"),
    Status.LOST: t("Lost"),
}
CHOICES: Final[Mapping[str, Mapping[str, Text]]] = {
    "first_click": {
        "any": t("May be a mine"),
        "safe": t("Never a mine"),
        "opening": t("An opening"),
    },
    "win": {
        "open": t("Open all clear cells"),
        "flags": t("Flag exactly the mines"),
        "either": t("Either one"),
    },
    "chord": {
        "exact": t("Exactly as many flags"),
        "at_least": t("At least as many flags"),
    },
}
"""Choices of every rule set, keyed by setting and name."""

FOCUSES: Final[Mapping[str, Text]] = {
    "mixed": t("A bit of everything"),
    "one": t("One number"),
    "two": t("Two numbers"),
    "component": t("Several numbers"),
    "total": t("The mine total"),
    "guess": t("The best guess"),
}
"""The topics of the trainer."""

_NAMES: Final[Mapping[str, Text]] = {
    "beginner": t("Beginner"),
    "intermediate": t("Intermediate"),
    "expert": t("Expert"),
    "guess_anywhere": t("Guess anywhere"),
    "judge": t("Safe cells that count"),
    "local": t("Component"),
    "global": t("Whole board"),
    "known_outside_is_safe": t("Known outside is safe"),
    "remove_mines": t("Forced guesses are safe"),
    "add_mines": t("Add mines"),
    "logic": t("Logic"),
    "method": t("Method"),
    "single": t("Single"),
    "pairs": t("Pairs"),
    "total": t("Total"),
    "uniform": t("Uniform"),
    "fast": t("Fast"),
}

_ACTIONS: Final[Mapping[ActionKind, Text]] = {
    ActionKind.OPEN: t("open"),
    ActionKind.FLAG: t("flag"),
    ActionKind.QUESTION: t("question mark"),
    ActionKind.CHORD: t("chord"),
    ActionKind.UNDO: t("undo"),
}


def choice_label(name: str, setting: str = "") -> Text:
    """Return the players' name of a rule set's setting, or of one of its choices.

    >>> choice_label("guess_anywhere"), choice_label("any", "first_click")
    ('Guess anywhere', 'May be a mine')
    """
    words = name.replace("_", " ")
    label = CHOICES.get(setting, _NAMES).get(name)
    return label or Text(words[:1].upper() + words[1:], {})


def level_text(level: Level | str, rules: str = "") -> Text:
    """Return the level, its shape unless it is a rectangle, and the rule set if given.

    >>> level_text("beginner", "kaboom"), level_text("9x9:10/hexagon"), level_text("8x8:10")
    ('Beginner · Kaboom', '9x9:10 · Hexagons', 'Beginner (8x8)')
    """
    size, _, shape = str(level).partition("/")
    parts: list[object] = [_NAMES[size] if size in LEVELS else size]
    name, _, note = level_name(level).partition(" ")
    if note:
        parts = [Text("{name} {note}", {"name": _NAMES[name], "note": note})]
    if shape:
        parts.append(shape_label(shape))
    if rules:
        parts.append(RULES[rules].label if rules in RULES else rules)
    return Text(
        " · ".join(f"{{p{at}}}" for at in range(len(parts))),
        {f"p{at}": part for at, part in enumerate(parts)},
    )


def shape_label(name: str) -> str:
    """Return the players' name of a shape, or its id if its plugin is not loaded."""
    cls = TOPOLOGIES.get(name)
    return (cls.label if cls else "") or name


def action_text(action: Action) -> Text:
    """Return the text of an action and its cell."""
    if action.cell is None:
        return _ACTIONS[action.kind]
    return Text(
        "{action} {cell}", {"action": _ACTIONS[action.kind], "cell": cell_name(action.cell)}
    )


def over_text(game: Game) -> Text:
    """Return the text of the result of a finished game."""
    return t("The game is won.") if game.status is Status.WON else t("The game is lost.")
