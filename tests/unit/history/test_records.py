"""The record of a finished game."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from sapper.board import Board
from sapper.errors import BadReplay, BadSave
from sapper.game import Game
from sapper.history import Record
from sapper.replay import Playback, load
from sapper.simulation import Match
from support.histories import played
from support.replays import FOLDER, replay_of


def test_a_record_has_the_metrics_of_its_game() -> None:
    """A record's result, clicks, guesses and risk are those of the game."""
    game = Match("exact", "beginner").game(2)
    record = Record.of_game(game, 5, player="Ada", bot="exact", helped="hints")
    assert (record.player, record.bot, record.helped) == ("Ada", "exact", "hints")
    assert (record.rules, record.level, record.finished_ms) == ("classic", "beginner", 5)
    assert record.won is (game.status == "won")
    assert record.solved == record.bbbv == game.board.bbbv
    assert (record.clicks, record.effective) == (game.counts.clicks, game.counts.effective)
    assert record.forced_guesses == game.guesses.forced
    assert record.needless_guesses == game.guesses.needless


def test_record_recreates_game_and_replay() -> None:
    """A record contains all moves of its game and their times."""
    game = Match("exact", "beginner").game(3)
    record = Record.from_json(json.loads(json.dumps(Record.of_game(game, 5).to_json())))
    again = record.game()
    assert again is not None
    assert (again.log, again.position) == (game.log, game.position)
    # Winning flags the remaining mines.
    assert Playback(record.replay()).position() == game.position.without_flags()
    record.check()


def test_foreign_replay_has_a_record() -> None:
    """The record contains the player's name, and guesses judged by the exact engine."""
    record = Record.of_replay(load(FOLDER / "expert.avf"), 5)
    assert (record.player, record.level, record.rules) == ("Flop", "expert", "classic")
    assert (record.time_ms, record.clicks, record.needless_guesses) == (47210, 235, 2)
    assert record.game() is None
    assert Playback(record.replay()).status == "won"
    record.check()


def test_key_is_derived_from_the_game() -> None:
    """The same game always has the same key; a different time or player changes it."""
    assert played(1).key == played(1).key
    assert len({played(1).key, played(2).key, played(1, player="Ada").key}) == 3


def test_only_finished_games_have_a_record() -> None:
    """Running games are refused, whether Sapper or another program recorded them."""
    with pytest.raises(BadSave, match="this one is ready"):
        Record.of_game(Game("9x9:10", seed=1), 5)
    with pytest.raises(BadReplay, match="only finished games have a record"):
        Record.of_replay(replay_of("1*1", ("open", 0, 0)), 5)


def test_game_from_a_position_counts_only_the_3bv_solved_in_it() -> None:
    """The 3BV that was solved at the start is subtracted."""
    board = Board.parse("1*2*1\n11211\n00000")
    first = Game.from_board(board)
    first.open((0, 0))
    first.open((0, 2))
    game = Game.begin(first.settings, first.position, board)
    game.open((2, 0))
    game.open((0, 4))
    record = Record.of_game(game, 5)
    assert (record.won, record.solved, record.bbbv) == (True, 2, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"won": 1}, "'won' must be bool, got 1"),
        ({"time_ms": -1}, "'time_ms' must be 0 or more, got -1"),
        ({"time_ms": 1.5}, "'time_ms' must be int, got 1.5"),
        ({"risk": "x"}, r"'risk' must be float \| None, got 'x'"),
        ({"risk": float("nan")}, "'risk' must be 0 or more, got nan"),
        ({"moves": []}, "'moves' must be"),
        ({"finished_ms": 2**50}, "'finished_ms' must be before the year 2100, got"),
        ({"player": None}, "'player' must be str, got None"),
    ],
)
def test_record_with_a_wrong_value_is_rejected(change: dict[str, Any], message: str) -> None:
    """The message includes the value."""
    with pytest.raises(BadSave, match=message):
        Record.from_json(played(1).to_json() | change)


def test_record_with_a_missing_value_is_rejected() -> None:
    """The message names the missing key."""
    obj = played(1).to_json()
    del obj["bbbv"]
    with pytest.raises(BadSave, match="needs 'bbbv'"):
        Record.from_json(obj)
    with pytest.raises(BadSave, match="must be an object, got 5"):
        Record.from_json(5)


def test_contradictory_moves_are_rejected() -> None:
    """An imported game's moves are replayed to check them."""
    record = played(2)
    with pytest.raises(BadSave, match=r"said to be .* end"):
        Record.from_json(record.to_json() | {"won": not record.won}).check()
    with pytest.raises(BadSave, match="cannot be played"):
        Record.from_json(record.to_json() | {"moves": {}}).check()


