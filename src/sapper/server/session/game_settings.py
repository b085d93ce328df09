"""The player's settings for the next game, and the available choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from sapper._util.shortening import shown
from sapper.dealer import RULES, settings
from sapper.errors import BadLevel, BadSetting
from sapper.game import Game
from sapper.overlays import OVERLAYS
from sapper.rules import LEVELS, Chord, Level, OptionValue, Rules, Settings, level_label
from sapper.server import limits
from sapper.server.session.automatic import bot_menu
from sapper.translation import label_of

__all__ = ["GameSettings", "local_menu", "menu", "most_cells"]

_FIRST_CLICK: Final = "opening"
"""Default first-click promise if the rules allow it."""
_LOCAL_RULES: Final = ("classic", "no-guess")
"""Rule sets that the engine can deal without Python."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """Game settings as exchanged with browsers.

    Attributes:
        level: The level with a mine total, in the form for `Level.parse`.
        rules: The name of a rule set.
        first_click: The first-click promise.
        win: Win condition.
        chord: The flags needed to chord a number.
        options: Options of the rule set.
    """

    level: str = "beginner"
    rules: str = "classic"
    first_click: str = _FIRST_CLICK
    win: str = "open"
    chord: str = "exact"
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def changed(self, message: object, remembered: Mapping[str, Self] | None = None) -> Self:
        """Return updated settings; a change of the rule set restores its last settings.

        Args:
            message: The settings to change.
            remembered: The last settings used with each rule set; a missing rule set has its
                defaults.

        Raises:
            BadLevel: If the level cannot be parsed, or is too large for a browser.
            BadSetting: If a name is unknown, or the choices contradict each other.
        """
        if not isinstance(message, Mapping):
            raise BadSetting(f"'settings' must be an object, got {shown(message)}")
        for name, value in message.items():
            if name not in self.__slots__:
                raise BadSetting(
                    f"unknown setting {shown(name)}; choose from: {', '.join(self.__slots__)}"
                )
            if not isinstance(value, Mapping if name == "options" else str):
                raise BadSetting(f"setting {name!r} cannot be {shown(value)}")
        before = self._under(message.get("rules", self.rules), remembered or {})
        updated = replace(before, **message)
        if rules := RULES.get(updated.rules):
            options = _options(before.options, message.get("options", {}), rules)
            updated = replace(updated, options=options)
        return updated.checked()

    def _under(self, name: str, remembered: Mapping[str, Self]) -> Self:
        """Return the settings for another rule set: its options, with this level and chord."""
        rules = RULES.get(name)
        if name == self.rules or rules is None:
            return self
        own = remembered.get(name)
        if own is not None:
            return replace(own, level=self.level, chord=self.chord)
        promises = [str(promise) for promise in rules.first_clicks]
        first_click = _FIRST_CLICK if _FIRST_CLICK in promises else promises[0]
        return replace(
            self, rules=name, first_click=first_click, win=str(rules.wins[0]), options={}
        )

    def checked(self) -> Self:
        """Check that a browser can show this game; return the settings with a normalised level.

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
        settings = self._settings(0)
        most = most_cells(RULES[settings.rules])
        if cells > most:
            raise BadLevel(
                f"{self.level} has {cells:,} cells; rules {settings.rules} take at most {most:,} "
                "in the browser"
            )
        return replace(self, level=str(level))

    @property
    def cells(self) -> int:
        """Number of cells of the board."""
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
        values = {name: getattr(self, name) for name in self.__slots__}
        return {**values, "options": dict(self.options)}

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the settings of a running game."""
        settings = game.settings
        return cls(
            level=str(settings.level),
            rules=settings.rules,
            first_click=str(settings.first_click),
            win=str(settings.win),
            chord=str(settings.chord),
            options=dict(settings.options),
        )


def most_cells(rules: Rules) -> int:
    """Return the largest board size in cells for these rules in a browser."""
    # Analysing a million cells would make a click take too long.
    return limits.CELLS if rules.reasons == "never" else limits.SMALL_CELLS


def _options(
    before: Mapping[str, OptionValue], given: Mapping[str, OptionValue], rules: Rules
) -> dict[str, OptionValue]:
    """Return all options of the rules, preferring the given values; drop options of other rules."""
    options = {option.name: option.default for option in rules.options}
    for name in given:
        if name not in options:
            raise BadSetting(
                f"rules {rules.name} have no option {shown(name)}; "
                f"there are: {', '.join(options) or 'none'}"
            )
    chosen = {**before, **given}
    return {name: chosen.get(name, default) for name, default in options.items()}


def _choice(choice: str) -> dict[str, str]:
    return {"name": str(choice), "label": label_of(choice)}


def menu() -> dict[str, Any]:
    """Return all available choices, including those of plugins."""
    return {
        "levels": [
            {
                "name": name,
                "label": level_label(name),
                "width": level.width,
                "height": level.height,
                "mines": level.mines,
            }
            for name, level in LEVELS.items()
        ],
        "rules": [
            {
                "name": rules.name,
                "max_cells": most_cells(rules),
                "label": rules.label,
                "summary": rules.summary,
                "first_clicks": [
                    {**_choice(promise), "keeps_clear": promise.keeps_clear}
                    for promise in rules.first_clicks
                ],
                "wins": [_choice(win) for win in rules.wins],
                "options": [
                    {
                        "name": option.name,
                        "default": option.default,
                        "summary": option.summary,
                        "choices": [_choice(each) for each in option.choices],
                        "label": option.label,
                    }
                    for option in rules.options
                ],
                "aid": rules.aid,
                "invitation": rules.invitation,
            }
            for rules in RULES.values()
        ],
        "chords": [_choice(chord) for chord in Chord],
        "bots": bot_menu(),
        "overlays": [
            {"name": name, "label": label_of(cls), "summary": cls.summary, "compact": cls.compact}
            for name, cls in OVERLAYS.items()
        ],
    }


def local_menu() -> dict[str, Any]:
    """Return the choices that a page offers without a server."""
    everything = menu()
    rules = [
        {**each, "max_cells": limits.SMALL_CELLS}
        for each in everything["rules"]
        if each["name"] in _LOCAL_RULES
    ]
    overlays = [each for each in everything["overlays"] if each["compact"]]
    return {**everything, "rules": rules, "overlays": overlays, "bots": []}
