"""Errors: their base classes, and what docs/library.md says about them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import sapper
from sapper import Position, errors
from sapper.errors import BadSetting, WrongType

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
NAMES = set(errors.__all__) - {"SapperError"}
POSITION = Position.parse("..\n11", mines=1)


def test_all_but_three_errors_are_value_errors() -> None:
    """A cancelled call, a missing package and a wrong type are not wrong values."""
    found = {name for name in NAMES if not issubclass(getattr(errors, name), ValueError)}
    assert found == {"Cancelled", "MissingExtra", "WrongType"}
    assert all(issubclass(getattr(errors, name), errors.SapperError) for name in NAMES)


def test_the_library_page_lists_every_error() -> None:
    """Each error has a row in the table, and each row names errors that exist."""
    text = PAGE.read_text("utf-8").split("## Errors")[1]
    rows = re.findall(r"^\| (`.*?) \|", text, re.M)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == NAMES


def test_every_error_has_a_code_of_its_own() -> None:
    """Programs tell errors apart by their code."""
    codes = [getattr(errors, name).code for name in errors.__all__]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sapper.hint(POSITION, 3), "expected a Limit, got 3"),
        (lambda: sapper.conflict(POSITION, 3), "expected a Limit, got 3"),
        (lambda: sapper.win_chance(POSITION, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.optimal(POSITION, 3), "expected a Limit, got 3"),
        (lambda: sapper.sample(POSITION, 1, 1, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.outcomes(POSITION, (0, 0), limit=3), "expected a Limit, got 3"),
        (lambda: sapper.Limit(cancel=3), "expected a Cancel flag, got 3"),
        (lambda: sapper.arrange(POSITION, limit=3), "expected a Limit, got 3"),
        (lambda: sapper.optimal("..."), "expected a Position, got '...'"),
        (lambda: sapper.Game.from_position("..."), "expected a Position, got '...'"),
        (lambda: sapper.proof_steps(POSITION, None), "expected a Deduction, got None"),
        (lambda: sapper.bbbv(POSITION), "expected a Board, got Position"),
        (lambda: sapper.Game().play(3), "expected an Action, got 3"),
        (lambda: sapper.simulate(options=3), "options must be a mapping of names to values, got 3"),
    ],
)
def test_an_argument_of_the_wrong_type_is_named(call: Callable[[], object], said: str) -> None:
    """[#11] Each raises `WrongType`; they ended in an `AttributeError` of the code inside."""
    with pytest.raises(WrongType, match=re.escape(said)):
        call()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sapper.optimal(POSITION, solutions=-1), "solutions must be a whole number"),
        (lambda: sapper.win_chance(POSITION, samples=-1), "samples must be a whole number"),
        (lambda: sapper.win_chance(POSITION, seed="x"), "seed must be a whole number"),
        (lambda: sapper.generate(n="x"), "must be a whole number of 0 or more, got 'x'"),
        (lambda: sapper.generate(method="fast"), "method fast is only for no-guess boards"),
    ],
)
def test_a_number_out_of_range_is_named(call: Callable[[], object], said: str) -> None:
    """[#11] They were ignored, or ended in an error of the code inside."""
    with pytest.raises(BadSetting, match=said):
        call()
