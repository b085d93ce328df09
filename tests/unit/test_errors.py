"""Errors: their base classes, and the list in docs/library.md."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import sapper
from sapper import Position, errors, generation, metrics, replay
from sapper.errors import BadLevel, BadSetting, WrongType
from sapper.simulation import Match
from sapper.solver import deduce, hint_from, reference

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
NAMES = set(errors.__all__) - {"SapperError"}
POSITION = Position.parse("..\n11", mines=1)
SHAPE = POSITION.topology


def test_all_but_three_errors_are_value_errors() -> None:
    """Only cancelled calls, missing packages and wrong types are not value errors."""
    found = {name for name in NAMES if not issubclass(getattr(errors, name), ValueError)}
    assert found == {"Cancelled", "MissingExtra", "WrongType"}
    assert all(issubclass(getattr(errors, name), errors.SapperError) for name in NAMES)


def test_the_library_page_lists_every_error() -> None:
    """Each error has a row in the table, and each row names an existing error."""
    text = PAGE.read_text("utf-8").split("## Errors")[1]
    rows = re.findall(r"^\| (`.*?) \|", text, re.M)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == NAMES


def test_every_error_has_its_own_code() -> None:
    """Programs can tell errors apart by their code."""
    codes = [getattr(errors, name).code for name in errors.__all__]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sapper.hint(POSITION, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.conflict(POSITION, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.win_chance(POSITION, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.optimal(POSITION, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.sample(POSITION, n=1, seed=1, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.outcomes(POSITION, (0, 0), limit=3), "expected a Limit, got 3"),
        (lambda: sapper.Limit(cancel=3), "expected a Cancel flag, got 3"),
        (lambda: sapper.arrange(POSITION, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.optimal("..."), "expected a Position, got '...'"),
        (lambda: sapper.Game.from_position("..."), "expected a Position, got '...'"),
        (lambda: sapper.proof_steps(POSITION, None), "expected a Deduction, got None"),
        (lambda: sapper.metrics.measure(POSITION), "expected a Board, got Position"),
        (lambda: sapper.Game().play(3), "expected an Action, got 3"),
        (
            lambda: sapper.simulate(bot_options=3, seed=1),
            "bot_options must be a mapping",
        ),
        (lambda: sapper.Board(3, b""), "expected a Topology, got 3"),
        (lambda: sapper.Board(SHAPE, "...."), "mined must be bytes, got '....'"),
        (lambda: sapper.Board.from_mines("9x9", []), "expected a Topology, got '9x9'"),
        (lambda: sapper.Board.from_mines(SHAPE, 3), "expected cells (row, col), got 3"),
        (lambda: sapper.Position.unopened(3), "topology must be a Topology, got 3"),
        (lambda: metrics.measure(POSITION), "expected a Board, got Position"),
        (lambda: sapper.both_ways("..", (0, 0)), "expected a Position, got '..'"),
        (lambda: sapper.outcomes("..", (0, 0)), "expected a Position, got '..'"),
        (lambda: reference.analyze(".."), "expected a Position, got '..'"),
        (lambda: hint_from(POSITION), "expected an Analysis, got Position"),
        (lambda: hint_from(sapper.analyze(POSITION), limit=3), "expected a Limit, got 3"),
        (lambda: deduce(POSITION, (0, 0), limit=3), "expected a Limit, got 3"),
        (lambda: sapper.sample(POSITION, n=1, seed=1, safe=3), "expected cells (row, col), got 3"),
        (lambda: sapper.arrange(POSITION, mined=3), "expected cells (row, col), got 3"),
        (lambda: sapper.arrange(POSITION, progress=3), "progress must be a function, got 3"),
        (lambda: sapper.Game.from_board(POSITION), "expected a Board, got Position"),
        (lambda: sapper.Game.begin("9x9:10"), "expected Settings, got '9x9:10'"),
        (lambda: sapper.Game("9x9:10", time=3), "time must be a function, got 3"),
        (lambda: sapper.Game().subscribe(3), "a listener must be a function, got 3"),
        (lambda: sapper.Game().note_pointer("x"), "expected a packed path as bytes, got 'x'"),
        (lambda: sapper.review(sapper.Game(), progress=3), "progress must be a function, got 3"),
        (lambda: generation.prove(POSITION, (0, 0)), "expected a Board, got Position"),
        (lambda: generation.format_id(POSITION, (0, 0)), "expected a Board, got Position"),
        (lambda: generation.parse_id(3), "expected a game id as text, got 3"),
        (lambda: Match().play(3), "expected seeds, got 3"),
        (lambda: sapper.Replay.from_game(3), "expected a Game, got 3"),
        (lambda: replay.Playback(3), "expected a Replay, got 3"),
        (lambda: replay.parse("text"), "expected a replay as bytes, got 'text'"),
        (lambda: replay.serialize(3), "expected a Replay, got 3"),
        (lambda: sapper.conflict(POSITION, place=None), "place must be a function, got None"),
        (lambda: metrics.zini(POSITION), "expected a Board, got Position"),
        (lambda: metrics.islands(POSITION), "expected a Board, got Position"),
    ],
)
def test_wrong_argument_type_is_reported(call: Callable[[], object], said: str) -> None:
    """[#11] A wrong type raised an `AttributeError` from internal code."""
    with pytest.raises(WrongType, match=re.escape(said)):
        call()


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ((9, 9, "10"), "mines must be a whole number or None, got '10'"),
        ((9, 9, 10.0), "mines must be a whole number or None, got 10.0"),
        ((9, 9, True), "mines must be a whole number or None, got True"),
        (
            (True, 9, 1),
            "a board needs at least one row and one column, in whole numbers, got Truex9",
        ),
        ((9, 9, None, "0.5"), "density must be between 0 and 1, got '0.5'"),
        ((9, 9, None, True), "density must be between 0 and 1, got True"),
        ((9, 9, 10, None, ["torus"]), "unknown topology ['torus']"),
        ((9, 9, 10, 0.5), "a level has a mine total or a density, not both, got 10 and 0.5"),
    ],
)
def test_invalid_level_is_reported(level: tuple[object, ...], said: str) -> None:
    """[#17] Some bad levels were accepted; others raised a `TypeError` from internal code."""
    with pytest.raises(BadLevel, match=re.escape(said)):
        sapper.Level(*level)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sapper.optimal(POSITION, solutions=-1), "solutions must be a whole number"),
        (lambda: sapper.win_chance(POSITION, samples=-1), "samples must be a whole number"),
        (lambda: sapper.win_chance(POSITION, samples=10**7), "samples must be a whole number from"),
        (lambda: sapper.win_chance(POSITION, seed="x"), "seed must be an integer from 0 to"),
        (lambda: sapper.win_chance(POSITION, seed=-1), "seed must be an integer from 0 to"),
        (lambda: sapper.sample(POSITION, n=1, seed=True), "seed must be an integer from 0 to"),
        (lambda: sapper.both_ways(POSITION, (0, 0), seed=2**64), "seed must be an integer from 0"),
        (
            lambda: sapper.sample(POSITION, n=True, seed=1),
            "the number of boards must be a whole number",
        ),
        (lambda: sapper.generate(n="x"), "must be a whole number of 0 or more, got 'x'"),
        (lambda: sapper.generate(method="fast"), "method 'fast' is only for no-guess boards"),
        (
            lambda: sapper.Limit(states=True),
            "states must be a whole number from 0 to 2\\*\\*64 - 1",
        ),
    ],
)
def test_number_out_of_range_is_reported(call: Callable[[], object], said: str) -> None:
    """[#11] Numbers out of range were ignored or caused an internal error."""
    with pytest.raises(BadSetting, match=said):
        call()
