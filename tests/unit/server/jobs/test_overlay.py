"""The overlay of mine probabilities."""

from __future__ import annotations

from typing import Any

import pytest

from sapper import Position, analyze
from sapper.server.jobs.overlay import Overlay

WALL = "....\n.1..\n...."


def message(position: Position) -> dict[str, Any]:
    """Return the message for a window without any data."""
    analysis = analyze(position)
    return dict(Overlay.of(analysis).message(analysis, 1, None))


def test_cells_without_a_chance_are_sent_as_unknown() -> None:
    """With neither total nor density, 50 % would be misleading (issue 33)."""
    assert message(Position.parse(WALL))["outside"] == "unknown"
    assert message(Position.parse(WALL, mines=2))["outside"] == pytest.approx(1 / 3, abs=1e-4)
    assert message(Position.parse(f"density: 0.2\n{WALL}"))["outside"] == pytest.approx(0.2)
    assert len(message(Position.parse(WALL))["chances"]) == 8
