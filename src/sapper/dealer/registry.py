"""The rule sets by name, and the settings of games."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar, Unpack

from sapper._util.arguments import expect, seed_or_new, switch
from sapper._util.names import either, member
from sapper._util.registry import Registry, enter
from sapper._util.shortening import shown
from sapper.board import Board
from sapper.dealer.base import Dealer
from sapper.dealer.fair import FairDealer
from sapper.dealer.fixed import ClassicDealer
from sapper.dealer.kaboom import KaboomDealer
from sapper.dealer.kind import KindDealer
from sapper.dealer.noguess import NoGuessDealer
from sapper.dealer.windows import WindowsDealer
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.rules import (
    Chord,
    FirstClick,
    GameOptions,
    Level,
    Option,
    OptionValue,
    Rules,
    Settings,
    Win,
)

__all__ = ["DEALERS", "RULES", "make", "register", "rules_label", "settings"]

DEALERS: Registry[type[Dealer]] = Registry(
    {
        cls.rules.name: cls
        for cls in (
            ClassicDealer,
            WindowsDealer,
            NoGuessDealer,
            FairDealer,
            KaboomDealer,
            KindDealer,
        )
    }
)
"""Every dealer by the name of its rule set.

The built-in ones are listed here; `register` adds others.
"""

RULES: Registry[Rules] = Registry(
    # Listing a registry would load the plugins.
    {name: cls.rules for name, cls in dict.items(DEALERS)}
)
"""Every rule set, by name."""

_Choice = TypeVar("_Choice", bound=StrEnum)
_Dealer = TypeVar("_Dealer", bound=type[Dealer])


def register(cls: _Dealer) -> _Dealer:
    """Add a dealer to `DEALERS` and its rule set to `RULES`; a decorator for its class.

    Raises:
        BadSetting: If the class is not a `Dealer` with `rules`, or their name is taken.
    """
    if not (isinstance(cls, type) and issubclass(cls, Dealer)):
        raise BadSetting(f"a rule set must be a subclass of Dealer, got {shown(cls)}")
    rules = getattr(cls, "rules", None)
    if not isinstance(rules, Rules):
        raise BadSetting(
            f"{cls.__name__} needs an attribute rules of type Rules, got {shown(rules)}"
        )
    enter(DEALERS, "rule set", rules.name, cls)
    RULES[rules.name] = rules
    return cls


def rules_label(name: str) -> str:
    """Return the label of a rule set, or its name if it is not installed."""
    rules = RULES.get(name)
    return name if rules is None else rules.label


def make(
    settings: Settings, position: Position | None = None, board: Board | None = None
) -> Dealer:
    """Return the dealer for these settings; see `Dealer` for the arguments."""
    return DEALERS[settings.rules](settings, position, board)


def settings(
    level: Level | str,
    rules: str = "classic",
    **options: Unpack[GameOptions],
) -> Settings:
    """Return consistent settings; omitted ones take the rule set's defaults.

    >>> settings("beginner", "windows-xp", seed=7).first_click
    <FirstClick.SAFE: 'safe'>

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If a name is unknown, or the settings are invalid; the message says why.
    """
    try:
        dealer = DEALERS[rules]
    except (KeyError, TypeError):
        raise BadSetting(
            f"unknown rules {shown(rules)}; choose from: {', '.join(DEALERS)}"
        ) from None
    known = dealer.rules
    first_click, win = options.pop("first_click", None), options.pop("win", None)
    chord = options.pop("chord", Chord.EXACT)
    undo, seed = options.pop("undo", True), options.pop("seed", None)
    by_name = options.pop("rule_options", {})
    expect(by_name, Mapping, "rule_options by name")
    own: dict[str, object] = {**by_name, **options}
    for name in own:
        if name not in (option.name for option in known.options):
            names = ", ".join(option.name for option in known.options) or "none"
            raise BadSetting(f"rules {rules} have no option {shown(name)}; options: {names}")
    where = f"for rules {rules}"
    because = f" ({known.first_click_reason})" if known.first_click_reason else ""
    made = Settings(
        level=Level.of(level),
        rules=rules,
        first_click=_or_first(
            FirstClick, first_click, known.first_clicks, "first_click", where + because
        ),
        win=_or_first(Win, win, known.wins, "win", where),
        chord=member(Chord, chord, "chord"),
        undo=switch(undo, "undo"),
        seed=seed_or_new(seed),
        options={
            option.name: _option(option, own.get(option.name, option.default))
            for option in known.options
        },
    )
    if not made.level.known:
        raise BadSetting(f"{made.level} says nothing about its mines: give a total or a density")
    dealer.check(made)
    return made


def _or_first(
    kind: type[_Choice], value: str | None, allowed: tuple[_Choice, ...], setting: str, where: str
) -> _Choice:
    """Return the member with this name, or the rule set's default."""
    return allowed[0] if value is None else member(kind, value, setting, allowed, where)


def _option(option: Option, value: object) -> OptionValue:
    if not option.choices:
        return switch(value, option.name)
    if not isinstance(value, str) or value not in option.choices:
        raise BadSetting(f"{option.name} must be {either(option.choices)}, got {shown(value)}")
    return value
