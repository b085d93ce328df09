"""Overlays as windows receive them: chances, and the marks of registered overlays."""

from __future__ import annotations

from typing import Any

import pytest

from sapper import Analysis, Cell, Position, analyze
from sapper.overlays import OVERLAYS, Mark, Overlay
from sapper.server.jobs.overlay import ChanceCover, MarkCover

WALL = "....\n.1..\n...."


def message(position: Position) -> dict[str, Any]:
    """Return the message for a window that has no data yet."""
    analysis = analyze(position)
    return dict(ChanceCover.of(analysis).message(analysis, 1, None))


def test_cells_without_a_chance_are_sent_as_unknown() -> None:
    """Without a total or a density, 50 % would be misleading (issue 33)."""
    assert message(Position.parse(WALL))["outside"] == "unknown"
    assert message(Position.parse(WALL, mines=2))["outside"] == pytest.approx(1 / 3, abs=1e-4)
    assert message(Position.parse(f"density: 0.2\n{WALL}"))["outside"] == pytest.approx(0.2)
    assert len(message(Position.parse(WALL))["chances"]) == 8


class Neighbours(Overlay):
    """An overlay that counts the unopened neighbours of a cell."""

    name = "neighbours"
    label = "Neighbours"

    def marks(self, position: Position, analysis: Analysis) -> dict[tuple[int, int], Mark]:
        """Return the count of each unopened cell."""
        return {cell: Mark(str(self._count(position, cell))) for cell in position.unopened_cells()}

    def _count(self, position: Position, cell: Cell) -> int:
        return sum(map(position.is_unopened, position.topology.neighbours(cell)))


def test_neighbours_whose_mark_changes_are_sent() -> None:
    """Only cells whose mark changes are sent; opened cells lose their mark."""
    before = cover("....\n....\n....")
    after = cover("1...\n....\n....")
    told = after.message(2, before)
    assert [look["text"] for look in told["looks"]] == ["4", "7"]
    assert told["cells"] == [[1, 0], [4, 0], [5, 1], [0, None]]
    assert not told["whole"]
    whole = after.message(2, None)
    assert whole["whole"]
    assert len(whole["cells"]) == 11


def cover(rows: str) -> MarkCover:
    """Return the counts in a position."""
    position = Position.parse(rows, mines=2)
    marks = Neighbours().marks(position, analyze(position))
    return MarkCover("neighbours", {position.topology.index(at): one for at, one in marks.items()})


def test_a_registered_overlay_follows_the_game(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chosen overlay's changed marks are sent after each move; errors have a message."""
    monkeypatch.setitem(OVERLAYS, "neighbours", Neighbours)
    with site.player("d" * 24) as player:
        player.send("new", settings={"level": "6x6:3", "first_click": "safe"}, seed=3)
        player.send("assist", mode="assisted", overlay="neighbours")
        player.send("open", cell=[0, 0])
        first = player.until("cover")
        assert (first["overlay"], first["whole"]) == ("neighbours", True)
        player.send("mark", cell=[5, 5])
        monkeypatch.setattr(Neighbours, "marks", lambda *_: None)
        player.send("mark", cell=[5, 5])
        answer = player.until("error")
        assert answer["error"]["code"] == "overlay_failed"
        assert "returned None; expected cells and their marks" in answer["error"]["message"]


def test_saved_overlay_of_a_missing_plugin_is_none(
    run: Any, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session is kept, without the overlay."""
    monkeypatch.setitem(OVERLAYS, "neighbours", Neighbours)
    with run(store) as site, site.player("d" * 24) as player:
        player.send("assist", mode="assisted", overlay="neighbours")
    monkeypatch.delitem(OVERLAYS, "neighbours")
    with run(store) as site, site.player("d" * 24) as player:
        assist = player.welcome["assist"]
    assert (assist["mode"], assist["overlay"]) == ("assisted", "none")
