from __future__ import annotations

import json
from itertools import pairwise

import pytest

from sapper import Action
from sapper.community import (
    STRENGTHS,
    BotSettings,
    NotAMember,
    NotTheHost,
    Race,
    RacePhase,
    RaceSettings,
    RoomFull,
    load_room,
)
from sapper.errors import BadSave, BadSetting, IllegalAction, LimitReached
from sapper.generation import parse_id
from sapper.solver.bots import bots
from support.races import HOST, cells_of, open_all, started


def board_of(race: Race):
    """Return the current round's secret board."""
    return parse_id(race.to_json()["round"]["board"])


def test_players_get_the_same_board_with_the_same_opened_start() -> None:
    """The board is sent at the end of the countdown, not before."""
    race = Race(RaceSettings("beginner"), 7)
    race.join(0, HOST, "Ann")
    race.join(0, "bob", "Bob")
    race.start(1_000, HOST)
    assert race.phase is RacePhase.COUNTDOWN
    assert "board" not in race.view("bob")
    assert [m.body["type"] for m in race.tick(5_999)] == []
    sent = race.tick(6_000)
    boards = {m.to: m.body["board"]["rows"] for m in sent if m.body["type"] == "board"}
    assert boards[(HOST,)] == boards[("bob",)]
    assert "0" in "".join(boards[(HOST,)])


@pytest.mark.parametrize(
    ("level", "rules"),
    [("9x9:10/torus", "no-guess"), ("9x9:10/hexagon", "classic"), ("9x9@0.1", "windows-xp")],
)
def test_any_shape_and_rule_set_with_fixed_mines(level: str, rules: str) -> None:
    """The start is never a mine, and the race can be finished."""
    race = started(level, rules=rules)
    open_all(race, HOST, 10_000)
    assert race.view(HOST)["progress"][0]["status"] == "finished"


@pytest.mark.parametrize("rules", ["kaboom", "fair", "kind"])
def test_rules_that_move_mines_are_rejected(rules: str) -> None:
    """If mines could move, two players might have different boards."""
    with pytest.raises(BadSetting, match="move mines"):
        RaceSettings("beginner", rules)


@pytest.mark.parametrize(
    "wrong", [{"best_of": 2}, {"mine": "lose"}, {"level": "200x200:9"}, {"most": 51}]
)
def test_settings_are_checked(wrong: dict[str, object]) -> None:
    """Each setting has a range."""
    with pytest.raises(BadSetting):
        RaceSettings.from_json({**RaceSettings().to_json(), **wrong})


def test_equal_times_share_a_place() -> None:
    """If two players finish in the same millisecond, the next one is third."""
    race = started("beginner", players=3)
    open_all(race, HOST, 10_000)
    open_all(race, "p1", 10_000)
    assert race.phase is RacePhase.RACING
    open_all(race, "p2", 10_001)
    assert [r["place"] for r in race.recording()["results"]] == [1, 1, 3]
    assert [r["time_ms"] for r in race.recording()["results"]] == [4_000, 4_000, 4_001]


def test_a_mine_freezes_for_five_seconds() -> None:
    """A frozen player's actions are ignored; the mine stays known and counts when chording."""
    race = started("beginner")
    mine = board_of(race).board.mine_cells()[0]
    sent = race.act(10_000, HOST, Action("open", mine))
    assert [m.body["type"] for m in sent if m.to == (HOST,)] == ["cells", "mine"]
    assert race.act(14_999, HOST, Action("flag", (0, 0))) == []
    assert "*" in cells_of(race, HOST)
    open_all(race, HOST, 15_000)
    assert race.view(HOST)["progress"][0]["status"] == "finished"
    assert race.view(HOST)["progress"][0]["hits"] == 1


def test_a_mine_ends_the_race_of_a_player_by_option() -> None:
    """The other players continue; the player's place depends on opened cells."""
    race = started("beginner", mine="out")
    race.act(10_000, HOST, Action("open", board_of(race).board.mine_cells()[0]))
    assert race.act(10_001, HOST, Action("flag", (0, 0))) == []
    open_all(race, "p1", 20_000)
    assert [(r["name"], r["status"]) for r in race.recording()["results"]] == [
        ("P1", "finished"),
        ("P0", "out"),
    ]


