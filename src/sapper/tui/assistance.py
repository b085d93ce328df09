"""Help on the board: the current hint and the overlay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from sapper._core import Cancel
from sapper.overlays import OVERLAYS, Mark, marks_of
from sapper.position import Position
from sapper.solver import Limit, analyze
from sapper.translation import Text, label_of, sentences, t
from sapper.tui.background import Background
from sapper.tui.hinting import SECONDS, Advice, advice

__all__ = ["NO_OVERLAY", "Assistance", "cover", "next_overlay", "overlay_text"]

NO_OVERLAY: Final = ""


def next_overlay(name: str) -> str:
    """Return the name of the next overlay; after the last one, the name for none."""
    names = [NO_OVERLAY, *OVERLAYS]
    return names[(names.index(name) + 1) % len(names)]


def overlay_text(name: str) -> Text:
    """Return the message for an overlay."""
    if name == NO_OVERLAY:
        return t("Overlay: off.")
    return t("Overlay: {name}.", name=label_of(OVERLAYS[name]))


def cover(name: str, position: Position, cancel: Cancel) -> Mapping[int, Mark]:
    """Return the marks of an overlay by cell index."""
    limit = Limit(seconds=SECONDS, cancel=cancel)
    return marks_of(name, position, analyze(position.without_flags(), limit=limit))


class Assistance:
    """The hint and the overlay of one position, both computed in the background.

    Args:
        draw: Redraws the board.
        failed: Shows an error.

    Attributes:
        overlay: The name of an overlay, or `NO_OVERLAY`.
        cover: The marks of the overlay, once available.
    """

    def __init__(self, draw: Callable[[], object], failed: Callable[[Exception], object]) -> None:
        self.overlay = NO_OVERLAY
        self.cover: Mapping[int, Mark] | None = None
        self._draw, self._failed = draw, failed
        self._advice: Advice | None = None
        self._page = 0
        self._hints: Background[Advice] = Background()
        self._covers: Background[Mapping[int, Mark]] = Background()

    @property
    def busy(self) -> bool:
        """Whether a hint or an analysis is being computed."""
        return self._hints.busy or self._covers.busy

    @property
    def shows_overlay(self) -> bool:
        """Whether the overlay is on."""
        return self.overlay != NO_OVERLAY

    @property
    def marks(self) -> Mapping[int, str]:
        """Marks of the hint, keyed by cell index."""
        return {} if self._advice is None else self._advice.pages[self._page][1]

    def clear(self) -> None:
        """Discard everything about the last position."""
        self.drop_hint()
        self.cover = None
        self._hints.cancel()
        self._covers.cancel()

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
        """Compute a hint; `found` is called with the hint and the text of its first page."""

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
        self.overlay, self.cover = next_overlay(self.overlay), None
        self._covers.cancel()

    def show_overlay(self, position: Position) -> None:
        """Compute the marks of the overlay."""

        def done(marks: Mapping[int, Mark]) -> None:
            self.cover = marks
            self._draw()

        name = self.overlay
        self._covers.run(lambda cancel: cover(name, position, cancel), done, self._failed)

    def _text(self, what: Advice) -> str:
        text = what.pages[self._page][0]
        return sentences(text, t("H: next step.")) if len(what.pages) > 1 else text
