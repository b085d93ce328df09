"""Every replay survives every format that can be written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sapper.board import Board
from sapper.errors import BadReplay
from sapper.metrics import hzini, measure, zini
from sapper.replay import Events, Info, Playback, Replay, measure_play, parse, serialize
from sapper.replay.recording import MODES
from sapper.topology import topology
from support.examples import examples

SIDES = st.integers(1, 8)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Z"]), max_size=8)
COUNTS = st.one_of(st.none(), st.integers(1, 9999))


@st.composite
def boards(draw: st.DrawFn, shapes: tuple[str, ...] = ("rectangle",)) -> Board:
    """A small board."""
    shape = topology(draw(st.sampled_from(shapes)), draw(SIDES), draw(SIDES))
    dense = draw(st.integers(0, 200))
    rolls = draw(st.binary(min_size=shape.size, max_size=shape.size))
    return Board(shape, bytes(roll < dense for roll in rolls))


@st.composite
def replays(draw: st.DrawFn, kinds: int = 17, **info: Any) -> Replay:
    """A replay on a small board, with any events in order, most of them on the board."""
    board = draw(boards())
    count = draw(st.integers(0, 30))
    px = draw(st.integers(5, 40))
    high = draw(st.integers(1, kinds))
    rolls = draw(st.lists(st.integers(0, 2**24), min_size=4 * count, max_size=4 * count))
    ms, kind, x, y = np.array(rolls, dtype=np.int64).reshape(4, count)
    events = Events.of(
        np.cumsum(ms % 70000),
        1 + kind % high,
        x % (px * board.topology.width + 2),
        y % (px * board.topology.height + 2),
    )
    said: dict[str, Any] = {
        "program": draw(NAMES),
        "player": draw(NAMES),
        "identity": draw(NAMES),
        "mode": draw(st.sampled_from(MODES)),
        "question_marks": draw(st.booleans()),
        "time_ms": draw(st.integers(0, 10**7)),
        "bbbv": draw(COUNTS),
        "won": draw(st.booleans()),
    }
    return Replay(board, events, px, Info(**(said | info)))


@given(replays())
@examples(150)
def test_own_files_preserve_a_replay(replay: Replay) -> None:
    """A replay is the same when it is read back."""
    again = parse(serialize(replay))
    assert again == replay
    assert again.format == "json"


@given(replays(kinds=8))
@examples(150)
def test_raw_files_preserve_a_replay(replay: Replay) -> None:
    """A replay with presses and releases is the same when it is read back."""
    again = parse(serialize(replay, "rawvf"))
    assert again == replay
    assert again.format == "rawvf"


@given(replays(kinds=12))
@examples(150)
def test_evf_files_preserve_a_replay_or_are_not_written(replay: Replay) -> None:
    """If something would be lost, writing raises an error."""
    try:
        data = serialize(replay, "evf")
    except BadReplay:
        return
    assert _as_given(parse(data), replay) == replay


@given(replays(kinds=7, version="1.2", country="CZ", started_at="2025-02-18T17:13:38.358093Z"))
@examples(50)
def test_evf_files_are_written_for_mouse_games(replay: Replay) -> None:
    """Games of moves, presses and releases are preserved if they begin with a press."""
    begun = Events.of([0, 70], [2, 3], [1, 1], [1, 1])
    info = replace(replay.info, program=f"P{replay.info.program}")
    whole = Replay(replay.board, begun, replay.cell_px, info)
    assert _as_given(parse(serialize(whole, "evf")), whole) == whole


def _as_given(read: Replay, written: Replay) -> Replay:
    """Remove the verdicts that an EVF file adds to a replay."""
    info = replace(read.info, official=written.info.official, fair=written.info.fair)
    return replace(read, info=info)


@given(replays(), st.integers(0, 10**6))
@examples(150)
def test_any_events_can_be_played(replay: Replay, ms: int) -> None:
    """Counts are consistent, and the position always fits the board."""
    played = Playback(replay)
    counts = played.clicks
    assert 0 <= counts.effective <= counts.all
    assert 0 <= played.solved <= replay.board.bbbv
    assert played.flags >= 0
    seen = played.position(ms)
    true = Board.parse(str(replay.board)).rows
    for row, shown in zip(true, seen.rows, strict=True):
        assert all(s in ".F" or s == t for s, t in zip(shown, row, strict=True))
    assert measure_play(played).to_json()["clicks"]["all"] == counts.all


@given(replays(kinds=13), st.integers(1, 60))
@examples(100)
def test_cell_size_does_not_change_a_game(replay: Replay, cell_px: int) -> None:
    """A replay plays the same after scaling, or without its path."""
    played = Playback(replay)
    for other in (replay.scaled(cell_px), replay.without_pointer(), replay.as_mouse()):
        assert Playback(other).clicks == played.clicks
        assert Playback(other).position() == played.position()


@given(boards(("rectangle", "torus")))
@examples(200)
def test_estimates_are_between_the_fewest_clicks_and_the_3bv(board: Board) -> None:
    """ZiNi never exceeds the 3BV, and the numbers include every safe cell."""
    found = measure(board)
    assert (found.zini, found.hzini) == (zini(board), hzini(board))
    assert 0 <= zini(board) <= board.bbbv
    assert found.openings <= hzini(board) <= board.bbbv
    assert found.openings + found.islands <= board.bbbv
    assert sum(found.numbers) == board.topology.size - board.mines
