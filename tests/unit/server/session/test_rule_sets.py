"""The additions of each rule set to the protocol: hints, marks, guesses, reviews, options."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sapper.dealer import RULES
from sapper.errors import BadSetting
from sapper.game import Game
from sapper.position import Position
from sapper.server.session.assist_messages import granted_guesses
from sapper.server.session.game_settings import GameSettings, menu
from sapper.solver import analyze
from sapper.topology import TOPOLOGIES, topology

ME = "c" * 24

COIN = Position.parse("..\n11", mines=1)
NEEDLESS = Position.parse("000000\n011100\n13.200\n...20.", mines=3)


def begin(player: Any, position: Position, rules: str, **options: Any) -> dict[str, Any]:
    """Play a position under a rule set."""
    answer: dict[str, Any] = player.send(
        "position", position=position.to_json(), rules=rules, options=options
    )
    assert "error" not in answer, answer
    return answer


def test_the_menu_has_every_rule_set_with_its_options() -> None:
    """New rule sets are included; switches have no choices, other options list theirs."""
    shown = {rules["name"]: rules for rules in menu()["rules"]}
    assert list(shown) == list(RULES)
    for name, rules in RULES.items():
        for option, told in zip(rules.options, shown[name]["options"], strict=True):
            assert told["summary"] == option.summary
            assert told["label"] == option.label
            assert bool(told["choices"]) == (not isinstance(option.default, bool))


@pytest.mark.parametrize("shape", TOPOLOGIES)
def test_the_menu_says_how_many_cells_the_first_click_keeps_clear(shape: str) -> None:
    """The page needs the number to check custom levels; it used to refuse `5x5:18/hexagon`."""
    promises = {
        told["name"]: told["keeps_clear"]
        for rules in menu()["rules"]
        for told in rules["first_clicks"]
    }
    board = topology(shape, 5, 5)
    neighbours = max(len(board.neighbours(cell)) for cell in board.cells())
    for name, kept in promises.items():
        most = board.size - {"nothing": 0, "cell": 1, "neighbours": 1 + neighbours}[kept]
        Game(f"5x5:{most}/{shape}", first_click=name, seed=1).open((2, 2))
        if kept != "nothing":
            with pytest.raises(BadSetting, match=f"mines must be at most {most}"):
                Game(f"5x5:{most + 1}/{shape}", first_click=name)


def test_omitted_options_keep_their_values() -> None:
    """If two switches are changed at the same time, neither change is lost."""
    chosen = GameSettings().changed({"rules": "kaboom", "options": {"guess_anywhere": True}})
    chosen = chosen.changed({"options": {"judge": "local"}})
    assert chosen.options["guess_anywhere"] is True
    assert chosen.options["judge"] == "local"
    assert GameSettings().changed({"rules": "fair"}).win == "either"
    assert chosen.changed({"rules": "classic"}).options == {}
    for options in ({"judge": True}, {"judge": "nobody"}, {"guess_anywhere": "yes"}, {"x": 1}):
        with pytest.raises(BadSetting):
            chosen.changed({"options": options})


@pytest.mark.parametrize("rules", ["fair", "kaboom", "kind"])
def test_hint_suggests_a_guess_that_the_rules_make_safe(site: Any, rules: str) -> None:
    """If no cell is safe, the hint names a guess, and opening its cell succeeds."""
    with site.player(ME) as player:
        begin(player, COIN, rules)
        found = player.send("hint")
        assert not found["proved"]
        assert found["granted"]
        assert player.send("open", cell=found["cell"])["status"] == "won"


def test_kaboom_hints_obey_its_rules() -> None:
    """A guess away from all numbers may have a lower risk but still lose."""
    position = Position.parse(".....\n.....\n..3..\n.....\n.....", mines=4)
    known = analyze(position)
    settings = Game.from_position(position, "kaboom").settings
    granted = granted_guesses(known, settings)
    assert {known.position.topology.cell(i) for i in granted} == set(
        position.topology.neighbours((2, 2))
    )
    anywhere = Game.from_position(position, "kaboom", guess_anywhere=True).settings
    assert len(granted_guesses(known, anywhere)) == 24


def test_the_debug_view_sends_marks_and_figures(site: Any) -> None:
    """Only Kaboom has the debug view, which works even before the first click."""
    with site.player(ME) as player:
        player.send("assist", debug=True)
        begin(player, NEEDLESS, "kaboom")
        told = player.until("marks")
        assert told["marks"] == "              !   ??!  ."
        assert (told["frontier"], told["outside"]) == (5, 0)
        assert (told["least"], told["most"]) == (3, 3)
        assert told["advice"] == "There are safe cells."
        assert player.send("mark", cell=[3, 0])["helped"] == "shared"
        assert player.until("marks")["advice"] == "You flagged a cell that could be empty."
        player.send("new", settings={"rules": "kaboom"})
        assert player.until("marks")["advice"] == "You can play anywhere!"


def test_guesses_are_sent_with_help_or_after_the_end(site: Any) -> None:
    """Without help, guesses stay hidden until the game is over."""
    position = Position.parse("..\n11\n00\n11\n..", mines=2)
    with site.player(ME) as player:
        player.send("assist", mode="assisted", overlay="none")
        begin(player, position, "kind")
        told = player.until("guesses")
        assert told["made"] == 0
        player.send("open", cell=[0, 0])
        told = player.until("guesses")
        assert (told["made"], told["forced"], told["needless"]) == (1, 1, 0)
        player.send("assist", mode="solo")
        begin(player, COIN, "kind")
        player.frames.clear()
        player.send("mark", cell=[0, 0])
        assert not any(json.loads(text)["type"] == "guesses" for text in player.frames)
        player.send("open", cell=[0, 1])
        assert player.until("guesses")["made"] == 1


def test_forbidden_kaboom_guess_is_not_forced(site: Any) -> None:
    """The review and the list of guesses name the rule that ended the game."""
    with site.player(ME) as player:
        begin(player, Position.parse("mines: 2\n.1...."), "kaboom")
        assert player.send("open", cell=[0, 5])["status"] == "lost"
        assert player.until("review")["sentence"] == (
            "The rules forbade this guess: Kaboom rules let you open a cell away from numbers only "
            "when all cells next to numbers are mines."
        )
        told = json.loads([text for text in player.frames if '"guesses"' in text][-1])
        assert (told["made"], told["forced"], told["needless"]) == (1, 0, 1)
        [guess] = told["each"]
        assert (guess["safe"], guess["exploded"], guess["forbidden"]) == (0, True, True)


def test_a_review_has_both_boards_of_a_coin_flip(site: Any) -> None:
    """Both boards are also sent to windows opened later, even from a restarted server."""
    with site.player(ME) as player:
        for _ in range(40):
            begin(player, COIN, "classic")
            if player.send("open", cell=[0, 0])["status"] == "lost":
                break
        told = player.until("review")
        assert told["mined"] == [0]
        assert told["clear"] == [1]
        assert told["safe"] == []
        assert told["sentence"] == "No cell was safe: this was a true coin flip."
    with site.player(ME) as player:
        assert player.until("review")["mined"] == [0]
        player.send("undo")
        assert player.send("sync")["game"]["status"] == "playing"


@pytest.mark.parametrize("rules", ["classic", "fair", "kaboom", "kind"])
def test_density_game_has_chances_for_its_density(site: Any, rules: str) -> None:
    """Cells far from numbers have the density as their chance; a shared game keeps it."""
    with site.player() as player:
        state = player.send("new", settings={"level": "12x8@0.12", "rules": rules}, seed=4)
        assert (state["game"]["mines"], state["game"]["density"]) == (None, 0.12)
        player.send("open", cell=[3, 5])
        player.send("assist", mode="assisted", overlay="chances")
        overlay = player.until("overlay")
        assert (overlay["outside"], overlay["weighted"]) == (0.12, True)
    position = Position.parse("....\n.1..\n..11", density=0.05)
    with site.player() as player:
        state = player.send("position", position=position.to_json(), rules=rules, options={})
        assert (state["game"]["mines"], state["game"]["density"]) == (None, 0.05)
        hint = player.send("hint")
        assert hint["proved"]
