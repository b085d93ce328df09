"""Races on different boards of equal difficulty, on which scouting is useless."""

from __future__ import annotations

import pytest

from sapper import Action
from sapper.community import Boards, RaceSettings, game_in, load_room
from sapper.community.equal_boards import OPENINGS_MARGIN, bbbv_margin, equal_boards
from sapper.errors import LimitReached
from sapper.generation import parse_id
from sapper.metrics import openings
from sapper.rules import BEGINNER, EXPERT, INTERMEDIATE, Level
from support.races import HOST, cells_of, started


@pytest.mark.parametrize("level", [BEGINNER, INTERMEDIATE, EXPERT])
@pytest.mark.parametrize("rules", ["no-guess", "classic"])
def test_the_boards_are_different_and_equally_hard(level: Level, rules: str) -> None:
    """Their 3BV and openings are within the margins of a typical board."""
    dealt = equal_boards(level, rules, 7, 12)
    assert len({one.board for one in dealt}) == 12
    bbbv = [one.board.bbbv for one in dealt]
    areas = [openings(one.board) for one in dealt]
    assert max(bbbv) - min(bbbv) <= 2 * bbbv_margin(max(bbbv))
    assert max(areas) - min(areas) <= 2 * OPENINGS_MARGIN
    assert equal_boards(level, rules, 7, 12) == dealt


def test_a_level_with_too_few_boards_is_refused() -> None:
    """There are only 25 boards with one mine."""
    with pytest.raises(LimitReached, match="different boards"):
        equal_boards(Level.parse("5x5:1"), "classic", 7, 30)


def test_everyone_has_another_board() -> None:
    """What one player sees is useless to another, and everyone gets the own mines at the end."""
    race = started("beginner", players=3, boards="different")
    race.join(6_500, "late", "Late")
    race.join(6_500, "eve", "Eve", watch=True)
    race = load_room(race.to_json())  # type: ignore[assignment]
    saved = race.to_json()["round"]
    people = {racer["id"]: parse_id(saved["boards"][racer["deal"]]) for racer in saved["racers"]}
    assert set(people) == {HOST, "p1", "p2", "late"}
    assert len({one.board for one in people.values()}) == 4
    messages = []
    for who, dealt in people.items():
        shape = dealt.board.topology
        for index, mined in enumerate(dealt.board.mined):
            if not mined:
                cell = shape.cell(index)
                messages += race.act(7_000, who, Action("open", cell))
        assert "." in cells_of(race, who) or "*" not in cells_of(race, who)
    told = {who: one.body for one in messages for who in one.to if one.body["type"] == "round_over"}
    assert {who: body["mines"] for who, body in told.items()} == {
        **{who: dealt.board.rows for who, dealt in people.items()},
        "eve": [],
    }
    assert [one["status"] for one in told["eve"]["results"]] == ["finished"] * 4
    for who, dealt in people.items():
        assert race.view(who)["mines"] == dealt.board.rows
        number = race.members[who].number
        assert str(game_in(race.recording(), number).status) == "won"
    assert race.view("eve")["mines"] == []


def test_the_mode_has_its_own_rating_list() -> None:
    """Results on the same board and on different ones are not comparable."""
    settings = RaceSettings(rated=True, boards=Boards.DIFFERENT)
    assert settings.rating_rules == "different"
    assert RaceSettings(rules="classic", mine="out", boards="different").rating_rules == (
        "classic out different"
    )
    assert RaceSettings.from_json(settings.to_json()) == settings
