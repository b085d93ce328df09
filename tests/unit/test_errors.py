"""Errors: their base classes, and what docs/library.md says about them."""

import re
from pathlib import Path

from sapper import errors

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
NAMES = set(errors.__all__) - {"SapperError"}


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
