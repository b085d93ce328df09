"""Dealers with fixed boards, and the settings they accept."""

from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from sapper import dealer
from sapper.board import Board
from sapper.dealer import DEALERS, RULES, LivePosition
from sapper.dealer.kind import KindDealer
from sapper.errors import BadSetting, WrongType
from sapper.game import Game
from sapper.generation import generate
from sapper.position import Position
from sapper.rules import FirstClick, GameOptions, Rules, Settings
from sapper.server.session.assist_messages import granted_guesses
from sapper.server.session.assist_settings import AssistSettings
from sapper.server.session.game_settings import GameSettings, menu
from sapper.simulation import simulate
from sapper.solver import analyze
from support.chi_square import chi_square_p

SMALLEST_P = 0.001


def dealt(rules: str, level: str, first: tuple[int, int], seed: int, **options: Any) -> Board:
    """Return a game's board after the first click, from the dealer's internals."""
    made = dealer.settings(level, rules, seed=seed, **options)
    shape = made.level.shape()
    keeper = dealer.make(made)
    keeper.open(LivePosition(Position.unopened(shape, made.level.mines)), shape.index(first))
    board = keeper.kept_board()
    assert board is not None
    return board


@pytest.mark.parametrize(
    ("first_click", "boards"),
    [(FirstClick.ANY, 28), (FirstClick.SAFE, 21), (FirstClick.OPENING, 6)],
)
def test_classic_deals_allowed_boards_uniformly(first_click: FirstClick, boards: int) -> None:
    """On 4x2 cells with 2 mines, all boards allowed after a corner click are equally likely."""
    n = 300 * boards
    seen = Counter(
        dealt("classic", "4x2:2", (0, 0), seed, first_click=first_click).mined for seed in range(n)
    )
    assert len(seen) == boards
    assert chi_square_p(seen.values()) > SMALLEST_P


@pytest.mark.parametrize("level", ["4x3:5", "4x3:11", "4x3:0", "4x3@0.5", "5x4:9/torus"])
def test_windows_xp_moves_a_mine_to_the_first_free_cell(level: str) -> None:
    """The mine moves to the first safe cell, and nothing else changes."""
    for seed, made in enumerate(generate(level, 60, first_click="any", start=(0, 0), seed=0)):
        before = made.board
        for index, cell in enumerate(before.topology.cells()):
            expected = bytearray(before.mined)
            if before.mined[index] and 0 in before.mined:
                expected[before.mined.index(0)] = 1
                expected[index] = 0
            assert dealt("windows-xp", level, cell, seed).mined == bytes(expected)


def test_windows_xp_moves_only_at_the_first_click() -> None:
    """The second click can lose."""
    lost = 0
    for seed in range(200):
        game = Game("4x4:8", "windows-xp", seed=seed)
        game.open((1, 1))
        assert game.status != "lost"
        if game.position.is_unopened((1, 2)) and not game.over:
            game.open((1, 2))
            lost += game.status == "lost"
    assert lost > 50


def test_windows_xp_is_dealt_before_the_click() -> None:
    """The first click affects the board only by moving a mine."""
    a = dealt("windows-xp", "30x16:99", (0, 0), 5)
    b = dealt("windows-xp", "30x16:99", (15, 29), 5)
    assert sum(x != y for x, y in zip(a.mined, b.mined, strict=True)) <= 4


def test_every_rule_set_has_a_sentence() -> None:
    """Every rule set has a name and a one-sentence summary."""
    for name, rules in RULES.items():
        assert rules.name == name == DEALERS[name].rules.name
        assert rules.summary.endswith(".")
        assert rules.first_clicks
        assert rules.wins


def test_every_rule_set_has_its_row_in_the_docs() -> None:
    """Each row gives the rule set's name, sentence, first clicks, wins and options."""
    page = (Path(__file__).parents[3] / "docs" / "rules.md").read_text("utf-8")
    rows = [
        f"| `{rules.name}` | {rules.summary} | {', '.join(rules.first_clicks)} | "
        f"{', '.join(rules.wins)} | {', '.join(f'`{o.name}`' for o in rules.options)} |"
        for rules in RULES.values()
    ]
    table = page.partition("| --- |")[2].partition("\n\n")[0]
    assert table.splitlines()[1:] == [row.replace("|  |", "| |") for row in rows]


def test_omitted_settings_use_the_defaults_of_the_rules() -> None:
    """The defaults are the start and the win that the rules list first."""
    made = dealer.settings("beginner", "windows-xp", seed=1)
    assert (made.first_click, made.win, made.chord, made.undo) == ("safe", "open", "exact", True)


def test_every_option_of_the_built_in_rules_has_a_type() -> None:
    """`GameOptions` has the options of all rule sets, and a game's settings."""
    own = {option.name for rules in RULES.values() for option in rules.options}
    shared = {field.name for field in fields(Settings)} - {"level", "rules", "options"}
    assert set(GameOptions.__annotations__) == own | shared | {"rule_options"}


