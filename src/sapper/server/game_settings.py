"""The player's settings for the next game, and the available choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from sapper.dealer import RULES, settings
from sapper.errors import BadLevel, BadSetting
from sapper.game import Game
from sapper.rules import LEVELS, Chord, Level, OptionValue, Rules, Settings
from sapper.server import limits
from sapper.server.automatic import bot_menu

__all__ = ["GameSettings", "menu", "most_cells"]


@dataclass(frozen=True, slots=True)
class GameSettings:
    """The settings of a game as a browser sends and shows them.

    Attributes:
        level: As `Level.parse` reads it, with a mine total.
        rules: The name of a rule set.
        first_click: What the first click promises.
        win: What wins.
        chord: How many flags a number needs to be chorded.
        options: The rule set's own switches and choices.
    """

    level: str = "beginner"
    rules: str = "classic"
    first_click: str = "opening"
    win: str = "open"
    chord: str = "exact"
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def changed(self, given: object) -> Self:
        """Return updated settings; values that another rule set lacks fall back to its defaults.

        Raises:
            BadLevel: If the level cannot be parsed, or is too large for a browser.
            BadSetting: If a name is unknown, or the choices contradict each other.
        """
        if not isinstance(given, Mapping):
            raise BadSetting(f"'settings' must be an object, got {given!r:.40}")
        for name, value in given.items():
            if name not in self.__slots__:
                raise BadSetting(
                    f"unknown setting {name!r:.40}; choose from: {', '.join(self.__slots__)}"
                )
            if not isinstance(value, Mapping if name == "options" else str):
                raise BadSetting(f"setting {name!r} cannot be {value!r:.40}")
        wanted = replace(self, **given)
        rules, before = RULES.get(wanted.rules), RULES[self.rules]
        if rules is not None:
            wanted = replace(
                wanted,
                first_click=_kept(
                    wanted.first_click,
                    given,
                    "first_click",
                    before.first_clicks,
                    rules.first_clicks,
                ),
                win=_kept(wanted.win, given, "win", before.wins, rules.wins),
                options=_options(self.options, given.get("options", {}), rules),
            )
        return wanted.checked()

    def checked(self) -> Self:
        """Return the settings if a browser can show such a game; the level is normalised.

        Raises:
            BadLevel: If the level cannot be parsed, or is too large for a browser.
            BadSetting: If a name is unknown, or the choices contradict each other.
        """
        level = Level.parse(self.level)
        cells = level.shape().size
        if cells > limits.SMALL_CELLS and level.topology != "rectangle":
            raise BadLevel(
                f"{self.level} has {cells:,} cells; a {level.topology} has at most "
                f"{limits.SMALL_CELLS:,} in the browser"
            )
        made = self._settings(0)
        most = most_cells(RULES[made.rules])
        if cells > most:
            raise BadLevel(
                f"{self.level} has {cells:,} cells; rules {made.rules} take at most {most:,} "
                "in the browser"
            )
        return replace(self, level=str(level))

    @property
    def cells(self) -> int:
        """How many cells a board of this level has."""
        return Level.parse(self.level).shape().size

    def game(self, seed: int | None = None) -> Game:
        """Return a new game with these settings."""
        return Game.begin(self._settings(seed))

    def _settings(self, seed: int | None) -> Settings:
        options: dict[str, Any] = dict(self.options)
        return settings(
            self.level,
            self.rules,
            first_click=self.first_click,
            win=self.win,
            chord=self.chord,
            seed=seed,
            **options,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the settings of a running game."""
        made = game.settings
        return cls(
            level=str(made.level),
            rules=made.rules,
            first_click=str(made.first_click),
            win=str(made.win),
            chord=str(made.chord),
            options=dict(made.options),
        )


def most_cells(rules: Rules) -> int:
    """Return the size of the largest board that a browser may play under these rules."""
    # Reasoning about a million cells takes too long for one click.
    return limits.CELLS if rules.reasons == "never" else limits.SMALL_CELLS


def _kept(
    value: str,
    given: Mapping[str, Any],
    name: str,
    before: tuple[StrEnum, ...],
    legal: tuple[StrEnum, ...],
) -> str:
    """Keep an unchanged choice if the rules allow it; otherwise use their default."""
    if name in given or (value in legal and value != before[0]):
        return value
    return str(legal[0])


def _options(
    before: Mapping[str, OptionValue], given: Mapping[str, OptionValue], rules: Rules
) -> dict[str, OptionValue]:
    """Return every option of the rules: given now, or as before; drop those of other rules."""
    known = {option.name: option.default for option in rules.options}
    for name in given:
        if name not in known:
            raise BadSetting(
                f"rules {rules.name} have no option {name!r:.40}; "
                f"there are: {', '.join(known) or 'none'}"
            )
    chosen = {**before, **given}
    return {name: chosen.get(name, default) for name, default in known.items()}


def menu() -> dict[str, Any]:
    """Return all available choices; new rule sets appear automatically."""
    return {
        "levels": [
            {"name": name, "width": level.width, "height": level.height, "mines": level.mines}
            for name, level in LEVELS.items()
        ],
        "rules": [
            {
                "name": rules.name,
                "max_cells": most_cells(rules),
                "label": rules.label,
                "summary": rules.summary,
                "first_clicks": [str(promise) for promise in rules.first_clicks],
                "wins": [str(win) for win in rules.wins],
                "options": [asdict(option) for option in rules.options],
                "aid": rules.aid,
                "invitation": rules.invitation,
            }
            for rules in RULES.values()
        ],
        "chords": [str(chord) for chord in Chord],
        "bots": bot_menu(),
    }