def test_a_late_player_gets_the_board_in_the_first_half_minute_only() -> None:
    """Players who join later wait for the next round."""
    race = started("beginner")
    sent = race.join(36_000, "late", "Late")
    assert [m.body["type"] for m in sent if m.to == ("late",)] == ["board"]
    race.join(36_001, "later", "Later")
    assert "board" in race.view("late")
    assert "board" not in race.view("later")


def test_nobody_starts_a_round_twice() -> None:
    """Leaving and joining again does not give a new board."""
    race = started("beginner", players=3)
    race.act(7_000, HOST, Action("open", board_of(race).board.mine_cells()[0]))
    race.leave(8_000, HOST)
    race.join(9_000, HOST, "Ann")
    assert "board" not in race.view(HOST)
    for name in ("p1", "p2"):
        open_all(race, name, 20_000)
    assert [r["status"] for r in race.recording()["results"]] == ["finished", "finished", "left"]


def test_a_silent_player_does_not_hold_up_the_others() -> None:
    """The round ends a minute after the last action of those who have not finished."""
    race = started("beginner")
    race.act(10_000, HOST, Action("flag", (0, 0)))
    race.disconnect(11_000, HOST)
    open_all(race, "p1", 20_000)
    assert race.phase is RacePhase.RACING
    race.tick(69_999)
    assert race.phase is RacePhase.RACING
    race.tick(70_000)
    assert race.phase is RacePhase.OVER
    assert [r["status"] for r in race.recording()["results"]] == ["finished", "racing"]


def test_a_reconnected_player_finds_the_board_unchanged() -> None:
    """After reconnecting, the player receives the complete view again."""
    race = started("beginner")
    race.act(10_000, HOST, Action("flag", (0, 0)))
    race.disconnect(10_001, HOST)
    before = cells_of(race, HOST)
    [view] = [m.body for m in race.reconnect(12_000, HOST) if m.to == (HOST,)][-1:]
    assert "".join(view["view"]["board"]["rows"]) == before


def test_the_clock_stands_still_while_the_room_is_not_loaded() -> None:
    """A race that is loaded an hour after it was saved has lost no time."""
    race = started("beginner")
    race.act(10_000, HOST, Action("open", board_of(race).board.mine_cells()[0]))
    loaded = load_room(json.loads(json.dumps(race.to_json())))
    assert isinstance(loaded, Race)
    hour = 3_610_000
    loaded.tick(hour)
    assert loaded.act(hour + 4_999, HOST, Action("flag", (0, 0))) == []
    open_all(loaded, HOST, hour + 5_000)
    assert [p["time_ms"] for p in loaded.view(HOST)["progress"]] == [9_000, None]


def test_a_match_ends_with_more_than_half_of_the_wins() -> None:
    """A best of three ends after two wins by the same player; the host may start another."""
    race = started("beginner", best_of=3)
    for name in (HOST, "p1"):
        open_all(race, name, 10_000 + 1_000 * (name == "p1"))
    assert race.phase is RacePhase.BREAK
    race.tick(21_000)
    assert race.phase is RacePhase.COUNTDOWN
    with pytest.raises(IllegalAction, match="secret"):
        race.recording()
    race.tick(26_000)
    for name in (HOST, "p1"):
        open_all(race, name, 30_000 + 1_000 * (name == "p1"))
    assert race.phase is RacePhase.OVER
    assert race.view("p1")["wins"] == [[0, 2]]
    race.start(40_000, HOST)
    assert race.view("p1")["wins"] == []


def test_progress_is_sent_at_a_limited_rate() -> None:
    """Progress is sent at most every 200 ms, and the last message is not lost."""
    race = started("beginner")
    board, sent = board_of(race).board, list[int]()
    clear = [board.topology.cell(i) for i, mined in enumerate(board.mined) if not mined]
    for at, cell in enumerate(clear[:40]):
        messages = race.act(8_000 + 10 * at, HOST, Action("open", cell))
        sent += [10 * at for m in messages if m.body["type"] == "progress"]
    assert len(sent) > 1
    assert all(later - sooner >= 200 for sooner, later in pairwise(sent))
    due = race.next_tick_ms()
    assert due is not None
    assert due <= 8_400 + 200