def test_options_of_other_rule_sets_are_given_by_name() -> None:
    """`rule_options` accepts the same options as the keywords."""
    by_name = dealer.settings("9x9:10", "fair", seed=1, rule_options={"add_mines": False})
    assert by_name == dealer.settings("9x9:10", "fair", seed=1, add_mines=False)
    with pytest.raises(BadSetting, match="rules fair have no option 'cheat'"):
        dealer.settings("9x9:10", "fair", rule_options={"cheat": True})
    with pytest.raises(WrongType, match="expected rule_options by name, got 5"):
        dealer.settings("9x9:10", "fair", rule_options=5)  # type: ignore[arg-type]


def test_a_given_board_has_no_first_click_promise() -> None:
    """The error names the setting to leave out."""
    with pytest.raises(BadSetting, match="omit first_click"):
        Game.from_board(Board.parse("1*1"), first_click="any")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("level", "options", "reason"),
    [
        ("9x9:10", {"rules": "chess"}, "unknown rules 'chess'; choose from: classic, windows-xp"),
        ("9x9:10", {"rules": None}, "unknown rules None"),
        ("9x9:10", {"rules": ["classic"]}, "unknown rules"),
        ("9x9:10", {"rules": "x" * 1000}, "unknown rules 'x{77}…';"),
        ("9x9:10", {"y" * 1000: 1}, "have no option 'y{77}…';"),
        (
            "9x9:10",
            {"first_click": "lucky"},
            "must be safe, any or opening for rules classic, got 'lucky'",
        ),
        (
            "9x9:10",
            {"rules": "windows-xp", "first_click": "opening"},
            "first_click must be safe for rules windows-xp, got 'opening'",
        ),
        (
            "9x9:10",
            {"win": "never"},
            "win must be open, flags or either .*, got 'never'",
        ),
        ("9x9:10", {"chord": "some"}, "chord must be exact or at_least, got 'some'"),
        ("9x9:10", {"undo": 1}, "undo must be True or False, got 1"),
        ("9x9:10", {"seed": 0.5}, "seed must be an integer"),
        ("9x9:10", {"guess_anywhere": True}, "rules classic have no option 'guess_anywhere'"),
        ("9x9:81", {}, "first click safe keeps up to 1 cells .* mines must be at most 80, got 81"),
        (
            "9x9:73",
            {"first_click": "opening"},
            "keeps up to 9 cells .* mines must be at most 72, got 73",
        ),
        (
            "2x2:1",
            {"first_click": "opening"},
            "keeps up to 4 cells .* mines must be at most 0, got 1",
        ),
        ("9x9:81", {"rules": "windows-xp"}, "no free cell for a mine under the first click"),
        ("9x9@1", {"rules": "windows-xp"}, "no free cell"),
    ],
)
def test_impossible_settings_are_rejected(level: str, options: dict[str, Any], reason: str) -> None:
    """The message states the problem and the valid values."""
    with pytest.raises(BadSetting, match=reason):
        dealer.settings(level, **options)


@pytest.mark.parametrize(
    ("level", "first_click"), [("9x9:81", "any"), ("9x9:80", "safe"), ("9x9:72", "opening")]
)
def test_fullest_boards_can_be_dealt(level: str, first_click: str) -> None:
    """Mines may fill every cell outside the promise, wherever the first click is."""
    for cell in [(0, 0), (4, 4), (8, 3)]:
        game = Game(level, first_click=first_click, seed=1)
        game.open(cell)
        assert (game.status == "lost") == (first_click == "any")


class LuckyDealer(KindDealer):
    """A rule set that only the registry knows."""

    rules = Rules(
        name="lucky", summary="Any guess is granted.", aid="marks", invitation="Try your luck"
    )


def test_a_new_rule_set_appears_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once registered, a rule set is available in games, bots, menus, views and hints."""
    monkeypatch.setitem(DEALERS, "lucky", LuckyDealer)
    monkeypatch.setitem(RULES, "lucky", LuckyDealer.rules)
    game = Game("9x9:10", "lucky", seed=3)
    game.open((4, 4))
    assert Game.from_json(game.to_json()).position == game.position
    assert simulate("exact", "beginner", "lucky", n=2, seed=1).games == 2
    shown = {rules["name"]: rules for rules in menu()["rules"]}["lucky"]
    assert (shown["label"], shown["aid"], shown["first_clicks"][0]["name"]) == (
        "Lucky",
        "marks",
        "safe",
    )
    assert shown["invitation"] == "Try your luck"
    assert GameSettings().changed({"rules": "lucky"}).game(1).settings.rules == "lucky"
    assert AssistSettings(debug=True).layer("lucky") == "marks"
    wall = analyze(Position.parse("..\n11", mines=1))
    assert granted_guesses(wall, game.settings) == [0, 1]
