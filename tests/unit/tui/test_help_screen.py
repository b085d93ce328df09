"""The list of keys in a language whose characters are two columns wide."""

from __future__ import annotations

from typing import Final

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot

from sapper.translation import Catalogue, Text
from sapper.tui.help_screen import HelpScreen
from sapper.tui.paragraph import Paragraph
from support.terminal_app import run_app

KEYS: Final = (
    (Text("F2", {}), Text("开始新的一局", {})),
    (Text("方向键", {}), Text("移动光标，按住可以连续移动，到达边缘后不再移动", {})),
)
CHINESE: Final = Catalogue("zh-Hans", 1, (0,) * 200, {})


@pytest.mark.parametrize("width", [70, 40])
def test_wide_characters_are_aligned_and_wrapped(width: int) -> None:
    """Explanations start in the same column, and no line is wider than the screen."""

    async def play(pilot: Pilot[None]) -> None:
        await pilot.app.push_screen(HelpScreen(KEYS, CHINESE))
        await pilot.pause()
        text = str(pilot.app.screen.query_one(Paragraph).visual)
        lines = text.splitlines()
        assert max(map(cell_len, lines)) <= width - 4
        firsts = [(line, what) for line in lines for what in ("开始", "移动光标") if what in line]
        starts = {cell_len(line[: line.index(what)]) for line, what in firsts}
        assert len(starts) == 1

    run_app(App(), play, (width, 20))
