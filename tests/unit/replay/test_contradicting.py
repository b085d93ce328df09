"""Contradictions between the data in a file and its clicks."""

from __future__ import annotations

from typing import Any

import pytest

from sapper.replay import Playback, contradictions, load
from support.replays import FOLDER, SAMPLES, replay_of

BOARD = "1*2*1\n11211\n00000"
_BEGUN = (("lc", 2, 0), ("lr", 2, 0))
_LOST = (*_BEGUN, ("lc", 0, 1), ("lr", 0, 1))
_WON = (*_BEGUN, *((kind, 0, col) for col in (0, 2, 4) for kind in ("lc", "lr")))


@pytest.mark.parametrize(
    ("clicks", "info", "found"),
    [
        (_LOST, {"won": True}, [("status", "won", "lost")]),
        (_BEGUN, {"won": True}, [("status", "won", "playing")]),
        (_WON, {"won": False}, [("status", "not won", "won")]),
        (_BEGUN, {"won": False}, []),
        (_WON, {"won": True, "time_ms": 6000, "bbbv": 4}, []),
        (_WON, {"time_ms": 6010}, []),
        (_WON, {"time_ms": 4800}, [("time_s", 4.8, 6.0)]),
        (_LOST, {"time_ms": 9000}, [("time_s", 9.0, 2.0)]),
        (_BEGUN, {"time_ms": 9000}, []),
        (_WON, {"bbbv": 5}, [("bbbv", 5, 4)]),
    ],
)
def test_results_times_and_3bv_are_checked(
    clicks: tuple[tuple[str, int, int], ...],
    info: dict[str, Any],
    found: list[tuple[str, Any, Any]],
) -> None:
    """An abandoned game has no result and no end."""
    all_found = contradictions(Playback(replay_of(BOARD, *clicks, **info)))
    assert [(one.what, one.file, one.clicks) for one in all_found] == found
    assert all(str(one.text).startswith(("The file says ", "The file gives ")) for one in all_found)


def test_one_sample_has_a_wrong_time() -> None:
    """Arbiter stored 3.61 s, but the clicks take 14.52 s."""
    found = {name: contradictions(Playback(load(FOLDER / name))) for name in SAMPLES}
    [(name, [one])] = [(name, each) for name, each in found.items() if each]
    assert (name, one.what) == ("beginner_wrong_time.avf", "time_s")
    assert str(one.text) == "The file says 2.610 s, but its clicks take 14.520 s."
