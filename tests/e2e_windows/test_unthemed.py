"""A program of which nothing is known beforehand is learned, played and read without a mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sapper import vision
from sapper.solver.bots import make_bot
from sapper.vision.unthemed import UnthemedPlayer, UnthemedSurface, choose_board
from support.desktop import Desktop
from support.screens import contradictions

Need = Callable[..., None]


class Compared(UnthemedSurface):
    """A window of sgt-mines whose every picture is also read by the stored theme."""

    cells = 0
    misread: list[tuple[str, str]]

    def look(self) -> vision.Reading:
        """What is read by the looks learned so far, held against the stored theme."""
        mine = super().look()
        assert self._seen is not None
        stored = vision.read(self._seen[0], "sgt-mines", self._seen[1])
        sure = (mine.confidence >= vision.SURE) & (stored.confidence >= vision.SURE)
        pairs = [(chr(a), chr(b)) for a, b in zip(mine.looks, stored.looks, strict=True)]
        self.cells += int(sure.sum())
        # Which kind of mine the end of a game shows cannot always be told.
        self.misread = getattr(self, "misread", []) + [
            pair
            for pair, both in zip(pairs, sure.ravel(), strict=True)
            if both and pair[0] != pair[1] and set(pair) != set("*M")
        ]
        return mine


def test_sgt_mines_is_learned_from_nothing(desktop: Desktop, need: Need, tmp_path: Path) -> None:
    """The looks are named, a game is won by them, and they are kept as a theme that reads."""
    need("sgt-mines")
    desktop.start("sgt-mines", "16x16n40")
    desktop.window("sgt-mines")
    surface = Compared(desktop.screen, choose_board(desktop.screen, "sgt-mines"))
    kept = tmp_path / "mine.toml"
    player = UnthemedPlayer(surface, make_bot("exact"), 40, keep=kept)
    outcome = player.play()
    # Its boards need no guess.
    assert outcome.result == "won"
    assert contradictions(outcome.position) == []
    assert set(player.explorer.names) >= set(".01234F")
    assert surface.misread == []
    assert surface.cells > 10_000
    theme = vision.load_theme(str(kept))
    image = desktop.screen.capture(desktop.screen.box(desktop.window("sgt-mines")))
    found = vision.read(image, theme)
    assert found.looks == vision.read(image, "sgt-mines").looks
    assert not found.unreadable