def test_bots_race_at_their_pace_and_every_bot_can_play_on_after_a_mine() -> None:
    """Bots make errors and hit mines, but still finish."""
    race = Race(RaceSettings("intermediate"), 3)
    race.join(0, HOST, "Ann")
    for name in bots:
        race.add_bot(0, HOST, name, name, BotSettings(name, 100, 0.3))
    race.start(0, HOST)
    race.tick(400_000)
    results = race.recording()["results"][:-1]
    assert {r["status"] for r in results} == {"finished"}
    assert sum(r["hits"] for r in results) > 10


def test_a_bot_that_fails_plays_on_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in a plugin does not stop the room."""

    class Broken:
        def choose(self, position: object) -> object:
            raise RuntimeError("broken")

    monkeypatch.setitem(bots, "broken", Broken)
    race = Race(RaceSettings("5x5:3"), 3)
    race.join(0, HOST, "Ann")
    race.add_bot(0, HOST, "b", "Bot", BotSettings("broken", 100, 0.0))
    race.start(0, HOST)
    race.tick(300_000)
    assert race.recording()["results"][0]["status"] == "finished"


def test_a_match_ends_if_there_is_no_further_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match does not start without a first board."""
    race = started("beginner", best_of=3)

    def none(*_: object) -> None:
        raise LimitReached("no board was found")

    monkeypatch.setattr("sapper.community.race.deal_opened", none)
    for name in (HOST, "p1"):
        open_all(race, name, 10_000)
    assert race.phase is RacePhase.BREAK
    sent = race.tick(20_000)
    assert [m.body["type"] for m in sent] == ["round_over"]
    assert race.phase is RacePhase.OVER
    with pytest.raises(LimitReached):
        race.start(30_000, HOST)
    assert race.phase is RacePhase.OVER


def test_stronger_bots_are_faster() -> None:
    """Bots' results are in the order of their strength."""
    race = Race(RaceSettings("beginner"), 3)
    race.join(0, HOST, "Ann")
    for name, settings in STRENGTHS.items():
        race.add_bot(0, HOST, name, name, settings)
    race.start(0, HOST)
    race.tick(400_000)
    assert [r["name"] for r in race.recording()["results"][:4]] == list(STRENGTHS)[::-1]


def test_a_bot_plays_the_same_whenever_the_room_ticks() -> None:
    """One late tick has the same result as many, and so does loading the room again."""

    def results(step: int, *, reload: bool = False) -> object:
        race = Race(RaceSettings("beginner"), 3)
        race.join(0, HOST, "Ann")
        race.add_bot(0, HOST, "b", "Bot", BotSettings("exact", 300, 0.1))
        race.start(0, HOST)
        for at in range(0, 100_000, step):
            race.tick(at)
            if reload:
                race = Race.from_json(json.loads(json.dumps(race.to_json())))
                race.tick(at)
        race.tick(100_000)
        return race.recording()

    assert results(100_000) == results(250) == results(500, reload=True)


def test_only_the_host_starts_and_adds_bots() -> None:
    """The host is the first person who is connected."""
    race = Race(RaceSettings("beginner"), 3)
    race.join(0, HOST, "Ann")
    race.join(0, "bob", "Bob")
    with pytest.raises(NotTheHost):
        race.start(0, "bob")
    with pytest.raises(NotTheHost):
        race.add_bot(0, "bob", "b", "Bot", STRENGTHS["casual"])
    race.disconnect(0, HOST)
    race.start(0, "bob")
    with pytest.raises(IllegalAction, match="started already"):
        race.start(1, "bob")


def test_a_race_needs_two_players() -> None:
    """Watchers do not count as players."""
    race = Race(RaceSettings("beginner"), 3)
    race.join(0, HOST, "Ann")
    race.join(0, "eve", "Eve", watch=True)
    with pytest.raises(IllegalAction, match="at least 2"):
        race.start(0, HOST)
    race.take_part(0, "eve")
    race.start(0, HOST)


def test_full_rooms_strangers_and_bad_names_are_rejected() -> None:
    """Each case raises its own error."""
    race = Race(RaceSettings("beginner", most=2), 3)
    race.join(0, HOST, "Ann")
    race.join(0, "bob", "Bob")
    with pytest.raises(RoomFull):
        race.join(0, "eve", "Eve")
    race.join(0, "eve", "Eve", watch=True)
    with pytest.raises(NotAMember):
        race.view("mallory")
    with pytest.raises(BadSetting, match="name"):
        race.join(0, "x", "", watch=True)


