"""An unknown program's look is learned, and its games are played without a misread cell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sapper import vision
from sapper.solver.bots import make_bot
from sapper.vision.unthemed import UnthemedPlayer, UnthemedSurface, choose_board
from support.desktop import Desktop, until
from support.screens import contradictions

Need = Callable[..., None]


class Compared(UnthemedSurface):
    """An sgt-mines window whose pictures are also read with the stored theme."""

    cells = 0
    misread = 0
    _last = b""

    def look(self) -> vision.Reading:
        """Read the board with the looks learned so far, and compare it with the stored theme's."""
        mine = super().look()
        assert self._seen is not None
        image, at = self._seen
        if image.tobytes() != self._last:
            self._last = image.tobytes()
            self._compare(mine, vision.read(image, "sgt-mines", at))
        return mine

    def _compare(self, mine: vision.Reading, stored: vision.Reading) -> None:
        for a, b, *sure in zip(
            mine.looks, stored.looks, mine.confidence.flat, stored.confidence.flat, strict=True
        ):
            if min(sure) >= vision.SURE:
                self.cells += 1
                # At the end of a game, the kind of a mine is sometimes ambiguous.
                self.misread += a != b and {chr(a), chr(b)} != {"*", "M"}


def test_sgt_mines_is_learned_from_nothing(desktop: Desktop, need: Need, tmp_path: Path) -> None:
    """The looks are named, used to win a game, and saved as a theme that reads the board.

    Only the first game of sgt-mines can be seeded, so these checks must hold for any board.
    """
    need("sgt-mines")
    desktop.start("sgt-mines", "16x16n40")
    desktop.window("sgt-mines")
    surface = Compared(desktop.screen, choose_board(desktop.screen, "sgt-mines"))
    kept = tmp_path / "mine.toml"
    player = UnthemedPlayer(surface, make_bot("exact"), 40, keep=kept)
    outcome = player.play()
    # The program's boards need no guesses.
    assert outcome.result == "won"
    assert contradictions(outcome.position) == []
    assert set(player.explorer.names) >= set(".01234F")
    assert surface.misread == 0
    assert surface.cells >= 10 * 16 * 16
    theme = vision.load_theme(str(kept))

    def same() -> bool:
        """Whether both themes read the same board; the program flashes after a win."""
        image = desktop.screen.capture(desktop.screen.box(desktop.window("sgt-mines")))
        found, stored = vision.read(image, theme), vision.read(image, "sgt-mines")
        return not found.unreadable and found.looks == stored.looks

    until(same, "both themes to agree")
