"""Text gets the space it needs."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen

from sapper.tui import SapperApp
from sapper.tui.paragraph import Paragraph
from support.terminal_app import play_app


class _Page(Screen[None]):
    def compose(self) -> ComposeResult:
        yield Paragraph("One line", markup=False)


def test_text_changed_during_layout_keeps_its_lines() -> None:
    """No line is lost if the layout runs between a change and its effect."""

    async def play(app: SapperApp, pilot: Pilot[Any]) -> None:
        await app.push_screen(_Page())
        await pilot.pause()
        text = app.screen.query_one(Paragraph)
        assert text.region.height == 1
        text.refresh(layout=True)
        app.screen._clear_arrangement_cache()
        app.screen._refresh_layout()
        text.update("Three lines\nin place\nof one")
        await pilot.pause()
        assert text.region.height == 3

    play_app(play)