def hand_played(**settings: Any) -> Game:
    """A game won by a person, with a second between clock readings."""
    seconds = count()
    board = Board.parse("1*2*1\n11211\n00000")
    game = Game.from_board(board, time=lambda: float(next(seconds)), **settings)
    for cell in ((2, 0), (0, 0), (0, 2), (0, 4)):
        game.open(cell)
    assert game.status == "won"
    return game


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"level": "expert"}, "'level' is 'expert', but the moves show '5x3:2'"),
        ({"rules": "no-guess"}, "'rules' is 'no-guess', but the moves show 'classic'"),
        ({"first_click": "opening"}, "'first_click' is 'opening', but the moves show 'any'"),
        ({"variant": "win=flags"}, "'variant' is 'win=flags', but the moves show ''"),
        ({"time_ms": 1}, "'time_ms' is 1, but the moves show 4000"),
        ({"time_ms": 0}, "'time_ms' is 0, but the moves show 4000"),
        ({"bbbv": 3}, "'bbbv' is 3, but the moves show 4"),
        ({"clicks": 3}, "'clicks' is 3, but the moves show 4"),
        ({"effective": 3}, "'effective' is 3, but the moves show 4"),
        ({"solved": 5}, "'solved' is 5, more than the 3BV of 4"),
        ({"forced_guesses": 5}, "5 guesses, but the moves show 4 openings"),
        ({"risk": 1.5}, "'risk' is 1.5, more than that of 1 guesses"),
        ({"risk": None}, "guesses and their risk must be known together, or not at all"),
    ],
)
def test_game_with_wrong_figures_is_rejected(change: dict[str, Any], message: str) -> None:
    """The message names the figure and both values [#34]."""
    record = Record.of_game(hand_played(), 5_000)
    assert (record.time_ms, record.forced_guesses, record.needless_guesses) == (4000, 1, 0)
    record.check()
    with pytest.raises(BadSave, match=f"^{message}$"):
        replace(record, **change).check()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"level": "beginner"}, "'level' is 'beginner', but the moves show 'expert'"),
        ({"rules": "no-guess"}, "'rules' is 'no-guess', but the moves show 'classic'"),
        ({"time_ms": 1000}, "'time_ms' is 1000, but the moves show 47210"),
        ({"bbbv": 300}, "'bbbv' is 300, but the moves show"),
        ({"clicks": 100}, "'clicks' is 100, but the moves show 235"),
    ],
)
def test_replay_with_wrong_figures_is_rejected(change: dict[str, Any], message: str) -> None:
    """Replays of other programs are checked like Sapper's own games."""
    record = Record.of_replay(load(FOLDER / "expert.avf"), 5)
    with pytest.raises(BadSave, match=message):
        replace(record, **change).check()


def test_clock_shorter_than_the_moves_is_rejected() -> None:
    """A 4 s game with a clock of 1 ms is refused, and so are moves back in time."""
    record = Record.of_game(hand_played(), 5_000)
    moves = record.moves | {"clock": {"player_s": 0.001, "running": False, "solver_s": 0.0}}
    with pytest.raises(BadSave, match=r"the clock of the moves shows 0\.001 s, but the last is at"):
        replace(record, moves=moves, time_ms=1).check()
    actions = [[*action[:-1], 4.0 - action[-1]] for action in record.moves["actions"]]
    with pytest.raises(BadSave, match="the times of the moves go back"):
        replace(record, moves=record.moves | {"actions": actions}).check()


def test_bot_games_use_thinking_time() -> None:
    """Thinking time is included in games where a bot took part, but in no others."""
    game = hand_played()
    game.clock.solver.set(0.25)
    for about in ({"bot": "exact"}, {"helped": "bot"}):
        Record.of_game(game, 5_000, time_ms=250, **about).check()  # type: ignore[arg-type]
    with pytest.raises(BadSave, match="'time_ms' is 250, but the moves show 4000"):
        Record.of_game(game, 5_000, time_ms=250).check()


def test_game_can_have_a_named_variant() -> None:
    """Daily games have a variant; its name cannot hide how a game was won."""
    Record.of_game(hand_played(), 5_000, variant="daily").check()
    record = Record.of_game(hand_played(win="either"), 5_000)
    record.check()
    assert record.variant == "win=either"
    with pytest.raises(BadSave, match="'variant' is '', but the moves show 'win=either'"):
        replace(record, variant="").check()


_CLICKS = tuple(("open", row, col) for row, col in ((2, 0), (0, 0), (0, 2), (0, 4)))


@pytest.mark.parametrize(
    ("clicks", "info", "message"),
    [
        (
            _CLICKS,
            {"won": False},
            "The file says the game was not won, but its clicks open every safe cell.",
        ),
        (
            (("open", 0, 1),),
            {"won": True},
            "The file says the game was won, but its clicks open a mine.",
        ),
        (_CLICKS, {"time_ms": 4001}, "The file says 4.001 s, but its clicks take 3.000 s."),
    ],
)
def test_contradictory_replay_has_no_record(
    clicks: tuple[tuple[str, int, int], ...], info: dict[str, Any], message: str
) -> None:
    """A contradictory replay has no certain result; the message is the replay's own [#34]."""
    with pytest.raises(BadReplay, match=message):
        Record.of_replay(replay_of("1*2*1\n11211\n00000", *clicks, **info))


def test_click_time_takes_precedence() -> None:
    """The clicks determine the time if they take longer or if the file's clock stopped late."""
    for said_ms in (10, 4000):
        replay = replay_of("1*2*1\n11211\n00000", *_CLICKS, time_ms=said_ms)
        assert Record.of_replay(replay).time_ms == 3000


def test_instant_win_of_many_clicks_is_rejected() -> None:
    """Only a win with a single click can take no time [#34]."""
    replay = replay_of("1*2*1\n11211\n00000", *_CLICKS)
    still = replace(replay, events=replace(replay.events, ms=0 * replay.events.ms))
    with pytest.raises(BadReplay, match="all clicks of this won game have the same time"):
        Record.of_replay(still)
    assert Record.of_replay(replay_of("1*", ("open", 0, 0))).time_ms == 0
