"""``kaboom``: no fixed layout; a guess is fatal unless there was no better choice."""

from __future__ import annotations

from typing import ClassVar

from sapper.dealer.judge import ClickVerdict, Judge, Scope
from sapper.dealer.kaboom_aids import advice, outcomes
from sapper.dealer.lazy import LazyDealer
from sapper.rules import FirstClick, Option, Rules, Settings
from sapper.solver import Analysis
from sapper.translation import t

__all__ = ["KaboomDealer"]

_WHY = {
    ClickVerdict.NEEDLESS: t("Kaboom rules make every needless guess a mine"),
    ClickVerdict.ELSEWHERE: t(
        "Kaboom rules let you open a cell away from numbers only when all cells next to numbers "
        "are mines"
    ),
}


class KaboomDealer(LazyDealer):
    """Cruel but fair: a player who follows the rules never loses."""

    rules: ClassVar[Rules] = Rules(
        name="kaboom",
        summary=t(
            "A guess next to a number is safe if no safe cell exists; any other guess loses."
        ),
        first_clicks=(FirstClick.SAFE, FirstClick.OPENING),
        options=(
            Option(
                "guess_anywhere",
                False,
                t("Allow guessing a cell away from numbers whenever no safe cell is left."),
                label=t("Guess anywhere"),
            ),
            Option(
                "judge",
                Scope.GLOBAL.value,
                t("Whether any safe cell forbids a guess, or only one in the same component."),
                tuple(Scope),
                t("Safe cells that count"),
            ),
            Option(
                "known_outside_is_safe",
                False,
                t(
                    "Forbid guesses when the mine total proves that cells away from numbers are "
                    "clear."
                ),
                label=t("Known outside is safe"),
            ),
        ),
        aid="marks",
        first_click_reason="with nothing open every guess is allowed, so the first click is safe",
    )

    def opens(self, analysis: Analysis, cell: int) -> bool:
        """Return whether the rules allow the click."""
        return Judge(analysis, **self.settings.options).verdict(cell).opens

    @classmethod
    def granted(cls, analysis: Analysis, settings: Settings) -> list[int]:
        """Return the guesses that the rules allow."""
        opening = outcomes(analysis, **settings.options)
        return [i for i, opens in enumerate(opening) if opens]

    @classmethod
    def advice(cls, analysis: Analysis, settings: Settings) -> str | None:
        """Kaboom's own hint."""
        return advice(analysis, **settings.options)

    def why(self, analysis: Analysis, cell: int) -> str:
        """Return the kaboom rule that forbids the click."""
        return _WHY.get(Judge(analysis, **self.settings.options).verdict(cell), "")
