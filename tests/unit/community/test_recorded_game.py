from __future__ import annotations

import pytest

from sapper import Action, review
from sapper.community import BotSettings, SharedBoard, SharedBoardSettings, game_in, play_figures
from sapper.errors import BadSave, BadSetting
from sapper.generation import parse_id
from support.races import HOST, open_all, started


def test_each_racer_has_a_game_with_the_times_of_the_race() -> None:
    """A racer's game can be reviewed and measured like any other."""
    race = started("beginner")
    for at in range(20):
        race.act(7_000 + 100 * at, "p1", Action("flag", (at % 9, 0)))
    open_all(race, HOST, 9_500)
    for at in range(20):
        race.act(10_000 + 100 * at, "p1", Action("flag", (at % 9, 0)))
    open_all(race, "p1", 20_000)
    recording = race.recording()
    game = game_in(recording, 0)
    assert (game.status, game.clock.player_s) == ("won", 3.5)
    assert game.log[0].cell == parse_id(recording["board"]).start
    assert game_in(recording, 1).counts.right == 40
    assert review(game).decisions
    assert play_figures(game).won


def test_a_mine_ends_the_game_of_a_racer() -> None:
    """The recorded game ends at the mine, although the race continued."""
    race = started("beginner")
    mine = parse_id(race.to_json()["round"]["board"]).board.mine_cells()[0]
    race.act(7_000, HOST, Action("open", mine))
    open_all(race, HOST, 20_000)
    open_all(race, "p1", 20_000)
    game = game_in(race.recording(), 0)
    assert (game.status, len(game.log), game.clock.player_s) == ("lost", 2, 1.0)


def test_a_shared_board_is_one_game() -> None:
    """All players' actions are part of the same game."""
    room = SharedBoard(SharedBoardSettings("beginner", "classic", lives=1), 3)
    room.join(0, "ann", "Ann")
    for number in range(2):
        room.add_bot(0, "ann", f"b{number}", "Bot", BotSettings("exact", 500, 0.02))
    room.start(0, "ann")
    room.tick(300_000)
    recording = room.recording()
    game = game_in(recording)
    assert (game.status == "won") == recording["won"]
    assert game.clock.player_s == recording["time_ms"] / 1000


def test_other_values_are_rejected() -> None:
    """The errors say what is missing."""
    race = started("beginner")
    for name in (HOST, "p1"):
        open_all(race, name, 9_500)
    with pytest.raises(BadSetting, match="player 7"):
        game_in(race.recording(), 7)
    with pytest.raises(BadSave, match="log"):
        game_in({})