def test_a_watcher_of_a_race_that_runs_gets_no_board() -> None:
    """Watchers who come in its first seconds do not become racers."""
    race = started("beginner")
    sent = race.join(6_500, "eve", "Eve", watch=True)
    assert "board" not in {message.body["type"] for message in sent}
    assert "board" not in race.view("eve")
    assert len(race.view("eve")["progress"]) == 2


def test_watchers_see_rated_races_ten_seconds_late() -> None:
    """The delay applies to messages and to the view."""
    race = Race(RaceSettings("beginner", rated=True), 7)
    for name in (HOST, "bob"):
        race.join(0, name, name)
    race.join(0, "eve", "Eve", watch=True)
    race.start(1_000, HOST)
    race.tick(6_000)
    sent = race.tick(10_999)
    assert not [m for m in sent if "eve" in m.to]
    assert race.view("eve")["phase"] == "waiting"
    sent = race.tick(11_000)
    assert [m.body["type"] for m in sent if "eve" in m.to] == ["countdown"]
    assert race.view("eve")["phase"] == "countdown"
    race.tick(16_000)
    assert race.view("eve")["phase"] == "racing"


def test_the_saved_form_of_a_rated_race_stays_small() -> None:
    """The saved form keeps the last ten seconds for watchers, but not every state in that time."""
    race = Race(RaceSettings("beginner", rated=True), 7)
    race.join(0, HOST, "Ann")
    for number in range(9):
        race.add_bot(0, HOST, f"b{number}", "Bot", BotSettings("exact", 300, 0.0))
    race.start(0, HOST)
    for now in range(0, 16_000, 50):
        race.tick(now)
    assert len(race.to_json()["past"]) <= 12


@pytest.mark.parametrize("broken", [None, {}, {"kind": "race"}, {"kind": "chess"}])
def test_invalid_saved_room_is_rejected(broken: object) -> None:
    """The error says that it is not a saved room."""
    with pytest.raises(BadSave):
        load_room(broken)


def left_alone(race: Race, now_ms: int) -> list[str]:
    """Let the second player leave; return the types of the messages to the host."""
    return [m.body["type"] for m in race.leave(now_ms, "p1") if HOST in m.to]


def test_a_countdown_stops_if_only_one_player_is_left() -> None:
    """The room waits, and a new player can join for the next race."""
    race = Race(RaceSettings("beginner"), 7)
    for who in (HOST, "p1"):
        race.join(0, who, who)
    race.start(1_000, HOST)
    race = Race.from_json(race.to_json())
    assert left_alone(race, 2_000) == ["stopped", "members"]
    assert race.view(HOST)["phase"] == "waiting"
    assert race.next_tick_ms() is None
    assert race.tick(20_000) == []
    race.join(21_000, "cy", "Cy")
    assert race.start(22_000, HOST)[0].body["round"] == 1


def test_a_countdown_goes_on_for_two_and_in_a_tournament() -> None:
    """Two players are enough, and a tournament needs the result of its race."""
    race = Race(RaceSettings("beginner"), 7)
    for who in (HOST, "p1", "cy"):
        race.join(0, who, who)
    race.start(1_000, HOST)
    race.leave(2_000, "cy")
    assert race.phase is RacePhase.COUNTDOWN
    race = Race(RaceSettings("beginner"), 7)
    for who in (HOST, "p1"):
        race.join(0, who, who)
    race.start(1_000)
    race = Race.from_json(race.to_json())
    assert left_alone(race, 2_000) == ["members"]
    assert race.phase is RacePhase.COUNTDOWN


def test_a_match_ends_in_a_break_if_only_one_player_is_left() -> None:
    """The result of the last round is the result of the match."""
    race = started("beginner", best_of=3)
    for who in (HOST, "p1"):
        open_all(race, who, 10_000)
    assert race.phase is RacePhase.BREAK
    assert left_alone(race, 11_000) == ["round_over", "members"]
    assert race.phase is RacePhase.OVER
    assert race.next_tick_ms() is None
    assert len(race.ended()) == 1
