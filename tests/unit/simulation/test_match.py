"""Matches: games by seed, native or not, and bots that misbehave."""

import pickle

import pytest

from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting, BotFailed
from sapper.generation import generate
from sapper.position import Position
from sapper.simulation import steps
from sapper.simulation.match import Match
from sapper.solver.bots.base import Choice
from sapper.solver.bots.exact import Exact
from sapper.topology import Cell


class InPython(Exact):
    """The bot `exact` under another name, so that its games are not played natively."""


@pytest.mark.parametrize(
    ("level", "first_click", "start"),
    [
        ("beginner", "safe", (0, 0)),
        ("expert", "opening", (3, 3)),
        ("20x20@0.15", "any", (0, 0)),
        ("16x16:40", "any", (5, 5)),
        ("2x2:0", "any", (0, 0)),
        ("9x9:72", "opening", (4, 4)),
    ],
)
def test_native_games_match_the_bot(level: str, first_click: str, start: tuple[int, int]) -> None:
    """Every column except the time is the same."""
    native = Match("exact", level, first_click=first_click, start=start)
    python = Match(InPython, level, first_click=first_click, start=start)
    assert native.native
    assert not python.native
    assert native.play(range(300)) == python.play(range(300))


@pytest.mark.parametrize("change", [{"rules": "fair"}, {"start": None}])
def test_unsupported_matches_run_in_python(change: dict[str, object]) -> None:
    """Native play needs a fixed board and a given first click."""
    match = Match("exact", "beginner", **change)  # type: ignore[arg-type]
    assert not match.native
    assert len(match.play([1, 2])) == 2
    flags = Match("exact", "beginner", rule_options={"win": "flags"})
    assert not flags.native


def test_games_do_not_depend_on_order_or_process() -> None:
    """Earlier games make no difference, and a match can be pickled."""
    for bot in ("exact", "groups", "autosweeper"):
        match = Match(bot, "beginner")
        rows = match.play([5, 6, 7])
        assert match.play([7, 5]) == [rows[2], rows[0]]
        assert pickle.loads(pickle.dumps(match)).play([6]) == [rows[1]]


def test_game_record_has_all_figures() -> None:
    """The result includes the board's 3BV, the risk of every guess, and the time."""
    [row] = Match("groups", "expert").play([11])
    [made] = generate("expert", 1, first_click="safe", start=(0, 0), seed=11)
    assert row.bbbv == made.board.bbbv
    assert len(row.risks) <= row.guesses
    assert all(0 <= risk <= 1 for risk in row.risks)
    assert list(row.by) == sorted(row.by)
    assert row.think_s > 0


class Raises:
    def choose(self, position: Position) -> Choice:
        raise ZeroDivisionError("no idea")


class OffBoard:
    def choose(self, position: Position) -> Action:
        return Action(ActionKind.OPEN, Cell(99, 0))


class NoAnswer:
    def choose(self, position: Position) -> int:
        return 7


class Undoes:
    def choose(self, position: Position) -> Action:
        return Action(ActionKind.UNDO, None)


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        (Raises, "ZeroDivisionError: no idea"),
        (OffBoard, r"chose to open \(99, 0\) on a board of 9 rows and 9 columns"),
        (NoAnswer, "returned 7; expected an Action, several Actions or a Choice"),
        (Undoes, "chose to undo"),
    ],
)
def test_failing_bot_is_named_with_its_game(bot: type, message: str) -> None:
    """However the bot fails, there is one error that gives the file and the line."""
    start = rf"bot {bot.__name__}, game 3, choice 1: \S*test_match\.py:\d+ in choose: "
    match = Match(bot, "beginner")
    with pytest.raises(BotFailed, match=f"^{start}{message}"):
        match.play([3])
    # The message must not name the bot and the game twice. [#34]
    with pytest.raises(BotFailed, match=f"^{start}{message}"):
        match.game(3)


def test_steps_match_the_whole_game() -> None:
    """Choices are numbered from 1, each with the position that the bot saw."""
    match = Match("groups", "beginner")
    runner = match.runner()
    game = match.begin(11, runner)
    found = list(steps(game, runner))
    assert [step.number for step in found] == list(range(1, len(found) + 1))
    assert game.position == match.game(11).position
    [row] = match.play([11])
    assert sum(step.done for step in found) + 1 == row.actions
    assert str(game.status) == row.result
    assert not any(step.stuck for step in found)
    idle = Match(Idle, "beginner")
    runner = idle.runner()
    assert [step.stuck for step in steps(idle.begin(1, runner), runner)] == [True]


class Idle:
    """A bot that makes no choice."""

    def choose(self, position: Position) -> list[Action]:
        return []


class Flickers:
    """A bot that sets and removes a flag forever."""

    def choose(self, position: Position) -> Action:
        return Action(ActionKind.FLAG, position.unopened_cells()[0])


def test_bot_that_opens_nothing_is_stuck() -> None:
    """The game ends after two choices per cell without an opening."""
    [row] = Match(Flickers, "beginner").play([1])
    assert row.result == "stuck"
    assert row.bbbv is None
    assert 2 * 81 <= row.actions <= 2 * 81 + 2


def test_bad_settings_are_rejected_before_any_game() -> None:
    """Bad settings raise an error when the match is created."""
    with pytest.raises(BadSetting, match="unknown bot 'nobody'"):
        Match("nobody")
    with pytest.raises(BadSetting, match="no cell"):
        Match("exact", "beginner", start=(9, 9))
    with pytest.raises(BadSetting, match="seed must be"):
        Match("exact", "beginner").play([-1])


@pytest.mark.parametrize("bot", ["exact", "swift", "groups"])
def test_first_click_on_a_full_board_loses(bot: str) -> None:
    """[#17] The core called the game won, `game` called it lost."""
    match = Match(bot, "3x3:9", first_click="any")
    assert [(row.result, row.actions) for row in match.play([1, 2])] == [("lost", 1)] * 2
    assert match.game(1).status == "lost"
