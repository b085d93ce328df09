"""The effects of mouse events in a replay, and their counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sapper.board import Board
from sapper.dealer import RULES
from sapper.game import Game, Status
from sapper.position import Position
from sapper.replay import (
    Playback,
    Replay,
    analyze_replay,
    dwell_ms,
    from_json,
    game_after,
    measure_play,
    to_json,
)
from sapper.server.session.daily import daily_game
from sapper.solver import analyze
from support.replays import clicks, replay_of

# In the row 1 1 2 1 1, each 1 next to the 2 has a mine above it.
BOARD = "1*2*1\n11211\n00000"


def test_a_left_click_opens_on_release() -> None:
    """The press has no effect; the release opens a zero with its opening."""
    played = Playback(replay_of(BOARD, ("lc", 2, 0), ("lr", 2, 2)))
    assert [str(step.cell) for step in played.steps] == ["(2, 2)"]
    assert played.position().rows == [".....", "11211", "00000"]
    assert (played.status, played.clicks.left, played.solved) == (Status.PLAYING, 1, 1)


def test_releasing_one_of_both_buttons_chords() -> None:
    """A chord counts as one click; releasing the other button does not count."""
    played = Playback(
        replay_of(
            BOARD,
            *(("lc", 2, 0), ("lr", 2, 0), ("rc", 0, 1), ("rr", 0, 1)),
            *(("lc", 1, 0), ("rc", 1, 0), ("rr", 1, 0), ("lr", 1, 0)),
        )
    )
    assert played.position().rows == ["1F...", "11211", "00000"]
    assert (played.clicks.left, played.clicks.right, played.clicks.double) == (1, 1, 1)
    assert played.clicks.effective == 3


def test_right_press_in_a_chord_is_not_a_click() -> None:
    """If a right press becomes part of a chord, only the chord counts."""
    opened = (("lc", 2, 0), ("lr", 2, 0))
    alone = Playback(replay_of(BOARD, *opened, ("rc", 1, 1), ("rr", 1, 1)))
    assert (alone.clicks.right, alone.clicks.double) == (1, 0)
    chord = Playback(
        replay_of(BOARD, *opened, ("rc", 1, 1), ("lc", 1, 1), ("lr", 1, 1), ("rr", 1, 1))
    )
    assert (chord.clicks.right, chord.clicks.double, chord.clicks.effective_double) == (0, 1, 0)


def test_the_middle_button_chords() -> None:
    """Releasing the middle button chords, like the left button with Shift."""
    begin = (("lc", 2, 0), ("lr", 2, 0), ("rc", 0, 1), ("rr", 0, 1))
    middle = Playback(replay_of(BOARD, *begin, ("mc", 1, 0), ("mr", 1, 0)))
    shift = Playback(replay_of(BOARD, *begin, ("sc", 1, 0), ("lr", 1, 0)))
    assert middle.position() == shift.position()
    assert middle.clicks == shift.clicks
    assert middle.clicks.effective_double == 1


def test_a_flag_protects_its_cell_and_counts_once() -> None:
    """Clicks on a flag open nothing; setting a flag again is not effective."""
    flag = (("rc", 0, 1), ("rr", 0, 1))
    played = Playback(
        replay_of(
            BOARD, ("lc", 2, 0), ("lr", 2, 0), *flag, ("lc", 0, 1), ("lr", 0, 1), *flag, *flag
        )
    )
    assert played.status is Status.PLAYING
    assert (played.flags, played.clicks.flags_set, played.clicks.flags_removed) == (1, 2, 1)
    assert (played.clicks.right, played.clicks.effective_right) == (3, 1)
    assert (played.clicks.left, played.clicks.effective_left) == (2, 1)


def test_question_marks_follow_flags_if_enabled() -> None:
    """The second right click sets a question mark, which protects nothing; the third clears it."""
    flag = (("rc", 0, 0), ("rr", 0, 0))
    begin = (("lc", 2, 0), ("lr", 2, 0))
    on = Playback(replay_of(BOARD, *begin, *flag, *flag, *flag, question_marks=True))
    off = Playback(replay_of(BOARD, *begin, *flag, *flag, *flag))
    assert (on.flags, off.flags) == (0, 1)
    opened = Playback(
        replay_of(BOARD, *begin, *flag, *flag, ("lc", 0, 0), ("lr", 0, 0), question_marks=True)
    )
    assert opened.position()[0, 0] == "1"


def test_clicks_before_the_start_need_a_flag_to_count() -> None:
    """A flag that is removed before the first opening is not counted."""
    flag = (("rc", 0, 1), ("rr", 0, 1))
    begin = (("lc", 2, 0), ("lr", 2, 0))
    assert Playback(replay_of(BOARD, *flag, *flag, *begin)).clicks.right == 0
    assert Playback(replay_of(BOARD, *flag, *begin)).clicks.right == 1


def test_a_release_off_the_board_opens_nothing() -> None:
    """A release off the board counts as a left click, but only during the game."""
    outside = (("lc", 0, 0), ("lr", 9, 9))
    before = Playback(replay_of(BOARD, *outside))
    assert (before.clicks.left, before.steps) == (0, ())
    during = Playback(replay_of(BOARD, ("lc", 2, 0), ("lr", 2, 0), *outside))
    assert (during.clicks.left, len(during.steps)) == (2, 1)


def test_a_mine_loses_and_ends_the_replay() -> None:
    """Later clicks have no effect and are not counted."""
    played = Playback(
        replay_of(BOARD, ("lc", 2, 0), ("lr", 2, 0), ("lc", 0, 1), ("lr", 0, 1), ("lc", 0, 0))
    )
    assert played.status is Status.LOST
    assert played.position()[0, 1] == "*"
    assert played.clicks.effective_left == 1


def test_chord_with_a_wrong_flag_opens_all_cells() -> None:
    """All neighbours without a flag are opened, including the mine."""
    played = Playback(
        replay_of(
            BOARD,
            *(("lc", 2, 0), ("lr", 2, 0), ("rc", 0, 0), ("rr", 0, 0)),
            *(("mc", 1, 1), ("mr", 1, 1)),
        )
    )
    assert played.status is Status.LOST
    assert played.position().rows[0] == "F*2.."


def test_a_flag_stops_an_opening() -> None:
    """A blocked opening counts as solved once its last zero is open."""
    board = "00000\n00000"
    flag = (("rc", 0, 2), ("rr", 0, 2), ("rc", 1, 2), ("rr", 1, 2))
    played = Playback(replay_of(board, *flag, ("lc", 0, 0), ("lr", 0, 0)))
    assert played.position().rows == ["00F..", "00F.."]
    assert (played.solved, played.status) == (0, Status.PLAYING)


def test_the_position_can_be_rebuilt_at_any_time() -> None:
    """The position is checked before each event, a second apart, and at the end."""
    played = Playback(replay_of(BOARD, ("lc", 2, 0), ("lr", 2, 0), ("rc", 0, 1), ("rr", 0, 1)))
    seen = [played.position(ms).rows[0] for ms in (0, 999, 1000, 2000, 99999)]
    assert seen == [".....", ".....", ".....", ".F...", ".F..."]
    assert played.position(1000).rows[1] == "11211"


@pytest.mark.parametrize("rules", ["classic", "kaboom", "no-guess"])
def test_replay_of_a_game_plays_the_same(rules: str) -> None:
    """The replay of a finished game ends at the same position, without undone clicks."""
    game = Game("9x9:10", rules, seed=5)
    game.flag((0, 0))
    game.open((4, 4))
    game.flag((8, 8))
    game.undo()
    while not game.over:
        game.open(game.position.unopened_cells()[-1])
    replay = Replay.from_game(game)
    played = Playback(replay)
    assert played.position() == game.position
    assert played.status is game.status
    assert len(replay.events) <= len(game.log) - 2
    assert not replay.has_pointer


def test_game_with_an_opening_starts_with_its_click() -> None:
    """Daily boards start with a click; games from other positions begin with the position."""
    game = daily_game(20261122)
    start = game.position
    game.flag(start.unopened_cells()[0])
    while not game.over:
        game.open(game.position.unopened_cells()[-1])
    played = Playback(Replay.from_game(game))
    assert played.position_after(1) == start
    assert (played.position(), played.status) == (game.position, game.status)
    board = Board.parse(BOARD)
    two = Game.from_board(board)
    two.open((0, 0))
    two.open((0, 2))
    two.flag((0, 1))
    later = Game.begin(two.settings, two.position, board)
    later.clock.player.set(40.0)
    later.open((0, 4))
    later.flag((0, 1))
    later.open((0, 1))
    assert later.over
    replay = Replay.from_game(later)
    played = Playback(replay)
    assert (replay.origin, played.position_after(0)) == (two.position, two.position)
    assert (played.position(), played.status) == (later.position, later.status)
    # The replay does not include the 3BV and the time before its start.
    assert (len(played.steps), played.solved, played.clicks.all) == (3, 1, 3)
    assert abs(replay.info.time_ms or 0) < 40_000
    assert from_json(to_json(replay)) == replay
    assert game_after(played, 1).position == played.position_after(1)
    found = analyze_replay(replay).review.decisions
    assert [decision.cell for decision in found] == [(0, 4), (0, 1)]
    assert not any(decision.promised for decision in found)


def test_game_from_a_position_replays_under_every_rule_set() -> None:
    """Replays end like their games, even after undos or if mines are placed during play."""
    begun = Game("9x9:10", seed=4, first_click="opening")
    begun.open((4, 4))
    begun.open(min(analyze(begun.position).safe))
    for rules in RULES:
        if rules == "no-guess":
            continue
        game = Game.from_position(begun.position, rules, seed=5)
        game.open(game.position.unopened_cells()[0])
        if game.can_undo:
            game.undo()
        while not game.over:
            game.open(game.position.unopened_cells()[-1])
        played = Playback(Replay.from_game(game))
        assert (played.position(), played.status) == (game.position, game.status), rules
        assert played.position_after(0) == begun.position


def test_replay_keeps_chord_and_win_rules() -> None:
    """Chords with extra flags, and wins by flags alone, are replayed."""
    game = Game.from_board(Board.parse("1**1\n1221"), chord="at_least", win="flags")
    for action in (
        "open 0 0",
        "open 1 3",
        "flag 0 1",
        "flag 1 1",
        "chord 0 0",
        "flag 1 1",
        "flag 0 2",
    ):
        kind, row, col = action.split()
        getattr(game, kind)((int(row), int(col)))
    assert game.status is Status.WON
    replay = Replay.from_game(game)
    assert (replay.chord, replay.win) == ("at_least", "flags")
    assert from_json(to_json(replay)) == replay
    played = Playback(replay)
    assert (played.position(), played.status) == (game.position, game.status)


def test_times_over_cells_add_up_to_the_game_time() -> None:
    """Times are compared with and without a pointer path."""
    board = Board.parse(BOARD)
    path = Replay(
        board, clicks(("lc", 2, 0), ("lr", 2, 0), ("mv", 1, 1), ("lc", 0, 0), ("lr", 0, 0))
    )
    over = dwell_ms(Playback(path))
    assert over.sum() == 3000
    assert over.tolist()[1] == [0, 1000, 0, 0, 0]
    bare = dwell_ms(Playback(path.without_pointer()))
    assert bare.sum() == 3000


def test_ratios_without_clicks_are_none() -> None:
    """Without clicks, ratios are None instead of a division by zero."""
    found = measure_play(Playback(replay_of(BOARD)))
    assert (found.ioe, found.corr, found.thrp, found.bbbv_s, found.rqp) == (None,) * 5
    assert found.status == "ready"
    assert found.path_px is None


@pytest.mark.parametrize("kind", ["open", "flag", "chord", "question"])
def test_an_action_off_the_board_does_nothing(kind: str) -> None:
    """An action beyond any side of the board is not a click."""
    played = Playback(
        from_json(
            {
                "format": "sapper-replay/1",
                "board": {"rows": ["1*1"]},
                "clicks": [[0, "open", 0, 0], [1, kind, -1, 0], [2, kind, 0, 1], [3, kind, 3, 0]],
            }
        )
    )
    assert [step.cell for step in played.steps] == [(0, 0)]
    assert played.clicks.all == 1


def test_game_without_a_total_is_not_lost_after_the_last_clear_cell() -> None:
    """If mines are placed during play, a clear cell is left as long as the game is running."""
    lost = 0
    for text in ("topology: cylinder\n..1..", "1...", "...."):
        position = Position.parse(text)
        for seed in range(20):
            game = Game.from_position(position, "kaboom", seed=seed)
            while not game.over:
                game.open(game.position.unopened_cells()[seed % 2 - 1])
            replay = Replay.from_game(game)
            played = Playback(replay)
            assert played.status is game.status
            # A win flags the remaining mines.
            assert played.position().without_flags() == game.position.without_flags()
            assert from_json(to_json(replay)) == replay
            known = replace(position, mines=replay.board.mines)
            told = Playback(replace(replay, origin=known))
            assert told.status is game.status
            lost += game.status is Status.LOST
    assert lost
