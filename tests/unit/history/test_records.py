"""The record of a finished game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sapper.board import Board
from sapper.errors import BadReplay, BadSave
from sapper.game import Game
from sapper.history import Record
from sapper.replay import Playback, load
from sapper.simulation import Match
from support.histories import played
from support.replays import FOLDER, made


def test_a_record_has_the_metrics_of_its_game() -> None:
    """Result, clicks, guesses and their risk are those of the game."""
    game = Match("exact", "beginner").game(2)
    record = Record.of_game(game, 5, player="Ada", bot="exact", helped="hints")
    assert (record.player, record.bot, record.helped) == ("Ada", "exact", "hints")
    assert (record.rules, record.level, record.finished_ms) == ("classic", "beginner", 5)
    assert record.won is (game.status == "won")
    assert record.solved == record.bbbv == game.board.bbbv
    assert (record.clicks, record.effective) == (game.counts.clicks, game.counts.effective)
    assert record.forced_guesses == game.guesses.forced
    assert record.needless_guesses == game.guesses.needless


def test_a_record_gives_its_game_and_its_replay_back() -> None:
    """All moves and times are in it."""
    game = Match("exact", "beginner").game(3)
    record = Record.from_json(json.loads(json.dumps(Record.of_game(game, 5).to_json())))
    again = record.game()
    assert again is not None
    assert (again.log, again.position) == (game.log, game.position)
    # A won game flags the mines that are left.
    assert Playback(record.replay()).position() == game.position.without_flags()
    record.check()


def test_a_replay_of_another_program_has_a_record() -> None:
    """With its player and the guesses by the exact engine."""
    record = Record.of_replay(load(FOLDER / "expert.avf"), 5)
    assert (record.player, record.level, record.rules) == ("Flop", "expert", "classic")
    assert (record.time_ms, record.clicks, record.needless_guesses) == (47210, 235, 2)
    assert record.game() is None
    assert Playback(record.replay()).status == "won"
    record.check()


def test_the_key_follows_from_the_game() -> None:
    """The same game has the same key, and another time or player another one."""
    assert played(1).key == played(1).key
    assert len({played(1).key, played(2).key, played(1, player="Ada").key}) == 3


def test_only_finished_games_have_a_record() -> None:
    """One that goes on is refused, of ours and of other programs."""
    with pytest.raises(BadSave, match="this one is ready"):
        Record.of_game(Game("9x9:10", seed=1), 5)
    with pytest.raises(BadReplay, match="this one is playing"):
        Record.of_replay(made("1*1", ("open", 0, 0)), 5)


def test_a_game_that_began_from_a_position_counts_what_its_own_clicks_solved() -> None:
    """The 3BV that was open at its beginning is not among it."""
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
def test_a_record_with_a_wrong_value_is_refused(change: dict[str, Any], message: str) -> None:
    """The message names the value."""
    with pytest.raises(BadSave, match=message):
        Record.from_json(played(1).to_json() | change)


def test_a_record_without_a_value_is_refused() -> None:
    """The message names what is missing."""
    obj = played(1).to_json()
    del obj["bbbv"]
    with pytest.raises(BadSave, match="needs 'bbbv'"):
        Record.from_json(obj)
    with pytest.raises(BadSave, match="must be an object, got 5"):
        Record.from_json(5)


def test_moves_that_contradict_the_result_are_found() -> None:
    """They are played when a game is imported."""
    record = played(2)
    with pytest.raises(BadSave, match=r"said to be .* end"):
        Record.from_json(record.to_json() | {"won": not record.won}).check()
    with pytest.raises(BadSave, match="cannot be played"):
        Record.from_json(record.to_json() | {"moves": {}}).check()
