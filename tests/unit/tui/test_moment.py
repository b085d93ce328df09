"""Moments of a replay, reached by click, mouse event or time."""

from __future__ import annotations

import pytest

from sapper.board import Board
from sapper.position import Position
from sapper.replay import Event, EventKind, Events, Playback, Replay, load
from sapper.topology import Cell
from sapper.tui.moment import ReplayMoment
from support.replays import FOLDER, replay_of

BOARD = "1*2*1\n11211\n00000"
CLICKS = (("open", 2, 0), ("open", 0, 0), ("flag", 0, 1), ("open", 0, 2), ("open", 0, 4))


@pytest.fixture
def moment() -> ReplayMoment:
    """A moment in a won game with five clicks, one second apart."""
    return ReplayMoment(Playback(replay_of(BOARD, *CLICKS)))


def test_clicks_can_be_stepped_in_both_directions(moment: ReplayMoment) -> None:
    """Each click has its view, counts and solved 3BV, in either direction."""
    assert (moment.count, moment.step, moment.pointer, moment.game_s) == (0, None, None, 0.0)
    moment.go_to_click(3)
    assert moment.position == Position.parse("mines: 2\n1F...\n11211\n00000")
    assert (moment.game_s, moment.solved, moment.clicks.all) == (2.0, 2, 3)
    assert (moment.pointer, moment.at_end) == (Cell(0, 1), False)
    moment.go_to_click(1)
    assert moment.position == Position.parse("mines: 2\n.....\n11211\n00000")
    moment.go_to_click(99)
    assert (moment.count, moment.solved, moment.at_end) == (5, 4, True)
    moment.go_to_click(-5)
    assert (moment.count, moment.ms) == (0, moment.from_ms)


def test_time_passes_over_clicks_up_to_the_end(moment: ReplayMoment) -> None:
    """A click counts once its time is reached; time stops at the last click."""
    moment.pass_time(999)
    assert (moment.count, moment.game_s) == (1, 0.999)
    moment.pass_time(1.5)
    assert moment.count == 2
    moment.pass_time(60_000)
    assert (moment.count, moment.game_s, moment.at_end) == (5, 4.0, True)


def test_the_pointer_is_followed_event_by_event() -> None:
    """Off the board, the pointer stays on the last cell; a press alone is not a click."""
    path = (("mv", 1, 1), ("lc", 2, 0), ("lr", 2, 0), ("mv", 9, 9), ("lc", 0, 1), ("lr", 0, 1))
    moment = ReplayMoment(Playback(replay_of(BOARD, *path)))
    seen = []
    for _ in path:
        moment.go_by_events(1)
        seen.append((moment.pointer, moment.count))
    assert seen == [
        (Cell(1, 1), 0), (Cell(2, 0), 0), (Cell(2, 0), 1), (Cell(2, 0), 1), (Cell(0, 1), 1),
        (Cell(0, 1), 2),
    ]  # fmt: skip
    assert moment.at_end
    moment.go_by_events(-4)
    assert (moment.pointer, moment.count) == (Cell(2, 0), 0)


def test_instant_bot_clicks_are_shown_one_by_one() -> None:
    """In real time, a bot's game would be over before anything is drawn."""
    events = Events.from_events(Event(0, EventKind(kind), col, row) for kind, row, col in CLICKS)
    moment = ReplayMoment(Playback(Replay(load_board(), events, 1)))
    moment.pass_time(300)
    assert moment.count == 0
    moment.pass_time(100)
    assert moment.count == 1
    for _ in range(4):
        moment.pass_time(400)
    assert moment.at_end


def load_board() -> Board:
    """Return the board that the other tests use."""
    return replay_of(BOARD).board


def test_events_after_the_end_are_ignored() -> None:
    """The last moment is the last click, even if the recording is longer."""
    played = Playback(load(FOLDER / "expert.avf"))
    moment = ReplayMoment(played)
    moment.go_to_click(len(played.steps))
    assert moment.at_end
    assert moment.game_s == 47.21
