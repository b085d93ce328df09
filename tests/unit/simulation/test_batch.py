"""Whole games played by a bot, and their figures."""

import pytest

import sapper
from sapper.actions import Action, ActionKind
from sapper.errors import BadLevel, BadSetting, BotFailed, WrongType
from sapper.game import Game
from sapper.generation import substream
from sapper.position import Position
from sapper.rules import Level
from sapper.simulation import Match, simulate
from sapper.solver.bots import Bot, Choice, as_choice, begin, bots, make_bot
from sapper.stats import wilson
from sapper.topology import Cell


class Last:
    """A bot that opens the last unopened cell and records its calls."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.seen: list[Position] = []

    def begin(self, level: Level, seed: int) -> None:
        self.begun.append(seed)

    def choose(self, position: Position) -> Action:
        self.seen.append(position)
        return Action(ActionKind.OPEN, position.unopened_cells()[-1])


class Idle:
    """A bot whose actions have no effect."""

    def choose(self, position: Position) -> Choice:
        return Choice((Action(ActionKind.CHORD, Cell(0, 0)),), "asleep")


def by_hand(bot: Bot, seed: int) -> str:
    """Play a game with `Game`, which the simulation must match."""
    game = Game("beginner", first_click="safe", seed=seed)
    game.open((0, 0))
    while not game.over:
        for action in as_choice(bot.choose(game.position)).actions:
            if not game.over:
                game.play(action)
    return str(game.status)


@pytest.mark.parametrize("name", bots)
def test_simulated_game_matches_the_game_of_its_seed(name: str) -> None:
    """The bot gets the same result in `Game`, so any game can be inspected later."""
    made = sapper.simulate(name, "beginner", n=20, seed=100)
    assert [row.seed for row in made.rows] == list(range(100, 120))
    bot = make_bot(name)
    for row in made.rows:
        begin(bot, Level.of("beginner"), substream(row.seed, "bot"))
        assert by_hand(bot, row.seed) == row.result


def test_every_bot_gets_the_same_boards() -> None:
    """The boards are those that `generate` deals for the same seed and first click."""
    bot = Last()
    simulate(bot, "9x9:10", n=5, seed=3, start=(4, 4))
    for made in sapper.generate("9x9:10", 5, start=(4, 4), seed=3):
        game = Game.from_board(made.board)
        game.open((4, 4))
        assert game.over or game.position in bot.seen


@pytest.mark.parametrize("name", bots)
def test_the_same_seed_gives_the_same_games(name: str) -> None:
    """Random bots also repeat their games, whatever they played before."""
    bot = make_bot(name)
    rows = simulate(bot, "16x16:40", n=6, seed=5).rows
    assert simulate(bot, "16x16:40", n=6, seed=5).rows == rows
    assert simulate(bot, "16x16:40", n=3, seed=8).rows == rows[3:]


def test_bot_is_notified_of_games_without_their_seed() -> None:
    """The seed of a game would reveal its mines."""
    bot = Last()
    simulate(bot, "beginner", n=3, seed=1)
    assert len(set(bot.begun)) == 3
    assert not set(bot.begun) & {1, 2, 3}


def test_idle_bot_is_stuck() -> None:
    """If a bot does nothing, its game ends neither won nor lost."""
    made = simulate(Idle(), "beginner", n=2, seed=1)
    assert [row.result for row in made.rows] == ["stuck", "stuck"]
    assert (made.wins, made.rows[0].actions, made.rows[0].last_by) == (0, 1, "asleep")


def test_bot_makes_the_first_click_without_a_start() -> None:
    """A bot that makes the first click gets the untouched board."""
    bot = Last()
    simulate(bot, "beginner", start=None, n=1, seed=1)
    assert bot.seen[0].cells.count(b".") == 81


def test_figures_add_up() -> None:
    """The sums over the rows are correct, as is their JSON form."""
    made = simulate("exact", "beginner", n=40, seed=1)
    assert made.games == 40
    assert made.guesses == sum(row.guesses for row in made.rows) == made.by["least risk"]
    assert made.lost_by == {"least risk": 40 - made.wins}
    told = made.to_json()
    assert told["win_rate"] == made.wins / 40
    assert told["interval"] == list(wilson(made.wins, 40))
    assert (told["level"], told["start"], told["bot"]) == ("beginner", [0, 0], "exact")


def test_the_same_games_are_equal() -> None:
    """[#17] Simulations with the same games differed because of their elapsed times."""
    assert simulate("exact", "beginner", n=3, seed=1) == simulate("exact", "beginner", n=3, seed=1)
    assert simulate("exact", "beginner", n=3, seed=1) != simulate("exact", "beginner", n=4, seed=1)


def test_results_and_matches_are_hashable() -> None:
    """[#17] Some results could not be hashed because of their mappings."""
    made = simulate("exact", "beginner", n=2, seed=1)
    assert len({made, simulate("exact", "beginner", n=2, seed=1), *made.rows, *made.rows}) == 3
    assert len({Match("exact", bot_options={}), Match("exact"), Match("groups")}) == 2


def test_choice_without_actions_is_rejected() -> None:
    """[#17] An empty choice raised an `AttributeError`."""
    for actions in (((4, 4),), Action(ActionKind.OPEN, Cell(4, 4))):
        bot = Last()
        bot.choose = lambda position, actions=actions: Choice(actions)  # type: ignore[method-assign]
        with pytest.raises(BotFailed, match="returned a Choice whose actions are"):
            simulate(bot, "beginner", n=1, seed=1)


def test_zero_games_are_supported() -> None:
    """Without games, the win rate is undefined, and its interval is from 0 to 1."""
    made = simulate("exact", n=0, seed=1)
    assert made.to_json()["win_rate"] is None
    assert made.interval == (0.0, 1.0)


def test_wilson_interval_matches_published_values() -> None:
    """Source: Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81/263 and 0/20."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"n": -1}, BadSetting, "0 or more"),
        (
            {"n": 2.5},
            BadSetting,
            "games must be a whole number of 0 or more, got 2.5",
        ),
        (
            {"n": "5"},
            BadSetting,
            "games must be a whole number of 0 or more, got '5'",
        ),
        ({"start": 3}, BadSetting, r"a cell is \(row, col\), got 3"),
        ({"rule_options": {"seed": 3}}, BadSetting, "rule_options cannot set seed"),
        ({"rule_options": {3: 3}}, WrongType, "rule_options must be a mapping of names"),
        ({"bot_options": {3: 3}}, WrongType, "bot_options must be a mapping of names"),
        ({"seed": -1}, BadSetting, "seed must be"),
        ({"level": "huge"}, BadLevel, "invalid level"),
        ({"start": (16, 0)}, BadSetting, "no cell"),
        ({"first_click": "lucky"}, BadSetting, "first_click"),
        ({"bot": "nobody"}, BadSetting, "unknown bot"),
        ({"rule_options": {"cheat": True}}, BadSetting, "no option 'cheat'"),
    ],
)
def test_bad_settings_are_rejected(
    settings: dict[str, object], error: type[Exception], message: str
) -> None:
    """Bad settings raise an error before the first game."""
    with pytest.raises(error, match=message):
        simulate(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", bots)
def test_flag_wins_match_other_wins(name: str) -> None:
    """When all safe cells are open, the bot flags the rest."""
    opened = simulate(name, "beginner", n=12, seed=1)
    flagged = simulate(name, "beginner", n=12, rule_options={"win": "flags"}, seed=1)
    assert [row.result for row in flagged.rows] == [row.result for row in opened.rows]
    assert flagged.wins > 0


@pytest.mark.parametrize("rules", ["windows-xp", "fair", "kaboom", "kind"])
def test_every_rule_set_can_be_played(rules: str) -> None:
    """Some rule sets place mines during play."""
    made = simulate("exact", "9x9:10", rules, start=None, n=5, seed=1)
    assert {row.result for row in made.rows} <= {"won", "lost"}
