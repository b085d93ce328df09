"""``no-guess``: a board that can be solved by logic alone."""

from __future__ import annotations

from typing import ClassVar

from sapper.board import Board
from sapper.dealer.fixed import ClassicDealer
from sapper.errors import BadSetting
from sapper.generation import Logic, Method, NoGuess, NoGuessStep
from sapper.generation.noguess import deal_no_guess
from sapper.position import Position
from sapper.rules import FirstClick, Option, Rules, Settings
from sapper.translation import t

__all__ = ["NoGuessDealer"]


class NoGuessDealer(ClassicDealer):
    """Deals a board at the first click, with the proof that it needs no guess."""

    rules: ClassVar[Rules] = Rules(
        name="no-guess",
        summary=t("Logic alone solves every board; no guess is ever needed."),
        first_clicks=(FirstClick.OPENING, FirstClick.SAFE),
        first_click_reason="a first click on a mine would be a guess",
        invitation=t("Play without guessing"),
        reasons="first click",
        options=(
            Option(
                "logic",
                Logic.TOTAL.value,
                t(
                    "Hardest logic a board may need: single numbers, pairs of numbers, all "
                    "numbers in a region, or those plus the mine total."
                ),
                tuple(Logic),
                t("Logic"),
            ),
            Option(
                "method",
                Method.UNIFORM.value,
                t(
                    "How boards are generated: uniform makes all equally likely; fast allows "
                    "much denser boards but favours some."
                ),
                tuple(Method),
                t("Method"),
            ),
        ),
    )

    def __init__(
        self, settings: Settings, position: Position | None = None, board: Board | None = None
    ) -> None:
        if position is not None and board is None:
            raise BadSetting(
                "rules no-guess deal their own boards and cannot continue from a position"
            )
        super().__init__(settings, position, board)
        self._made: NoGuess | None = None

    @classmethod
    def check(cls, settings: Settings) -> None:
        """Reject a level without a mine total, or with too many mines."""
        if settings.level.mines is None:
            raise BadSetting(f"rules no-guess need a mine total, got level {settings.level}")
        super().check(settings)

    def _dealt(self, cell: int) -> None:
        if self._board is None:
            self._made = deal_no_guess(
                self.settings.level,
                self.settings.first_click,
                cell,
                self.settings.seed,
                logic=Logic(str(self.settings.options["logic"])),
                method=Method(str(self.settings.options["method"])),
            )
            self._lay(self._made.board)

    def proof(self) -> tuple[NoGuessStep, ...]:
        """The deductions that solve the board from its first click; empty before that."""
        # There may be no board after undo, or the board may have been given by the caller.
        if self._made is None or self._board is not self._made.board:
            return ()
        return self._made.steps
