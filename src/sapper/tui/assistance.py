"""Help on the board: the current hint and the overlay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from sapper._core import Cancel
from sapper.position import Position
from sapper.solver import Analysis, Limit, analyze
from sapper.translation import sentences, t
from sapper.tui.background import Background
from sapper.tui.hinting import SECONDS, Advice, advice
from sapper.tui.scene import OVERLAYS

__all__ = ["OVERLAY_TEXTS", "Assistance"]

OVERLAY_TEXTS: Final = dict(
    zip(
        OVERLAYS,
        (t("Overlay: off."), t("Overlay: safe cells."), t("Overlay: chances.")),
        strict=True,
    )
)
"""The message for each overlay."""


class Assistance:
    """The hint and the overlay of one position, both computed in the background.

    Args:
        draw: Redraws the board.
        failed: Shows an error.

    Attributes:
        overlay: One of `OVERLAYS`.
        analysis: The analysis shown by the overlay, once available.
    """

    def __init__(self, draw: Callable[[], object], failed: Callable[[Exception], object]) -> None:
        self.overlay = OVERLAYS[0]
        self.analysis: Analysis | None = None
        self._draw, self._failed = draw, failed
        self._advice: Advice | None = None
        self._page = 0
        self._hints: Background[Advice] = Background()
        self._analyses: Background[Analysis] = Background()

    @property
    def busy(self) -> bool:
        """Whether a hint or an analysis is being computed."""
        return self._hints.busy or self._analyses.busy

    @property
    def shows_overlay(self) -> bool:
        """Whether the overlay is on."""
        return self.overlay != OVERLAYS[0]

    @property
    def marks(self) -> Mapping[int, str]:
        """Marks of the hint, keyed by cell index."""
        return {} if self._advice is None else self._advice.pages[self._page][1]

    def clear(self) -> None:
        """Discard everything about the last position."""
        self.drop_hint()
        self.analysis = None
        self._hints.cancel()
        self._analyses.cancel()

    def drop_hint(self) -> None:
        """Discard the hint."""
        self._advice = None

    def next_page(self) -> str | None:
        """Advance to the next page of the hint and return its text; None if there is no hint."""
        if self._advice is None:
            return None
        self._page = (self._page + 1) % len(self._advice.pages)
        return self._text(self._advice)

    def hint(self, position: Position, show: Callable[[Advice, str], object]) -> None:
        """Compute a hint; `found` is called with it and the text of its first page."""

        def done(what: Advice) -> None:
            self._advice, self._page = what, 0
            show(what, self._text(what))

        self._hints.run(
            lambda cancel: advice(position, Limit(seconds=SECONDS, cancel=cancel)),
            done,
            self._failed,
        )

    def change_overlay(self) -> None:
        """Switch to the next overlay."""
        self.overlay = OVERLAYS[(OVERLAYS.index(self.overlay) + 1) % len(OVERLAYS)]

    def analyze(self, position: Position) -> None:
        """Compute the overlay."""

        def done(analysis: Analysis) -> None:
            self.analysis = analysis
            self._draw()

        def work(cancel: Cancel) -> Analysis:
            return analyze(position, limit=Limit(seconds=SECONDS, cancel=cancel))

        self._analyses.run(work, done, self._failed)

    def _text(self, what: Advice) -> str:
        text = what.pages[self._page][0]
        return sentences(text, t("H: next step.")) if len(what.pages) > 1 else text
